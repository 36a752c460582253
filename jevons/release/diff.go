package release

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Diff returns every published cell that differs between the tables of two
// snapshots, with its causes. The largest move of a level comes first. Changes of the
// same size, and those without a move, are in published order. Without an old
// snapshot (nil) every cell of next appears.
func Diff(old, next *Snapshot) []Change {
	var before []jevons.Row
	if old != nil {
		before = old.Table.Rows
	}
	found := compareTables(before, next.Table.Rows)
	explain(old, next, found)
	changes := make([]Change, len(found.list))
	for i := range found.list {
		changes[i] = found.list[i].Change
	}
	Sort(changes)
	return changes
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

// differences is the changed cells of two tables.
type differences struct {
	list  []difference
	cells map[jevons.Cell]int32 // numbers of all cells of both tables
	weeks map[panel.Week]bool   // weeks of the old table
	last  panel.Week            // the last of them; 0: none
}

// difference is a change with what its causes are looked for by.
type difference struct {
	Change
	cell int32
	// Of each table: the cell's first published week, which is a headline's base,
	// and its last one before this week. 0: it has none.
	first, before [2]panel.Week
}

// compareTables merges two tables. Both are in published order.
func compareTables(old, next []jevons.Row) *differences {
	d := &differences{cells: map[jevons.Cell]int32{}, weeks: map[panel.Week]bool{}}
	numbers := map[*jevons.Cell]int32{} // rows of a series share their cell
	number := func(r *jevons.Row) int32 {
		n, ok := numbers[r.Cell]
		if !ok {
			if n, ok = d.cells[*r.Cell]; !ok {
				n = int32(len(d.cells))
				d.cells[*r.Cell] = n
			}
			numbers[r.Cell] = n
		}
		return n
	}
	var first, before [2][]panel.Week // by cell
	see := func(table int, cell int32, week panel.Week) {
		for int(cell) >= len(first[table]) {
			first[table], before[table] = append(first[table], 0), append(before[table], 0)
		}
		if first[table][cell] == 0 {
			first[table][cell] = week
		}
		before[table][cell] = week
	}
	for len(old)+len(next) > 0 {
		x := difference{}
		order := 0
		switch {
		case len(next) == 0:
			order = -1
		case len(old) == 0:
			order = 1
		default:
			order = cmp.Or(cmp.Compare(old[0].Week, next[0].Week), jevons.CompareCells(old[0].Cell, next[0].Cell))
		}
		if order <= 0 {
			x.Old, old = &old[0], old[1:]
		}
		if order >= 0 {
			x.New, next = &next[0], next[1:]
		}
		row := cmp.Or(x.New, x.Old)
		x.Week, x.Cell, x.cell = row.Week, *row.Cell, number(row)
		for table := range first {
			if int(x.cell) < len(first[table]) {
				x.before[table] = before[table][x.cell]
			}
		}
		if x.Old != nil {
			d.weeks[x.Week], d.last = true, x.Week
			see(0, x.cell, x.Week)
		}
		if x.New != nil {
			see(1, x.cell, x.Week)
		}
		if x.Old == nil || x.New == nil || !x.Old.Same(x.New) {
			d.list = append(d.list, x)
		}
	}
	for i := range d.list {
		for table := range first {
			if cell := int(d.list[i].cell); cell < len(first[table]) {
				d.list[i].first[table] = first[table][cell]
			}
		}
	}
	return d
}
