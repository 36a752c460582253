package panel

import (
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
)

// minRows is how many rows the first three rules need before they judge.
const minRows = 4

// Derivation finds quarantine entries over all rows of a panel. It applies four
// rules once, in this order:
//
//	wrong_product    a listing, or a listing at one store, at least half of
//	                 whose rows (of 4 or more) fail identity
//	wrong_basis      a series whose median price (of 4 or more rows) is at least
//	                 3 times the product's median, or at most 1/3 of it
//	wrong_basis_row  a row of a product sold by weight whose price is 2.2046 or
//	                 1/2.2046 times its series' median (of 4 or more rows),
//	                 within 2%: a price per pound among prices per kilogram
//	wrong_scale_row  a row whose price is at least 20 times, or at most 1/20 of,
//	                 the median of its series' other rows, where the series has
//	                 5 or more: cents for dollars, a decimal point lost
//
// Only rows of active stores, listings and products count, and rows with a
// correction in force do not. The product's median is over rows of index
// banners. The rules about prices leave out rows that fail identity, are set
// aside by the gate, or were caught by an earlier rule. Bounds are included, the
// median of an even number of prices is the mean of the middle two, and prices
// compare exactly.
//
// An entry that exists, released or not, is not derived again. A wrong_product
// entry for all stores of a listing covers each of them, so none is derived for
// one store beside it. If the entry of one store was released, none is derived
// for all stores: it would set the released rows aside again.
//
// Entries found at the newest row's time come from the same rows. They take
// nothing out of the medians, so the same rows always give the same entries. The
// order in which rows are added does not matter either.
type Derivation struct {
	gate   *Gate
	stores map[int64]derivedStore
	series map[seriesKey]*derivedSeries
	last   *derivedSeries // of the row before
	newest time.Time
}

type derivedStore struct{ active, index bool }

type seriesKey struct {
	listing *gateListing
	store   int64
}

// derivedSeries holds what the rules need of a series' rows.
type derivedSeries struct {
	seriesKey
	index  bool // of an index banner
	rows   int
	fails  map[*Screen]int // rows that fail identity, by how they do
	prices []Price         // of the rows that pass
	ids    []int64         // of the same rows; 0: it has none
	aside  []asideRow      // rows that pass identity but are set aside for their price
}

// asideRow is a row that only rules about prices set aside, all at one time.
type asideRow struct {
	found time.Time
	price Price
	id    int64
}

// NewDerivation starts a derivation for the gate's listings.
func NewDerivation(g *Gate, banners []basket.Banner, stores []Store) *Derivation {
	index := map[string]bool{}
	for _, b := range banners {
		index[b.Key] = b.InIndex
	}
	d := &Derivation{gate: g, stores: map[int64]derivedStore{}, series: map[seriesKey]*derivedSeries{}}
	for _, s := range stores {
		d.stores[s.ID] = derivedStore{s.Active, index[s.Banner]}
	}
	return d
}

// Add adds a row: the screen of its listing, its store, id, effective price and
// time. Rows without an id can't be set aside alone.
func (d *Derivation) Add(s *Screen, store, id int64, effective Price, at time.Time) {
	if at.After(d.newest) {
		d.newest = at
	}
	m := s.listing
	if m == nil || !m.Active || !m.product.Active {
		return
	}
	var aside *Quarantine
	lasting := false // for another reason than its price among these rows
	for e := range m.entries(store, id, at.UnixNano()) {
		if e.Rule == Corrected {
			return
		}
		lasting = lasting || !e.Rule.aboutPrices() || aside != nil && !aside.FoundAt.Equal(e.FoundAt)
		aside = e
	}
	x := d.last
	if key := (seriesKey{m, store}); x == nil || x.seriesKey != key {
		if x = d.series[key]; x == nil {
			st := d.stores[store]
			if !st.active {
				return
			}
			x = &derivedSeries{seriesKey: key, index: st.index}
			d.series[key] = x
		}
		d.last = x
	}
	x.rows++
	switch {
	case s.Identity.Misfit != Fits:
		if x.fails == nil {
			x.fails = map[*Screen]int{}
		}
		x.fails[s]++
	case aside == nil:
		x.price(effective, id)
	case !lasting:
		x.aside = append(x.aside, asideRow{aside.FoundAt, effective, id})
	}
}

func (x *derivedSeries) price(p Price, id int64) {
	x.prices = append(x.prices, p)
	x.ids = append(x.ids, id)
}

// restore counts rows again that were set aside by entries found in the same
// rows.
func (d *Derivation) restore() {
	for _, x := range d.series {
		for _, r := range x.aside {
			if r.found.Equal(d.newest) {
				x.price(r.price, r.id)
			}
		}
		x.aside = nil
	}
}

// Entries returns the entries that follow from the rows added, by listing,
// store, observation and rule. FoundAt is the time of the newest row.
func (d *Derivation) Entries() []Quarantine {
	var found []Quarantine
	add := func(m *gateListing, store, observation int64, rule QuarantineRule, reason string) bool {
		e := Quarantine{Listing: m.ID, Store: store, Observation: observation, Rule: rule, Reason: reason, FoundAt: d.newest}
		was := m.known[e.Key()]
		if was == nil {
			found = append(found, e)
		}
		return was == nil || !was.Released
	}
	d.restore()
	left := d.wrongProducts(add)
	left = d.wrongBases(left, add)
	d.wrongBasisRows(left, add)
	d.wrongScaleRows(left, add)
	slices.SortFunc(found, func(a, b Quarantine) int { return a.Compare(&b) })
	return found
}
