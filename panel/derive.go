package panel

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
)

// The bounds of the rules.
const (
	minRows      = 4      // rows that a rule needs to judge
	minScaleRows = 5      // and wrong_scale_row
	wrongBasis   = 3      // times the median
	wrongScale   = 20     // times the median of the others
	poundsPerKg  = 22_046 // in ten-thousandths
	nearby       = 2      // percent by which a ratio may be off from that
)

// priceRules are the rules that judge rows by their price.
var priceRules = []QuarantineRule{WrongBasis, WrongBasisRow, WrongScaleRow}

// Derivation finds quarantine entries over all rows of a panel: it applies wrong_product, wrong_basis,
// wrong_basis_row and wrong_scale_row once, in this order. docs/rules.md has the rules and their bounds.
//
// Only rows of active stores, listings and products count, and rows with a correction in force do not.
// The rules about prices leave out rows that fail identity, are set aside by the gate, or were caught by
// an earlier rule.
//
// An entry that exists, released or not, is not derived again. Entries found at the newest row's time
// come from the same rows and take nothing out of the medians. So the same rows always give the same
// entries, in whatever order they are added.
type Derivation struct {
	stores map[int64]bool // the active ones: whether they are of the index
	series map[seriesKey]*derivedSeries
	newest time.Time
}

type seriesKey struct {
	listing *gateListing
	store   int64
}

type derivedSeries struct {
	seriesKey
	index bool               // of an index banner
	n     int                // rows
	fails map[*LabelGate]int // rows that fail identity, by how they do
	rows  []passed           // those that pass
	aside []setAside         // those that pass identity but are set aside for their price
}

type passed struct {
	price Price
	id    int64 // 0: it has none
}

// setAside is a row that only rules about prices set aside, all at one time.
type setAside struct {
	passed
	found time.Time
}

// NewDerivation starts a derivation for a panel's banners and stores.
func NewDerivation(banners []basket.Banner, stores []Store) *Derivation {
	d := &Derivation{stores: map[int64]bool{}, series: map[seriesKey]*derivedSeries{}}
	for _, s := range stores {
		if s.Active {
			d.stores[s.ID] = slices.ContainsFunc(banners, func(b basket.Banner) bool { return b.Key == s.Banner && b.InIndex })
		}
	}
	return d
}

// Add adds a row: the gate of its label, its store, id, effective price and
// time. Rows without an id can't be set aside alone.
func (d *Derivation) Add(s *LabelGate, store, id int64, effective Price, at time.Time) {
	if at.After(d.newest) {
		d.newest = at
	}
	m := s.listing
	index, active := d.stores[store]
	if !active || m == nil || !m.Active || !m.product.Active {
		return
	}
	var aside *Quarantine
	lasting := false // for another reason than its price among these rows
	for _, e := range m.entries(store, id, at.UnixNano()) {
		if e.Rule == Corrected {
			return
		}
		lasting = lasting || !slices.Contains(priceRules, e.Rule) || aside != nil && !aside.FoundAt.Equal(e.FoundAt)
		aside = e
	}
	key := seriesKey{m, store}
	x := d.series[key]
	if x == nil {
		x = &derivedSeries{seriesKey: key, index: index, fails: map[*LabelGate]int{}}
		d.series[key] = x
	}
	x.n++
	switch row := (passed{effective, id}); {
	case s.misfit.rule != "":
		x.fails[s]++
	case aside == nil:
		x.rows = append(x.rows, row)
	case !lasting:
		x.aside = append(x.aside, setAside{row, aside.FoundAt})
	}
}

// adder takes an entry for a listing: at every store if store is 0, for one row
// if observation is not. It reports whether the entry is in force.
type adder func(m *gateListing, store, observation int64, rule QuarantineRule, format string, a ...any) bool

// Entries returns the entries that follow from the rows added, by listing,
// store, observation and rule. FoundAt is the time of the newest row.
func (d *Derivation) Entries() []Quarantine {
	var found []Quarantine
	add := func(m *gateListing, store, observation int64, rule QuarantineRule, format string, a ...any) bool {
		e := Quarantine{Listing: m.ID, Store: store, Observation: observation, Rule: rule, FoundAt: d.newest}
		was := m.known[e.Key()]
		if was == nil {
			e.Reason = fmt.Sprintf(format, a...)
			found = append(found, e)
		}
		return was == nil || !was.Released
	}
	byListing, byProduct := map[*gateListing][]*derivedSeries{}, map[int][]*derivedSeries{}
	for _, x := range d.series {
		for _, r := range x.aside { // by entries that were found in the same rows
			if r.found.Equal(d.newest) {
				x.rows = append(x.rows, r.passed)
			}
		}
		x.aside = nil
		slices.SortFunc(x.rows, func(a, b passed) int { return cmp.Compare(a.price, b.price) })
		byListing[x.listing] = append(byListing[x.listing], x)
	}
	for m, list := range byListing {
		byProduct[m.product.ID] = append(byProduct[m.product.ID], wrongProducts(m, list, add)...)
	}
	for _, list := range byProduct {
		for _, x := range wrongBases(list, add) {
			x.wrongBasisRows(add)
			x.wrongScaleRows(add)
		}
	}
	slices.SortFunc(found, func(a, b Quarantine) int { return a.Compare(&b) })
	return found
}

