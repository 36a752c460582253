package jevons

import (
	"math"

	"github.com/shopspring/decimal"
	"gonum.org/v1/gonum/mathext"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// StudentQuantile returns the 97.5% quantile of Student's t with df degrees of freedom, df > 0:
// the t at which I(df/(t² + df); df/2, 1/2) = 2·(1 − 0.975), I the regularized incomplete beta
// function. It is NaN unless df is finite and above 0.
func StudentQuantile(df float64) float64 {
	const p = 0.975
	if !(df > 0) || math.IsInf(df, 1) {
		return math.NaN()
	}
	x := mathext.InvRegIncBeta(df/2, 0.5, 2*(1-p))
	return math.Sqrt(df * (1 - x) / x)
}

// assessment holds the inputs of the quality of rows.
type assessment struct {
	quality []Quality // beside engine.rows
	// weights of products and of slices as whole numbers, whose sums are exact.
	weights []float64
	active  []float64
	makers  [][][]int32 // by slice: the products that the jackknife leaves out together
	stores  [][]int32   // by geography: indices into the panel's list
}

func newAssessment(e *engine) *assessment {
	a := &assessment{
		quality: make([]Quality, len(e.rows)), weights: wholeWeights(e.products),
		stores: make([][]int32, e.all),
		active: make([]float64, len(e.slices)), makers: make([][][]int32, len(e.slices)),
	}
	for _, group := range Makers(e.panel) {
		c := e.sliceOf[group[0]]
		a.makers[c] = append(a.makers[c], group)
	}
	for i := range e.products {
		if p := &e.products[i]; p.Active {
			a.active[e.sliceOf[i]] += a.weights[i]
			a.active[headline] += a.weights[i]
		}
	}
	seen := make([]bool, e.stores)
	for _, x := range e.items[0] {
		for _, r := range x.banners {
			for _, s := range e.store[r.lo:r.hi] {
				if !seen[s] {
					seen[s] = true
					for _, g := range [...]int32{0, r.city, r.banner} {
						a.stores[g] = append(a.stores[g], s)
					}
				}
			}
		}
	}
	return a
}

// Makers returns the products that the jackknife leaves out together, as indices into the panel's
// products: those of one category, subcategory and brand. A product has a brand when all its listings
// with a counted price have that brand. A product without a brand makes a group of its own.
func Makers(p *panel.Panel) (groups [][]int32) {
	if p == nil {
		return nil
	}
	type maker struct{ category, subcategory, brand string }
	series, found := p.Series(), map[maker]int{}
	for i, x := range p.Products() {
		of := maker{category: x.Category, subcategory: x.Subcategory}
		for first := true; len(series) > 0 && int(series[0].Product) == i; series, first = series[1:], false {
			switch brand := p.Listings()[series[0].Listing].Brand; {
			case first:
				of.brand = brand
			case brand != of.brand:
				of.brand = ""
			}
		}
		if at, together := found[of]; together && of.brand != "" {
			groups[at] = append(groups[at], int32(i))
			continue
		}
		found[of] = len(groups)
		groups = append(groups, []int32{int32(i)})
	}
	return groups
}

// wholeWeights multiplies the products' weights by a power of ten that makes them
// all whole. If their sum is then too large to be exact, it returns them as they are.
func wholeWeights(products []basket.Product) []float64 {
	const exact = 1 << 50
	plain, whole, total := make([]float64, len(products)), make([]float64, len(products)), 0.0
	exponent := int32(0)
	for i := range products {
		plain[i] = products[i].Weight
		exponent = min(exponent, decimal.NewFromFloat(plain[i]).Exponent())
	}
	for i := range products {
		whole[i] = decimal.NewFromFloat(plain[i]).Shift(-exponent).InexactFloat64()
		total += whole[i]
	}
	if total < exact {
		return whole
	}
	return plain
}

// countSeries counts the series of an item that are matched with the base, and notes in which weeks
// each store has one, by slice.
func (w *worker) countSeries(x *item, base []float64) {
	first, _ := x.series()
	category := w.sliceOf[x.product]
	for i, at := range x.places {
		to := w.kept(int(at.geography), x.product)
		to.series = [lanes.Width]int32{}
		for _, of := range x.places[at.from:at.to] {
			for j, n := range w.kept(int(of.geography), x.product).series {
				to.series[j] += n
			}
		}
		if i >= len(x.banners) {
			continue
		}
		r := &x.banners[i]
		for s := r.lo; s < r.hi; s++ {
			weeks := uint8(0) // one bit for each
			for j, v := range w.rows[s-first][1:] {
				if v == v && base[s] == base[s] {
					weeks |= 1 << j
					to.series[j]++
				}
			}
			w.seen[category*w.stores+int(w.store[s])] |= weeks
			w.seen[w.store[s]] |= weeks
		}
	}
}

// assess notes the quality of the level of a category, or of the headline, of
// geography g in week k, which is the j-th in w.categories.
func (e *engine) assess(w *worker, k, g, j, c int, rho float64) {
	row := &e.assessed.quality[e.at(k, g, c)]
	*row = Quality{Status: normal}
	for _, s := range e.assessed.stores[g] {
		row.Stores += int32(w.seen[c*e.stores+int(s)] >> j & 1)
	}
	weight, lacking := 0.0, false
	for i := 1; i < len(e.slices); i++ {
		if c != headline && c != i {
			continue
		}
		for _, group := range e.assessed.makers[i] {
			for _, p := range group {
				x := w.kept(g, p)
				if n := int(x.Count(lanes.Relatives)[j]); n > 0 {
					row.Series += x.series[j]
					row.Trimmed += 2 * w.trim[n]
					weight += e.assessed.weights[p]
				}
			}
		}
		lacking = lacking || e.slices[i].items > 0 && w.category(i, g).Items[lanes.Relatives][j] == 0
	}
	active := e.assessed.active[c]
	row.Weight = round(weight/active, fourDecimals)
	if lacking || weight*float64(enoughWeight.Den) < active*float64(enoughWeight.Num) {
		row.Status = estimated
	}
	se, t, df := w.standardError(w.strata, c)
	row.DF = df
	row.SE = round(100*lanes.Exp(rho)*se, fourDecimals)
	row.Low, row.High = round(100*lanes.Exp(rho-t*se), fourDecimals), round(100*lanes.Exp(rho+t*se), fourDecimals)
}

// assessChange notes the standard error of a headline's change, a logarithm, and its
// interval: t standard errors to both sides of the change in percent.
func (e *engine) assessChange(w *worker, k, g, j int, change float64) {
	e.leaveOut(w, g, j, lanes.Later, w.changes)
	se, t, _ := w.standardError(w.changes, headline)
	q := &e.assessed.quality[e.at(k, g, headline)]
	wow, points := 100*(lanes.Exp(change)-1), 100*lanes.Exp(change)*se
	q.SEWoW = round(points, fourDecimals)
	q.LowWoW, q.HighWoW = round(wow-t*points, fourDecimals), round(wow+t*points, fourDecimals)
}

// noise is the variance under which no relative differs from another but by rounding.
const noise = 1e-24

// stratum is a category's part in a jackknife.
type stratum struct {
	variance float64 // of the category's mean; NaN if it has one group
	groups   int32   // of matched products; 0: it has no part
}

// leaveOut notes the variances of the categories' means, of lanes.Relatives or of the change
// from lanes.Earlier to lanes.Later.
func (e *engine) leaveOut(w *worker, g, j, stream int, strata []stratum) {
	for c := 1; c < len(strata); c++ {
		mean, weight, _ := w.category(c, g).Mean(stream, j)
		if stream == lanes.Later {
			before, _, _ := w.category(c, g).Mean(lanes.Earlier, j)
			mean -= before
		}
		strata[c] = e.leaveOutEach(e.assessed.makers[c], mean, weight, func(p int32) (float64, bool) {
			x := w.kept(g, p)
			value := x.Total[stream][j]
			if stream == lanes.Later {
				value -= x.Total[lanes.Earlier][j]
			}
			return value, x.Count(stream)[j] > 0
		})
	}
}

// leaveOutEach leaves out the products of one maker at a time, of those that have a value. Without
// a group of weight w_g and mean rho_g, the mean rho_c of weight W_c moves by
//
//	t_g = -w_g (rho_g - rho_c) / (W_c - w_g)
//
// With n groups, the variance is (n-1)/n times the sum of squares of t about their mean.
func (l *geographies) leaveOutEach(
	makers [][]int32, mean, weight float64, value func(p int32) (float64, bool),
) stratum {
	var sum, squares, groups float64
	for _, group := range makers {
		part, moved, matched := 0.0, 0.0, false
		for _, p := range group {
			if v, has := value(p); has {
				part, moved, matched = part+l.products[p].Weight, moved+l.products[p].Weight*(mean-v), true
			}
		}
		if matched {
			t := moved / (weight - part)
			sum, squares, groups = sum+t, squares+t*t, groups+1
		}
	}
	if groups == 1 {
		return stratum{math.NaN(), 1}
	}
	return stratum{max(0, (groups-1)/groups*(squares-sum*sum/groups)), int32(groups)}
}

// standardError returns the standard error of ln of a slice's level, the quantile of
// Student's t for its interval, and the degrees of freedom. These are half of Satterthwaite's,
//
//	v² / Σ (v_c² / (n_c - 1)) / 2
//
// with v_c the terms of the variance v, since relatives have heavy tails; half of Σ (n_c - 1) where
// v is 0 or unknown; not below 1; and rounded down to one decimal. se is NaN without enough of them.
// So is t, also for a category and where v is 0.
func (w *worker) standardError(strata []stratum, slice int) (se, t float64, df panel.Fixed) {
	const tenth = unitsPerOne / 10
	var v, squares, total, n float64
	for c := 1; c < len(strata); c++ {
		if s := &strata[c]; s.groups > 0 && (slice == headline || slice == c) {
			weight := w.slices[c].weight
			term := weight * weight * s.variance
			v, squares = v+term, squares+term*term/float64(s.groups-1)
			total, n = total+weight, n+float64(s.groups-1)
		}
	}
	satterthwaite := n
	v /= total * total
	if v >= noise {
		satterthwaite = v * v * total * total * total * total / squares
	}
	df = panel.FixedOf(max(min(int64(n), 1)*unitsPerOne, int64(math.Floor(10*satterthwaite/2+tieSlack))*tenth))
	switch {
	case v != v || df.Units < LeastDF*unitsPerOne:
		return math.NaN(), math.NaN(), df
	case v < noise:
		return 0, math.NaN(), df
	case slice != headline:
		return math.Sqrt(v), math.NaN(), df
	case w.student[df.Units] == 0:
		w.student[df.Units] = StudentQuantile(df.Float64())
	}
	return math.Sqrt(v), w.student[df.Units], df
}

// markBreaks gives the first published week of every series its status.
func (e *engine) markBreaks() {
	n := len(e.cells)
	for i := range n {
		for at := i; at < len(e.rows); at += n {
			if e.rows[at].Index.Valid {
				e.assessed.quality[at].Status = breaks
				break
			}
		}
	}
}
