package jevons

import (
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// ErrNotPublished is the error, wrapped with the reason, for a cell that has no
// row in the week.
var ErrNotPublished = errors.New("not published")

var errLinked = errors.New("a row of the linked series can't be taken apart: its level has several bases")

// Explanation takes one row apart.
type Explanation struct {
	Method    string // Options.Method of the table; empty: the published method
	Row       Row
	SinceBase Decomposition
	WoW       *Decomposition // nil when the row has no week-over-week change
}

// Explain takes one row of the table apart. The table must be Compute's for this
// panel. For a cell without a row in that week it returns ErrNotPublished with
// the reason.
func (t *Table) Explain(p *panel.Panel, week panel.Week, cell Cell) (*Explanation, error) {
	x, row, err := t.explainer(p, week, cell)
	if err != nil {
		return nil, err
	}
	return x.explain(row), nil
}

func (x *explainer) explain(row *Row) *Explanation {
	now := x.relatives(row.Week, row.Week, row.Week)
	e := &Explanation{Method: x.table.Options.Method(), Row: *row, SinceBase: x.sinceBase(row, now)}
	if row.WoW.Valid {
		wow := x.weekOverWeek(row, now)
		e.WoW = &wow
	}
	return e
}

// explainer computes one cell again, product by product, in the plain way.
type explainer struct {
	table  *Table
	panel  *panel.Panel
	cell   Cell
	series []int32 // those of the cell's geography, ascending
	base   panel.Week
}

// explainer returns what takes the row of a cell apart, with the row.
func (t *Table) explainer(p *panel.Panel, week panel.Week, cell Cell) (*explainer, *Row, error) {
	x := &explainer{table: t, panel: p, cell: cell}
	place := placeOf(p, cell)
	var errs []error
	if t.Linked {
		errs = append(errs, errLinked)
	}
	if cell.Level < National || cell.Level > Banner {
		errs = append(errs, fmt.Errorf("no such level: %s", cell.Level))
	}
	if wants := cell.Level >= City; (cell.City != "") != wants || (wants && place.city < 0) {
		errs = append(errs, fmt.Errorf("city %q: a %s cell needs %s", cell.City, cell.Level, oneOrNone(wants, "a city of the panel, by display name")))
	}
	if wants := cell.Level == Banner; (cell.Banner != "") != wants || (wants && place.banner < 0) {
		errs = append(errs, fmt.Errorf("banner %q: a %s cell needs %s", cell.Banner, cell.Level, oneOrNone(wants, "a banner of the panel, by key")))
	}
	if int(cell.Category) >= numSlices {
		errs = append(errs, fmt.Errorf("no such category: %s", cell.Category))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, fmt.Errorf("jevons: explain: %w", err)
	}
	for i, s := range p.Series() {
		if place.holds(s) {
			x.series = append(x.series, int32(i))
		}
	}
	row := t.Find(week, cell)
	if row == nil {
		x.base = t.Base(cell)
		return nil, nil, x.whyNot(week)
	}
	x.base = row.Base
	return x, row, nil
}

// placeOf returns the geography of a cell. An unknown city or banner is -1.
func placeOf(p *panel.Panel, cell Cell) geography {
	return geography{
		cell.Level,
		int32(slices.IndexFunc(p.Cities(), func(c basket.City) bool { return c.Name == cell.City })),
		int32(slices.IndexFunc(p.Banners(), func(b basket.Banner) bool { return b.Key == cell.Banner })),
	}
}

func oneOrNone(wanted bool, what string) string {
	if wanted {
		return what
	}
	return "none"
}

// whyNot says why the cell has no row in the week.
func (x *explainer) whyNot(week panel.Week) error {
	reason := func(format string, a ...any) error {
		return fmt.Errorf("jevons: %s, week %s: %w: %s", x.cell, week, ErrNotPublished, fmt.Sprintf(format, a...))
	}
	switch o := x.table.Options; {
	case o.Through < o.Base:
		return reason("no week from the base week %s on has closed", o.Base)
	case week < o.Base || week > o.Through:
		return reason("the table runs from %s to %s", o.Base, o.Through)
	case x.logs(week) == nil:
		return reason("no price counts in that week")
	case x.cell.Category != basket.Overall && x.logs(x.base) == nil:
		return reason("no price counts in the base week %s, so no category can be matched with it", x.base)
	}
	if x.cell.Category == basket.Overall {
		switch {
		case x.base == 0:
			return reason("in no week so far are %s of the products priced", x.table.Options.Floor)
		case week < x.base:
			return reason("the series starts in its entry week, %s", x.base)
		}
	}
	items, total := 0, 0
	for _, r := range x.relatives(week, week, week) {
		total++
		if r.stores > 0 {
			items++
		}
	}
	return reason("%d of %d products are matched with week %s, under the floor of %s", items, total, x.base, x.table.Options.Floor)
}

// relative is the elementary aggregate of one active product in a cell.
type relative struct {
	product         *basket.Product
	rho             float64 // 0 when it is not matched
	stores, trimmed int
}

// relatives returns the elementary aggregates of all active products of the
// cell's slice, by product id, over the same series as match.
func (x *explainer) relatives(week, u, w panel.Week) (all []relative) {
	stores := x.match(week, u, w)
	var logs []float64
	for i := range x.panel.Products() {
		product := &x.panel.Products()[i]
		if !x.wants(product) {
			continue
		}
		r := relative{product: product}
		logs = logs[:0]
		for ; len(stores) > 0 && stores[0].product == int32(i); stores = stores[1:] {
			logs = append(logs, stores[0].log)
		}
		if r.stores = len(logs); r.stores > 0 {
			r.rho, r.trimmed = trimmedMean(logs, x.table.Options.Trim)
		}
		all = append(all, r)
	}
	return all
}
