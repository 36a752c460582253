package compare

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Line is one item at one chain: its price, or why there is none. It is for
// pages and commands; the body of a comparison has no lines, that of
// AppendLinesJSON has. Like both it is at the level of the chain, and names no
// store, listing or row.
type Line struct {
	StoreKey string
	ItemID   int
	Quantity Quantity
	Reason   Reason // Priced, or why there is no price; then all that follows is zero but Observed

	Total        Money       // of the quantity
	SizeAdjusted Money       // of as many packages of the standard size
	Shelf        Money       // of one package as it is sold; null for goods by weight
	Price        panel.Price // that is paid, on the product's basis: the standard size, or one kilogram
	Regular      panel.Price // on the same basis; 0: unknown
	Effective    panel.Price // as it was seen; below Price when a conditional sale is not counted
	Size         basket.Size // of the package; the zero Size: unknown
	OtherSize    bool        // it is more than 1% off the standard size
	OnSale       bool
	Condition    panel.SaleCondition // of a sale that is not counted
	SaleEndsOn   Date                // null: not on sale, or unknown
	Observed     Date                // in UTC; of an item without a price that of the row that gives the reason; null if there is no row
}

// Lines returns a line for every chain and item, in the order of Stores, then of
// item ids. It is computed when it is asked for.
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
	c := e.winner(s, k)
	if c == nil {
		if len(of) > 0 {
			l.Observed = DateOf(of[0].date)
		}
		return l
	}
	o := e.pr.read(c.row, s.Verified)
	cents, adjusted := c.line(it.perKg, asked.Qty)
	l.Total, l.SizeAdjusted = CentsOf(cents), CentsOf(adjusted)
	if !it.perKg {
		l.Shelf = CentsOf(c.shelf)
	}
	l.Price, l.Regular, l.Effective = c.price, o.Regular, o.Effective
	if c.size != 0 {
		l.Size = e.pr.size(o.PackageSize).Size
	}
	l.OtherSize, l.OnSale, l.Observed = c.otherSize, c.onSale, DateOf(c.date)
	if c.conditional {
		l.Condition = o.SaleCondition
	}
	if o.OnSale && o.SaleEndsOn != 0 {
		l.SaleEndsOn = DateOf(o.SaleEndsOn)
	}
	return l
}
