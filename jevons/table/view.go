package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/internal/enum"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// View is a unit in which a series is shown. All views are made of published
// levels and costs.
type View int

// The views.
const (
	ViewIndex     View = iota // the level
	ViewYoY                   // percent, against 364 days earlier
	ViewSince                 // percent, against a chosen week
	ViewFourWeeks             // percent, against 28 days earlier
	ViewCost                  // of the basket, in the currency of the prices
)

// viewOf has the column of a view, the weeks that a series is older than its first value, and
// the unit. Those of the cost follow the currency.
type viewOf struct {
	column string
	weeks  int
	unit   string
}

var views = []viewOf{
	{IndexValue, 0, "index, 100 in the base week of the series"},
	{ChangeYoY, 52, "percent change against 364 days earlier"},
	{"pct_change_since", 0, "percent change against the week ending %s"},
	{ChangeMoM, 4, "percent change against 28 days earlier"},
	{},
}

var viewWords = enum.New("view", ViewIndex, "index", "yoy", "since", "4w", "cost")

// ViewNames returns the words of all views: index, yoy, since, 4w and cost.
func ViewNames() []string { return viewWords.List() }

// ParseView reads the word of a view.
func ParseView(s string) (View, error) { return viewWords.Parse(s) }

// String returns the word of the view.
func (v View) String() string { return viewWords.String(v) }

// Member is the name of the column that has the view's values.
func (v View) Member(about *panel.About) string {
	if v == ViewCost {
		return BasketCost(about)
	}
	return views[v].column
}

// Unit says what the values are. since is the week of ViewSince.
func (v View) Unit(about *panel.About, since panel.Week) string {
	switch code := about.Currency(); {
	case v == ViewCost && code == "CAD":
		return "dollars for the basket, CAD"
	case v == ViewCost:
		return code + " for the basket"
	}
	return strings.Replace(views[v].unit, "%s", since.String(), 1)
}

// Weeks returns how many weeks a series needs before its first value.
func (v View) Weeks() int { return views[v].weeks }

// NoLevelError says that a series has no level in the week that a view compares with.
type NoLevelError struct {
	Week panel.Week
	Cell jevons.Cell
}

// Error names the series as a reader would.
func (e *NoLevelError) Error() string { return e.Named(e.Cell.String()) }

// Named is the error's text with another name of the series.
func (e *NoLevelError) Named(name string) string {
	return fmt.Sprintf("%s has no level in the week ending %s", name, e.Week)
}

// ViewColumn returns the column that has the values of a view for rows of the given
// cells. Values are null where what they are made of is not published. since is the
// week of ViewSince, and 0 for the others. The error is a *NoLevelError if a cell has
// no level in that week.
func ViewColumn(about *panel.About, t *jevons.Table, v View, since panel.Week, cells []jevons.Cell) (Column, error) {
	if v != ViewSince {
		columns := Columns(about)
		return columns[slices.IndexFunc(columns, func(c Column) bool { return c.Name == v.Member(about) })], nil
	}
	levels := make(map[jevons.Cell]panel.Fixed, len(cells))
	for _, c := range cells {
		r := t.Find(since, c)
		if r == nil || !r.Index.Valid {
			return Column{}, &NoLevelError{since, c}
		}
		levels[c] = r.Index
	}
	return number(v.Member(about), "% since "+since.String(), 4, func(r *jevons.Row) panel.Fixed {
		if then := levels[*r.Cell]; r.Index.Valid && then.Valid {
			return jevons.PercentChange(r.Index.Units, then.Units)
		}
		return panel.Fixed{}
	}), nil
}

// CellsOf returns the cells of rows, each once, in published order.
func CellsOf(rows []jevons.Row) []jevons.Cell {
	seen := map[*jevons.Cell]bool{}
	var cells []jevons.Cell
	for i := range rows {
		if c := rows[i].Cell; !seen[c] {
			seen[c] = true
			cells = append(cells, *c)
		}
	}
	slices.SortFunc(cells, func(a, b jevons.Cell) int { return jevons.CompareCells(&a, &b) })
	return slices.Compact(cells)
}
