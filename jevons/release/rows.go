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

// merge goes through both sides in one order.
func (c *comparison) merge() {
	a, b := inOrder(c.old.rows), inOrder(c.next.rows)
	for len(a)+len(b) > 0 {
		order := 0
		switch {
		case len(a) == 0:
			order = 1
		case len(b) == 0:
			order = -1
		default:
			order = compareKeys(c.old.rows, a[0], c.next.rows, b[0])
		}
		switch {
		case order < 0:
			c.mark(c.old, int(a[0]), addedRows)
		case order > 0:
			c.mark(c.next, int(b[0]), addedRows)
		default:
			c.pair(int(a[0]), int(b[0]))
		}
		if order <= 0 {
			a = a[1:]
		}
		if order >= 0 {
			b = b[1:]
		}
	}
}

// inOrder returns the places of rows by time, then by compareKeys. They are in order of time.
func inOrder(r *panel.Rows) []int32 {
	list := make([]int32, r.Len())
	for i := range list {
		list[i] = int32(i)
	}
	slices.SortFunc(list, func(x, y int32) int { return cmp.Or(compareKeys(r, x, r, y), cmp.Compare(x, y)) })
	return list
}

// compareKeys orders rows by time, store, listing and price.
func compareKeys(a *panel.Rows, i int32, b *panel.Rows, j int32) int {
	x, y := int(i), int(j)
	if order := cmp.Compare(a.UnixNano(x), b.UnixNano(y)); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(a.Store(x), b.Store(y)), cmp.Compare(a.Listing(x), b.Listing(y)), cmp.Compare(a.Effective(x), b.Effective(y)))
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
	at, ok := x.panel.StoreAt(x.rows.Store(i))
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
