package oracle

import (
	"math/big"
	"slices"
)

var quarter = big.NewRat(1, 4)

// check returns the code of what is wrong with the request, or "". Of several
// faults it may name another than the service does.
func (w *World) check(r Request) string {
	if _, ok := w.city(r.City); !ok {
		return "unsupported_city"
	}
	switch {
	case len(r.Items) == 0:
		return "invalid_items"
	case len(r.Items) > 50:
		return "too_many_items"
	case len(r.Stores) > 40:
		return "too_many_stores"
	}
	for i, item := range r.Items {
		if slices.ContainsFunc(r.Items[:i], func(other Item) bool { return other.ID == item.ID }) {
			return "duplicate_item"
		}
		product, ok := w.product(item.ID)
		if !ok {
			return "unknown_item"
		}
		if !validQuantity(item.Qty, product.PerKg()) {
			return "invalid_quantity"
		}
	}
	for i, key := range r.Stores {
		if slices.Contains(r.Stores[:i], key) {
			return "duplicate_store"
		}
		if banner, ok := w.banner(key); !ok || !banner.InShopper {
			return "unknown_store"
		}
		if len(w.activeStores(key, r.City)) == 0 {
			return "store_unavailable"
		}
	}
	return ""
}

// validQuantity. "For per-kg items: 0.25 to 10 in steps of 0.25. For all other
// ids: integer 1 to 20 (whole packages)."
func validQuantity(qty *big.Rat, perKg bool) bool {
	step, least, most := big.NewRat(1, 1), big.NewRat(1, 1), big.NewRat(20, 1)
	if perKg {
		step, least, most = quarter, quarter, big.NewRat(10, 1)
	}
	return qty.Cmp(least) >= 0 && qty.Cmp(most) <= 0 && new(big.Rat).Quo(qty, step).IsInt()
}