// wrongProducts applies the first rule to the series of a listing and returns those that it leaves.
func wrongProducts(m *gateListing, list []*derivedSeries, add adder) (left []*derivedSeries) {
	released := false // at a store
	for key, e := range m.known {
		released = released || key.Rule == WrongProduct && key.Store != 0 && e.Released
	}
	known := func(store int64) bool {
		return m.known[Quarantine{Listing: m.ID, Store: store, Rule: WrongProduct}] != nil
	}
	if evidence := failing(list...); evidence != "" && !known(0) && !released {
		add(m, 0, 0, WrongProduct, "%s", evidence)
		return nil
	}
	for _, x := range list {
		if evidence := failing(x); evidence != "" && !known(0) && !known(x.store) {
			add(m, x.store, 0, WrongProduct, "%s", evidence)
			continue
		}
		left = append(left, x)
	}
	return left
}

// failing returns the evidence if at least half of the rows, of 4 or more, fail identity. It
// names the label of most failing rows, and the first by title and size if there are several.
func failing(list ...*derivedSeries) string {
	rows, all, fails := 0, 0, map[*LabelGate]int{}
	for _, x := range list {
		rows += x.n
		for s, n := range x.fails {
			fails[s] += n
			all += n
		}
	}
	if rows < minRows || 2*all < rows {
		return ""
	}
	var top *LabelGate
	for s, n := range fails {
		if top == nil || cmp.Or(fails[top]-n, cmp.Compare(s.ScrapedName, top.ScrapedName), cmp.Compare(s.PackageSize, top.PackageSize)) < 0 {
			top = s
		}
	}
	return fmt.Sprintf("%d of %d rows fail identity, such as %q, %q: %s", all, rows, Repair(top.ScrapedName), top.PackageSize, top.misfit.why)
}

// wrongBases applies the second rule to the series of a product and returns those that it
// leaves.
func wrongBases(list []*derivedSeries, add adder) (left []*derivedSeries) {
	var all []passed
	for _, x := range list {
		if x.index {
			all = append(all, x.rows...)
		}
	}
	slices.SortFunc(all, func(a, b passed) int { return cmp.Compare(a.price, b.price) })
	usual := medianOf(all)
	for _, x := range list {
		if len(x.rows) < minRows {
			continue
		}
		own := medianOf(x.rows)
		if len(all) > 0 && (own >= wrongBasis*usual || wrongBasis*own <= usual) &&
			add(x.listing, x.store, 0, WrongBasis, "the median of its %d prices, %s, is %s the product's median of %s (%d prices)",
				len(x.rows), own, own.times(usual), usual, len(all)) {
			continue
		}
		left = append(left, x)
	}
	return left
}

// wrongBasisRows applies the third rule and takes the rows that it catches out.
func (x *derivedSeries) wrongBasisRows(add adder) {
	if !x.listing.product.PerKg() {
		return
	}
	own, n := medianOf(x.rows), len(x.rows)
	x.rows = slices.DeleteFunc(x.rows, func(r passed) bool {
		price, what := twice(2*r.price), "a price per pound among prices per kilogram"
		if price > own {
			what = "a price per kilogram among prices per pound"
		}
		return r.id != 0 && perPound(price, own) && add(x.listing, x.store, r.id, WrongBasisRow,
			"its price, %s, is %s the median of its series' %d prices, %s: %s", r.price, price.times(own), n, own, what)
	})
}

// wrongScaleRows applies the fourth rule.
func (x *derivedSeries) wrongScaleRows(add adder) {
	n := len(x.rows)
	// A median lies between the lowest and the highest price.
	if n < minScaleRows || x.rows[n-1].price < wrongScale*x.rows[0].price {
		return
	}
	for i, r := range x.rows {
		other := func(k int) Price {
			if k >= i {
				k++
			}
			return x.rows[k].price
		}
		price, others := twice(2*r.price), twice(other((n-2)/2)+other((n-1)/2))
		if r.id != 0 && (price >= wrongScale*others || wrongScale*price <= others) {
			add(x.listing, x.store, r.id, WrongScaleRow,
				"its price, %s, is %s the median of its series' %d other prices, %s: cents for dollars, or a decimal point lost",
				r.price, price.times(others), n-1, others)
		}
	}
}

// twice is twice a median price, in ten-thousandths of a dollar. It is a whole
// number even when two prices are in the middle.
type twice int64

// medianOf returns twice the median of rows in order of price, or 0 for no rows.
func medianOf(rows []passed) twice {
	n := len(rows)
	if n == 0 {
		return 0
	}
	return twice(rows[(n-1)/2].price + rows[n/2].price)
}

func (t twice) String() string {
	if t%2 == 0 {
		return Price(t / 2).String()
	}
	return decimal.New(5*int64(t), -PriceDecimals-1).String()
}

// times writes the ratio to a median for people: "3.02 times", "1/3.02 of".
func (t twice) times(median twice) string {
	ratio := float64(t) / float64(median)
	if ratio < 1 {
		return fmt.Sprintf("1/%.2f of", 1/ratio)
	}
	return fmt.Sprintf("%.2f times", ratio)
}

// perPound reports whether a price is 2.2046 or 1/2.2046 times the median,
// within 2%, bounds included. All terms stay below 2^63: a price has at most 11
// digits and twice a median 12.
func perPound(price, median twice) bool {
	const one = 10_000
	near := func(a, b twice) bool { return 100*a >= (100-nearby)*b && 100*a <= (100+nearby)*b }
	return near(price*one, median*poundsPerKg) || near(price*poundsPerKg, median*one)
}
