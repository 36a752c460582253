package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// printList writes the list at one chain: quantity times price is the line.
func (c *comparison) printList(w io.Writer, s compare.Store) error {
	total := "no price"
	if s.TotalCAD.Valid {
		total = s.TotalCAD.String() + " " + c.Currency
		if !s.CompleteRequestedList {
			total += " for " + c.priced(s)
		}
	}
	fmt.Fprintf(w, "\n%s (%s): %s\n", printable(s.Name), s.Key, total)
	var rows [][]string
	for _, l := range c.lines[s.Key] {
		rows = append(rows, c.lineCells(&l))
	}
	return printColumns(w, []column{
		right("id"), left("item"), right("qty"), left("of"), right("each $"), right("line $"), right("days"), left("note"),
	}, rows)
}

func (c *comparison) lineCells(l *compare.Line) []string {
	p := c.products[l.ItemID]
	cells := []string{fmt.Sprint(l.ItemID), p.Name, l.Quantity.String(), noValue, noValue, noValue, c.daysOld(l.Observed), ""}
	if l.Reason != compare.Priced {
		cells[7] = l.Reason.String() + ": " + c.why(l)
		return cells
	}
	known := l.Size != nil
	var notes []string
	switch {
	case p.PerKg():
		cells[3], cells[4] = "kg", l.Price.String()
		if known {
			notes = append(notes, "package of "+l.Size.Text)
		}
	case known:
		cells[3], cells[4] = l.Size.Text, l.Shelf.String()
		if l.OtherSize {
			notes = append(notes, fmt.Sprintf("other size: %s at %s each", l.SizeAdjusted, standardSize(p)))
		}
	default:
		cells[4] = l.Shelf.String()
		notes = append(notes, "size not stated, taken as "+standardSize(p))
	}
	cells[5] = l.Total.String()
	cells[7] = strings.Join(append(notes, saleNotes(l)...), "; ")
	return cells
}

// standardSize writes a product's standard size as sizes of packages are.
func standardSize(p *basket.Product) string {
	return basket.Size{Quantity: p.StandardSize, Unit: p.Unit, Packs: 1, Each: p.StandardSize}.String()
}

// saleNotes says that a price is a sale's, or that one was not counted.
func saleNotes(l *compare.Line) []string {
	ends := ""
	if l.SaleEndsOn.Valid {
		ends = " until " + l.SaleEndsOn.String()
	}
	switch {
	case l.Condition == panel.Member:
		return []string{"members only" + ends + ": sale not counted"}
	case l.Condition != panel.NoCondition:
		return []string{"multi-buy" + ends + ": sale not counted"}
	case l.OnSale:
		return []string{"on sale" + ends}
	}
	return nil
}

// why says in words why there is no price. The newest row gives the reason, so
// the age is that row's.
func (c *comparison) why(l *compare.Line) string {
	switch l.Reason {
	case compare.StalePrice:
		return fmt.Sprintf("last seen %s, over %d days ago", l.Observed, compare.MaxPriceAgeDays)
	case compare.ExpiredPromotion:
		return "seen on a sale that is over, and what it costs now is not known"
	case compare.AmbiguousCheckout:
		return "sold by another count than asked for"
	case compare.UnsupportedQuantity:
		return fmt.Sprintf("sold in fixed packs, of which %s kg is no multiple", l.Quantity)
	case compare.ConditionalPromotion:
		return "on a sale with a condition, and no higher regular price is known"
	case compare.QualityGate:
		return "what is listed under it fails the quality gate"
	}
	return "no listing in force has a price on record here"
}
