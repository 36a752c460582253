package jevons

import (
	"cmp"
	"slices"
	"sort"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Table is every published row of a panel, in published order: by week, then
// national, cities, banners; cities by display name and banners by key, in byte
// order; the headline before the categories.
type Table struct {
	Rows    []Row
	Options Options // as used, with the defaults filled in; the zero value for the pilot series
	engine  *engine // takes rows apart; nil but for tables of Compute's
}

// Find returns the row of the cell in the week, or nil when it is not published.
func (t *Table) Find(week panel.Week, cell Cell) *Row {
	if t == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(t.Rows, week, func(r Row, w panel.Week) int {
		return cmp.Or(cmp.Compare(r.Week, w), CompareCells(r.Cell, &cell))
	})
	if !ok {
		return nil
	}
	return &t.Rows[i]
}

// Base returns the week in which the cell's level is 100: the base week or, for
// a headline, its entry week. It is 0 for a headline without a row, and for the
// pilot series, which has a basis of its own.
func (t *Table) Base(cell Cell) panel.Week {
	if cell.Category != basket.Overall || t.Options.Base == 0 {
		return t.Options.Base
	}
	for i := range t.Rows {
		if *t.Rows[i].Cell == cell {
			return t.Rows[i].Base
		}
	}
	return 0
}

// Before returns the cell's last published row before the week, or nil.
func (t *Table) Before(week panel.Week, cell Cell) (last *Row) {
	for w := week.Add(-1); last == nil && w >= t.Options.Base; w = w.Add(-1) {
		last = t.Find(w, cell)
	}
	return last
}

// Filter chooses rows of a table. A member at its zero value chooses all. A
// filter never changes a value: changes are computed before rows are chosen.
type Filter struct {
	Level      Level
	City       string     // display name; rows without a city don't match
	Banner     string     // key; rows without a banner don't match
	Categories []string   // "overall": the headline
	From, To   panel.Date // inclusive
}

// Select returns the rows that the filter chooses, in published order. The
// result may share memory with the table.
func (t *Table) Select(f Filter) []Row {
	rows := t.Rows
	if f.To != 0 {
		rows = rows[:sort.Search(len(rows), func(i int) bool { return rows[i].Week.Date() > f.To })]
	}
	if f.From != 0 {
		rows = rows[sort.Search(len(rows), func(i int) bool { return rows[i].Week.Date() >= f.From }):]
	}
	if f.Level == 0 && f.City == "" && f.Banner == "" && len(f.Categories) == 0 {
		return rows
	}
	var chosen []Row
	for i := range rows {
		if f.Matches(rows[i].Cell) {
			chosen = append(chosen, rows[i])
		}
	}
	return chosen
}

// Matches reports whether the filter chooses the rows of a cell, whatever their
// week.
func (f *Filter) Matches(c *Cell) bool {
	return (f.Level == 0 || f.Level == c.Level) &&
		(f.City == "" || f.City == c.City) &&
		(f.Banner == "" || f.Banner == c.Banner) &&
		(len(f.Categories) == 0 || slices.Contains(f.Categories, c.Category.String()))
}

// Pilot returns the stored rows of the pilot series (v1), March to June 2026, in
// published order and as they were published. Their levels have another basis
// than Compute's: never splice the two. A nil panel has none.
func Pilot(p *panel.Panel) *Table {
	if p == nil {
		return &Table{}
	}
	names := make(map[string]string, len(p.Cities()))
	for _, c := range p.Cities() {
		names[c.Slug] = c.Name
	}
	cells := map[Cell]*Cell{}
	rows := make([]Row, 0, len(p.Pilot()))
	for _, r := range p.Pilot() {
		key := Cell{LevelOf(r.City, r.Banner), names[r.City], r.Banner, p.Categories().Of(r.Category)}
		if cells[key] == nil {
			cells[key] = &key
		}
		rows = append(rows, Row{
			Week: r.Date, Cell: cells[key], Index: r.IndexValue, BasketCost: r.BasketCost,
			WoW: r.WoW, MoM: r.MoM, ItemCount: int32(r.ItemCount), TotalItems: int32(r.TotalItems),
		})
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Week, b.Week), CompareCells(a.Cell, b.Cell))
	})
	return &Table{Rows: rows}
}
