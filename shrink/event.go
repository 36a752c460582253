package shrink

import (
	"math/big"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// event states a rollout that its last row completes.
func (r *rollout) event(p basket.Product, listing int64) panel.ShrinkEvent {
	first := r.changes[0]
	oldPrice := r.median(func(c change) sizedRow { return c.before })
	newPrice := r.median(func(c change) sizedRow { return c.after })
	oldSize, newSize, standard := exact(r.old), exact(r.new), exact(p.StandardSize)
	return panel.ShrinkEvent{
		ID:                 EventID(listing, r.old, r.new),
		Listing:            listing,
		OldPackageSize:     first.before.PackageSize,
		NewPackageSize:     first.after.PackageSize,
		OldSize:            r.old,
		NewSize:            r.new,
		SizeUnit:           p.Unit.String(),
		PctSizeChange:      percentChange(oldSize, newSize),
		OldUnitPrice:       unitPrice(oldPrice, standard),
		NewUnitPrice:       unitPrice(newPrice, standard),
		PctUnitPriceChange: percentChange(oldPrice, newPrice),
		ShelfPrice:         shelfPrice(price(first.after.Observation), newSize, standard),
		DetectedAt:         r.shown[len(r.shown)-1].ObservedAt.UTC(),
		Observations:       r.observations(),
	}
}

// observations returns the ids of the rows that the event rests on, ascending.
func (r *rollout) observations() []int64 {
	var ids []int64
	for _, c := range r.changes {
		ids = append(ids, c.before.ID, c.after.ID)
	}
	for _, row := range r.shown {
		ids = append(ids, row.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// median returns the median price over the switched stores, in dollars; of an
// even number the mean of the middle two.
func (r *rollout) median(side func(change) sizedRow) *big.Rat {
	var prices []int64
	for _, c := range r.changes {
		prices = append(prices, int64(price(side(c).Observation)))
	}
	slices.Sort(prices)
	twice := prices[len(prices)/2] + prices[(len(prices)-1)/2]
	return big.NewRat(twice, 2*tenThousandths)
}

// price returns the regular price where it is known, else the effective one, so
// that a sale at the change is not taken for a change of price. A regular price
// that is assumed equal to the effective one is a placeholder.
func price(o *panel.Observation) panel.Price {
	if o.Regular.Valid() && o.RegularSource != panel.AssumedEqual {
		return o.Regular
	}
	return o.Effective
}

// unitPrice returns a price of the standard size in dollars per unit.
func unitPrice(median, standard *big.Rat) float64 {
	f, _ := new(big.Rat).Quo(median, standard).Float64()
	return f
}

// shelfPrice returns what a pack of the new size costs, to cents: prices stand
// on the standard size's basis. 0, unknown, if that is out of a price's range.
func shelfPrice(p panel.Price, newSize, standard *big.Rat) panel.Price {
	dollars := big.NewRat(int64(p), tenThousandths)
	dollars.Mul(dollars, newSize).Quo(dollars, standard)
	const cents = 100
	n := roundUnits(dollars, cents)
	if !n.IsInt64() || n.Int64() > (1<<62)/cents {
		return 0
	}
	if shelf := panel.Price(n.Int64() * (tenThousandths / cents)); shelf.Valid() {
		return shelf
	}
	return 0
}
