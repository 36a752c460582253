// Package table shows rows of the index: their columns, the units in which a series is
// shown, and the names of series. jevons computes the values; nothing here changes one.
package table

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/internal/jsontext"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Column is one member of a published row. JSON bodies, CSV files, printed
// tables, the release log and the check of published rows all follow lists of columns,
// so a new member is one more entry in a list.
//
// Exactly one of Week, Text, Number and JSON is set. A week of 0, an empty text and
// an invalid number are null.
type Column struct {
	Name     string // in JSON and in the header of a CSV file
	Title    string // the heading in a printed table
	Decimals int    // of a number, 0 to 4
	Right    bool   // printed tables align it to the right
	Licensed bool   // rows of the public index lack it

	Week   func(*jevons.Row) panel.Week
	Text   func(*jevons.Row) string
	Number func(*jevons.Row) panel.Fixed
	Set    func(*jevons.Row, panel.Fixed)       // sets a number of Columns
	JSON   func(b []byte, r *jevons.Row) []byte // appends an object or an array
}

// Names of the columns that programs look up.
const (
	IndexValue = "index_value"
	ChangeWoW  = "pct_change_wow"
	ChangeMoM  = "pct_change_mom"
	ChangeYoY  = "pct_change_yoy"
	ItemCount  = "item_count"
	TotalItems = "total_items"
)

// BasketCost names the column of what the basket costs by the currency of the prices, such as basket_cost_cad.
func BasketCost(about *panel.About) string { return "basket_cost_" + strings.ToLower(about.Currency()) }

// Columns returns the members of a row of /api/v1/index, in published order.
func Columns(about *panel.About) []Column {
	return []Column{
		{Name: "date", Title: "week", Week: func(r *jevons.Row) panel.Week { return r.Week }},
		text("city", "city", func(r *jevons.Row) string { return r.Cell.City }),
		text("retailer", "banner", func(r *jevons.Row) string { return r.Cell.Banner }),
		text("category", "category", func(r *jevons.Row) string { return r.Cell.Category.Slug() }),
		figure(IndexValue, "index", 4, func(r *jevons.Row) *panel.Fixed { return &r.Index }),
		figure(BasketCost(about), "basket "+about.Sign(), 2, func(r *jevons.Row) *panel.Fixed { return &r.BasketCost }),
		figure(ChangeWoW, "week %", 4, func(r *jevons.Row) *panel.Fixed { return &r.WoW }),
		figure(ChangeMoM, "4w %", 4, func(r *jevons.Row) *panel.Fixed { return &r.MoM }),
		count(ItemCount, "items", func(r *jevons.Row) *int32 { return &r.ItemCount }),
		count(TotalItems, "of", func(r *jevons.Row) *int32 { return &r.TotalItems }),
		licensed(figure(ChangeYoY, "52w %", 4, func(r *jevons.Row) *panel.Fixed { return &r.YoY })),
	}
}

func text(name, title string, value func(*jevons.Row) string) Column {
	return Column{Name: name, Title: title, Text: value}
}

func number(name, title string, decimals int, value func(*jevons.Row) panel.Fixed) Column {
	return Column{Name: name, Title: title, Decimals: decimals, Right: true, Number: value}
}

// figure is a number that a row holds.
func figure(name, title string, decimals int, at func(*jevons.Row) *panel.Fixed) Column {
	c := number(name, title, decimals, func(r *jevons.Row) panel.Fixed { return *at(r) })
	c.Set = func(r *jevons.Row, v panel.Fixed) { *at(r) = v }
	return c
}

// count is a whole number that a row holds. One below 0 is null.
func count(name, title string, at func(*jevons.Row) *int32) Column {
	c := number(name, title, 0, func(r *jevons.Row) panel.Fixed { return whole(*at(r)) })
	c.Set = func(r *jevons.Row, v panel.Fixed) {
		*at(r) = -1
		if v.Valid {
			*at(r) = int32(v.Units / unitsPerOne)
		}
	}
	return c
}

func licensed(c Column) Column {
	c.Licensed = true
	return c
}

const unitsPerOne = 10_000 // of a panel.Fixed

func whole(n int32) panel.Fixed { return panel.Fixed{Units: int64(n) * unitsPerOne, Valid: n >= 0} }

// BaseColumn is the member "base_week" of a row of a companion series.
func BaseColumn() Column {
	return Column{Name: "base_week", Title: "base", Week: func(r *jevons.Row) panel.Week { return r.Base }}
}

// PublicColumns returns the members of a row of the public index.
func PublicColumns(about *panel.About) []Column {
	return slices.DeleteFunc(Columns(about), func(c Column) bool { return c.Licensed })
}

// PrintedColumns returns the columns of a printed table. It has the level, names
// the headline, and ends with both counts in one column.
func PrintedColumns(about *panel.About) []Column {
	var list []Column
	for _, c := range Columns(about) {
		switch c.Name {
		case ItemCount, TotalItems:
		case "date":
			list = append(list, c, text("level", "level", func(r *jevons.Row) string { return r.Cell.Level.String() }))
		case "category":
			list = append(list, text(c.Name, c.Title, func(r *jevons.Row) string { return r.Cell.Category.String() }))
		default:
			list = append(list, c)
		}
	}
	return append(list, Column{Name: "items", Title: "items", Right: true, Text: func(r *jevons.Row) string {
		if r.ItemCount < 0 {
			return "-/-"
		}
		return fmt.Sprintf("%d/%d", r.ItemCount, r.TotalItems)
	}})
}

// AppendJSON appends the row as a JSON object with the columns as its members,
// in their order. A page holds thousands of rows, so it allocates nothing.
func AppendJSON(b []byte, r *jevons.Row, columns []Column) []byte {
	return append(appendMembers(b, '{', r, columns), '}')
}

// ExtendJSON appends the columns as further members to a JSON object that lacks its closing
// brace, and closes it.
func ExtendJSON(b []byte, r *jevons.Row, columns []Column) []byte {
	return append(appendMembers(b, ',', r, columns), '}')
}

func appendMembers(b []byte, before byte, r *jevons.Row, columns []Column) []byte {
	for i := range columns {
		c := &columns[i]
		b = append(append(append(b, before, '"'), c.Name...), '"', ':')
		before = ','
		switch {
		case c.Number != nil:
			b = c.Number(r).Append(b, c.Decimals)
		case c.Text != nil:
			b = jsontext.AppendOrNull(b, c.Text(r))
		case c.JSON != nil:
			b = c.JSON(b, r)
		default:
			b = append(appendDate(append(b, '"'), c.Week(r)), '"')
		}
	}
	return b
}

// AppendText appends the column's value in the row as JSON has it, but without
// quotes; null is the empty text.
func (c *Column) AppendText(b []byte, r *jevons.Row) []byte {
	switch {
	case c.Number != nil:
		if v := c.Number(r); v.Valid {
			b = v.Append(b, c.Decimals)
		}
		return b
	case c.Text != nil:
		return append(b, c.Text(r)...)
	case c.JSON != nil:
		return c.JSON(b, r)
	default:
		return appendDate(b, c.Week(r))
	}
}

func appendDate(b []byte, w panel.Week) []byte {
	return w.Date().Time(time.UTC).AppendFormat(b, time.DateOnly)
}
