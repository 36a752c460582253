package lanes

import (
	"cmp"
	"math"
	"slices"
)

// ends are the lowest values of a set, from the lowest up, and the highest,
// from the highest down.
type ends struct {
	low, high []entry
	known     bool
}

// entry is a value and the place of its column; among the high ones, with its
// sign flipped.
type entry struct {
	value float64
	place int
}

func newEnds(widest int) ends {
	return ends{low: make([]entry, widest), high: make([]entry, widest)}
}

// look finds the ends of a set, with at least n values each, in order.
func (e *ends) look(columns []Column, stream, j, n int, near *limits) {
	e.search(columns, stream, j, n, near)
	sortShort(e.low)
	sortShort(e.high)
	near.low, near.high = lowered(e.low, n, near.low), lowered(e.high, n, near.high)
	e.known = true
}

// search finds the ends of a set, with at least n values each, in the order of
// their columns.
func (e *ends) search(columns []Column, stream, j, n int, near *limits) {
	if !near.known {
		near.low, near.high, near.known = math.Inf(1), math.Inf(1), true
	}
	for step := 0.01; ; step *= 2 {
		e.within(columns, stream, j, near.low, -near.high)
		if len(e.low) >= n && len(e.high) >= n {
			return
		}
		if len(e.low) < n {
			near.low += step
		}
		if len(e.high) < n {
			near.high += step
		}
	}
}

// lowered returns the limit for the next week: the same unless many more values
// than n were within it.
func lowered(list []entry, n int, limit float64) float64 {
	const some, many = 5, 12
	if len(list) <= n+many {
		return limit
	}
	return list[n+some].value
}

// within finds the values up to low, and from high on. A value that is passed over
// is written first. The masks spare checks of bounds.
func (e *ends) within(columns []Column, stream, j int, low, high float64) {
	l, h := e.low[:cap(e.low)], e.high[:cap(e.high)]
	nl, nh := 0, 0
	for i := range columns {
		v := columns[i][stream&3][j&7]
		l[nl], h[nh] = entry{v, i}, entry{-v, i}
		if v <= low {
			nl++
		}
		if v >= high {
			nh++
		}
	}
	e.low, e.high = l[:nl], h[:nh]
}

// sortShort sorts a short list by value.
func sortShort(list []entry) {
	const short = 128
	if len(list) > short {
		slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.value, b.value) })
		return
	}
	for i := 1; i < len(list); i++ {
		x, j := list[i], i
		for ; j > 0 && list[j-1].value > x.value; j-- {
			list[j] = list[j-1]
		}
		list[j] = x
	}
}

// sumOf adds the values, at most mostRanks.
func sumOf(list []entry) (total float64) {
	for i := range list {
		total += list[i].value
	}
	return total
}

// sums adds the n smallest and the n largest values of a set that has the values
// of the one whose ends are given, except those that are missing; false when
// the ends are too short.
func (e *ends) sums(columns []Column, stream, j, n int) (low, high float64, ok bool) {
	if !e.known {
		return 0, 0, false
	}
	low, ok = sumOfPresent(e.low, columns, stream, j, n)
	if !ok {
		return 0, 0, false
	}
	high, ok = sumOfPresent(e.high, columns, stream, j, n)
	return low, high, ok
}

// sumOfPresent adds the first n values that are not missing.
func sumOfPresent(list []entry, columns []Column, stream, j, n int) (total float64, ok bool) {
	for i := range list {
		v := columns[list[i].place][stream&3][j&7]
		none := isNaN(v)
		total += unless(none, v)
		if n -= 1 - none; n == 0 {
			return total, true
		}
	}
	return 0, false
}
