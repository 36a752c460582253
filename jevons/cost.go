package jevons

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
)

// basketCosts fills in the basket costs of week k, the j-th in w.acc, and how
// many products are priced. With p a product's price in a geography, exp of its
// mean log price, A the products priced there and N those priced nationally:
//
//	cost = Σ_A p(g) * Σ_N p(national) / Σ_A p(national)
func (e *engine) basketCosts(w *scratch, k, j int) {
	var nation [numSlices]float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		nation[c] = w.acc[e.accAt(c, 0)].Price[j]
		nation[basket.Overall] += nation[c]
	}
	for g := range e.geos {
		at := e.at(k-e.fresh, g)
		price, nationPrice, items := 0.0, 0.0, 0
		for c := basket.Dairy; int(c) < numSlices; c++ {
			a := &w.acc[e.accAt(c, g)]
			e.cost[at+int(c)] = a.Price[j] * nation[c] / a.NationPrice[j]
			price += a.Price[j]
			nationPrice += a.NationPrice[j]
			items += int(a.Items[lanes.Prices][j])
		}
		e.cost[at] = price * nation[basket.Overall] / nationPrice
		e.priced[e.freshAt(k, g)] = int32(items)
	}
}
