package compare

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Line is one item at one chain: its price, or why there is no price. It names no
// store, listing or row. When Reason is not Priced, the members after it are null
// or false, except for the standard size and the observation.
type Line struct {
	StoreKey string   `json:"storeKey"`
	ItemID   int      `json:"itemId"`
	Quantity Quantity `json:"quantity"`
	Reason   Reason   `json:"reason"` // why there is no price; null: Priced

	Total        Money               `json:"totalCad"`             // of the quantity
	SizeAdjusted Money               `json:"sizeAdjustedTotalCad"` // of as many packages of the standard size
	Shelf        Money               `json:"shelfCad"`             // of one package as sold; null for goods by weight
	Price        panel.Price         `json:"priceCad"`             // paid, for the standard size or one kilogram
	Regular      panel.Price         `json:"regularPriceCad"`      // on the same basis; 0: unknown
	Effective    panel.Price         `json:"seenPriceCad"`         // as seen; below Price when a conditional sale is not counted
	Size         *Package            `json:"size"`                 // nil: unknown
	StandardSize Package             `json:"standardSize"`
	OtherSize    bool                `json:"otherSize"` // more than 1% off the standard size
	OnSale       bool                `json:"onSale"`
	Condition    panel.SaleCondition `json:"condition"`  // of a sale that is not counted
	SaleEndsOn   Date                `json:"saleEndsOn"` // null: not on sale, or unknown
	Observed     Date                `json:"observedOn"` // in UTC; without a price, of the row that gives the reason; null without a row
	AgeDays      *int                `json:"ageDays"`    // of the observation; nil without a row
}

// Package is a size in the product's unit.
type Package struct {
	Amount float64 `json:"amount"`
	Unit   string  `json:"unit"` // g, mL or unit
	Text   string  `json:"text"` // as a shopper writes it, such as "6 x 330 mL"
}

// packageOf returns a size in a product's unit, nil when it has no amount there.
func packageOf(s basket.Size, u basket.Unit) *Package {
	amount, _ := s.In(u)
	if amount == 0 {
		return nil
	}
	return &Package{amount, u.String(), s.String()}
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
	it, of := &e.pr.items[asked.ID], e.day.of(&s.cells[asked.ID])
	l := Line{StoreKey: s.Key, ItemID: asked.ID, Quantity: asked.Qty, Reason: s.picks[k].reason}
	l.StandardSize = *packageOf(basket.Size{Quantity: it.StandardSize, Unit: it.Unit, Packs: 1, Each: it.StandardSize}, it.Unit)
	c := e.winner(s, k)
	switch {
	case c != nil:
		e.fill(&l, s, c)
	case len(of) > 0:
		c = &of[0]
	default:
		return l
	}
	days := int(e.day.day - c.date)
	l.Observed, l.AgeDays = DateOf(c.date), &days
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
	l.Price, l.Regular, l.Effective = c.price, o.Regular, o.Effective
	if c.size != 0 {
		l.Size = packageOf(e.pr.size(o.PackageSize).Size, it.Unit)
	}
	l.OtherSize, l.OnSale = c.otherSize, c.onSale
	if c.conditional {
		l.Condition = o.SaleCondition
	}
	if o.OnSale && o.SaleEndsOn != 0 {
		l.SaleEndsOn = DateOf(o.SaleEndsOn)
	}
}

// linesBody is the published form of lines.
type linesBody struct {
	Version     string     `json:"version"`
	Currency    string     `json:"currency"`
	Note        string     `json:"note,omitempty"` // that the prices are invented
	City        City       `json:"city"`
	EvaluatedOn Date       `json:"evaluatedOn"`
	Stores      []lineHead `json:"stores"`
	Lines       []Line     `json:"lines"`
	Split       Split      `json:"split"`
}

// lineHead is the part of a Store beside its lines.
type lineHead struct {
	Key                   string `json:"key"`
	Name                  string `json:"name"`
	TotalCAD              Money  `json:"totalCad"`
	SizeAdjustedTotalCAD  Money  `json:"sizeAdjustedTotalCad"`
	CompleteRequestedList bool   `json:"completeRequestedList"`
}

// AppendLinesJSON appends as JSON the part of a comparison that a page shows
// beside it: the stores, their lines, and the split.
func (r *Result) AppendLinesJSON(b []byte) []byte {
	body := linesBody{
		Version: r.Version, Currency: r.Currency, City: r.City, EvaluatedOn: r.EvaluatedOn,
		Stores: make([]lineHead, len(r.Stores)), Lines: r.Lines(), Split: r.Split(),
	}
	if r.from != nil {
		body.Note = r.from.pr.about().Notice()
	}
	for i, s := range r.Stores {
		body.Stores[i] = lineHead{s.Key, s.Name, s.TotalCAD, s.SizeAdjustedTotalCAD, s.CompleteRequestedList}
	}
	w := bytes.NewBuffer(b)
	if err := json.MarshalWrite(w, &body, linesOptions); err != nil {
		panic("compare: " + err.Error()) // every value has a JSON form
	}
	return w.Bytes()
}

// linesOptions writes as encoding/json does without HTML escapes.
var linesOptions = json.JoinOptions(jsontext.EscapeForJS(true), jsontext.AllowInvalidUTF8(true), json.WithMarshalers(json.JoinMarshalers(
	json.MarshalToFunc(func(to *jsontext.Encoder, p panel.Price) error {
		if p == 0 {
			return to.WriteToken(jsontext.Null)
		}
		return to.WriteValue(p.Append(to.AvailableBuffer()))
	}),
	json.MarshalToFunc(func(to *jsontext.Encoder, c panel.SaleCondition) error {
		if c == panel.NoCondition {
			return to.WriteToken(jsontext.Null)
		}
		return to.WriteToken(jsontext.String(panel.SaleConditions[c]))
	}),
)))
