package oracle

import (
	"math/big"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Reasons of exclusions.
const (
	stale       = "stale_price"
	expired     = "expired_promotion"
	ambiguous   = "ambiguous_checkout"
	unsupported = "unsupported_quantity"
	conditional = "conditional_promotion"
	failsGate   = "quality_gate"
	unobserved  = "no_observation"
)

// maxAge is the age in days at which a price may still be used.
const maxAge = 8

// drop returns the first reason for which a row gives no price, "" if it does.
func (c *comparison) drop(r row, product basket.Product, qty *big.Rat) string {
	switch {
	case r.stale(c.evaluatedOn):
		return stale
	case r.expired(c.evaluatedOn):
		return expired
	case r.ambiguous(product):
		return ambiguous
	case r.unsupported(product, qty):
		return unsupported
	case r.needsCondition() && !r.hasHigherRegular():
		return conditional
	}
	return ""
}

// stale: "E minus the row's UTC date over 8 days".
func (r row) stale(on panel.Date) bool { return on-r.date() > maxAge }

// expired: "on sale, sale_ends_on before E, unless the regular price is known
// and not above the effective price".
func (r row) expired(on panel.Date) bool {
	if !r.onSale || r.endsOn == 0 || r.endsOn >= on {
		return false
	}
	lowersNothing := r.regular != nil && r.regular.Cmp(r.effective) <= 0
	return !lowersNothing
}

// ambiguous: "a counted product, unit `unit`, whose parsed count differs from
// the standard count".
func (r row) ambiguous(product basket.Product) bool {
	p := r.pack
	return product.Unit == basket.Count && p.size != nil && p.size.Cmp(p.standard) != 0
}

// unsupported: "a per-kg product sold in a fixed pack of W kg where qty / W is
// not whole; an approximate or per-weight size is no fixed pack".
func (r row) unsupported(product basket.Product, qty *big.Rat) bool {
	w := r.pack.fixedKg
	return product.PerKg() && w != nil && !new(big.Rat).Quo(qty, w).IsInt()
}

// hasHigherRegular is the negation of "no higher regular price is known".
func (r row) hasHigherRegular() bool {
	return r.regular != nil && r.regular.Cmp(r.effective) > 0
}
