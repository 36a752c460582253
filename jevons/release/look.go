package release

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Mover is a cell of a new week beside what is usual for it.
type Mover struct {
	*Change
	Low, High panel.Fixed   // its own usual range of a week's change in percent; null without one
	Parts     []jevons.Part // of its change over the week, the largest first
}

const lookFactor = 3 // robust standard deviations from the median: the range of a mover

// Look parts changes as somebody reads them before a release: the cells of new weeks, those that change
// most over the week first; then revisions, with cells that appear in released weeks; then withdrawals.
// With the next snapshot, movers have their usual range and, if its table was computed from its prices,
// the parts of their change. It may be nil.
func Look(next *Snapshot, list []Change) (movers []Mover, revised, withdrawn []*Change) {
	var rows []jevons.Row
	for i := range list {
		switch c := &list[i]; {
		case c.New == nil:
			withdrawn = append(withdrawn, c)
		case c.Old == nil && slices.Contains(c.Causes, NewWeek):
			movers, rows = append(movers, Mover{Change: c}), append(rows, *c.New)
		default:
			revised = append(revised, c)
		}
	}
	if next != nil {
		earlier, parts := newChanges(next.Table.Rows), []jevons.Row(nil)
		if !next.Elsewhere {
			parts, _ = next.Table.WithContributions(rows)
		}
		for i := range movers {
			m := &movers[i]
			if u, _, ok := earlier.before(m.New); ok {
				m.Low, m.High = fixed(u.median-lookFactor*u.deviation), fixed(u.median+lookFactor*u.deviation)
			}
			if parts != nil && m.New.WoW.Valid {
				m.Parts = parts[i].Extra.Contributions
				slices.SortStableFunc(m.Parts, func(a, b jevons.Part) int { return compareSize(b.WoW, a.WoW) })
			}
		}
	}
	slices.SortStableFunc(movers, func(a, b Mover) int { return compareSize(b.New.WoW, a.New.WoW) })
	return movers, revised, withdrawn
}

// compareSize compares how far changes are from none. What is null is least.
func compareSize(a, b panel.Fixed) int {
	size := func(x panel.Fixed) int64 {
		if !x.Valid {
			return -1
		}
		return max(x.Units, -x.Units)
	}
	return cmp.Compare(size(a), size(b))
}
