package oracle

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/larder-index/larder/basket"
)

// stores returns the results of all eligible chains, in order.
func (c *comparison) stores() []Store {
	stores := []Store{}
	for _, chain := range c.eligible {
		stores = append(stores, c.store(chain))
	}
	slices.SortFunc(stores, before)
	return stores
}

// store sums up one chain: "totals are sums of rounded lines", null without
// any.
func (c *comparison) store(chain basket.Banner) Store {
	won := func(i Item) *row { return c.cells[chain.Key][i.ID].winner }
	wonAnd := func(is func(r *row) bool) []int {
		return c.itemsThat(func(i Item) bool { return won(i) != nil && is(won(i)) })
	}
	s := Store{Key: chain.Key, Name: chain.Name, ItemObservationDates: []ItemDate{}}
	s.PricedItemIDs = wonAnd(func(*row) bool { return true })
	s.MissingItemIDs = c.itemsThat(func(i Item) bool { return won(i) == nil })
	s.OnSaleItemIDs = wonAnd(func(r *row) bool { return r.onSale && !r.needsCondition() })
	s.ConditionalPromotionItemIDs = wonAnd(func(r *row) bool { return r.needsCondition() })
	s.DifferentSizeItemIDs = wonAnd(func(r *row) bool { return r.pack.differs() })
	s.TotalScope = scope(len(s.PricedItemIDs), len(c.items), "observed_subtotal", "no_observed_prices")
	s.CompleteRequestedList = len(s.MissingItemIDs) == 0
	if len(s.PricedItemIDs) == 0 {
		return s
	}
	total, adjusted := new(big.Rat), new(big.Rat)
	for _, i := range c.items {
		r := won(i)
		if r == nil {
			continue
		}
		total.Add(total, r.line(c.productOf(i), i.Qty))
		adjusted.Add(adjusted, r.sizeAdjusted(c.productOf(i), i.Qty))
		date := r.date().String()
		s.ItemObservationDates = append(s.ItemObservationDates, ItemDate{i.ID, date})
		s.Oldest, s.Newest = span(s.Oldest, s.Newest, date)
	}
	s.TotalCents, s.SizeAdjustedCents = wholeCents(total), wholeCents(adjusted)
	return s
}

// before orders stores: "complete first by total, then by number of priced items
// descending, total, key". A complete list is the largest number of items.
func before(a, b Store) int {
	return cmp.Or(
		-cmp.Compare(len(a.PricedItemIDs), len(b.PricedItemIDs)),
		cmp.Compare(orZero(a.TotalCents), orZero(b.TotalCents)),
		cmp.Compare(a.Key, b.Key),
	)
}

// orZero stands in for totals that are null: both are, if one of two stores
// with as many priced items has none.
func orZero(cents *int64) int64 {
	if cents == nil {
		return 0
	}
	return *cents
}
