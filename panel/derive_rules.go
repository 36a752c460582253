package panel

import (
	"fmt"
	"slices"
)

// adder takes an entry for a listing: at every store if store is 0, for one row
// if observation is not. It reports whether the entry is in force.
type adder func(m *gateListing, store, observation int64, rule QuarantineRule, reason string) bool

// wrongProducts applies the first rule and returns the series that it leaves.
func (d *Derivation) wrongProducts(add adder) []*derivedSeries {
	byListing := map[*gateListing][]*derivedSeries{}
	for _, x := range d.series {
		byListing[x.listing] = append(byListing[x.listing], x)
	}
	var left []*derivedSeries
	for m, list := range byListing {
		var all tally
		for _, x := range list {
			all.add(x)
		}
		wide := m.wrongProduct(0)
		if wide == nil && all.wrong() && !m.releasedAtStore() {
			add(m, 0, 0, WrongProduct, all.evidence())
			continue
		}
		for _, x := range list {
			var one tally
			one.add(x)
			if wide == nil && m.wrongProduct(x.store) == nil && one.wrong() {
				add(m, x.store, 0, WrongProduct, one.evidence())
				continue
			}
			if len(x.prices) >= minRows || x.index && len(x.prices) > 0 {
				left = append(left, x)
			}
		}
	}
	return left
}

// wrongProduct returns the known wrong_product entry of a store, or of all
// stores for store 0; nil if there is none.
func (m *gateListing) wrongProduct(store int64) *Quarantine {
	return m.known[Quarantine{Listing: m.ID, Store: store, Rule: WrongProduct}]
}

// releasedAtStore reports whether the wrong_product entry of a store was
// released.
func (m *gateListing) releasedAtStore() bool {
	for key, e := range m.known {
		if key.Rule == WrongProduct && key.Store != 0 && e.Released {
			return true
		}
	}
	return false
}

// wrongBases applies the second rule and returns the series that it leaves.
func (d *Derivation) wrongBases(series []*derivedSeries, add adder) []*derivedSeries {
	byProduct := map[int][]*derivedSeries{}
	for _, x := range series {
		byProduct[x.listing.product.ID] = append(byProduct[x.listing.product.ID], x)
	}
	var left []*derivedSeries
	var prices []Price
	for _, list := range byProduct {
		prices = prices[:0]
		for _, x := range list {
			if x.index {
				prices = append(prices, x.prices...)
			}
		}
		usual, n := medianOf(prices), len(prices)
		for _, x := range list {
			if len(x.prices) < minRows {
				continue
			}
			prices = append(prices[:0], x.prices...)
			own := medianOf(prices)
			if n > 0 && (own >= 3*usual || 3*own <= usual) &&
				add(x.listing, x.store, 0, WrongBasis, basisEvidence(own, len(x.prices), usual, n)) {
				continue
			}
			left = append(left, x)
		}
	}
	return left
}

// wrongBasisRows applies the third rule and takes the rows that it catches out of
// their series.
func (d *Derivation) wrongBasisRows(series []*derivedSeries, add adder) {
	var prices []Price
	for _, x := range series {
		if !x.listing.product.PerKg() {
			continue
		}
		prices = append(prices[:0], x.prices...)
		own, n, left := medianOf(prices), len(x.prices), 0
		for i, p := range x.prices {
			if x.ids[i] != 0 && perPound(p, own) &&
				add(x.listing, x.store, x.ids[i], WrongBasisRow, rowEvidence(p, own, n)) {
				continue
			}
			x.prices[left], x.ids[left] = p, x.ids[i]
			left++
		}
		x.prices, x.ids = x.prices[:left], x.ids[:left]
	}
}

// The bounds of wrong_scale_row: rows of a series, and how many times the median
// of the others.
const (
	minScaleRows = 5
	wrongScale   = 20
)

// wrongScaleRows applies the fourth rule.
func (d *Derivation) wrongScaleRows(series []*derivedSeries, add adder) {
	var sorted []Price
	for _, x := range series {
		n := len(x.prices)
		// A median lies between the lowest and the highest price.
		if n < minScaleRows || slices.Max(x.prices) < wrongScale*slices.Min(x.prices) {
			continue
		}
		sorted = append(sorted[:0], x.prices...)
		slices.Sort(sorted)
		for i, p := range x.prices {
			others := medianWithout(sorted, p)
			if own := twice(2 * p); x.ids[i] != 0 && (own >= wrongScale*others || wrongScale*own <= others) {
				add(x.listing, x.store, x.ids[i], WrongScaleRow, scaleEvidence(p, others, n-1))
			}
		}
	}
}

// tally counts the rows of a listing, or of one store of it.
type tally struct {
	rows, failing int
	fails         map[*Screen]int
}

func (t *tally) add(x *derivedSeries) {
	t.rows += x.rows
	for s, n := range x.fails {
		if t.fails == nil {
			t.fails = map[*Screen]int{}
		}
		t.fails[s] += n
		t.failing += n
	}
}

// wrong reports whether at least half of the rows, of 4 or more, fail.
func (t *tally) wrong() bool { return t.rows >= minRows && 2*t.failing >= t.rows }

// evidence names the label of most failing rows, and the first by title and
// size if there are several.
func (t *tally) evidence() string {
	var top *Screen
	for s, n := range t.fails {
		if top == nil || n > t.fails[top] || n == t.fails[top] &&
			(s.ScrapedName < top.ScrapedName || s.ScrapedName == top.ScrapedName && s.PackageSize < top.PackageSize) {
			top = s
		}
	}
	return fmt.Sprintf("%d of %d rows fail identity, such as %q, %q: %s",
		t.failing, t.rows, Repair(top.ScrapedName), top.PackageSize, top.Identity)
}
