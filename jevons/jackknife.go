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
// function.
func StudentQuantile(df float64) float64 {
	const p = 0.975
	x := mathext.InvRegIncBeta(df/2, 0.5, 2*(1-p))
	return math.Sqrt(df * (1 - x) / x)
}

// assessment holds the inputs of the quality of rows.
type assessment struct {
	quality []Quality // by week, geography and slice; see engine.at
	// weights of products and of slices as whole numbers, whose sums are exact.
	weights []float64
	active  [numSlices]float64
	members [numSlices][]int // by category: indices of its products
	stores  [][]int32        // by geography: indices into the panel's list
}

func newAssessment(e *engine) *assessment {
	a := &assessment{
		quality: make([]Quality, len(e.items)), weights: wholeWeights(e.products),
		stores: make([][]int32, len(e.geos)),
	}
	for i := range e.products {
		p := &e.products[i]
		a.members[p.Category] = append(a.members[p.Category], i)
		if p.Active {
			a.active[p.Category] += a.weights[i]
			a.active[basket.Overall] += a.weights[i]
		}
	}
	seen := make([]bool, e.stores)
	for _, part := range e.plans[0].parts {
		for _, r := range part.runs {
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

// countSeries counts the series of a part that are matched with the base, and notes in which weeks
// each store has one, by slice.
func (e *engine) countSeries(w *worker, part *part, base []float64) {
	first, _ := part.series()
	category := e.products[part.product].Category
	for i, at := range part.points {
		to := w.kept(int(at.geo), part.product)
		to.series = [lanes.Width]int32{}
		for _, of := range part.points[at.from:at.to] {
			for j, n := range w.kept(int(of.geo), part.product).series {
				to.series[j] += n
			}
		}
		if i >= len(part.runs) {
			continue
		}
		r := &part.runs[i]
		for s := r.lo; s < r.hi; s++ {
			weeks := uint8(0) // one bit for each
			for j, v := range w.rows[s-first][1:] {
				if v == v && base[s] == base[s] {
					weeks |= 1 << j
					to.series[j]++
				}
			}
			w.seen[int(category)*e.stores+int(e.store[s])] |= weeks
			w.seen[e.store[s]] |= weeks
		}
	}
}

// assess notes the quality of the level of a category, or of the headline, of
// geography g in week k, which is the j-th in w.acc.
func (e *engine) assess(w *worker, k, g, j int, c basket.Category, rho float64) {
	row := &e.assessed.quality[e.at(k, g)+int(c)]
	*row = Quality{Status: normal}
	for _, s := range e.assessed.stores[g] {
		row.Stores += int32(w.seen[int(c)*e.stores+int(s)] >> j & 1)
	}
	weight, lacking := 0.0, false
	for _, i := range basket.Slices()[1:] {
		if c != basket.Overall && c != i {
			continue
		}
		matched := 0.0
		for _, p := range e.assessed.members[i] {
			x := w.kept(g, int32(p))
			if n := int(x.Count(lanes.Relatives)[j]); n > 0 {
				row.Series += x.series[j]
				row.Trimmed += 2 * w.trim[n]
				matched += e.assessed.weights[p]
			}
		}
		weight += matched
		lacking = lacking || e.slices[i].items > 0 && w.acc[e.accAt(i, g)].Items[lanes.Relatives][j] == 0
	}
	active := e.assessed.active[c]
	row.Weight = round(weight/active, fourDecimals)
	if lacking || weight*float64(enoughWeight.Den) < active*float64(enoughWeight.Num) {
		row.Status = estimated
	}
	var se, t float64
	if c == basket.Overall {
		se, t, row.DF = e.headlineError(w, g, j, lanes.Relatives)
	} else {
		v, _, df := e.variance(w, g, j, lanes.Relatives, c)
		se, _, row.DF = w.standardError(v, float64(df), df)
		t = math.NaN()
	}
	row.SE = round(100*lanes.Exp(rho)*se, fourDecimals)
	row.Low, row.High = round(100*lanes.Exp(rho-t*se), fourDecimals), round(100*lanes.Exp(rho+t*se), fourDecimals)
}

// assessChange notes the standard error of a headline's change, a logarithm, and its
// interval: t standard errors to both sides of the change in percent.
func (e *engine) assessChange(w *worker, k, g, j int, change float64) {
	se, t, _ := e.headlineError(w, g, j, lanes.Later)
	q := &e.assessed.quality[e.at(k, g)]
	wow, points := 100*(lanes.Exp(change)-1), 100*lanes.Exp(change)*se
	q.SEWoW = round(points, fourDecimals)
	q.LowWoW, q.HighWoW = round(wow-t*points, fourDecimals), round(wow+t*points, fourDecimals)
}

// headlineError returns the standardError of a headline: its variance is the sum of those of its
// categories, and its degrees of freedom are Satterthwaite's.
func (e *engine) headlineError(w *worker, g, j, stream int) (se, t float64, df panel.Fixed) {
	var sum, squares, total float64
	products := int32(0)
	for _, c := range basket.Slices()[1:] {
		if v, weight, n := e.variance(w, g, j, stream, c); weight > 0 {
			v *= e.slices[c].weight * e.slices[c].weight
			sum += v
			squares += v * v / float64(n)
			total += e.slices[c].weight
			products += n
		}
	}
	return w.standardError(sum/(total*total), sum*sum/squares, products)
}

// noise is the variance under which no relative differs from another but by rounding.
const noise = 1e-24

// standardError returns the root of a variance v; the quantile of Student's t for its interval; and
// its degrees of freedom, rounded down to one decimal, which are those of its products where v is 0
// or unknown. se is NaN without enough of them. So is t, also where v is 0.
func (w *worker) standardError(v, satterthwaite float64, products int32) (se, t float64, df panel.Fixed) {
	const tenth = unitsPerOne / 10
	df = panel.FixedOf(int64(products) * unitsPerOne)
	if v >= noise {
		df.Units = int64(math.Floor(10*satterthwaite+tieSlack)) * tenth
	}
	switch {
	case v != v || df.Units < LeastDF*unitsPerOne:
		return math.NaN(), math.NaN(), df
	case v < noise:
		return 0, math.NaN(), df
	case w.student[df.Units] == 0:
		w.student[df.Units] = StudentQuantile(df.Float64())
	}
	return math.Sqrt(v), w.student[df.Units], df
}

// variance returns the variance of a category's mean, of lanes.Relatives or of the change from
// lanes.Earlier to lanes.Later, by leaving out one product at a time; the weight of its n products;
// and n-1. With the product i left out, the mean moves by
//
//	t_i = -w_i (rho_i - rho_c) / (W_c - w_i)
//
// and its variance is (n-1)/n times the sum of squares of t about their mean. It is NaN for one
// product.
func (e *engine) variance(w *worker, g, j, stream int, c basket.Category) (v, weight float64, df int32) {
	mean, weight, n := w.acc[e.accAt(c, g)].Mean(stream, j)
	if stream == lanes.Later {
		before, _, _ := w.acc[e.accAt(c, g)].Mean(lanes.Earlier, j)
		mean -= before
	}
	if n <= 1 {
		return math.NaN(), weight, int32(n - 1)
	}
	var sum, squares float64
	for _, p := range e.assessed.members[c] {
		x := w.kept(g, int32(p))
		if x.Count(stream)[j] == 0 {
			continue
		}
		value := x.Total[stream][j]
		if stream == lanes.Later {
			value -= x.Total[lanes.Earlier][j]
		}
		t := e.products[p].Weight * (mean - value) / (weight - e.products[p].Weight)
		sum += t
		squares += t * t
	}
	items := float64(n)
	return max(0, (items-1)/items*(squares-sum*sum/items)), weight, int32(n - 1)
}

// markBreaks gives the first published week of every series its status.
func (e *engine) markBreaks() {
	n := len(e.cells)
	for i := range n {
		for at := i; at < len(e.items); at += n {
			if e.items[at] > 0 {
				e.assessed.quality[at].Status = breaks
				break
			}
		}
	}
}
