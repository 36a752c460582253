package release

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Change is one published cell in one week that differs between two tables. A cell
// is revised when any member of its row changed.
type Change struct {
	Week   panel.Week
	Cell   jevons.Cell
	Old    *jevons.Row // nil: the cell appears
	New    *jevons.Row // nil: the cell goes
	Causes []Cause     // at least one, in the order of the constants
}

// Diff returns every published cell that differs between the tables of two
// snapshots, with its causes. The largest move of a level comes first. Changes of the
// same size, and those without a move, are in published order. Without an old
// snapshot (nil) every cell of next appears.
func Diff(old, next *Snapshot) (changes []Change) {
	if old == nil {
		old = &Snapshot{Table: &jevons.Table{}}
	}
	merge(rowsIn(old.Table.Rows, next.Panel.Categories()), next.Table.Rows, byWeek, func(a, b *jevons.Row) {
		if a == nil || b == nil || !a.Same(b) {
			row := cmp.Or(b, a)
			changes = append(changes, Change{Week: row.Week, Cell: *row.Cell, Old: a, New: b})
		}
	})
	explain(old, next, changes)
	Sort(changes)
	return changes
}

// rowsIn returns the rows of an old table in the order of the categories of another panel.
func rowsIn(old []jevons.Row, list basket.Categories) []jevons.Row {
	rows := slices.Clone(old)
	for i := range rows {
		cell := *rows[i].Cell
		list, cell.Category = list.With(cell.Category.Slug())
		rows[i].Cell = &cell
	}
	slices.SortStableFunc(rows, func(a, b jevons.Row) int { return byWeek(&a, &b) })
	return rows
}

func byWeek(a, b *jevons.Row) int {
	return cmp.Or(cmp.Compare(a.Week, b.Week), jevons.CompareCells(a.Cell, b.Cell))
}

// merge goes through two lists that are sorted alike. It calls do with equal entries together, and with
// nil beside an entry that the other list lacks.
func merge[T any](a, b []T, compare func(x, y *T) int, do func(x, y *T)) {
	for len(a)+len(b) > 0 {
		order := len(a) - len(b)
		if len(a) > 0 && len(b) > 0 {
			order = -compare(&a[0], &b[0])
		}
		var x, y *T
		if order >= 0 {
			x, a = &a[0], a[1:]
		}
		if order <= 0 {
			y, b = &b[0], b[1:]
		}
		do(x, y)
	}
}

// Sort sorts changes from published order into the order of Diff.
func Sort(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(b.Move(), a.Move()) })
}

// Move returns how far the level moves, in ten-thousandths of an index point. It is 0
// for a cell that appears or goes.
func (c *Change) Move() int64 {
	if c.Old == nil || c.New == nil {
		return 0
	}
	return max(c.New.Index.Units-c.Old.Index.Units, c.Old.Index.Units-c.New.Index.Units)
}
