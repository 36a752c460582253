package oracle

import (
	"cmp"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// comparison is a request under evaluation.
type comparison struct {
	*World
	request     Request
	evaluatedOn panel.Date // E, "the UTC date of the request"
	eligible    []basket.Banner
	items       []Item // by id
	cells       map[string]map[int64]cell
}

// Compare evaluates a valid request. The result has no addresses and caveats, and
// codes in place of reasons. Its lists are never nil.
func Compare(w *World, r Request) *compare.Result {
	c := w.evaluate(r)
	_, excluded := w.chains(r)

	result := &compare.Result{EvaluatedOn: compare.Date{Day: c.evaluatedOn, Valid: true}, ExcludedStores: []compare.ExcludedStore{}, Exclusions: []compare.Exclusion{}}
	city, _ := w.city(r.City)
	result.City = city
	for _, b := range excluded {
		result.ExcludedStores = append(result.ExcludedStores, compare.ExcludedStore{Key: b.Key, Name: b.Name, Reason: "uncertain_location"})
	}
	c.itemLists(result)
	for _, chain := range c.eligible {
		for _, item := range c.items {
			if reason := c.cells[chain.Key][item.ID].reason; reason != compare.Priced {
				result.Exclusions = append(result.Exclusions, compare.Exclusion{StoreKey: chain.Key, ItemID: item.ID, Reason: reason})
			}
		}
	}
	result.Stores = c.stores()
	for _, s := range result.Stores {
		result.ObservationSpan = span(span(result.ObservationSpan, s.Oldest), s.Newest)
	}
	result.Recommendation = recommend(result)
	if c.hasVariant() {
		result.Recommendation.Reasons = append(result.Recommendation.Reasons, "variant_lines")
	}
	return result
}

// hasVariant reports whether some price is that of a variant, or some variant waits for consent.
func (c *comparison) hasVariant() bool {
	return slices.ContainsFunc(c.items, func(it Item) bool {
		return c.atAny(it, func(x cell) bool { return x.asks || x.winner != nil && x.winner.fit == basket.Variant })
	})
}

// evaluate finds the cells of a valid request.
func (w *World) evaluate(r Request) *comparison {
	c := &comparison{World: w, request: r, evaluatedOn: panel.DateIn(w.Now, time.UTC)}
	c.items = slices.SortedFunc(slices.Values(r.Items), func(a, b Item) int { return cmp.Compare(a.ID, b.ID) })
	c.eligible, _ = w.chains(r)
	c.cells = map[string]map[int64]cell{}
	for _, chain := range c.eligible {
		c.cells[chain.Key] = map[int64]cell{}
		for _, item := range c.items {
			c.cells[chain.Key][item.ID] = c.cell(chain, c.productOf(item), item.Qty)
		}
	}
	return c
}

func (c *comparison) productOf(item Item) basket.Product {
	product, _ := c.product(item.ID)
	return product
}

// itemLists fills the lists of ids and the scope.
func (c *comparison) itemLists(r *compare.Result) {
	r.RequestedItemIDs = c.itemsThat(func(Item) bool { return true })
	r.ComparedItemIDs = c.itemsThat(func(i Item) bool {
		return c.atAny(i, func(x cell) bool { return x.winner != nil })
	})
	r.UntrackedItemIDs = c.itemsThat(func(i Item) bool {
		return !slices.ContainsFunc(c.eligible, func(chain basket.Banner) bool {
			return len(c.activeListings(chain.Key, c.productOf(i))) > 0
		})
	})
	r.WeightedItemIDs = c.itemsThat(func(i Item) bool { return c.productOf(i).PerKg() })
	r.NormalizedCountItemIDs = c.itemsThat(func(i Item) bool {
		return c.atAny(i, func(x cell) bool { return x.dropped[compare.AmbiguousCheckout] })
	})
	r.UnsupportedQuantityItemIDs = c.itemsThat(func(i Item) bool {
		return c.atAny(i, func(x cell) bool { return x.dropped[compare.UnsupportedQuantity] })
	})
	r.ComparisonScope = scope(len(r.ComparedItemIDs), len(r.RequestedItemIDs), "partial_requested_list", "no_comparable_items")
}

// itemsThat lists the requested items with a property, by id.
func (c *comparison) itemsThat(have func(Item) bool) []int64 {
	ids := []int64{}
	for _, i := range c.items {
		if have(i) {
			ids = append(ids, i.ID)
		}
	}
	return ids
}

// atAny reports whether some eligible chain's cell of an item fulfils a condition.
func (c *comparison) atAny(i Item, is func(cell) bool) bool {
	return slices.ContainsFunc(c.eligible, func(chain basket.Banner) bool { return is(c.cells[chain.Key][i.ID]) })
}

func scope(have, requested int, some, none string) string {
	switch have {
	case requested:
		return "complete_requested_list"
	case 0:
		return none
	}
	return some
}

// span widens a span of days by one; null is no day.
func span(s compare.Span, d compare.Date) compare.Span {
	switch {
	case !d.Valid:
		return s
	case !s.Oldest.Valid:
		return compare.Span{Oldest: d, Newest: d}
	}
	return compare.Span{Oldest: compare.Date{Day: min(s.Oldest.Day, d.Day), Valid: true}, Newest: compare.Date{Day: max(s.Newest.Day, d.Day), Valid: true}}
}
