package panel

import (
	"cmp"
	"fmt"
	"maps"
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

// Derivation finds quarantine entries over all rows of a panel: it applies wrong_product, wrong_basis,
// wrong_basis_row and wrong_scale_row once, in this order. docs/rules.md has the rules and their bounds.
//
// Only rows of active stores, listings and products count, and rows with a correction in force do not.
// The rules about prices leave out rows that fail identity, that an operator's entries quarantine (listed
// or confirmed ones), or that an earlier rule caught.
//
// Derived entries that exist play no part, so the entries are a function of the rows, the records and
// what operators decided, in whatever order and number of imports the rows came. An entry that an
// operator released is not derived, nor one that is confirmed.
type Derivation struct {
	stores   map[int64]bool // the active ones: whether their banner is in the index
	series   map[seriesKey]*derivedSeries
	products map[int64]derivedProduct
	weekOf   func(nano int64) Week
	newest   map[Week]time.Time    // the time of the newest row
	rows     map[Week]int          // those at index banners that the rules about prices look at
	found    map[Week][]Quarantine // by the week since when they follow
}

type seriesKey struct {
	listing *gateListing
	store   int64
}

// derivedProduct is the series of a product.
type derivedProduct []*derivedSeries

type derivedSeries struct {
	seriesKey
	index  bool        // of an index banner
	out    bool        // the first rule caught it
	rows   []pricedRow // those that the rules about prices look at, in the end in order of price
	others []otherRow
}

type pricedRow struct {
	price Price
	id    int64 // 0: it has none
	week  Week
}

// otherRow is a row that the rules about prices leave out.
type otherRow struct {
	week Week
	fail *LabelGate // how it fails identity; nil: an operator quarantined it
}

// NewDerivation starts a derivation for a panel's calendar, banners and stores.
func NewDerivation(c Calendar, banners []basket.Banner, stores []Store) *Derivation {
	d := &Derivation{
		stores: map[int64]bool{}, series: map[seriesKey]*derivedSeries{}, products: map[int64]derivedProduct{},
		weekOf: c.Weeks(), newest: map[Week]time.Time{}, rows: map[Week]int{}, found: map[Week][]Quarantine{},
	}
	for _, s := range stores {
		if s.Active {
			inIndex := func(b basket.Banner) bool { return b.Key == s.Banner && b.InIndex }
			d.stores[s.ID] = slices.ContainsFunc(banners, inIndex)
		}
	}
	return d
}

// Add adds a row: the gate of its label, its store, id, effective price and
// time. A row without an id can't be quarantined alone.
func (d *Derivation) Add(s *LabelGate, store, id int64, effective Price, at time.Time) {
	week := d.weekOf(at.UnixNano())
	if at.After(d.newest[week]) {
		d.newest[week] = at
	}
	m := s.listing
	index, active := d.stores[store]
	if !active || m == nil || !m.Active || !m.product.Active {
		return
	}
	quarantined := false
	for _, e := range m.entries(store, id, at.UnixNano()) {
		if e.Rule == Corrected {
			return
		}
		quarantined = quarantined || !e.Derived()
	}
	key := seriesKey{m, store}
	x := d.series[key]
	if x == nil {
		x = &derivedSeries{seriesKey: key, index: index}
		d.series[key] = x
		d.products[m.product.ID] = append(d.products[m.product.ID], x)
	}
	switch {
	case s.misfit.rule != "":
		x.others = append(x.others, otherRow{week, s})
	case quarantined:
		x.others = append(x.others, otherRow{week, nil})
	default:
		x.rows = append(x.rows, pricedRow{effective, id, week})
		if index {
			d.rows[week]++
		}
	}
}

// Weeks returns how many rows each week has that count in the index unless the rules about prices
// quarantine them.
func (d *Derivation) Weeks() map[Week]int { return d.rows }

// Settle derives what follows for the products with rows so far, and lets go of these. No row of these products may
// come after it, so whoever adds rows by product needs memory for one at a time.
func (d *Derivation) Settle() {
	for _, p := range d.products {
		p.settle(d.found)
	}
	clear(d.products)
	clear(d.series)
}

// Entries returns the entries that follow from the rows added, by listing, store, observation and rule.
// It ends the derivation.
//
// FoundAt says since when an entry follows, week by week: of the weeks up to the newest in each of which it
// follows from the rows up to that week's end, it is the time of the newest row of the first. So imports at the
// end of every week, and one import of all rows, find an entry at the same time.
func (d *Derivation) Entries() (list []Quarantine) {
	d.Settle()
	for week, found := range d.found {
		for _, e := range found {
			e.FoundAt = d.newest[week]
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b Quarantine) int { return a.Compare(&b) })
	return list
}

// settle adds the entries of a product to found. It takes the rows out, week after week from the last, to see since
// when the entries follow.
func (p derivedProduct) settle(found map[Week][]Quarantine) {
	for _, x := range p {
		slices.SortFunc(x.rows, func(a, b pricedRow) int { return cmp.Compare(a.price, b.price) })
	}
	for open := p.derive(); len(open) > 0; { // those that follow in every week looked at so far
		week, follows := p.dropLast(), map[Quarantine]bool{}
		for _, e := range p.derive() {
			follows[e.Key()] = true
		}
		open = slices.DeleteFunc(open, func(e Quarantine) bool {
			if !follows[e.Key()] {
				found[week] = append(found[week], e)
			}
			return !follows[e.Key()]
		})
	}
}

// dropLast takes out the rows of the last week, and returns it.
func (p derivedProduct) dropLast() (last Week) {
	for _, x := range p {
		for _, r := range x.rows {
			last = max(last, r.week)
		}
		for _, r := range x.others {
			last = max(last, r.week)
		}
	}
	for _, x := range p {
		x.rows = slices.DeleteFunc(x.rows, func(r pricedRow) bool { return r.week == last })
		x.others = slices.DeleteFunc(x.others, func(r otherRow) bool { return r.week == last })
	}
	return last
}

// derived collects the entries that follow from the rows of a product.
type derived []Quarantine

// derive applies the rules to the rows that are left.
func (p derivedProduct) derive() (found derived) {
	byListing := map[*gateListing][]*derivedSeries{}
	for _, x := range p {
		x.out = false
		byListing[x.listing] = append(byListing[x.listing], x)
	}
	for m, list := range byListing {
		found.wrongProducts(m, list)
	}
	for _, x := range found.wrongBases(p) {
		found.wrongScaleRows(x, found.wrongBasisRows(x))
	}
	return found
}

// add adds an entry for a listing: at every store if store is 0, for one row if observation is not 0, unless
// an operator decided on it. It reports whether the entry is in force.
func (d *derived) add(m *gateListing, store, observation int64, rule QuarantineRule, format string, a ...any) bool {
	e := Quarantine{Listing: m.ID, Store: store, Observation: observation, Rule: rule}
	if was := m.decided[e.Key()]; was != nil {
		return !was.Released
	}
	e.Reason = fmt.Sprintf(format, a...)
	*d = append(*d, e)
	return true
}

// wrongProducts applies the first rule to the series of a listing.
func (d *derived) wrongProducts(m *gateListing, list []*derivedSeries) {
	released := false // at a store
	for key, e := range m.decided {
		released = released || key.Rule == WrongProduct && key.Store != 0 && e.Released
	}
	decided := func(store int64) bool {
		return m.decided[Quarantine{Listing: m.ID, Store: store, Rule: WrongProduct}] != nil
	}
	if decided(0) {
		return
	}
	everywhere := failing(list...)
	if everywhere != "" && !released {
		d.add(m, 0, 0, WrongProduct, "%s", everywhere)
	}
	for _, x := range list {
		if everywhere != "" && !released {
			x.out = true
		} else if evidence := failing(x); evidence != "" && !decided(x.store) {
			x.out = true
			d.add(m, x.store, 0, WrongProduct, "%s", evidence)
		}
	}
}

// failing returns the evidence if at least half of the rows, of 4 or more, fail identity. It
// names the label of most failing rows, and the first by title and size if there are several.
func failing(list ...*derivedSeries) string {
	rows, all, fails := 0, 0, map[*LabelGate]int{}
	for _, x := range list {
		rows += len(x.rows) + len(x.others)
		for _, r := range x.others {
			if r.fail != nil {
				fails[r.fail]++
				all++
			}
		}
	}
	if rows < minRows || 2*all < rows {
		return ""
	}
	var top *LabelGate
	for s, n := range fails {
		if top == nil || cmp.Or(fails[top]-n, cmp.Compare(s.ScrapedName, top.ScrapedName),
			cmp.Compare(s.PackageSize, top.PackageSize)) < 0 {
			top = s
		}
	}
	return fmt.Sprintf("%d of %d rows fail identity, such as %q, %q: %s",
		all, rows, Repair(top.ScrapedName), top.PackageSize, top.misfit.why)
}

// wrongBases applies the second rule and returns the series that it and the first leave.
func (d *derived) wrongBases(p derivedProduct) (left []*derivedSeries) {
	usual, n := p.median()
	for _, x := range p {
		if x.out || len(x.rows) < minRows {
			continue
		}
		own := medianOf(x.rows)
		wrong := n > 0 && (own >= wrongBasis*usual || wrongBasis*own <= usual)
		if !wrong || !d.add(x.listing, x.store, 0, WrongBasis,
			"the median of its %d prices, %s, is %s the product's median of %s (%d prices)",
			len(x.rows), own, own.times(usual), usual, n) {
			left = append(left, x)
		}
	}
	return left
}

// median returns twice the median of the rows at index banners that the first rule leaves, and their number.
func (p derivedProduct) median() (median twice, n int) {
	counts := map[Price]int{}
	for _, x := range p {
		if x.out || !x.index {
			continue
		}
		n += len(x.rows)
		for _, r := range x.rows {
			counts[r.price]++
		}
	}
	upTo := 0
	for _, price := range slices.Sorted(maps.Keys(counts)) {
		for _, middle := range [...]int{(n - 1) / 2, n / 2} {
			if upTo <= middle && middle < upTo+counts[price] {
				median += twice(price)
			}
		}
		upTo += counts[price]
	}
	return median, n
}

// wrongBasisRows applies the third rule and returns the rows that it leaves.
func (d *derived) wrongBasisRows(x *derivedSeries) []pricedRow {
	own, n := medianOf(x.rows), len(x.rows)
	caught := func(r pricedRow) bool {
		price, what := twice(2*r.price), "a price per pound among prices per kilogram"
		if price > own {
			what = "a price per kilogram among prices per pound"
		}
		return r.id != 0 && perPound(price, own) && d.add(x.listing, x.store, r.id, WrongBasisRow,
			"its price, %s, is %s the median of its series' %d prices, %s: %s", r.price, price.times(own), n, own, what)
	}
	if !x.listing.product.PerKg() {
		return x.rows
	}
	return slices.DeleteFunc(slices.Clone(x.rows), caught)
}

// wrongScaleRows applies the fourth rule to the rows of a series that are left.
func (d *derived) wrongScaleRows(x *derivedSeries, rows []pricedRow) {
	n := len(rows)
	// A median lies between the lowest and the highest price.
	if n < minScaleRows || rows[n-1].price < wrongScale*rows[0].price {
		return
	}
	for i, r := range rows {
		other := func(k int) Price {
			if k >= i {
				k++
			}
			return rows[k].price
		}
		price, others := twice(2*r.price), twice(other((n-2)/2)+other((n-1)/2))
		if r.id != 0 && (price >= wrongScale*others || wrongScale*price <= others) {
			d.add(x.listing, x.store, r.id, WrongScaleRow,
				"its price, %s, is %s the median of its series' %d other prices, %s: "+
					"cents for dollars, or a decimal point lost", r.price, price.times(others), n-1, others)
		}
	}
}

// twice is twice a median price, in ten-thousandths of the currency. It is a whole
// number even when two prices are in the middle.
type twice int64

// medianOf returns twice the median of rows in order of price, or 0 for no rows.
func medianOf(rows []pricedRow) twice {
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
