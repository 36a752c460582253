package compare

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/larder-index/larder/panel"
)

// cityDay holds the prices of a city's chains at any instant of one UTC day between
// two successive rows of the panel.
type cityDay struct {
	from, until int64 // Unix nanoseconds
	day         panel.Date
	on          terms
	chains      []chainDay // beside city.chains; empty for a chain that is not eligible
}

// chainDay holds the cells of a chain by item id.
type chainDay [MaxItemID + 1]cell

// cell is a chain's price of an item.
type cell struct {
	candidates []candidate // the latest row of each of its series, the newest first
	picked     pick        // of goods by the package, one package
}

// pick is the current price of a chain and item for a quantity.
type pick struct {
	*candidate // nil: there is no price; of VariantMatch that of the variant
	amount
	reason             Reason // why there is no price
	counts, quantities bool   // some row was dropped as ambiguous_checkout, as unsupported_quantity
}

func (p *pick) isPriced() bool { return p.reason == Priced }

// onTerms reports whether the price is on a sale with a condition, counted or not.
func (p *pick) onTerms() bool { return p.isPriced() && p.condition != panel.NoCondition }

func (p *pick) ofOtherSize() bool { return p.isPriced() && p.otherSize }

const dayNanos = 24 * int64(time.Hour)

// at returns the prices of the city's chains at an instant on a shopper's terms.
func (pr *Projection) at(in *city, now time.Time, on terms) *cityDay {
	year := now.UTC().Year()
	known := year >= panel.FirstYear && year <= panel.LastYear // else before or after every row
	if kept, ok := in.current.Load(on); ok && known {
		if d := kept.(*cityDay); now.UnixNano() >= d.from && now.UnixNano() < d.until {
			return d
		}
	}
	d := pr.prepare(in, now, on)
	if known {
		in.current.Store(on, d)
	}
	return d
}

// prepare makes the result of at. It looks at the last row of every series in the
// city up to the instant, so its cost does not depend on the panel's length.
func (pr *Projection) prepare(in *city, now time.Time, on terms) *cityDay {
	n := sort.Search(pr.rows.Len(), func(i int) bool { return time.Unix(0, pr.rows.UnixNano(i)).After(now) })
	d := &cityDay{day: panel.DateIn(now, time.UTC), on: on, chains: make([]chainDay, len(in.chains))}
	d.from = int64(d.day) * dayNanos
	d.until = d.from + dayNanos
	if n > 0 {
		d.from = max(d.from, pr.rows.UnixNano(n-1))
	}
	if n < pr.rows.Len() {
		d.until = min(d.until, pr.rows.UnixNano(n))
	}
	all := make([]candidate, 0, len(in.series))
	for _, x := range in.series {
		if row := pr.latest(x.rows, int32(n)); row >= 0 {
			c := &d.chains[x.chain][x.item]
			all = append(all, pr.candidate(row, &pr.items[x.item], in.chains[x.chain].Verified, d.day, on))
			c.candidates = all[len(all)-1-len(c.candidates):]
		}
	}
	for i := range d.chains {
		for id := range d.chains[i] {
			c := &d.chains[i][id]
			slices.SortFunc(c.candidates, func(a, b candidate) int { return int(b.row - a.row) })
			if it := &pr.items[id]; !it.perKg {
				c.picked = pr.choose(c.candidates, it, hundredths)
			}
		}
	}
	return d
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

func (pr *Projection) pick(c *cell, it *item, q Quantity) pick {
	if it.perKg {
		return pr.choose(c.candidates, it, q)
	}
	p := c.picked
	p.cents, p.adjusted = p.cents*int64(q/hundredths), p.adjusted*int64(q/hundredths)
	return p
}

// choose picks the current price among candidates, which come the newest first. Of
// the usable ones it takes those of exact fit, else the variants; of these the nearest
// to the standard size; of these the lowest line total, then the newest, then the
// lowest id.
func (pr *Projection) choose(of []candidate, it *item, q Quantity) pick {
	best := pick{reason: NoObservation}
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
		line, closer := c.line(it.perKg, q), -1
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
