package compare

import (
	"encoding/json"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// candidate is the latest row of a series, judged for one day. What depends on
// the quantity is left to the request.
type candidate struct {
	row      int32
	date     panel.Date  // UTC
	price    panel.Price // that the shopper pays, on the product's basis
	shelf    int64       // cents of one package; goods by weight have none
	adjusted int64       // cents of a package of the standard size
	size     int64       // in millionths of the product's unit; 0: unknown
	pack     int64       // millionths of a gram in a fixed pack of goods by weight; 0: none

	first  Reason // before unsupported_quantity is looked at
	second Reason // after it

	onSale, conditional, otherSize bool
}

const dayNanos = 24 * int64(time.Hour)

func utcDate(nanos int64) panel.Date {
	day := nanos / dayNanos
	if nanos%dayNanos < 0 {
		day--
	}
	return panel.Date(day)
}

// read returns a row after the regular-price rule; its regular price is 0 when it
// is a placeholder, or on no known basis.
func (pr *Projection) read(row int32, verified bool) panel.Observation {
	o := pr.rows.At(int(row))
	o.RestateRegular(verified)
	if o.RegularSource == panel.AssumedEqual || o.PromoDetail != "" && pr.basisUnavailable(o.PromoDetail) {
		o.Regular = 0
	}
	return o
}

// candidate judges a row as of a day.
func (pr *Projection) candidate(row int32, it *item, verified bool, day panel.Date) candidate {
	c := candidate{row: row, date: utcDate(pr.rows.UnixNano(int(row)))}
	if pr.rows.Verdict(int(row)) != panel.Pass {
		c.first = QualityGate
		return c
	}
	o := pr.read(row, verified)
	size := pr.size(o.PackageSize)
	c.size = size.in(it.Unit)
	c.otherSize = !isStandard(c.size, it.standard)
	if it.perKg && size.fixed {
		c.pack = size.in(basket.Gram)
	}

	dearer := o.Regular > o.Effective
	conditional := o.OnSale && o.SaleCondition != panel.NoCondition
	switch {
	case int64(day)-int64(c.date) > MaxPriceAgeDays:
		c.first = StalePrice
	case o.OnSale && o.SaleEndsOn != 0 && o.SaleEndsOn < day && (o.Regular == 0 || dearer):
		c.first = ExpiredPromotion
	case it.Unit == basket.Count && c.size != 0 && c.size != it.standard:
		c.first = AmbiguousCheckout
	case conditional && !dearer:
		c.second = ConditionalPromotion
	}

	c.price = o.Effective
	if conditional && dearer {
		c.price, c.conditional = o.Regular, true
	}
	c.onSale = o.OnSale && !c.conditional
	if !it.perKg {
		c.shelf, c.adjusted = shelfCents(c.price, c.size, it.standard), shelfCents(c.price, 0, it.standard)
	}
	return c
}

// reason returns why the row can't be the price of a quantity.
func (c *candidate) reason(q Quantity) Reason {
	// A hundredth of a kilogram is ten million millionths of a gram.
	if c.first == Priced && c.pack != 0 && int64(q)*10_000_000%c.pack != 0 {
		return UnsupportedQuantity
	}
	if c.first != Priced {
		return c.first
	}
	return c.second
}

// line returns the price of a quantity in cents, and that at the standard size.
func (c *candidate) line(perKg bool, q Quantity) (cents, adjusted int64) {
	if perKg {
		cents = weightCents(c.price, q)
		return cents, cents
	}
	n := int64(q / hundredths)
	return c.shelf * n, c.adjusted * n
}

// basisUnavailable reports whether a promotion's detail says that its regular
// price is on no known basis.
func (pr *Projection) basisUnavailable(detail string) bool {
	if v, ok := pr.unknown.Load(detail); ok {
		return v.(bool)
	}
	var d struct {
		Unavailable bool `json:"regularPriceBasisUnavailable"`
	}
	// Imports refuse a detail that does not parse; one that does not says nothing.
	unavailable := json.Unmarshal([]byte(detail), &d) == nil && d.Unavailable
	pr.unknown.Store(detail, unavailable)
	return unavailable
}
