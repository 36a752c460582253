package release

import (
	"cmp"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// marks says why the rows behind a cell changed in a week. A row is marked at six
// cells: the nation, its city and its banner there, each for its category and for the
// headline.
type marks map[mark]causeSet

type mark struct {
	week panel.Week
	cell jevons.Cell
}

// compareRows compares the rows of two snapshots by listing, store, time and effective
// price. The ids don't matter: the same rows may have been numbered in another order.
func compareRows(old, next *Snapshot) marks {
	list := next.Panel.Categories()
	m, a, b := marks{}, newSide(old, list), newSide(next, list)
	stores, listings := changed(a.stores, b.stores), changed(a.listings, b.listings)
	order := func(i, k *int32) int { return compareRow(a, int(*i), b, int(*k)) }
	merge(a.inOrder(), b.inOrder(), order, func(i, k *int32) {
		switch {
		case k == nil:
			m.add(a, int(*i), setOf(AddedRows))
			return
		case i == nil:
			m.add(b, int(*k), setOf(AddedRows))
			return
		}
		x, y := int(*i), int(*k)
		why := causeSet(0)
		if listings[a.rows.Listing(x)] || stores[a.rows.Store(x)] {
			why = setOf(Reference)
		}
		switch from, to := a.rows.Verdict(x), b.rows.Verdict(y); {
		case from == to:
		case from == panel.Quarantined && to == panel.Pass, from == panel.Pass && to == panel.Quarantined:
			why |= setOf(Quarantine)
		case (from == panel.Pass || to == panel.Pass) && old.Gate == next.Gate:
			why |= setOf(Reference) // the product, or its spec, fits other titles or sizes
		}
		if why != 0 {
			m.add(a, x, why)
			m.add(b, y, why)
		}
	})
	return m
}

// compareRow is the order of compareRows.
func compareRow(a *side, x int, b *side, y int) int {
	if order := cmp.Compare(a.rows.UnixNano(x), b.rows.UnixNano(y)); order != 0 {
		return order
	}
	return cmp.Or(cmp.Compare(a.rows.Store(x), b.rows.Store(y)), cmp.Compare(a.rows.Listing(x), b.rows.Listing(y)),
		cmp.Compare(a.rows.Effective(x), b.rows.Effective(y)))
}

// inOrder returns the places of all rows in the order of compareRow.
func (x *side) inOrder() []int32 {
	list := make([]int32, x.rows.Len())
	for i := range list {
		list[i] = int32(i)
	}
	slices.SortStableFunc(list, func(i, k int32) int { return compareRow(x, int(i), x, int(k)) })
	return list
}

func changed[V comparable](old, next map[int64]V) map[int64]bool {
	ids := map[int64]bool{}
	for id, from := range old {
		if to, ok := next[id]; ok && from != to {
			ids[id] = true
		}
	}
	return ids
}

// add marks the cells of a row if it counts in the index.
func (m marks) add(x *side, i int, why causeSet) {
	store, good := x.stores[x.rows.Store(i)], x.listings[x.rows.Listing(i)]
	if x.rows.Verdict(i) != panel.Pass || !store.counts || !good.counts {
		return
	}
	week := x.weekOf(i)
	for _, c := range [...]jevons.Cell{
		{Level: jevons.National}, {Level: jevons.City, City: store.city},
		{Level: jevons.Banner, City: store.city, Banner: store.banner},
	} {
		for _, c.Category = range [...]basket.Category{basket.Overall, good.category} {
			m[mark{week, c}] |= why
		}
	}
}

// side is a snapshot with lists by which a row's store, listing and week are found.
type side struct {
	rows     *panel.Rows
	stores   map[int64]site
	listings map[int64]listed
	calendar panel.Calendar
	weekAt   func(nano int64) panel.Week
}

// site says where a store's rows count.
type site struct {
	city, banner string // display name and key
	active       bool
	counts       bool // in the index: active, of an index banner
}

// listed says which product a listing's rows count for.
type listed struct {
	product  int64
	category basket.Category
	counts   bool // it and its product are active
}

func newSide(s *Snapshot, list basket.Categories) *side {
	x := &side{rows: s.Rows, stores: map[int64]site{}, listings: map[int64]listed{}, calendar: s.Panel.Calendar()}
	x.weekAt = x.calendar.Weeks()
	cities, index := map[string]string{}, map[string]bool{}
	for _, c := range s.Panel.Cities() {
		cities[c.Slug] = c.Name
	}
	for _, b := range s.Panel.Banners() {
		index[b.Key] = b.InIndex
	}
	for _, st := range s.Panel.Stores() {
		x.stores[st.ID] = site{cities[st.City], st.Banner, st.Active, st.Active && index[st.Banner]}
	}
	for _, l := range s.Panel.Listings() {
		at, _ := s.Panel.ProductAt(l.ProductID)
		p := s.Panel.Products()[at]
		x.listings[l.ID] = listed{p.ID, list.Of(p.Category), l.Active && p.Active}
	}
	return x
}

func (x *side) weekOf(i int) panel.Week { return x.weekAt(x.rows.UnixNano(i)) }

func (x *side) startOf(w panel.Week) time.Time { return x.calendar.Start(w.Date() - 6) }
