package jevons

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Table is every published row of a panel, in published order: by week, then
// national, cities, banners; cities by display name and banners by key, in
// byte order; the headline before the categories.
type Table struct {
	Rows    []Row
	Options Options // as used, the defaults filled in; the zero value for the pilot series
}

// compareCells orders the cells of one week as they are published.
func compareCells(a, b *Cell) int {
	return cmp.Or(
		cmp.Compare(a.Level, b.Level),
		cmp.Compare(a.City, b.City),
		cmp.Compare(a.Banner, b.Banner),
		cmp.Compare(a.Category, b.Category),
	)
}

// Find returns the row of the cell in the week, or nil when none is published.
func (t *Table) Find(week panel.Week, cell Cell) *Row {
	i, ok := slices.BinarySearchFunc(t.Rows, week, func(r Row, w panel.Week) int {
		return cmp.Or(cmp.Compare(r.Week, w), compareCells(r.Cell, &cell))
	})
	if !ok {
		return nil
	}
	return &t.Rows[i]
}

// Base returns the week that the cell's levels are counted from: the base week
// or, for a headline, its entry week. It is 0 for a headline that has no row,
// and for the pilot series, whose basis is its own.
func (t *Table) Base(cell Cell) panel.Week {
	if cell.Category != basket.Overall || t.Options.Base == 0 {
		return t.Options.Base
	}
	if entry := t.first(cell); entry != nil {
		return entry.Week
	}
	return 0
}

// first returns the first published row of the cell, or nil.
func (t *Table) first(cell Cell) *Row {
	for i := range t.Rows {
		if *t.Rows[i].Cell == cell {
			return &t.Rows[i]
		}
	}
	return nil
}

// before returns the cell's last published row before the week, or nil.
func (t *Table) before(week panel.Week, cell Cell) *Row {
	var last *Row
	for i := range t.Rows {
		if t.Rows[i].Week >= week {
			break
		}
		if *t.Rows[i].Cell == cell {
			last = &t.Rows[i]
		}
	}
	return last
}
