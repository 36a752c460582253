package jevons

import (
	"math"

	"github.com/shopspring/decimal"
	"gonum.org/v1/gonum/mathext"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
)

// StudentQuantile returns the 97.5% quantile of Student's t with df degrees of freedom, df > 0:
// the t at which I(df/(t² + df); df/2, 1/2) = 2·(1 − 0.975), I the regularized incomplete beta
// function.
func StudentQuantile(df int) float64 {
	p, nu := 0.975, float64(df)
	x := mathext.InvRegIncBeta(nu/2, 0.5, 2*(1-p))
	return math.Sqrt(nu * (1 - x) / x)
}

// assessment holds the inputs of the quality of rows.
type assessment struct {
	quality []Quality // by week, geography and slice; see engine.at
	// student has the 97.5% quantile of Student's t by degrees of freedom. It is NaN
	// where there are too few of them.
	student []float64
	// weights of products and of slices as whole numbers, whose sums are exact.
	weights []float64
	active  [numSlices]float64
	banner  []int32 // by store: its banner's geography
	city    []int32 // by geography: that of a banner's city; else 0
}

func newAssessment(e *engine, stores int) *assessment {
	a := &assessment{
		quality: make([]Quality, len(e.items)), weights: wholeWeights(e.layout),
		student: make([]float64, len(e.products)+1),
		banner:  make([]int32, stores), city: make([]int32, len(e.geos)),
	}
	for df := range a.student {
		a.student[df] = math.NaN()
		if df >= LeastDF {
			a.student[df] = StudentQuantile(df)
		}
	}
	for i := range e.products {
		if p := &e.products[i]; p.Active {
			a.active[p.Category] += a.weights[i]
			a.active[basket.Overall] += a.weights[i]
		}
	}
	for i := range e.plans[0].parts {
		for _, r := range e.plans[0].parts[i].runs {
			a.city[r.banner] = r.city
			for _, s := range e.store[r.lo:r.hi] {
				a.banner[s] = r.banner
			}
		}
	}
	return a
}

// wholeWeights multiplies the products' weights by a power of ten that makes them
// all whole. If their sum is then too large to be exact, it returns them as they are.
func wholeWeights(l *layout) []float64 {
	const exact = 1 << 50
	weights, total := make([]float64, len(l.products)), 0.0
	exponent := int32(0)
	for i := range l.products {
		exponent = min(exponent, decimal.NewFromFloat(l.products[i].Weight).Exponent())
	}
	for i := range l.products {
		weights[i] = decimal.NewFromFloat(l.products[i].Weight).Shift(-exponent).InexactFloat64()
		total += weights[i]
	}
	if total < exact {
		return weights
	}
	for i := range l.products {
		weights[i] = l.products[i].Weight
	}
	return weights
}

// jackknife is a worker's memory for standard errors: delete one product at a time,
// stratified by category.
type jackknife struct {
	kept     []kept     // by point of all plans
	strata   []stratum  // by geography, of one category at a time
	variance []variance // by category and geography, as worker.acc
	series   []counts   // the same, of banners and then of all
	trimmed  []counts   // the same
	stores   []counts   // by slice and geography
	seen     []uint8    // by category and store: one bit a week, where it is matched
}

// What has a standard error: the level, and the change on the common composition.
const (
	ofLevel = iota
	ofChange
	measures
)

// kept is a product in a geography.
type kept [measures]struct {
	value   lanes.Band // its relative; its change
	matched uint8      // one bit a week
}

// stratum adds up a category in a geography.
type stratum [measures]struct{ mean, weight, sum, squares lanes.Band }

// variance is that of a category's rho and of its change, with the matched weight.
type variance struct {
	of     [measures]lanes.Band
	weight lanes.Band
}

type counts [lanes.Width]int32

func (e *engine) newJackknife() *jackknife {
	n, categories := len(e.geos), numSlices-1
	return &jackknife{
		kept: make([]kept, e.points), strata: make([]stratum, n), variance: make([]variance, categories*n),
		series: make([]counts, categories*n), trimmed: make([]counts, categories*n), stores: make([]counts, numSlices*n),
		seen: make([]uint8, categories*len(e.assessed.banner)),
	}
}

