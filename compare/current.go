package compare

import (
	"math"
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
	met         conditions
	chains      []chainDay // beside city.chains; empty for a chain that is not eligible
	candidates  []candidate
}

// chainDay holds the cells of a chain by item id.
type chainDay [MaxItemID + 1]cell

// cell is a chain's candidates of an item: the latest row of each of its series,
// the newest first.
type cell struct {
	first, count int32
	picked       pick // of goods by the package, for which the quantity changes nothing
}

// pick is the current price of a chain and item for a quantity.
type pick struct {
	winner  int32  // place among the cell's candidates, when reason is Priced
	reason  Reason // why there is no price
	dropped dropped
}

// dropped reports whether some row was dropped for one of the reasons that a
// comparison lists.
type dropped struct{ count, quantity bool }

const dayNanos = 24 * int64(time.Hour)

func utcDate(nanos int64) panel.Date {
	day := nanos / dayNanos
	if nanos%dayNanos < 0 {
		day--
	}
	return panel.Date(day)
}

// at returns the prices of the city's chains at an instant for a shopper who meets
// conditions.
func (pr *Projection) at(in *city, now time.Time, met conditions) *cityDay {
	nanos, exact := unixNanos(now)
	if d := in.current[met/2].Load(); d != nil && exact && nanos >= d.from && nanos < d.until {
		return d
	}
	d := pr.prepare(in, nanos, panel.DateIn(now, time.UTC), met)
	if exact {
		in.current[met/2].Store(d)
	}
	return d
}

// unixNanos returns an instant in Unix nanoseconds; false when it lies outside
// the years of a panel, before or after every row.
func unixNanos(t time.Time) (int64, bool) {
	switch y := t.UTC().Year(); {
	case y < panel.FirstYear:
		return math.MinInt64, false
	case y > panel.LastYear:
		return math.MaxInt64, false
	}
	return t.UnixNano(), true
}

// prepare makes the result of at. It looks at the last row of every series in the
// city up to the instant, so its cost does not depend on the panel's length.
func (pr *Projection) prepare(in *city, nanos int64, day panel.Date, met conditions) *cityDay {
	n := sort.Search(pr.rows.Len(), func(i int) bool { return pr.rows.UnixNano(i) > nanos })
	d := &cityDay{day: day, met: met, chains: make([]chainDay, len(in.chains)), candidates: make([]candidate, 0, len(in.series))}
	d.from = int64(day) * dayNanos
	d.until = d.from + dayNanos
	if n > 0 {
		d.from = max(d.from, pr.rows.UnixNano(n-1))
	}
	if n < pr.rows.Len() {
		d.until = min(d.until, pr.rows.UnixNano(n))
	}
	for lo := 0; lo < len(in.series); {
		hi := lo + 1
		for hi < len(in.series) && in.series[hi].chain == in.series[lo].chain && in.series[hi].item == in.series[lo].item {
			hi++
		}
		pr.fill(d, in, in.series[lo:hi], int32(n))
		lo = hi
	}
	return d
}

// fill makes the cell of one chain and item from their series and the first n
// rows.
func (pr *Projection) fill(d *cityDay, in *city, group []series, n int32) {
	it := &pr.items[group[0].item]
	verified := in.chains[group[0].chain].Verified
	first := len(d.candidates)
	for i := range group {
		if row, ok := pr.latest(group[i].rows, n); ok {
			d.candidates = append(d.candidates, pr.candidate(row, it, verified, d.day, d.met))
		}
	}
	of := d.candidates[first:]
	slices.SortFunc(of, func(a, b candidate) int { return int(b.row - a.row) })
	c := &d.chains[group[0].chain][group[0].item]
	c.first, c.count = int32(first), int32(len(of))
	if !it.perKg {
		c.picked = pr.choose(of, it, hundredths)
	}
}

// latest returns a series' last row among the first n that passes the gate, or
// its last row when all fail; false when it has no row among them.
func (pr *Projection) latest(rows []int32, n int32) (int32, bool) {
	end, _ := slices.BinarySearch(rows, n)
	for i := end - 1; i >= 0; i-- {
		if pr.rows.Verdict(int(rows[i])) == panel.Pass {
			return rows[i], true
		}
	}
	if end == 0 {
		return 0, false
	}
	return rows[end-1], true
}

// of returns the candidates of a cell.
func (d *cityDay) of(c *cell) []candidate { return d.candidates[c.first : c.first+c.count] }

// pick returns the current price in a cell for a quantity.
func (pr *Projection) pick(d *cityDay, c *cell, it *item, q Quantity) pick {
	switch {
	case c.count == 0:
		return pick{reason: NoObservation}
	case it.perKg:
		return pr.choose(d.of(c), it, q)
	}
	return c.picked
}

// choose picks the current price among candidates, the newest first: of the
// usable ones those nearest to the standard size, of these the lowest line total,
// then the newest, then the lowest id.
func (pr *Projection) choose(of []candidate, it *item, q Quantity) pick {
	best := pick{winner: -1, reason: NoObservation}
	var lowest int64
	for i := range of {
		c := &of[i]
		reason := c.reason(q)
		switch reason {
		case AmbiguousCheckout:
			best.dropped.count = true
		case UnsupportedQuantity:
			best.dropped.quantity = true
		}
		if i == 0 {
			best.reason = reason // the newest row gives the reason
		}
		if reason != Priced {
			continue
		}
		line, _ := c.line(it.perKg, q)
		if best.winner < 0 {
			best.winner, lowest = int32(i), line
			continue
		}
		b := &of[best.winner]
		closer := nearer(c.size, b.size, it.standard)
		// Rows are in order of time, then id: of one instant, a later candidate
		// has the lower id.
		if closer < 0 || closer == 0 && (line < lowest || line == lowest && pr.rows.UnixNano(int(c.row)) == pr.rows.UnixNano(int(b.row))) {
			best.winner, lowest = int32(i), line
		}
	}
	if best.winner >= 0 {
		best.reason = Priced
	}
	return best
}
