package jevons

import (
	"math"

	"github.com/larder-index/larder/basket"
)

// basketCosts fills in the basket costs of week k, and how many products are
// priced, from the trimmed mean log prices of all points in s.prices. With p a
// product's price in a geography, A the products priced there and N those
// priced nationally:
//
//	cost = Σ_A p(g) * Σ_N p(national) / Σ_A p(national)
func (e *engine) basketCosts(s *scratch, k int) {
	clear(s.acc)
	national := s.acc // at geography 0: Σ_N p(national), the plain sum
	for _, sp := range e.all.spans {
		into := national[e.accAt(e.products[sp.product].Category, 0):]
		points := e.all.points[sp.lo:sp.hi]
		atNation := math.Exp(s.prices.out[points[len(points)-1]])
		for _, at := range points {
			if m := s.prices.out[at]; m == m {
				a := &into[e.geoOf[at]]
				a.num += math.Exp(m)
				a.den += atNation
				a.items++
			}
		}
	}
	var nation [numSlices]float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		nation[c] = s.acc[e.accAt(c, 0)].num
		nation[basket.Overall] += nation[c]
	}
	for g := range e.geos {
		at := e.at(k, g)
		var all sums
		for c := basket.Dairy; int(c) < numSlices; c++ {
			a := s.acc[e.accAt(c, g)]
			e.cost[at+int(c)] = a.num * nation[c] / a.den
			all.num, all.den, all.items = all.num+a.num, all.den+a.den, all.items+a.items
		}
		e.cost[at] = all.num * nation[basket.Overall] / all.den
		e.priced[k*len(e.geos)+g] = all.items
	}
}
