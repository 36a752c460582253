package release

import (
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// side is a snapshot with lists by which a row's store, listing and week are found.
type side struct {
	rows     *panel.Rows
	panel    *panel.Panel
	stores   []site // by place in the panel's list
	listings map[int64]good
	cells    map[jevons.Cell]int32
	numbers  map[spot][]int32 // of the cells that rows of a spot are marked at

	week       panel.Week // of the row before, which began and ends at:
	start, end int64
}

// site says where a store's rows count.
type site struct {
	city, banner string // display name and key
	active       bool
	counts       bool // in the index: active, of an index banner
}

// good says as what a listing's rows count.
type good struct {
	product  int
	category basket.Category
	counts   bool // it and its product are active
}

type spot struct {
	store    int32
	category basket.Category
}

func newSide(s *Snapshot, cells map[jevons.Cell]int32) *side {
	x := &side{rows: s.Rows, panel: s.Panel, listings: map[int64]good{}, cells: cells, numbers: map[spot][]int32{}}
	cities := map[string]string{}
	for _, c := range s.Panel.Cities() {
		cities[c.Slug] = c.Name
	}
	index := map[string]bool{}
	for _, b := range s.Panel.Banners() {
		index[b.Key] = b.InIndex
	}
	for _, st := range s.Panel.Stores() {
		x.stores = append(x.stores, site{cities[st.City], st.Banner, st.Active, st.Active && index[st.Banner]})
	}
	products := map[int]basket.Product{}
	for _, p := range s.Panel.Products() {
		products[p.ID] = p
	}
	for _, l := range s.Panel.Listings() {
		p := products[l.ProductID]
		x.listings[l.ID] = good{p.ID, p.Category, l.Active && p.Active}
	}
	return x
}

func (x *side) site(store int64) (*site, bool) {
	at, ok := x.panel.StoreAt(store)
	if !ok {
		return nil, false
	}
	return &x.stores[at], true
}

// numbersOf returns the numbers of the published cells that rows of a spot belong to.
func (x *side) numbersOf(at spot) []int32 {
	list, ok := x.numbers[at]
	if !ok {
		s := x.stores[at.store]
		for _, c := range [...]jevons.Cell{
			{Level: jevons.National}, {Level: jevons.City, City: s.city}, {Level: jevons.Banner, City: s.city, Banner: s.banner},
		} {
			for _, c.Category = range [...]basket.Category{basket.Overall, at.category} {
				if n := numberOf(x.cells, c); n >= 0 {
					list = append(list, n)
				}
			}
		}
		x.numbers[at] = list
	}
	return list
}

// weekOf returns the week of a moment. Rows come in order of time, so it asks the
// calendar once a week.
func (x *side) weekOf(nano int64) panel.Week {
	if nano < x.start || nano >= x.end {
		x.week = panel.WeekOf(time.Unix(0, nano))
		x.start, x.end = startOf(x.week).UnixNano(), startOf(x.week.Add(1)).UnixNano()
	}
	return x.week
}

// startOf returns the first moment of a week in Toronto.
func startOf(w panel.Week) time.Time { return (w.Date() - 6).Time(panel.Toronto) }
