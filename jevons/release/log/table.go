package releaselog

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// state is the published table after some releases: rows by week and cell.
type state map[panel.Week]map[jevons.Cell]*jevons.Row

func (s state) has(w panel.Week) bool { return len(s[w]) > 0 }

// apply makes a change. It fails when the change does not follow from the table.
func (s state) apply(c *release.Change) error {
	old := s[c.Week][c.Cell]
	switch {
	case c.Old == nil && c.New == nil:
		return errors.New("the change has neither an old row nor a new one")
	case (c.Old == nil) != (old == nil), old != nil && !c.Old.Same(old):
		return errors.New("the change has another old row than was released")
	case c.Old != nil && c.New != nil && c.Old.Same(c.New):
		return errors.New("the change changes nothing")
	case len(c.Causes) == 0:
		return errors.New("the change has no cause")
	}
	if c.New != nil {
		s.put(c.New)
	} else {
		delete(s[c.Week], c.Cell)
	}
	return nil
}

// put adds a row, or replaces that of its cell.
func (s state) put(r *jevons.Row) {
	if s[r.Week] == nil {
		s[r.Week] = map[jevons.Cell]*jevons.Row{}
	}
	s[r.Week][*r.Cell] = r
}

// table returns the rows in published order. Levels are 100 in the base week; those of a
// headline, in its first published week.
func (s state) table(base, through panel.Week) *jevons.Table {
	t := &jevons.Table{Options: jevons.Options{
		Base: base, Through: through, Trim: jevons.Percent(10), Floor: jevons.Percent(60),
	}}
	entry := map[jevons.Cell]panel.Week{}
	for _, w := range slices.Sorted(maps.Keys(s)) {
		for _, r := range slices.SortedFunc(maps.Values(s[w]), byCell) {
			row := *r
			row.Base = base
			if row.Cell.Category == basket.Overall {
				if entry[*row.Cell] == 0 {
					entry[*row.Cell] = w
				}
				row.Base = entry[*row.Cell]
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func byCell(a, b *jevons.Row) int { return jevons.CompareCells(a.Cell, b.Cell) }

// replay rebuilds the releases up to number n. It calls f, unless it is nil, with the changes
// of each by week, then in published order, and the table before it. Cells are in a list of categories.
func (l *Log) replay(
	n int, list basket.Categories, f func(r *Release, changes []release.Change, before state) error,
) (state, error) {
	s, known := state{}, newLines(list)
	for i := range l.releases[:n] {
		r := &l.releases[i]
		changes, err := r.changes(known)
		if err == nil && f != nil {
			err = f(r, changes, s)
		}
		for k := 0; err == nil && k < len(changes); k++ {
			if err = s.apply(&changes[k]); err != nil {
				err = fmt.Errorf("%s in %s: %w", changes[k].Cell, changes[k].Week, err)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("release %s: %w", r.ID(), err)
		}
	}
	return s, nil
}
