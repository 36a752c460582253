package jevons

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
)

// accAt returns an index in w.acc.
func (l *layout) accAt(c basket.Category, g int) int { return (int(c)-1)*len(l.geos) + g }

// gather adds a product to its category in each geography. Basket costs compare
// with the price in the nation, so they come only from the plan that has it.
func (l *layout) gather(w *worker, part *part) {
	product := &l.products[part.product]
	acc := w.acc[l.accAt(product.Category, 0):][:len(l.geos)]
	if last := len(part.points) - 1; part.points[last].geo == 0 {
		for j, log := range w.points[last].Total[lanes.Prices] {
			w.nation[j] = lanes.Exp(log)
		}
	}
	for i := range part.points {
		acc[part.points[i].geo].Add(&w.points[i], &w.nation, product.Weight)
	}
}

// headline returns rho of a stream in geography g in the j-th week, and its
// number of matched products. It is the mean of the rhos of the categories. Each
// has the weight of all its active products, matched or not, so that its own
// category carries a missing product.
func (l *layout) headline(acc []lanes.Aggregate, g, j, stream int) (rho float64, items int) {
	var num, den float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		mean, weight, n := acc[l.accAt(c, g)].Mean(stream, j)
		if weight > 0 {
			num += float64(l.slices[c].weight * mean)
			den += l.slices[c].weight
		}
		items += n
	}
	return num / den, items
}

// basketCosts notes the basket costs of week k, which is the j-th in w.acc, and
// how many products are priced. With p the price of a product, exp of its mean
// log price, A the products priced in the geography and N those priced in the
// nation:
//
//	cost = Σ_A p(geography) * Σ_N p(nation) / Σ_A p(nation)    (dollars)
func (e *engine) basketCosts(w *worker, k, j int) {
	var nation [numSlices]float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		nation[c] = w.acc[e.accAt(c, 0)].Price[j]
		nation[basket.Overall] += nation[c]
	}
	for g := range e.geos {
		cost, price, nationPrice, items := e.cost[e.at(k, g):], 0.0, 0.0, 0
		for c := basket.Dairy; int(c) < numSlices; c++ {
			a := &w.acc[e.accAt(c, g)]
			cost[c] = a.Price[j] * nation[c] / a.NationPrice[j]
			price += a.Price[j]
			nationPrice += a.NationPrice[j]
			items += int(a.Items[lanes.Prices][j])
		}
		cost[basket.Overall] = price * nation[basket.Overall] / nationPrice
		e.priced[k*len(e.geos)+g] = int32(items)
	}
}
