package jevons

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
)

// accAt returns the place of category c in geography g in a worker's sums.
func (l *layout) accAt(c basket.Category, g int) int { return (int(c)-1)*len(l.geos) + g }

// gather adds the means of a product to its category in each geography. National
// prices, and with them basket costs, are those of a plan with the nation only.
func (l *layout) gather(w *scratch, part *part) {
	product := &l.products[part.product]
	acc := w.acc[l.accAt(product.Category, 0):][:len(l.geos)]
	if last := len(part.points) - 1; part.points[last].geo >= 0 {
		for j, log := range w.points[last].Total[lanes.Prices] {
			w.nation[j] = lanes.Exp(log)
		}
	}
	for i := range part.points {
		if g := part.points[i].geo; g >= 0 {
			acc[g].Add(&w.points[i], &w.nation, product.Weight)
		}
	}
}

// headline returns rho and the number of matched products of geography g in the
// j-th week: the mean of the categories' rhos, each weighted by all its active
// products, matched or not, so that a missing product is carried by its own
// category.
func (l *layout) headline(acc []lanes.Aggregate, g, j int) (rho float64, items int32) {
	var num, den float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		a := &acc[l.accAt(c, g)]
		if a.Den[j] > 0 {
			num += float64(l.slices[c].weight * (a.Num[j] / a.Den[j]))
			den += l.slices[c].weight
		}
		items += int32(a.Items[lanes.Relatives][j])
	}
	return num / den, items
}

// headlines returns the rhos of geography g in the j-th week and in the week
// before it, on the same composition, and its number of matched products.
func (l *layout) headlines(acc []lanes.Aggregate, g, j int) (before, now float64, items int32) {
	var den float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		a := &acc[l.accAt(c, g)]
		if a.Both[j] > 0 {
			before += float64(l.slices[c].weight * (a.Earlier[j] / a.Both[j]))
			now += float64(l.slices[c].weight * (a.Later[j] / a.Both[j]))
			den += l.slices[c].weight
		}
		items += int32(a.Items[lanes.Earlier][j])
	}
	return before / den, now / den, items
}
