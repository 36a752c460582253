package jevons

import (
	"math"

	"github.com/larder-index/larder/basket"
)

// sums gathers the products of one category in one geography.
type sums struct {
	num, den float64 // Σ weight * rho, Σ weight, over the matched products
	items    int32
}

// mean returns the category's rho: the weighted mean of its products'; NaN
// when none is matched.
func (a sums) mean() float64 {
	if a.items == 0 {
		return math.NaN()
	}
	return a.num / a.den
}

// accAt returns the place of category c in geography g in a worker's sums.
func (l *layout) accAt(c basket.Category, g int) int { return (int(c)-1)*len(l.geos) + g }

// sumUp adds every product's mean to its category in each geography.
func (l *layout) sumUp(acc []sums, means []float64) {
	clear(acc)
	for _, s := range l.spans {
		product := &l.products[s.product]
		into, weight := acc[l.accAt(product.Category, 0):], product.Weight
		points := l.points[s.lo:s.hi]
		for i, m := range means[s.lo:s.hi] {
			if m == m {
				a := &into[points[i].geo]
				a.num += weight * m
				a.den += weight
				a.items++
			}
		}
	}
}

// sumUpRuns is sumUp for the points that the runs want.
func (l *layout) sumUpRuns(acc []sums, means []float64, runs []run) {
	clear(acc)
	for i := range runs {
		r := &runs[i]
		product := &l.products[r.product]
		for _, at := range [...]int32{r.banner, r.city, r.nation} {
			if at < 0 || math.IsNaN(means[at]) {
				continue
			}
			a := &acc[l.accAt(product.Category, int(l.points[at].geo))]
			a.num += product.Weight * means[at]
			a.den += product.Weight
			a.items++
		}
	}
}

// headline returns rho and the number of matched products of geography g: the
// mean of the categories' rhos, each weighted by all its active products,
// matched or not, so that a missing product is carried by its own category.
func (l *layout) headline(acc []sums, g int) (rho float64, items int32) {
	var num, den float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		if a := acc[l.accAt(c, g)]; a.items > 0 {
			num += l.slices[c].weight * a.mean()
			den += l.slices[c].weight
			items += a.items
		}
	}
	return num / den, items
}
