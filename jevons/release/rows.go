package release

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// marks says why the rows behind a cell changed in a week. A row is marked at six
// cells: the nation, its city and its banner there, each for its category and for the
// headline.
type marks struct {
	cells int
	weeks map[panel.Week][]causeSet // by number of the cell
}

// at returns the causes marked at a cell in a week. The number of a cell may be -1.
func (m *marks) at(week panel.Week, cell int32) causeSet {
	if list := m.weeks[week]; list != nil && cell >= 0 {
		return list[cell]
	}
	return 0
}

// comparison is two snapshots whose rows are compared.
type comparison struct {
	*marks
	old, next *side
	sameGate  bool
	// Stores and listings that both have but that count in another way.
	stores, listings map[int64]bool
}

// compareRows compares the rows of two snapshots by listing, store, time and effective
// price. The ids don't matter: the same rows may have been numbered in another order.
func compareRows(old, next *Snapshot, cells map[jevons.Cell]int32) *marks {
	c := &comparison{
		marks: &marks{cells: len(cells), weeks: map[panel.Week][]causeSet{}},
		old:   newSide(old, cells), next: newSide(next, cells), sameGate: old.Gate == next.Gate,
		stores: map[int64]bool{}, listings: map[int64]bool{},
	}
	for _, s := range old.Panel.Stores() {
		from, _ := c.old.site(s.ID)
		if to, ok := c.next.site(s.ID); ok && *from != *to {
			c.stores[s.ID] = true
		}
	}
	for id, from := range c.old.listings {
		if to, ok := c.next.listings[id]; ok && from != to {
			c.listings[id] = true
		}
	}
	c.merge()
	return c.marks
}

// merge goes through both sides, which are in order of time.
func (c *comparison) merge() {
	a, b := c.old.rows, c.next.rows
	i, j := 0, 0
	for i < a.Len() && j < b.Len() {
		switch from, to := a.UnixNano(i), b.UnixNano(j); {
		case from < to:
			c.mark(c.old, i, addedRows)
			i++
		case from > to:
			c.mark(c.next, j, addedRows)
			j++
		case compareKeys(a, i, b, j) == 0:
			c.pair(i, j)
			i++
			j++
		default:
			i, j = c.moment(i, j)
		}
	}
	for ; i < a.Len(); i++ {
		c.mark(c.old, i, addedRows)
	}
	for ; j < b.Len(); j++ {
		c.mark(c.next, j, addedRows)
	}
}

// moment compares the rows from i and j on that have the same time, whatever their
// order, and returns the places after them.
func (c *comparison) moment(i, j int) (nextI, nextJ int) {
	sorted := func(r *panel.Rows, i int) (list []int, end int) {
		for end = i; end < r.Len() && r.UnixNano(end) == r.UnixNano(i); end++ {
			list = append(list, end)
		}
		slices.SortStableFunc(list, func(x, y int) int { return compareKeys(r, x, r, y) })
		return list, end
	}
	a, nextI := sorted(c.old.rows, i)
	b, nextJ := sorted(c.next.rows, j)
	for len(a) > 0 && len(b) > 0 {
		order := compareKeys(c.old.rows, a[0], c.next.rows, b[0])
		switch {
		case order < 0:
			c.mark(c.old, a[0], addedRows)
		case order > 0:
			c.mark(c.next, b[0], addedRows)
		default:
			c.pair(a[0], b[0])
		}
		if order <= 0 {
			a = a[1:]
		}
		if order >= 0 {
			b = b[1:]
		}
	}
	for _, i := range a {
		c.mark(c.old, i, addedRows)
	}
	for _, j := range b {
		c.mark(c.next, j, addedRows)
	}
	return nextI, nextJ
}

// compareKeys orders rows of the same time.
func compareKeys(a *panel.Rows, i int, b *panel.Rows, j int) int {
	return cmp.Or(cmp.Compare(a.Store(i), b.Store(j)), cmp.Compare(a.Listing(i), b.Listing(j)), cmp.Compare(a.Effective(i), b.Effective(j)))
}

// pair marks a row that both sides have, if it counts in another way.
func (c *comparison) pair(i, j int) {
	from, to := c.old.rows.Verdict(i), c.next.rows.Verdict(j)
	var why causeSet
	if len(c.listings) > 0 && c.listings[c.old.rows.Listing(i)] || len(c.stores) > 0 && c.stores[c.old.rows.Store(i)] {
		why = reference
	}
	switch {
	case from == to:
	case from == panel.Quarantined && to == panel.Pass, from == panel.Pass && to == panel.Quarantined:
		why |= quarantine
	case (from == panel.Pass || to == panel.Pass) && c.sameGate:
		why |= reference // the product, or its spec, fits other titles or sizes
	}
	if why != 0 {
		c.mark(c.old, i, why)
		c.mark(c.next, j, why)
	}
}

// mark marks the cells of a row if it counts in the index.
func (c *comparison) mark(x *side, i int, why causeSet) {
	at, ok := x.storeAt.Get(x.rows.Store(i))
	good := x.listings[x.rows.Listing(i)]
	if !ok || x.rows.Verdict(i) != panel.Pass || !x.stores[at].counts || !good.counts {
		return
	}
	week := x.weekOf(x.rows.UnixNano(i))
	list := c.weeks[week]
	if list == nil {
		list = make([]causeSet, c.cells)
		c.weeks[week] = list
	}
	for _, n := range x.numbersOf(spot{at, good.category}) {
		list[n] |= why
	}
}
