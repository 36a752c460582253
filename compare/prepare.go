package compare

import (
	"math"
	"slices"
	"sort"
	"time"

	"github.com/larder-index/larder/panel"
)

// cityDay is what a city's chains charge as of an instant. It holds for all
// instants of the same UTC day between the same two rows of the panel.
type cityDay struct {
	from, until int64 // Unix nanoseconds
	day         panel.Date
	chains      []chainDay // beside city.chains; that of a chain that is not eligible is empty
	candidates  []candidate
}

// chainDay holds the cells of a chain by item id.
type chainDay [MaxItemID + 1]cell

// cell is a chain's candidates of an item: the latest row of each of its series,
// the newest first.
type cell struct {
	first, count int32
	picked       pick // of goods by the package: the quantity changes nothing
}

// at returns what the city's chains charge at an instant.
func (pr *Projection) at(in *city, now time.Time) *cityDay {
	nanos, exact := unixNanos(now)
	if d := in.current.Load(); d != nil && exact && nanos >= d.from && nanos < d.until {
		return d
	}
	d := pr.prepare(in, nanos, panel.DateIn(now, time.UTC))
	if exact {
		in.current.Store(d)
	}
	return d
}

// unixNanos returns an instant in Unix nanoseconds; false when it is out of
// their range, before or after all rows that there can be.
func unixNanos(t time.Time) (int64, bool) {
	switch y := t.UTC().Year(); {
	case y < panel.FirstYear:
		return math.MinInt64, false
	case y > panel.LastYear:
		return math.MaxInt64, false
	}
	return t.UnixNano(), true
}

// prepare makes what at returns. It looks at the last row of every series in the
// city up to the instant, so it costs the same whatever the length of the panel.
func (pr *Projection) prepare(in *city, nanos int64, day panel.Date) *cityDay {
	n := sort.Search(pr.rows.Len(), func(i int) bool { return pr.rows.UnixNano(i) > nanos })
	d := &cityDay{day: day, chains: make([]chainDay, len(in.chains)), candidates: make([]candidate, 0, len(in.series))}
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

// fill makes the cell of the series of one chain and item.
func (pr *Projection) fill(d *cityDay, in *city, group []series, n int32) {
	it := &pr.items[group[0].item]
	verified := in.chains[group[0].chain].Verified
	first := len(d.candidates)
	for i := range group {
		if row, ok := pr.latest(group[i].rows, n); ok {
			d.candidates = append(d.candidates, pr.candidate(row, it, verified, d.day))
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

// latest returns the latest of a series' rows before the n-th of all that passes
// the gate, or, when none does, the latest; false when it has none.
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