// keep notes a product that has been measured.
func (e *engine) keep(w *worker, part *part) {
	for i := range part.points {
		sums, to := &w.points[i], &w.jack.kept[part.first+i]
		level, change := &to[ofLevel], &to[ofChange]
		level.value, level.matched = sums.Total[lanes.Relatives], weeksOf(sums.Count(lanes.Relatives))
		change.matched = weeksOf(sums.Count(lanes.Earlier))
		for j := range change.value {
			change.value[j] = sums.Total[lanes.Later][j] - sums.Total[lanes.Earlier][j]
		}
	}
}

// weeksOf returns one bit for each week in which there are values.
func weeksOf(count *lanes.Band) (weeks uint8) {
	for j, n := range count {
		weeks |= uint8(min(n, 1)) << j
	}
	return weeks
}

// count adds the series, stores, dropped store relatives and the weight of a product
// that keep has noted.
func (e *engine) count(w *worker, part *part, base []float64) {
	q, category := w.jack, e.products[part.product].Category
	at := e.accAt(category, 0)
	for i := range part.points {
		g := int(part.points[i].geo)
		matched, weeks := w.points[i].Count(lanes.Relatives), q.kept[part.first+i][ofLevel].matched
		trimmed, weight := &q.trimmed[at+g], &q.variance[at+g].weight
		for j := range trimmed {
			trimmed[j] += 2 * w.trim[int(matched[j])]
			weight[j] += e.assessed.weights[part.product] * float64(weeks>>j&1)
		}
	}
	first, _ := part.series()
	seen := q.seen[(int(category)-1)*len(e.assessed.banner):]
	for _, r := range part.runs {
		series := &q.series[at+int(r.banner)]
		for i := r.lo; i < r.hi; i++ {
			weeks := pricedIn(&w.rows[i-first], base[i])
			seen[e.store[i]] |= weeks
			series.add(weeks)
		}
	}
}

// pricedIn returns one bit for each week of a row in which the series has a price,
// if it has one in the base week too.
func pricedIn(row *lanes.Row, base float64) (weeks uint8) {
	if base != base {
		return 0
	}
	for j, v := range row[1:] {
		if v == v {
			weeks |= 1 << j
		}
	}
	return weeks
}

func (c *counts) add(weeks uint8) {
	for j := range c {
		c[j] += int32(weeks >> j & 1)
	}
}

// clear forgets the last measurement.
func (q *jackknife) clear() {
	clear(q.variance)
	clear(q.series)
	clear(q.trimmed)
	clear(q.stores)
	clear(q.seen)
}

// deleteOne computes the variances of a plan's categories, now that their means are
// known. With the product i left out, a category's mean moves by
//
//	t_i = -w_i (rho_i - rho_c) / (W_c - w_i)
//
// and its variance is (n-1)/n times the sum of squares of t about their mean.
//
// Levels come first, then changes. It starts at the first of them that is wanted.
func (e *engine) deleteOne(w *worker, p *plan, first int) {
	q := w.jack
	for c := basket.Dairy; int(c) < numSlices; c++ {
		at := e.accAt(c, 0)
		for _, g := range p.all {
			q.strata[g].begin(&w.acc[at+g], first)
		}
		for i := range p.parts {
			part := &p.parts[i]
			product := &e.products[part.product]
			if product.Category != c {
				continue
			}
			for i := range part.points {
				s := &q.strata[part.points[i].geo]
				for of := first; of < measures; of++ {
					s.leaveOut(of, product.Weight, &q.kept[part.first+i])
				}
			}
		}
		for _, g := range p.all {
			s, v, items := &q.strata[g], &q.variance[at+g], &w.acc[at+g].Items
			for j := range lanes.Width {
				v.of[ofLevel][j] = s.variance(ofLevel, j, items[lanes.Relatives][j])
				v.of[ofChange][j] = s.variance(ofChange, j, items[lanes.Earlier][j])
			}
		}
	}
}

// begin takes the means of a category.
func (s *stratum) begin(a *lanes.Aggregate, first int) {
	*s = stratum{}
	for j := range lanes.Width {
		if first == ofLevel {
			s[ofLevel].mean[j], s[ofLevel].weight[j], _ = a.Mean(lanes.Relatives, j)
		}
		before, _, _ := a.Mean(lanes.Earlier, j)
		s[ofChange].mean[j], s[ofChange].weight[j], _ = a.Mean(lanes.Later, j)
		s[ofChange].mean[j] -= before
	}
}

