package compare

import (
	"cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Line is one item at one chain: its price, or why there is no price. Its JSON has
// what a chain charges, and the listing that was priced. The prices behind the line
// are for the owner of the snapshot only, and in no JSON. When Reason is not Priced,
// the members after it are empty, except for the observation. When it is VariantMatch, they are those
// of the variant.
type Line struct {
	ItemID      int64      `json:"itemId"`
	LineTotal   Money      `json:"lineTotalCad"` // of the quantity asked for
	Title       *string    `json:"title"`        // as scraped, else the listing's name; nil: unknown, as the next two
	Brand       *string    `json:"brand"`
	PackageSize *string    `json:"packageSize"` // as scraped
	OnSale      bool       `json:"onSale"`      // at a sale price that counts
	Conditional bool       `json:"conditional"` // on a sale with a condition, which counts if OnSale is true
	ObservedAt  Date       `json:"observedAt"`  // in UTC, also of the row that gives the reason; null without a row
	WideSpread  bool       `json:"wideSpread"`  // unit prices of the chain's listings spread over 2 to 1
	Fit         basket.Fit `json:"fit"`         // of the title to the item: exact or variant
	FitWords    []string   `json:"fitWords"`    // the words of the title that make it a variant, such as "baby"

	StoreKey     string              `json:"-"`
	Quantity     Quantity            `json:"-"`
	Reason       Reason              `json:"-"` // why there is no price
	SizeAdjusted Money               `json:"-"` // of as many packages of the standard size
	Shelf        Money               `json:"-"` // of one package as sold; null for goods by weight
	Price        panel.Price         `json:"-"` // paid, for the standard size or one kilogram
	Size         *basket.Size        `json:"-"` // nil: unknown
	OtherSize    bool                `json:"-"` // more than 1% off the standard size
	Condition    panel.SaleCondition `json:"-"`
	SaleEndsOn   Date                `json:"-"` // null: not on sale, or unknown
	Unit         *UnitPrice          `json:"-"` // of Lines; nil without a price
}

// Lines returns a line for every chain and item, in the order of Stores, then of
// item ids. Every call computes them.
func (r *Result) Lines() []Line {
	var lines []Line
	for _, s := range r.from.ranked {
		for k := range r.from.items {
			l := r.from.line(s, k)
			l.Unit = r.from.unitPrice(s, k)
			lines = append(lines, l)
		}
	}
	return lines
}

func (e *evaluation) line(s *shop, k int) Line {
	p, asked := &s.picks[k], e.items[k]
	of := p.of
	l := Line{StoreKey: s.Key, ItemID: asked.ID, Quantity: asked.Qty, Reason: p.reason, FitWords: []string{}}
	if p.candidate == nil {
		if len(of) > 0 {
			l.ObservedAt = dateOf(of[0].date)
		}
		return l
	}
	o := e.pr.rows.Restated(int(p.row), s.Verified)
	at, _ := e.pr.panel.ListingAt(o.Listing)
	listing := &e.pr.panel.Listings()[at]
	l.LineTotal, l.SizeAdjusted, l.ObservedAt = e.pr.money(p.cents), e.pr.money(p.adjusted), dateOf(p.date)
	l.Title = textOrNil(cmp.Or(o.ScrapedName, listing.Name))
	l.Brand, l.PackageSize = textOrNil(listing.Brand), textOrNil(o.PackageSize)
	l.OnSale, l.Condition, l.Conditional = p.onSale, p.condition, p.condition != panel.NoCondition
	l.Price, l.OtherSize = p.price, p.otherSize
	l.WideSpread, l.Fit = wide(of), p.fit
	_, words := e.pr.fits.Of(o.Listing, o.ScrapedName)
	l.FitWords = append(l.FitWords, words...)
	if !e.of[k].perKg {
		l.Shelf = e.pr.money(p.shelf)
	}
	if p.size != 0 {
		l.Size = new(e.pr.size(o.PackageSize))
	}
	if o.OnSale && o.SaleEndsOn != 0 {
		l.SaleEndsOn = dateOf(o.SaleEndsOn)
	}
	return l
}

// wide reports whether the unit prices of a cell's candidates spread over 2 to 1, of
// those that give a price for some quantity.
func wide(of []candidate) bool {
	var low, high panel.Price
	for i := range of {
		if c := &of[i]; c.first == Priced && c.second == Priced {
			high = max(high, c.price)
			if low == 0 || c.price < low {
				low = c.price
			}
		}
	}
	return high > 2*low
}

// UnitPrice is what a line costs by the kilogram, litre or piece.
type UnitPrice struct {
	Price  Money  // price * unit / standard size, rounded half up
	Unit   string // kg, L or unit
	Lowest bool   // unrounded, no chain's is lower, and some chain's is higher
}

// unitPrice returns the unit price of a line; nil without a price.
func (e *evaluation) unitPrice(s *shop, k int) *UnitPrice {
	p, it, lower, higher := &s.picks[k], e.of[k], false, false
	if !p.isPriced() {
		return nil
	}
	for _, other := range e.shops {
		if q := &other.picks[k]; q.isPriced() {
			lower, higher = lower || q.price < p.price, higher || q.price > p.price
		}
	}
	unit, size := it.Unit.String(), micro(1)
	switch it.Unit {
	case basket.Gram:
		unit, size = "kg", micro(1000)
	case basket.Millilitre:
		unit, size = "L", micro(1000)
	}
	return &UnitPrice{e.pr.money(e.pr.shelfCents(p.price, size, it.standard)), unit, higher && !lower}
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
