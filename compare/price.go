package compare

import (
	"cmp"
	"math"
	"math/big"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// MaxPriceAgeDays is the oldest age of a price that counts, in calendar days of
// UTC.
const MaxPriceAgeDays = 8

// sizeTolerancePercent is how far a package may be off the standard size and
// still have that size.
const sizeTolerancePercent = 1

// candidate is the latest row of a series, judged for one day. The request
// decides the rest, which depends on the quantity.
type candidate struct {
	row      int32
	date     panel.Date  // UTC
	price    panel.Price // that the shopper pays, on the product's basis
	shelf    int64       // cents of one package; 0 for goods by weight
	standard int64       // cents of a package of the standard size
	size     int64       // in millionths of the product's unit; 0: unknown
	pack     int64       // millionths of a gram in a fixed pack of goods by weight; 0: not a fixed pack

	fit    basket.Fit // of the title to the item
	first  Reason     // checked before unsupported_quantity
	second Reason     // checked after it

	onSale    bool // at a sale price that counts
	otherSize bool
	condition panel.SaleCondition // of a sale, counted or not
}

// candidate judges a row as of a day on a shopper's terms.
func (pr *Projection) candidate(row int32, it *item, verified bool, day panel.Date, on terms) candidate {
	c := candidate{row: row, date: panel.Date(pr.rows.UnixNano(int(row)) / dayNanos)}
	if pr.rows.Verdict(int(row)) != panel.Pass {
		c.first = QualityGate
		return c
	}
	o := pr.rows.Restated(int(row), verified)
	c.fit, _ = pr.fits.Of(o.Listing, o.ScrapedName)
	size := pr.size(o.PackageSize)
	c.size = sizeIn(size, it.Unit)
	c.otherSize = !isStandard(c.size, it.standard)
	if it.perKg && size.Fixed() {
		c.pack = sizeIn(size, basket.Gram)
	}

	dearer := o.Regular > o.Effective
	withheld := o.OnSale && o.SaleCondition != panel.NoCondition && !on.meet(o.SaleCondition)
	switch {
	case c.fit == basket.Doubtful:
		c.first = DoubtfulMatch
	case int64(day)-int64(c.date) > MaxPriceAgeDays:
		c.first = StalePrice
	case o.OnSale && o.SaleEndsOn != 0 && o.SaleEndsOn < day && (o.Regular == 0 || dearer):
		c.first = ExpiredPromotion
	case it.Unit == basket.Count && c.size != 0 && c.size != it.standard:
		c.first = AmbiguousCheckout
	case withheld && !dearer:
		c.second = ConditionalPromotion
	}

	c.price = o.Effective
	if withheld && dearer {
		c.price = o.Regular
	}
	c.onSale = o.OnSale && !withheld
	if o.OnSale {
		c.condition = o.SaleCondition
	}
	if !it.perKg {
		c.shelf, c.standard = pr.shelfCents(c.price, c.size, it.standard), pr.cents(c.price, hundredths)
	}
	return c
}

// reason returns why the row cannot be the price of a quantity, Priced when it
// can.
func (c *candidate) reason(q Quantity) Reason {
	const perHundredth = 10_000_000 // millionths of a gram in a hundredth of a kilogram
	if c.first == Priced && c.pack != 0 && int64(q)*perHundredth%c.pack != 0 {
		return UnsupportedQuantity
	}
	return cmp.Or(c.first, c.second)
}

// amount is a cost in cents, or the smallest unit of another currency, as sold and at the standard size.
type amount struct{ cents, adjusted int64 }

func (x *amount) add(y amount) { x.cents, x.adjusted = x.cents+y.cents, x.adjusted+y.adjusted }

func (pr *Projection) line(c *candidate, perKg bool, q Quantity) amount {
	if perKg {
		x := pr.cents(c.price, q)
		return amount{x, x}
	}
	n := int64(q / hundredths)
	return amount{c.shelf * n, c.standard * n}
}

// cents returns the price of a quantity, a price being for one package of the
// standard size or for one kilogram. It rounds half up, once. Every comparison
// computes its lines by weight with it.
func (pr *Projection) cents(price panel.Price, q Quantity) int64 {
	d := int64(hundredths) * pr.cent()
	return (int64(price)*int64(q) + d/2) / d
}

// cent is the currency's smallest unit in ten-thousandths of its main one.
func (pr *Projection) cent() int64 { return units[panel.PriceDecimals-pr.digits] }

var units = [...]int64{1, 10, 100, 1000, 10_000}

// shelfCents returns the price of one package: price * size / standard, rounded
// half up, once, at most maxCents. An unknown size is the standard one.
func (pr *Projection) shelfCents(price panel.Price, size, standard int64) int64 {
	if size == 0 || size == standard {
		return pr.cents(price, hundredths)
	}
	n := decimal.NewFromInt(int64(price)).Mul(decimal.NewFromInt(size))
	n = n.DivRound(decimal.NewFromInt(standard).Mul(decimal.NewFromInt(pr.cent())), 0)
	if n.GreaterThan(decimal.NewFromInt(maxCents)) {
		return maxCents
	}
	return n.IntPart()
}

// maxCents bounds the price of one package, so that percents of twenty of each of
// fifty items fit an int64. It is 900 billion dollars.
const maxCents = 90_000_000_000_000

// maxSize bounds sizes, in units: a hundred thousand tonnes.
const maxSize = 1e11

// micro returns a size in millionths of its unit, the precision of
// basket.ParseSize.
func micro(size float64) int64 { return int64(math.Round(min(size, maxSize) * 1e6)) }

// size reads a package size as scraped, once for all rows with the same text; the zero
// Size is unknown.
func (pr *Projection) size(text string) basket.Size {
	if s, ok := pr.sizes.Load(text); ok {
		return s.(basket.Size)
	}
	s, _ := basket.ParseSize(text)
	pr.sizes.Store(text, s)
	return s
}

// sizeIn returns the size of a package in millionths of a unit; 0 when it is unknown in
// that unit. The "per kg" of a price is no size of a package.
func sizeIn(s basket.Size, u basket.Unit) int64 {
	if v, ok := s.In(u); ok && !s.PerWeight {
		return micro(v)
	}
	return 0
}

// isStandard reports whether a size is within 1% of the standard, bounds
// included. An unknown size, 0, counts as the standard.
func isStandard(size, standard int64) bool {
	if size == 0 {
		return true
	}
	apart := max(size-standard, standard-size)
	return apart <= math.MaxInt64/100 && apart*100 <= sizeTolerancePercent*standard
}

// nearer compares two sizes by their distance from the standard in log ratio,
// |ln(size / standard)|, and is below 0 when a is nearer. Sizes that count as the
// standard are at distance 0.
func nearer(a, b, standard int64) int {
	ratio := func(size int64) *big.Rat { // the larger one over the other
		if isStandard(size, standard) {
			return big.NewRat(1, 1)
		}
		return big.NewRat(max(size, standard), min(size, standard))
	}
	if a == b {
		return 0
	}
	return ratio(a).Cmp(ratio(b))
}
