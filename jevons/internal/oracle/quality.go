package oracle

import (
	"math"
	"math/big"
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
	if ok && df >= 3 { // "null [...] where df is under 3"
		q.SE = rounded(row.level * math.Sqrt(v))
		if row.Category == overall && v > 0 { // "on headline rows only and null where v = 0"
			t := studentQuantile(0.975, df)
			q.Low = rounded(row.level * math.Exp(-t*math.Sqrt(v)))
			q.High = rounded(row.level * math.Exp(t*math.Sqrt(v)))
		}
	}
	if row.Category == overall && row.WoW != nil {
		d := p.commonChange(g, b, cell.last, row.Date)
		if v, df, ok := p.jackknife(overall, d); ok && df >= 3 {
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

// jackknife. Section 12: "variance of ln level, delete-one-product, stratified
// by category". It deletes each product in turn and computes rho of the slice
// from those that remain; the text's t_i is that less rho. "df is
// Satterthwaite's, v^2 / sum_c (v_c^2 / (n_c - 1)) with v_c the terms of v,
// rounded down to one decimal; where v = 0 it is sum_c (n_c - 1)"; "a v under
// 1e-24 [...] counts as 0". False "when a category that has a matched product
// has only one, or df = 0".
func (p *panel) jackknife(slice string, rho map[int64]float64) (v, df float64, ok bool) {
	strata := []string{slice}
	if slice == overall {
		strata = categories
	}
	ok = true
	var squares float64 // sum_c (v_c^2 / (n_c - 1))
	for _, category := range strata {
		var n int
		for _, product := range p.slice(category) {
			if _, matched := rho[product.ID]; matched {
				n++
			}
		}
		switch n {
		case 0:
			continue
		case 1:
			ok = false
			continue
		}
		df += float64(n - 1)
		var without []float64
		for _, product := range p.slice(category) {
			if _, matched := rho[product.ID]; matched {
				without = append(without, p.rhoWithout(product.ID, slice, rho))
			}
		}
		var deviations []float64
		for _, t := range without {
			deviations = append(deviations, (t-mean(without))*(t-mean(without)))
		}
		term := float64(n-1) / float64(n) * sum(deviations)
		v += term
		squares += term * term / float64(n-1)
	}
	switch {
	case v < 1e-24:
		v = 0
	case ok:
		df = math.Floor(10*v*v/squares+tieWidth) / 10
	}
	return v, df, ok && df > 0
}

// rhoWithout is rho of the slice with one product deleted.
func (p *panel) rhoWithout(id int64, slice string, rho map[int64]float64) float64 {
	others := map[int64]float64{}
	for other, value := range rho {
		if other != id {
			others[other] = value
		}
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
	for _, category := range categories {
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

// studentQuantile finds the quantile above the median by Newton's method. The share below is
// concave there, so every step from the left ends left of the quantile.
func studentQuantile(probability, df float64) float64 {
	t := 1.0
	for range 30 {
		angle := math.Atan(t / math.Sqrt(df))
		t += (probability - 0.5 - studentWithin(angle, df)) / (studentDensity(angle, df) * math.Pow(math.Cos(angle), 2) / math.Sqrt(df))
	}
	return t
}

// studentDensity is the density of the angle whose tangent, times the root of df, is Student's t.
func studentDensity(angle, df float64) float64 {
	above, _ := math.Lgamma((df + 1) / 2)
	below, _ := math.Lgamma(df / 2)
	return math.Exp(above-below) / math.Sqrt(math.Pi) * math.Pow(math.Cos(angle), df-1)
}

// studentWithin is the share of the angles from 0 to one: Simpson's rule.
func studentWithin(angle, df float64) float64 {
	const parts = 200
	total := studentDensity(0, df) + studentDensity(angle, df)
	for k := 1; k < parts; k++ {
		total += float64(2+2*(k%2)) * studentDensity(angle*float64(k)/parts, df)
	}
	return total * angle / parts / 3
}
