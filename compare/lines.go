package compare

import (
	"bytes"
	"encoding/json"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// PricedLine has the charge of a chain for an item, and the listing that was priced. It
// has no other price of the listing and no store.
type PricedLine struct {
	ItemID       int     `json:"itemId"`
	LineTotalCAD Money   `json:"lineTotalCad"` // of the quantity asked for
	Title        *string `json:"title"`        // as scraped; nil: unknown, as the next two
	Brand        *string `json:"brand"`
	PackageSize  *string `json:"packageSize"`
	OnSale       bool    `json:"onSale"`      // at a sale price that counts
	Conditional  bool    `json:"conditional"` // on a sale with a condition, which counts if OnSale is true
	ObservedAt   Date    `json:"observedAt"`  // in UTC
	WideSpread   bool    `json:"wideSpread"`  // the unit prices of the chain's listings of the item spread over 2 to 1
}

// addLines gives every store of a result its lines.
func (e *evaluation) addLines(res *Result) {
	for i, s := range e.ranked() {
		lines := make([]PricedLine, 0, s.priced.len())
		for k := range e.items {
			c := e.winner(s, k)
			if c == nil {
				continue
			}
			l := e.line(s, k)
			lines = append(lines, PricedLine{
				l.ItemID, l.Total, textOrNil(l.Title), textOrNil(l.Brand), textOrNil(l.PackageSize),
				l.OnSale, c.condition != panel.NoCondition, l.Observed, l.WideSpread,
			})
		}
		res.Stores[i].Lines = lines
	}
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Line is one item at one chain: its price, or why there is no price. It has the
// prices behind the line, which only the owner of the snapshot may see: services
// publish [PricedLine]. When Reason is not Priced, the members after it are empty,
// except for the observation.
type Line struct {
	StoreKey string
	ItemID   int
	Quantity Quantity
	Reason   Reason // why there is no price

	Total        Money        // of the quantity
	SizeAdjusted Money        // of as many packages of the standard size
	Shelf        Money        // of one package as sold; null for goods by weight
	Price        panel.Price  // paid, for the standard size or one kilogram
	Size         *basket.Size // nil: unknown
	OtherSize    bool         // more than 1% off the standard size
	OnSale       bool         // at a sale price that counts
	Condition    panel.SaleCondition
	SaleEndsOn   Date   // null: not on sale, or unknown
	Title        string // the listing's name as scraped
	Brand        string // empty if unknown
	PackageSize  string // as scraped; empty if unknown
	WideSpread   bool   // the unit prices of the chain's listings of the item spread over 2 to 1
	Observed     Date   // in UTC; without a price, of the row that gives the reason; null without a row
}

// Lines returns a line for every chain and item, in the order of Stores, then of
// item ids. Every call computes them.
func (r *Result) Lines() []Line {
	e := r.from
	if e == nil {
		return nil
	}
	lines := make([]Line, 0, len(e.picks))
	for _, s := range e.ranked() {
		for k := range e.items {
			lines = append(lines, e.line(s, k))
		}
	}
	return lines
}

func (e *evaluation) line(s *shop, k int) Line {
	asked := e.items[k]
	of := e.day.of(&s.cells[asked.ID])
	l := Line{StoreKey: s.Key, ItemID: asked.ID, Quantity: asked.Qty, Reason: s.picks[k].reason}
	if c := e.winner(s, k); c != nil {
		l.Observed = DateOf(c.date)
		l.WideSpread = spreadOf(of).wide()
		e.fill(&l, s, c)
	} else if len(of) > 0 {
		l.Observed = DateOf(of[0].date)
	}
	return l
}

// fill fills in the price of a line from the row that gives it.
func (e *evaluation) fill(l *Line, s *shop, c *candidate) {
	it, o := &e.pr.items[l.ItemID], e.pr.read(c.row, s.Verified)
	total, adjusted := c.line(it.perKg, l.Quantity)
	l.Total, l.SizeAdjusted = CentsOf(total), CentsOf(adjusted)
	if !it.perKg {
		l.Shelf = CentsOf(c.shelf)
	}
	if c.size != 0 {
		size := e.pr.size(o.PackageSize).Size
		l.Size = &size
	}
	l.Price, l.OtherSize, l.OnSale, l.Condition = c.price, c.otherSize, c.onSale, c.condition
	if o.OnSale && o.SaleEndsOn != 0 {
		l.SaleEndsOn = DateOf(o.SaleEndsOn)
	}
	l.Title, l.Brand, l.PackageSize = e.pr.title(&o), e.pr.listing(&o).Brand, o.PackageSize
}

// AppendLinesJSON appends as JSON what a page shows: the result of a request that
// includes the lines, and its split as the last member.
func (r *Result) AppendLinesJSON(b []byte) []byte {
	b = r.AppendJSON(b)
	b = append(b[:len(b)-len("}")], `,"split":`...)
	return append(appendJSON(b, r.Split()), '}')
}

// appendJSON appends a value as encoding/json writes it without HTML escapes.
func appendJSON(b []byte, v any) []byte {
	to := bytes.NewBuffer(b)
	enc := json.NewEncoder(to)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("compare: " + err.Error()) // every value has a JSON form
	}
	return to.Bytes()[:to.Len()-len("\n")]
}
