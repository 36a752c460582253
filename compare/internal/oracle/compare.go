package oracle

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// comparison is a request under evaluation.
type comparison struct {
	*World
	request     Request
	evaluatedOn panel.Date // E, "the UTC date of the request"
	eligible    []basket.Banner
	items       []Item // by id
	cells       map[string]map[int]cell
}

// Compare evaluates a valid request.
func Compare(w *World, r Request) *Result {
	c := w.evaluate(r)
	_, excluded := w.chains(r)

	result := &Result{EvaluatedOn: c.evaluatedOn.String(), ExcludedStores: []Excluded{}, Exclusions: []Exclusion{}}
	result.City, _ = w.city(r.City)
	for _, b := range excluded {
		result.ExcludedStores = append(result.ExcludedStores, Excluded{b.Key, b.Name, "uncertain_location"})
	}
	c.itemLists(result)
	for _, chain := range c.eligible {
		for _, item := range c.items {
			if reason := c.cells[chain.Key][item.ID].reason; reason != "" {
				result.Exclusions = append(result.Exclusions, Exclusion{chain.Key, item.ID, reason})
			}
		}
	}
	result.Stores = c.stores()
	for _, s := range result.Stores {
		result.Oldest, result.Newest = span(result.Oldest, result.Newest, s.Oldest)
		result.Oldest, result.Newest = span(result.Oldest, result.Newest, s.Newest)
	}
	result.Recommendation = recommend(result)
	return result
}

// evaluate finds the cells of a valid request.
func (w *World) evaluate(r Request) *comparison {
	c := &comparison{World: w, request: r, evaluatedOn: panel.DateIn(w.Now, time.UTC)}
	c.items = slices.SortedFunc(slices.Values(r.Items), func(a, b Item) int { return cmp.Compare(a.ID, b.ID) })
	c.eligible, _ = w.chains(r)
	c.cells = map[string]map[int]cell{}
	for _, chain := range c.eligible {
		c.cells[chain.Key] = map[int]cell{}
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
func (c *comparison) itemLists(r *Result) {
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
		return c.atAny(i, func(x cell) bool { return x.dropped[ambiguous] })
	})
	r.UnsupportedQuantityItemIDs = c.itemsThat(func(i Item) bool {
		return c.atAny(i, func(x cell) bool { return x.dropped[unsupported] })
	})
	r.ComparisonScope = scope(len(r.ComparedItemIDs), len(r.RequestedItemIDs), "partial_requested_list", "no_comparable_items")
}

// itemsThat lists the requested items with a property, by id.
func (c *comparison) itemsThat(have func(Item) bool) []int {
	ids := []int{}
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

// span widens a span of dates by one; the empty date is none.
func span(oldest, newest, date string) (string, string) {
	if date == "" {
		return oldest, newest
	}
	if oldest == "" {
		return date, date
	}
	return min(oldest, date), max(newest, date)
}

// wholeCents returns cents as an integer.
func wholeCents(x *big.Rat) *int64 {
	if !x.IsInt() || !x.Num().IsInt64() {
		panic("oracle: a total is no whole number of cents")
	}
	n := x.Num().Int64()
	return &n
}
