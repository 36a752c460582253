package jevons

import "github.com/larder-index/larder/basket"

// sums gathers the products of one category in one geography.
type sums struct {
	num, den float64 // Σ weight * rho, Σ weight, over the matched products
	items    int32
}

// mean returns the category's rho: the weighted mean of its products'; NaN
// when none is matched, or none that has a weight.
func (a sums) mean() float64 { return a.num / a.den }

// accAt returns the place of category c in geography g in a worker's sums.
func (l *layout) accAt(c basket.Category, g int) int { return (int(c)-1)*len(l.geos) + g }

// sumUp adds every product's mean to its category in each geography that the
// plan wants.
func (l *layout) sumUp(acc []sums, means []float64, p *plan) {
	clear(acc)
	for _, s := range p.spans {
		product := &l.products[s.product]
		into, weight := acc[l.accAt(product.Category, 0):], product.Weight
		for _, at := range p.points[s.lo:s.hi] {
			if m := means[at]; m == m {
				a := &into[l.geoOf[at]]
				a.num += weight * m
				a.den += weight
				a.items++
			}
		}
	}
}

// headline returns rho and the number of matched products of geography g: the
// mean of the categories' rhos, each weighted by all its active products,
// matched or not, so that a missing product is carried by its own category.
func (l *layout) headline(acc []sums, g int) (rho float64, items int32) {
	var num, den float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		a := &acc[l.accAt(c, g)]
		if a.den > 0 {
			num += l.slices[c].weight * a.mean()
			den += l.slices[c].weight
		}
		items += a.items
	}
	return num / den, items
}
