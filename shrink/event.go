package shrink

import (
	"hash/fnv"
	"math/big"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Floor bounds percent changes from below, in ten-thousandths of a percent as a panel.Fixed
// counts. A pack that loses more at once is usually another article, and Grade knows it by
// this exact value.
const Floor = -20_0000

// event states a rollout that its last row completes. The ratio of two numbers
// is rounded once, half away from zero.
func (r *rollout) event(p basket.Product, listing int64) panel.ShrinkEvent {
	first := r.changes[0]
	oldPrice := r.median(func(c change) sizedRow { return c.before })
	newPrice := r.median(func(c change) sizedRow { return c.after })
	newSize, standard := decimal.NewFromFloat(r.new), decimal.NewFromFloat(p.StandardSize)
	// Prices are per standard size. The shelf price is that of the pack, to cents.
	shelf := price(first.after.Observation).Decimal().Mul(newSize).DivRound(standard, 2)
	return panel.ShrinkEvent{
		ID:                 eventID(listing, r.old, r.new),
		Listing:            listing,
		OldPackageSize:     first.before.PackageSize,
		NewPackageSize:     first.after.PackageSize,
		OldSize:            r.old,
		NewSize:            r.new,
		SizeUnit:           p.Unit.String(),
		PctSizeChange:      percentChange(decimal.NewFromFloat(r.old), newSize),
		OldUnitPrice:       quotient(oldPrice, standard),
		NewUnitPrice:       quotient(newPrice, standard),
		PctUnitPriceChange: percentChange(oldPrice, newPrice),
		ShelfPrice:         knownPrice(shelf),
		DetectedAt:         r.shown[len(r.shown)-1].ObservedAt.UTC(),
		Observations:       r.observations(),
	}
}

// observations returns the ids of the rows behind the event, ascending.
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

// median returns the median price over the switched stores, in dollars. With an
// even number of stores it is the mean of the middle two.
func (r *rollout) median(side func(change) sizedRow) decimal.Decimal {
	var prices []panel.Price
	for _, c := range r.changes {
		prices = append(prices, price(side(c).Observation))
	}
	slices.Sort(prices)
	n := len(prices)
	return decimal.Avg(prices[(n-1)/2].Decimal(), prices[n/2].Decimal())
}

// price returns the regular price where it is known, else the effective one.
// So a sale at the change is not taken for a change of price. A regular price
// that is assumed equal to the effective one is a placeholder.
func price(o *panel.Observation) panel.Price {
	if o.Regular.Valid() && o.RegularSource != panel.AssumedEqual {
		return o.Regular
	}
	return o.Effective
}

// percentChange returns 100 * (after - before) / before, at least -20, with
// four decimals. before is above 0.
func percentChange(before, after decimal.Decimal) panel.Fixed {
	change := after.Sub(before).Shift(2).DivRound(before, panel.PriceDecimals)
	return panel.FixedOf(max(change.Shift(panel.PriceDecimals).IntPart(), Floor))
}

// quotient returns the float64 that is nearest to x / y.
func quotient(x, y decimal.Decimal) float64 {
	f, _ := new(big.Rat).Quo(x.Rat(), y.Rat()).Float64()
	return f
}

// knownPrice returns 0, unknown, for an amount out of a price's range.
func knownPrice(d decimal.Decimal) panel.Price {
	units := d.Shift(panel.PriceDecimals).BigInt()
	if p := panel.Price(units.Int64()); units.IsInt64() && p.Valid() {
		return p
	}
	return 0
}

// Ids have 52 bits. Many readers hold JSON numbers as float64, which is exact
// up to 2^53.
const (
	idBits = 52
	idMask = 1<<idBits - 1
)

// eventID returns the id of the event of a listing, an old and a new size: the
// FNV-1a hash of "listing old new", with sizes as short as they read back,
// folded to 52 bits, above 0.
//
// The id depends on nothing else. A snapshot that is built anew, or in other
// steps, publishes the event under the id that readers already know.
//
// Two of a hundred thousand events share an id with a probability of about one
// in a million.
func eventID(listing int64, oldSize, newSize float64) int64 {
	text := strconv.AppendInt(nil, listing, 10)
	for _, size := range [...]float64{oldSize, newSize} {
		text = append(text, ' ')
		text = strconv.AppendFloat(text, size, 'f', -1, 64)
	}
	h := fnv.New64a()
	h.Write(text)
	sum := h.Sum64()
	return max(1, int64(sum>>idBits^sum&idMask))
}