func (s *stratum) leaveOut(of int, weight float64, x *kept) {
	sums, k := &s[of], &x[of]
	for j, value := range k.value {
		if k.matched>>j&1 != 0 {
			t := weight * (sums.mean[j] - value) / (sums.weight[j] - weight)
			sums.sum[j] += t
			sums.squares[j] += t * t
		}
	}
}

// variance returns that of a category of n products. It is NaN for one product.
func (s *stratum) variance(of, j int, n float64) float64 {
	if n <= 1 {
		return math.NaN()
	}
	sum := s[of].sum[j]
	return max(0, (n-1)/n*(s[of].squares[j]-sum*sum/n))
}

// rollUp counts stores, and adds banners up to cities and the nation.
func (e *engine) rollUp(q *jackknife) {
	n, stores := len(e.geos), len(e.assessed.banner)
	for s, g := range e.assessed.banner {
		all := uint8(0)
		for c := 1; c < numSlices; c++ {
			weeks := q.seen[(c-1)*stores+s]
			all |= weeks
			q.stores[c*n+int(g)].add(weeks)
		}
		q.stores[int(g)].add(all)
	}
	for _, list := range [...][]counts{q.stores, q.series} {
		for ; len(list) > 0; list = list[n:] {
			for g, city := range e.assessed.city {
				if city != 0 {
					for j, count := range list[g] {
						list[city][j] += count
						list[0][j] += count
					}
				}
			}
		}
	}
}

// assess notes the quality of the level of a category, or of the headline, of
// geography g in week k, which is the j-th in w.acc.
func (e *engine) assess(w *worker, k, g, j int, c basket.Category, rho float64) {
	q, n := w.jack, len(e.geos)
	row := &e.assessed.quality[e.at(k, g)+int(c)]
	*row = Quality{Stores: q.stores[int(c)*n+g][j], Status: normal}
	weight, lacking := 0.0, false
	for i := basket.Dairy; int(i) < numSlices; i++ {
		if c != basket.Overall && c != i {
			continue
		}
		at := e.accAt(i, g)
		row.Series += q.series[at][j]
		row.Trimmed += q.trimmed[at][j]
		weight += q.variance[at].weight[j]
		lacking = lacking || e.slices[i].items > 0 && w.acc[at].Items[lanes.Relatives][j] == 0
	}
	active := e.assessed.active[c]
	row.Weight = round(weight/active, fourDecimals)
	if lacking || weight*float64(enoughWeight.Den) < active*float64(enoughWeight.Num) {
		row.Status = estimated
	}
	var v float64
	if c == basket.Overall {
		v, row.DF = e.headlineVariance(w, g, j, ofLevel)
	} else {
		at := e.accAt(c, g)
		v, row.DF = q.variance[at].of[ofLevel][j], int32(w.acc[at].Items[lanes.Relatives][j])-1
	}
	se, t := math.Sqrt(v), e.assessed.student[row.DF]
	if t == t {
		row.SE = round(100*lanes.Exp(rho)*se, fourDecimals)
		row.Low, row.High = round(100*lanes.Exp(rho-t*se), fourDecimals), round(100*lanes.Exp(rho+t*se), fourDecimals)
	}
}

// assessChange notes the standard error of a headline's change, a logarithm, and its
// interval: t standard errors to both sides of the change in percent.
func (e *engine) assessChange(w *worker, k, g, j int, change float64) {
	v, df := e.headlineVariance(w, g, j, ofChange)
	q, t := &e.assessed.quality[e.at(k, g)], e.assessed.student[df]
	wow, se := 100*(lanes.Exp(change)-1), 100*lanes.Exp(change)*math.Sqrt(v)
	if t != t {
		se = t
	}
	q.SEWoW = round(se, fourDecimals)
	q.LowWoW, q.HighWoW = round(wow-t*se, fourDecimals), round(wow+t*se, fourDecimals)
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

// headlineVariance returns the variance of the headline, which adds up those of its
// categories, and its degrees of freedom.
func (e *engine) headlineVariance(w *worker, g, j, of int) (v float64, df int32) {
	stream := lanes.Relatives
	if of == ofChange {
		stream = lanes.Later
	}
	var sum, total float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		at := e.accAt(c, g)
		_, weight, n := w.acc[at].Mean(stream, j)
		if weight > 0 {
			sum += e.slices[c].weight * e.slices[c].weight * w.jack.variance[at].of[of][j]
			total += e.slices[c].weight
			df += int32(n - 1)
		}
	}
	return sum / (total * total), df
}
