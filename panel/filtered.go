package panel

import (
	"cmp"
	"maps"
	"slices"
)

// Filtered says which rows the quality gate drops, and why. Only rows that would
// count somewhere are looked at: those of active stores, active listings and
// active products, of all banners. Groups without a dropped row are left out;
// the others come by the number of dropped rows, most first, then by key and id.
type Filtered struct {
	Rows    int   // all rows
	Nowhere int   // rows of inactive stores, retired listings and inactive products
	Passed  int   // rows that the gate lets pass
	Dropped []int // places in Rows of those that it does not, oldest first

	Reasons  []FilteredGroup // Key is what Judgement.Rule returns
	Products []FilteredGroup // ID is the product's
	Banners  []FilteredGroup // Key is the banner's
	Stores   []FilteredGroup // ID is the store's
	Listings []FilteredGroup // ID is the listing's
}

// FilteredGroup is dropped rows that have something in common.
type FilteredGroup struct {
	Key     string // empty where ID tells groups apart
	ID      int64  // 0 where Key does
	Dropped int
	Rows    int // dropped and passed; of a reason, which no passed row has, the dropped ones
	// Example is the place in Rows of the newest dropped row; of several as new
	// the one with the lowest id.
	Example int
	Reason  string // why the example is dropped, in words
}

// NewFiltered goes through all rows. Of the panel it reads the lists of
// products, banners, stores and listings.
func NewFiltered(r *Rows, p *Panel) *Filtered {
	s := newScope(r, p)
	f := &Filtered{Rows: r.Len()}
	stores, listings := make([]groupCount, len(p.stores)), make([]groupCount, len(p.listings))
	reasons := map[string]*groupCount{}
	for i := range r.rows {
		x := &r.rows[i]
		store, listing, ok := s.place(x)
		if !ok {
			f.Nowhere++
			continue
		}
		if x.flags.verdict == Pass {
			f.Passed++
			stores[store].passed++
			listings[listing].passed++
			continue
		}
		f.Dropped = append(f.Dropped, i)
		rule := r.Judge(i).Rule()
		reason := reasons[rule]
		if reason == nil {
			reason = &groupCount{}
			reasons[rule] = reason
		}
		for _, g := range []*groupCount{&stores[store], &listings[listing], reason} {
			g.drop(r, i)
		}
	}
	products, banners := map[int64]*groupCount{}, map[string]*groupCount{}
	for i := range listings {
		m := &p.listings[i]
		merge(r, products, int64(m.ProductID), &listings[i])
		merge(r, banners, m.Banner, &listings[i])
		f.Listings = listings[i].appendTo(f.Listings, r, "", m.ID)
	}
	for i := range stores {
		f.Stores = stores[i].appendTo(f.Stores, r, "", p.stores[i].ID)
	}
	for _, id := range slices.Sorted(maps.Keys(products)) {
		f.Products = products[id].appendTo(f.Products, r, "", id)
	}
	for _, key := range slices.Sorted(maps.Keys(banners)) {
		f.Banners = banners[key].appendTo(f.Banners, r, key, 0)
	}
	for _, key := range slices.Sorted(maps.Keys(reasons)) {
		f.Reasons = reasons[key].appendTo(f.Reasons, r, key, 0)
	}
	for _, groups := range [][]FilteredGroup{f.Reasons, f.Products, f.Banners, f.Stores, f.Listings} {
		slices.SortStableFunc(groups, func(a, b FilteredGroup) int { return b.Dropped - a.Dropped })
	}
	return f
}

// groupCount counts the rows of a group and keeps its example.
type groupCount struct{ passed, dropped, example int }

func (g *groupCount) drop(r *Rows, i int) {
	if g.dropped++; g.dropped == 1 || r.before(i, g.example) {
		g.example = i
	}
}

// before reports whether the i-th row is the better example than the j-th.
// Store and label decide between rows without ids.
func (r *Rows) before(i, j int) bool {
	x, y := &r.rows[i], &r.rows[j]
	a, b := &r.screens[x.screen].Label, &r.screens[y.screen].Label
	return cmp.Or(cmp.Compare(y.at, x.at), cmp.Compare(x.id, y.id), cmp.Compare(x.store, y.store),
		cmp.Compare(a.Listing, b.Listing), cmp.Compare(a.ScrapedName, b.ScrapedName),
		cmp.Compare(a.PackageSize, b.PackageSize)) < 0
}

// merge adds a count to that of the wider group with the given key.
func merge[K comparable](r *Rows, into map[K]*groupCount, key K, g *groupCount) {
	to := into[key]
	if to == nil {
		to = &groupCount{}
		into[key] = to
	}
	if g.dropped > 0 && (to.dropped == 0 || r.before(g.example, to.example)) {
		to.example = g.example
	}
	to.passed += g.passed
	to.dropped += g.dropped
}

func (g *groupCount) appendTo(groups []FilteredGroup, r *Rows, key string, id int64) []FilteredGroup {
	if g.dropped == 0 {
		return groups
	}
	return append(groups, FilteredGroup{
		Key: key, ID: id, Dropped: g.dropped, Rows: g.dropped + g.passed,
		Example: g.example, Reason: r.Judge(g.example).String(),
	})
}
