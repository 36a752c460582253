package jevons

import "github.com/larder-index/larder/basket"

// sums gathers the products of one category in one geography.
type sums struct {
	price, nationPrice band // Σ p, Σ p(national), over the products with a price
	num, den           band // Σ weight * rho, Σ weight, over the matched products
	earlier, later     band // Σ weight * rho of two weeks with the same composition
	both               band // Σ weight of it
	items              [later]tally
}

// accAt returns the place of category c in geography g in a worker's sums.
func (l *layout) accAt(c basket.Category, g int) int { return (int(c)-1)*len(l.geos) + g }

// gather adds the means of a product to its category in each geography.
func (l *layout) gather(w *scratch, part *part) {
	product := &l.products[part.product]
	acc := w.acc[l.accAt(product.Category, 0):][:len(l.geos)]
	weights := [2]float64{0, product.Weight}
	nation := &w.points[len(part.points)-1]
	for j, log := range nation.total[prices] {
		w.nation[j] = exp(log)
	}
	for i := range part.points {
		g := part.points[i].geo
		if g < 0 {
			continue
		}
		a, p := &acc[g], &w.points[i]
		for s := range a.items {
			a.items[s].add(&ones[p.in[s]])
		}
		priced, matched, both := p.in[prices], p.in[relatives], p.in[earlier]
		for j := range width {
			none := 1 - int(priced>>j&1)
			a.price[j] += unless(none, exp(p.total[prices][j]))
			a.nationPrice[j] += unless(none, w.nation[j])
			a.num[j] += product.Weight * p.total[relatives][j]
			a.den[j] += weights[matched>>j&1]
			a.earlier[j] += product.Weight * p.total[earlier][j]
			a.later[j] += product.Weight * p.total[later][j]
			a.both[j] += weights[both>>j&1]
		}
	}
}

// headline returns rho and the number of matched products of geography g in the
// j-th week: the mean of the categories' rhos, each weighted by all its active
// products, matched or not, so that a missing product is carried by its own
// category.
func (l *layout) headline(acc []sums, g, j int) (rho float64, items int32) {
	var num, den float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		a := &acc[l.accAt(c, g)]
		if a.den[j] > 0 {
			num += l.slices[c].weight * (a.num[j] / a.den[j])
			den += l.slices[c].weight
		}
		items += int32(a.items[relatives].at(j))
	}
	return num / den, items
}

// headlines returns the rhos of geography g in the j-th week and in the week
// before it, on the same composition, and its number of matched products.
func (l *layout) headlines(acc []sums, g, j int) (before, now float64, items int32) {
	var den float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		a := &acc[l.accAt(c, g)]
		if a.both[j] > 0 {
			before += l.slices[c].weight * (a.earlier[j] / a.both[j])
			now += l.slices[c].weight * (a.later[j] / a.both[j])
			den += l.slices[c].weight
		}
		items += int32(a.items[earlier].at(j))
	}
	return before / den, now / den, items
}
