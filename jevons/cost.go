package jevons

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
)

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
		cost := e.cost[e.at(k, g):]
		price, nationPrice, items := 0.0, 0.0, 0
		for c := basket.Dairy; int(c) < numSlices; c++ {
			a := &w.acc[e.accAt(c, g)]
			cost[c] = a.Price[j] * nation[c] / a.NationPrice[j]
			price += a.Price[j]
			nationPrice += a.NationPrice[j]
			items += int(a.Items[lanes.Prices][j])
		}
		cost[basket.Overall] = price * nation[basket.Overall] / nationPrice
		e.priced[k*len(e.geos)+g] = int32(items)
		if e.links != nil {
			e.notePriced(w, k, g, j)
		}
	}
}
