package oracle

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// row is an observation as the comparison reads it: after the regular-price
// rule, with every number a fraction.
type row struct {
	id        int64
	at        time.Time
	listing   int64
	fit       basket.Fit
	passes    bool
	effective *big.Rat // dollars
	regular   *big.Rat // dollars; nil: unknown
	onSale    bool
	endsOn    panel.Date // 0: unknown
	condition panel.SaleCondition
	met       bool // the shopper meets the condition
	pack      packageSize
	digits    int // of the currency
}

// fitOf are the titles of random worlds, by hand. Every product is named "Goods".
var fitOf = map[string]basket.Fit{"": basket.Exact, "Goods": basket.Exact, "Baby goods": basket.Variant, "Paint": basket.Doubtful}

// readRow reads an observation.
func readRow(o panel.Observation, product basket.Product, verified bool) row {
	r := row{
		id: o.ID, at: o.ObservedAt, listing: o.Listing, fit: fitOf[o.ScrapedName], passes: o.Verdict == panel.Pass,
		effective: dollars(o.Effective), onSale: o.OnSale, endsOn: o.SaleEndsOn, condition: o.SaleCondition,
		pack: readPackage(o.PackageSize, product),
	}
	if o.Regular != 0 {
		r.regular = dollars(o.Regular)
	}
	if !verified {
		r.restate()
	}
	if o.RegularSource == panel.AssumedEqual || basisUnavailable(o.PromoDetail) {
		r.regular = nil
	}
	return r
}

// restate is the regular-price rule. "For rows of banners that are not verified:
// a regular price below the effective price, or above four times it, becomes
// the effective price; is_on_sale becomes false and sale_price null." With it go
// "sale end and condition".
func (r *row) restate() {
	if r.regular == nil {
		return
	}
	four := new(big.Rat).Mul(big.NewRat(4, 1), r.effective)
	if r.regular.Cmp(r.effective) < 0 || r.regular.Cmp(four) > 0 {
		r.regular, r.onSale, r.endsOn, r.condition = r.effective, false, 0, panel.NoCondition
	}
}

// basisUnavailable reads a promo_detail. The decoder would match the names of
// struct fields in any case, a map has them as written.
func basisUnavailable(promo string) bool {
	var members map[string]any
	return json.Unmarshal([]byte(promo), &members) == nil && members["regularPriceBasisUnavailable"] == true
}

// date is the row's UTC date.
func (r row) date() panel.Date { return panel.DateIn(r.at, time.UTC) }

// needsCondition reports whether the row's price is one that a shopper gets on a
// condition only. A condition without a sale means nothing.
func (r row) needsCondition() bool { return r.onSale && r.condition != panel.NoCondition }

// withheld reports whether the shopper does not get the row's price.
func (r row) withheld() bool { return r.needsCondition() && !r.met }

// newer reports whether r is newer than s: "by observed_at, then highest id".
func (r row) newer(s row) bool {
	if !r.at.Equal(s.at) {
		return r.at.After(s.at)
	}
	return r.id > s.id
}

func dollars(p panel.Price) *big.Rat { return big.NewRat(int64(p), 10_000) }

// hasHigherRegular is the negation of "no higher regular price is known".
func (r row) hasHigherRegular() bool { return r.regular != nil && r.regular.Cmp(r.effective) > 0 }

// drop returns the first reason for which a row gives no price, Priced if it gives
// one.
func (c *comparison) drop(r row, product basket.Product, qty *big.Rat) compare.Reason {
	p, on := r.pack, c.evaluatedOn
	switch {
	case r.fit == basket.Doubtful: // "doubtful_match"
		return compare.DoubtfulMatch
	case on-r.date() > 8: // "E minus the row's UTC date over 8 days"
		return compare.StalePrice
	// "on sale, sale_ends_on before E, unless the regular price is known and not above the effective price"
	case r.onSale && r.endsOn != 0 && r.endsOn < on && (r.regular == nil || r.hasHigherRegular()):
		return compare.ExpiredPromotion
	// "a counted product, unit `unit`, whose parsed count differs from the standard count"
	case product.Unit == basket.Count && p.size != nil && p.size.Cmp(p.standard) != 0:
		return compare.AmbiguousCheckout
	// "a per-kg product sold in a fixed pack of W kg where qty / W is not whole"
	case product.PerKg() && p.fixedKg != nil && !new(big.Rat).Quo(qty, p.fixedKg).IsInt():
		return compare.UnsupportedQuantity
	case r.withheld() && !r.hasHigherRegular():
		return compare.ConditionalPromotion
	}
	return compare.Priced
}

// line is the line total in cents. "Package goods: effective_price * parsed
// size / standard size (size unknown: the standard size), rounded to cents half
// up, times qty; per-kg goods: effective_price * qty, rounded to cents." Of "a
// conditional sale is not given to the shopper: the regular price is used".
func (r row) line(product basket.Product, qty *big.Rat) *big.Rat {
	return r.lineOf(r.pack.ratio(), product, qty)
}

// sizeAdjusted is the size-adjusted line in cents: "the same with size ratio 1".
func (r row) sizeAdjusted(product basket.Product, qty *big.Rat) *big.Rat {
	return r.lineOf(big.NewRat(1, 1), product, qty)
}

func (r row) lineOf(ratio *big.Rat, product basket.Product, qty *big.Rat) *big.Rat {
	price := r.effective
	if r.withheld() {
		price = r.regular
	}
	if product.PerKg() {
		return r.cents(new(big.Rat).Mul(price, qty))
	}
	one := r.cents(new(big.Rat).Mul(price, ratio))
	return one.Mul(one, qty)
}

// cents rounds dollars to whole cents, half up: floor(100 x + 1/2). Another currency's are its smallest units.
func (r row) cents(dollars *big.Rat) *big.Rat {
	x := new(big.Rat).Mul(dollars, big.NewRat([]int64{1, 10, 100, 1000}[r.digits], 1))
	x.Add(x, big.NewRat(1, 2))
	floor := new(big.Int).Div(x.Num(), x.Denom()) // Euclidean, and the divisor is positive
	return new(big.Rat).SetInt(floor)
}
