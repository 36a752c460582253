package jevons

import (
	"github.com/larder-index/larder/jevons/internal/lanes"
)

// aggregate makes the categories of a scope of its elementary aggregates. They are in w.categories.
func (e *engine) aggregate(w *worker, scope int, of weeks) {
	for g := range e.scopes {
		if scope == 0 || e.scopes[g] == scope {
			n := len(w.slices) - 1
			clear(w.categories[g*n:][:n])
		}
	}
	clear(w.seen)
	e.eachItem(w, scope, of, func(x *item) {
		w.addItem(x)
		if w.table != nil {
			w.keep(x)
			w.countSeries(x, of.base)
		}
	})
}

// category returns a category of a geography.
func (w *worker) category(c, g int) *lanes.Aggregate {
	return &w.categories[g*(len(w.slices)-1)+c-1]
}

// addItem adds a product to its category in each geography. Basket costs compare with the price in the
// nation, so they come only from the scope that has it.
func (w *worker) addItem(x *item) {
	product := &w.products[x.product]
	if last := len(x.places) - 1; x.places[last].geography == 0 {
		for j, log := range w.elementary[last].Total[lanes.Prices] {
			w.nation[j] = lanes.Exp(log)
		}
	}
	for i := range x.places {
		if g := int(x.places[i].geography); g < len(w.scopes) {
			w.category(w.sliceOf[x.product], g).Add(&w.elementary[i], &w.nation, product.Weight)
		}
	}
}

// rho returns rho of a stream of a slice of geography g in the j-th week, and its number of matched
// products. A headline's is the mean of the categories' rhos. Each has the weight of all its active
// products, matched or not, so that its own category carries a missing product.
func (w *worker) rho(c, g, j, stream int) (rho float64, items int) {
	if c != headline {
		rho, _, items = w.category(c, g).Mean(stream, j)
		return rho, items
	}
	var num, den float64
	for c := 1; c < len(w.slices); c++ {
		mean, weight, n := w.category(c, g).Mean(stream, j)
		if weight > 0 {
			num += float64(w.slices[c].weight * mean)
			den += w.slices[c].weight
		}
		items += n
	}
	return num / den, items
}

// basketCosts notes the basket costs of week k, which is the j-th in w.categories, and
// how many products are priced. With p the price of a product, exp of its mean
// log price, A the products priced in the geography and N those priced in the
// nation:
//
//	cost = Σ_A p(geography) * Σ_N p(nation) / Σ_A p(nation)    (dollars)
func (e *engine) basketCosts(w *worker, k, j int) {
	nation := w.nationCost
	nation[headline] = 0
	for c := 1; c < len(nation); c++ {
		nation[c] = w.category(c, 0).Price[j]
		nation[headline] += nation[c]
	}
	for g := range e.scopes {
		price, nationPrice, items := 0.0, 0.0, 0
		for c := 1; c < len(nation); c++ {
			x := w.category(c, g)
			e.row(k, g, c).BasketCost = round(x.Price[j]*nation[c]/x.NationPrice[j], twoDecimals)
			price += x.Price[j]
			nationPrice += x.NationPrice[j]
			items += int(x.Items[lanes.Prices][j])
		}
		e.row(k, g, headline).BasketCost = round(price*nation[headline]/nationPrice, twoDecimals)
		e.priced[k*len(e.scopes)+g] = int32(items)
	}
}
