package oracle

import (
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// Quality says how good a row is (section 12). nil is null.
type Quality struct {
	SE, Low, High *float64 // 4 decimals
	SEWoW         *float64 // 4 decimals
	DF            float64  // 1 decimal
	MatchedSeries int
	MatchedStores int
	Trimmed       int
	MatchedWeight float64 // 4 decimals
	Status        string
}

func (p *panel) quality(g geography, row *Row, cell published, b string) Quality {
	matched := p.inSlice(row.Category, p.matchedSeries(g, b, row.Date))
	q := Quality{MatchedSeries: len(matched)}
	stores := map[int64]bool{}
	for _, s := range matched {
		stores[s.store] = true
	}
	q.MatchedStores = len(stores)
	for _, relatives := range p.storeRelatives(g, matched, b, row.Date) {
		q.Trimmed += 2 * (p.trimPercent * len(relatives) / 100)
	}

	v, df, ok := p.jackknife(row.Category, row.products)
	q.DF = df
	if ok && df >= leastDF {
		q.SE = rounded(row.level * math.Sqrt(v))
		if row.Category == overall && v > 0 { // "on headline rows only and null where v = 0"
			t := p.studentQuantile(df)
			q.Low = rounded(row.level * math.Exp(-t*math.Sqrt(v)))
			q.High = rounded(row.level * math.Exp(t*math.Sqrt(v)))
		}
	}
	if row.Category == overall && row.WoW != nil {
		d := p.commonChange(g, b, cell.last, row.Date)
		if v, df, ok := p.jackknife(overall, d); ok && df >= leastDF {
			change, _ := p.headlineRelative(d)
			q.SEWoW = rounded(100 * math.Exp(change) * math.Sqrt(v))
		}
	}

	weight := p.matchedWeight(row)
	units := new(big.Rat).Mul(weight, big.NewRat(10_000, 1))
	units.Add(units, big.NewRat(1, 2))
	q.MatchedWeight = fromUnits(new(big.Int).Quo(units.Num(), units.Denom()).Int64(), 4)
	switch {
	case cell.last == "":
		q.Status = "B"
	case weight.Cmp(big.NewRat(8, 10)) < 0 || (row.Category == overall && p.lacksCategory(row.products)):
		q.Status = "E"
	default:
		q.Status = "A"
	}
	return q
}

// leastDF: "null [...] where df is under 3", which is Satterthwaite's before it is halved.
const leastDF = 1.5

// jackknife. Section 12: "variance of ln level, [...] stratified by category". "The
// jackknife deletes groups, not products [...]; n counts groups". It deletes each group
// in turn and computes rho of the slice from the products that remain; the text's t_i is
// that less rho. "Degrees of freedom are half of Satterthwaite's, not below 1":
// Satterthwaite's are "v^2 / sum_c (v_c^2 / (n_c - 1)) with v_c the terms of v, rounded
// down to one decimal; where v = 0 it is sum_c (n_c - 1)"; "a v under 1e-24 [...] counts
// as 0". False "when a category that has a matched product has only one, or df = 0".
func (p *panel) jackknife(slice string, rho map[int64]float64) (v, df float64, ok bool) {
	strata := []string{slice}
	if slice == overall {
		strata = p.categories
	}
	ok = true
	var squares float64 // sum_c (v_c^2 / (n_c - 1))
	for _, category := range strata {
		var without []float64
		groups := p.groupsOf(category, rho)
		switch n := len(groups); n {
		case 0:
		case 1:
			ok = false
		default:
			df += float64(n - 1)
			for _, deleted := range groups {
				without = append(without, p.rhoWithout(deleted, slice, rho))
			}
			var deviations []float64
			for _, t := range without {
				deviations = append(deviations, (t-mean(without))*(t-mean(without)))
			}
			term := float64(n-1) / float64(n) * sum(deviations)
			v += term
			squares += term * term / float64(n-1)
		}
	}
	satterthwaite := df
	switch {
	case v < 1e-24:
		v = 0
	case ok:
		satterthwaite = v * v / squares
	}
	if df > 0 {
		df = max(1, math.Floor(10*satterthwaite/2+tieWidth)/10)
	}
	return v, df, ok && df > 0
}

// groupsOf lists the matched products of a category by group: "a group is (category,
// subcategory, brand) where one brand stands for a product at every listing, else the
// product alone". The listings are those with a price that counts.
func (p *panel) groupsOf(category string, rho map[int64]float64) (groups [][]int64) {
	together := map[[2]string][]int64{}
	for _, product := range p.slice(category) {
		if _, matched := rho[product.ID]; !matched {
			continue
		}
		if brand := p.brandOf(product.ID); brand != "" {
			key := [2]string{product.Subcategory, brand}
			together[key] = append(together[key], product.ID)
		} else {
			groups = append(groups, []int64{product.ID})
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(together), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		groups = append(groups, together[key])
	}
	return groups
}

// brandOf is the one brand of a product's listings, and "" without one.
func (p *panel) brandOf(product int64) string {
	if brand, known := p.brands[product]; known {
		return brand
	}
	brands := map[string]bool{}
	for _, byWeek := range p.prices[national] {
		for _, s := range byWeek.order {
			if p.productOf(s) == product {
				brands[p.listings[s.listing].Brand] = true
			}
		}
	}
	if only := slices.Collect(maps.Keys(brands)); len(only) == 1 {
		p.brands[product] = only[0]
	} else {
		p.brands[product] = ""
	}
	return p.brands[product]
}

// rhoWithout is rho of the slice with a group deleted.
func (p *panel) rhoWithout(deleted []int64, slice string, rho map[int64]float64) float64 {
	others := maps.Clone(rho)
	for _, id := range deleted {
		delete(others, id)
	}
	var value float64
	if slice == overall {
		value, _ = p.headlineRelative(others)
	} else {
		value, _ = p.categoryRelative(slice, others)
	}
	return value
}

// commonChange is "D_i = rho_i,w - rho_i,u of the common set" of section 6.
func (p *panel) commonChange(g geography, b, u, w string) map[int64]float64 {
	matched := p.matchedSeries(g, b, u, w)
	before, now := p.productRelatives(g, matched, b, u), p.productRelatives(g, matched, b, w)
	d := map[int64]float64{}
	for product := range now {
		d[product] = now[product] - before[product]
	}
	return d
}

// matchedWeight. "W of the matched products over the weight of all active ones
// of the slice", the weights as the decimals they are.
func (p *panel) matchedWeight(row *Row) *big.Rat {
	matched, all := new(big.Rat), new(big.Rat)
	for _, product := range p.slice(row.Category) {
		weight := decimal(strconv.FormatFloat(product.Weight, 'f', -1, 64))
		all.Add(all, weight)
		if _, ok := row.products[product.ID]; ok {
			matched.Add(matched, weight)
		}
	}
	return matched.Quo(matched, all)
}

// lacksCategory: "a category has no matched product [...] only categories with
// an active product can lack one".
func (p *panel) lacksCategory(rho map[int64]float64) bool {
	for _, category := range p.categories {
		if _, ok := p.categoryRelative(category, rho); !ok && len(p.slice(category)) > 0 {
			return true
		}
	}
	return false
}

func rounded(v float64) *float64 {
	r := fromUnits(roundUnits(v, 4), 4)
	return &r
}

// studentQuantile finds the 97.5% quantile by Newton's method, once for each df. The share above is
// convex there, so every step from the left ends left of the quantile.
func (p *panel) studentQuantile(df float64) float64 {
	t, step := p.quantiles[df], 1.0
	if t > 0 {
		return t
	}
	for t = 1; step > 1e-14*t; t += step {
		step = (studentAbove(t, df) - 0.025) / studentDensity(t, df)
	}
	p.quantiles[df] = t
	return t
}

// studentDensity is the density of Student's t.
func studentDensity(t, df float64) float64 {
	return studentFactor(df) / math.Sqrt(df) * math.Pow(1+t*t/df, -(df+1)/2)
}

func studentFactor(df float64) float64 {
	above, _ := math.Lgamma((df + 1) / 2)
	below, _ := math.Lgamma(df / 2)
	return math.Exp(above-below) / math.Sqrt(math.Pi)
}

// studentAbove is the share above t. The angle whose cotangent, times the root of df, is Student's t
// has a density of sin(angle)^(df-1). Boole's rule integrates it from 0 over the angle's fourth root,
// in which it is smooth at 0 for every df of at least 1.
func studentAbove(t, df float64) float64 {
	const parts = 200
	width := math.Sqrt(math.Sqrt(math.Atan(math.Sqrt(df) / t)))
	total := 0.0
	for k := 1; k <= parts; k++ {
		root := width * float64(k) / parts
		density := math.Pow(math.Sin(root*root*root*root), df-1) * 4 * root * root * root
		weight := [...]float64{14, 32, 12, 32}[k%4]
		if k == parts {
			weight = 7
		}
		total += weight * density
	}
	return studentFactor(df) * total * width / parts * 2 / 45
}
