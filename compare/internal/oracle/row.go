package oracle

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// row is an observation as the comparison reads it: after the regular-price
// rule, with every number a fraction.
type row struct {
	id        int64
	at        time.Time
	passes    bool
	effective *big.Rat // dollars
	regular   *big.Rat // dollars; nil: unknown
	onSale    bool
	endsOn    panel.Date // 0: unknown
	condition panel.SaleCondition
	pack      packageSize
}

// readRow reads an observation.
func readRow(o panel.Observation, product basket.Product, verified bool) row {
	r := row{
		id: o.ID, at: o.ObservedAt, passes: o.Verdict == panel.Pass,
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

// newer reports whether r is newer than s: "by observed_at, then highest id".
func (r row) newer(s row) bool {
	if !r.at.Equal(s.at) {
		return r.at.After(s.at)
	}
	return r.id > s.id
}

func dollars(p panel.Price) *big.Rat { return big.NewRat(int64(p), 10_000) }
