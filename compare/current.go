package compare

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// pick is the current price of a chain and item for a quantity.
type pick struct {
	*candidate // nil: there is no price; of VariantMatch that of the variant
	amount
	reason             Reason      // why there is no price
	counts, quantities bool        // some row was dropped as ambiguous_checkout, as unsupported_quantity
	of                 []candidate // the latest row of each listing at each store, the newest first
}

func (p *pick) isPriced() bool { return p.reason == Priced }

// onTerms reports whether the price is on a sale with a condition, counted or not.
func (p *pick) onTerms() bool { return p.isPriced() && p.condition != panel.NoCondition }

func (p *pick) isVariant() bool { return p.candidate != nil && p.fit == basket.Variant }

func (p *pick) ofOtherSize() bool { return p.isPriced() && p.otherSize }

const dayNanos = 24 * int64(time.Hour)

// until returns how many rows there are up to an instant.
func (pr *Projection) until(now time.Time) int32 {
	return int32(sort.Search(pr.rows.Len(), func(i int) bool { return time.Unix(0, pr.rows.UnixNano(i)).After(now) }))
}

// candidates returns the latest row of each series of an item at a chain, the newest first.
func (e *evaluation) candidates(chain int, it *item) (all []candidate) {
	c := e.in.chains[chain]
	for _, x := range e.in.series[chain][c.places[it.at]] {
		if row := e.pr.latest(x.rows, e.rows); row >= 0 {
			all = append(all, e.pr.candidate(row, it, c.Verified, e.day, e.on))
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return int(b.row - a.row) })
	return all
}

// latest returns a series' last row among the first n that passes the gate, or
// its last row when all fail; -1 when it has no row among them.
func (pr *Projection) latest(rows []int32, n int32) int32 {
	end, _ := slices.BinarySearch(rows, n)
	for i := end - 1; i >= 0; i-- {
		if pr.rows.Verdict(int(rows[i])) == panel.Pass {
			return rows[i]
		}
	}
	if end == 0 {
		return -1
	}
	return rows[end-1]
}

// choose picks the current price among candidates, which come the newest first. Of
// the usable ones it takes those of exact fit, else the variants; of these the nearest
// to the standard size; of these the lowest line total, then the newest, then the
// lowest id.
func (pr *Projection) choose(of []candidate, it *item, q Quantity) pick {
	best := pick{reason: NoObservation, of: of}
	if len(of) > 0 {
		best.reason = of[0].reason(q) // the newest row gives the reason
	}
	for i := range of {
		c := &of[i]
		reason := c.reason(q)
		best.counts = best.counts || reason == AmbiguousCheckout
		best.quantities = best.quantities || reason == UnsupportedQuantity
		if reason != Priced {
			continue
		}
		line, closer := pr.line(c, it.perKg, q), -1
		if best.candidate != nil {
			closer = cmp.Or(cmp.Compare(c.fit, best.fit), nearer(c.size, best.size, it.standard))
		}
		// Rows are in order of time, then id: of one instant, a later candidate
		// has the lower id.
		if closer < 0 || closer == 0 && (line.cents < best.cents ||
			line.cents == best.cents && pr.rows.UnixNano(int(c.row)) == pr.rows.UnixNano(int(best.row))) {
			best.candidate, best.amount = c, line
		}
	}
	if best.candidate != nil {
		best.reason = Priced
	}
	return best
}
