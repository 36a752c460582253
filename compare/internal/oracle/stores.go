package oracle

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// activeStores lists a chain's active stores in a city, certain or not.
func (w *World) activeStores(chain, city string) []panel.Store {
	var stores []panel.Store
	for _, s := range w.Stores {
		if s.Banner == chain && s.City == city && s.Active {
			stores = append(stores, s)
		}
	}
	return stores
}

// certainStores lists those of them whose location is certain: "rows of
// uncertain stores are never used".
func (w *World) certainStores(chain, city string) []panel.Store {
	return slices.DeleteFunc(w.activeStores(chain, city), func(s panel.Store) bool { return !s.LocationCertain })
}

// chains lists the chains that the request is about, by key. "Chains of a city:
// banners with the shopper flag and an active store there. A chain all of whose
// active stores in the city have an uncertain location is in excludedStores;
// the rest are eligible. With a stores filter everything below is over the
// requested chains only."
func (w *World) chains(r Request) (eligible, excluded []basket.Banner) {
	for _, b := range w.Banners {
		switch {
		case !b.InShopper || len(w.activeStores(b.Key, r.City)) == 0:
		case len(r.Stores) > 0 && !slices.Contains(r.Stores, b.Key):
		case len(w.certainStores(b.Key, r.City)) == 0:
			excluded = append(excluded, b)
		default:
			eligible = append(eligible, b)
		}
	}
	byKey := func(a, b basket.Banner) int { return cmp.Compare(a.Key, b.Key) }
	slices.SortFunc(eligible, byKey)
	slices.SortFunc(excluded, byKey)
	return eligible, excluded
}

// activeListings lists a chain's listings of a product that count: none of an
// inactive product's.
func (w *World) activeListings(chain string, product basket.Product) []panel.Listing {
	var listings []panel.Listing
	for _, m := range w.Listings {
		if m.Banner == chain && m.ProductID == product.ID && m.Active && product.Active {
			listings = append(listings, m)
		}
	}
	return listings
}

// stores returns the results of all eligible chains, in order.
func (c *comparison) stores() []compare.Store {
	stores := []compare.Store{}
	for _, chain := range c.eligible {
		stores = append(stores, c.store(chain))
	}
	slices.SortFunc(stores, before)
	return stores
}

// store sums up one chain: "totals are sums of rounded lines", null without
// any.
func (c *comparison) store(chain basket.Banner) compare.Store {
	won := func(i Item) *row { return c.cells[chain.Key][i.ID].winner }
	wonAnd := func(is func(r *row) bool) []int64 {
		return c.itemsThat(func(i Item) bool { return won(i) != nil && is(won(i)) })
	}
	s := compare.Store{Key: chain.Key, Name: chain.Name, ItemObservationDates: []compare.ItemDate{}}
	s.PricedItemIDs = wonAnd(func(*row) bool { return true })
	s.MissingItemIDs = c.itemsThat(func(i Item) bool { return won(i) == nil })
	s.OnSaleItemIDs = wonAnd(func(r *row) bool { return r.onSale && !r.withheld() })
	s.ConditionalPromotionItemIDs = wonAnd(func(r *row) bool { return r.needsCondition() })
	s.DifferentSizeItemIDs = wonAnd(func(r *row) bool { return r.pack.differs() })
	s.TotalScope = scope(len(s.PricedItemIDs), len(c.items), "observed_subtotal", "no_observed_prices")
	s.CompleteRequestedList = len(s.MissingItemIDs) == 0
	if len(s.PricedItemIDs) == 0 {
		return s
	}
	total, adjusted := new(big.Rat), new(big.Rat)
	var seen compare.Span
	for _, i := range c.items {
		r := won(i)
		if r == nil {
			continue
		}
		total.Add(total, r.line(c.productOf(i), i.Qty))
		adjusted.Add(adjusted, r.sizeAdjusted(c.productOf(i), i.Qty))
		date := compare.Date{Day: r.date(), Valid: true}
		s.ItemObservationDates = append(s.ItemObservationDates, compare.ItemDate{ItemID: i.ID, ObservedAt: date})
		seen = span(seen, date)
	}
	s.Oldest, s.Newest = seen.Oldest, seen.Newest
	s.Total, s.SizeAdjustedTotal = c.wholeCents(total), c.wholeCents(adjusted)
	return s
}

// before orders stores: "complete first by total, then by number of priced items
// descending, total, key". A complete list is the largest number of items. Of two
// stores with as many priced items, both totals are null or neither is.
func before(a, b compare.Store) int {
	return cmp.Or(
		-cmp.Compare(len(a.PricedItemIDs), len(b.PricedItemIDs)),
		cmp.Compare(a.Total.Cents, b.Total.Cents),
		cmp.Compare(a.Key, b.Key),
	)
}
