package releaselog

import (
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// state is the published table after some releases. Cells have numbers from 0 on, in
// the order in which they first appeared.
type state struct {
	cells  []*jevons.Cell
	number map[jevons.Cell]int
	weeks  map[panel.Week][]*jevons.Row // by number of the cell; nil: not published
}

func newState(cells []*jevons.Cell) *state {
	s := &state{number: map[jevons.Cell]int{}, weeks: map[panel.Week][]*jevons.Row{}}
	for _, c := range cells {
		s.numberOf(*c)
	}
	return s
}

// numberOf returns the number of a cell, which may be new.
func (s *state) numberOf(c jevons.Cell) int {
	n, ok := s.number[c]
	if !ok {
		n = len(s.cells)
		s.number[c], s.cells = n, append(s.cells, &c)
	}
	return n
}

// row returns the published row of a cell, or nil.
func (s *state) row(w panel.Week, cell int) *jevons.Row {
	if rows := s.weeks[w]; cell < len(rows) {
		return rows[cell]
	}
	return nil
}

// put publishes a row, or takes it away.
func (s *state) put(w panel.Week, cell int, r *jevons.Row) {
	rows := s.weeks[w]
	if cell >= len(rows) {
		rows = append(rows, make([]*jevons.Row, max(cell+1, len(s.cells))-len(rows))...)
		s.weeks[w] = rows
	}
	rows[cell] = r
}

// has reports whether any row of the week is published.
func (s *state) has(w panel.Week) bool {
	return slices.ContainsFunc(s.weeks[w], func(r *jevons.Row) bool { return r != nil })
}

// rows returns the table in published order. Levels are 100 in the base week; those of a
// headline, in its first published week.
func (s *state) rows(base panel.Week) []jevons.Row {
	order := make([]int, len(s.cells))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return jevons.CompareCells(s.cells[a], s.cells[b]) })
	var weeks []panel.Week
	n := 0
	for w, rows := range s.weeks {
		weeks = append(weeks, w)
		n += len(rows)
	}
	slices.Sort(weeks)
	all := make([]jevons.Row, 0, n)
	entry := make([]panel.Week, len(s.cells))
	for _, w := range weeks {
		for _, cell := range order {
			r := s.row(w, cell)
			if r == nil {
				continue
			}
			if entry[cell] == 0 {
				entry[cell] = w
			}
			row := *r
			if row.Base = base; row.Cell.Category == basket.Overall {
				row.Base = entry[cell]
			}
			all = append(all, row)
		}
	}
	return all
}
