package jevons

import (
	"slices"
	"sort"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Filter chooses rows of a table. A member at its zero value chooses all.
// Choosing never changes a value: changes are computed on whole series.
type Filter struct {
	Level      Level
	City       string            // display name; rows without a city don't match
	Banner     string            // key; rows without a banner don't match
	Categories []basket.Category // basket.Overall: the headline
	From, To   panel.Date        // inclusive
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

// Matches reports whether the filter chooses rows of a cell, in weeks of its
// range.
func (f *Filter) Matches(c *Cell) bool {
	return (f.Level == 0 || f.Level == c.Level) &&
		(f.City == "" || f.City == c.City) &&
		(f.Banner == "" || f.Banner == c.Banner) &&
		(len(f.Categories) == 0 || slices.Contains(f.Categories, c.Category))
}
