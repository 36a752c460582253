package panel

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/panel/selection"
)

// adder takes an entry for a place of a listing. The store is given even if the
// place is a row.
type adder func(m *gateListing, at place, store int64, rule QuarantineRule, reason string)

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
		wide := m.known[entryKey{place{}, WrongProduct}]
		if wide == nil && all.wrong() && !m.releasedAtStore() {
			add(m, place{}, 0, WrongProduct, all.evidence())
			continue
		}
		for _, x := range list {
			var one tally
			one.add(x)
			at := place{store: x.store}
			if wide == nil && m.known[entryKey{at, WrongProduct}] == nil && one.wrong() {
				add(m, at, x.store, WrongProduct, one.evidence())
				continue
			}
			if len(x.prices) >= minRows || x.index && len(x.prices) > 0 {
				left = append(left, x)
			}
		}
	}
	return left
}

// releasedAtStore reports whether the wrong_product entry of a store was
// released.
func (m *gateListing) releasedAtStore() bool {
	for key, e := range m.known {
		if key.rule == WrongProduct && key.store != 0 && e.Released {
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
			if n > 0 && (own >= 3*usual || 3*own <= usual) {
				at := place{store: x.store}
				add(x.listing, at, x.store, WrongBasis, basisEvidence(own, len(x.prices), usual, n))
				if e := x.listing.known[entryKey{at, WrongBasis}]; e == nil || !e.Released {
					continue
				}
			}
			left = append(left, x)
		}
	}
	return left
}

// wrongRows applies the third rule.
func (d *Derivation) wrongRows(series []*derivedSeries, add adder) {
	var prices []Price
	for _, x := range series {
		if !x.listing.product.PerKg() {
			continue
		}
		prices = append(prices[:0], x.prices...)
		own := medianOf(prices)
		for i, p := range x.prices {
			if x.ids[i] != 0 && perPound(p, own) {
				add(x.listing, place{observation: x.ids[i]}, x.store, WrongBasisRow, rowEvidence(p, own, len(x.prices)))
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

// twice is twice a median price, in ten-thousandths of a dollar. It is a whole
// number even when two prices are in the middle.
type twice int64

func (t twice) String() string {
	if t%2 == 0 {
		return Price(t / 2).String()
	}
	return decimal.New(5*int64(t), -PriceDecimals-1).String()
}

// medianOf returns twice the median, or 0 for no prices. It changes their order.
func medianOf(prices []Price) twice {
	n := len(prices)
	if n == 0 {
		return 0
	}
	high := selection.At(prices, n/2)
	if n%2 == 1 {
		return twice(2 * high)
	}
	low := prices[0]
	for _, p := range prices[:n/2] {
		low = max(low, p)
	}
	return twice(low + high)
}

// Pounds in a kilogram, in ten-thousandths, and the share of that ratio by which
// a price may be off.
const (
	poundsPerKg = 22_046
	nearby      = 2 // percent
)

// perPound reports whether a price is 2.2046 or 1/2.2046 times the median,
// within 2%, bounds included. All terms stay below 2^63: a price has at most 11
// digits and twice a median 12.
func perPound(p Price, median twice) bool {
	const one = 10_000
	price, usual := int64(2*p), int64(median)
	// price/usual from 2.2046 * 0.98 to 2.2046 * 1.02
	if price*one*100 >= usual*poundsPerKg*(100-nearby) && price*one*100 <= usual*poundsPerKg*(100+nearby) {
		return true
	}
	// price/usual from 0.98 / 2.2046 to 1.02 / 2.2046
	return price*poundsPerKg*100 >= usual*one*(100-nearby) && price*poundsPerKg*100 <= usual*one*(100+nearby)
}

func basisEvidence(own twice, rows int, usual twice, all int) string {
	ratio := float64(own) / float64(usual)
	return fmt.Sprintf("the median of its %d prices, %s, is %s the product's median of %s (%d prices)",
		rows, own, times(ratio), usual, all)
}

func rowEvidence(p Price, own twice, rows int) string {
	ratio, what := 2*float64(p)/float64(own), "a price per pound among prices per kilogram"
	if ratio > 1 {
		what = "a price per kilogram among prices per pound"
	}
	return fmt.Sprintf("its price, %s, is %s the median of its series' %d prices, %s: %s", p, times(ratio), rows, own, what)
}

// times writes a ratio for people: "3.02 times", "1/3.02 of".
func times(ratio float64) string {
	if ratio < 1 {
		return fmt.Sprintf("1/%.2f of", 1/ratio)
	}
	return fmt.Sprintf("%.2f times", ratio)
}
