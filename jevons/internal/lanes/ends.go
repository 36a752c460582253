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
	n := widest + 1 // a value that is passed over is written first
	return ends{low: make([]entry, n), high: make([]entry, n)}
}

// look finds the ends of a set, with at least n values each.
func (e *ends) look(columns []Column, stream, j, n int, near *limits) {
	if !near.known {
		near.low, near.high, near.known = math.Inf(1), math.Inf(1), true
	}
	for step := 0.01; ; step *= 2 {
		e.within(columns, stream, j, near.low, -near.high)
		if len(e.low) >= n && len(e.high) >= n {
			break
		}
		if len(e.low) < n {
			near.low += step
		}
		if len(e.high) < n {
			near.high += step
		}
	}
	sortShort(e.low)
	sortShort(e.high)
	near.low, near.high = lowered(e.low, n, near.low), lowered(e.high, n, near.high)
	e.known = true
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

// within finds the values up to low, and from high on.
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

// sumOf adds the values, atOnce at a time.
func sumOf(list []entry) float64 {
	total := 0.0
	for len(list) > atOnce {
		total += sumOf(list[:atOnce])
		list = list[atOnce:]
	}
	some := 0.0
	for i := range list {
		some += list[i].value
	}
	return total + some
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

// sumOfPresent adds the first n values that are not missing, as sumOf does.
func sumOfPresent(list []entry, columns []Column, stream, j, n int) (float64, bool) {
	total, some, added := 0.0, 0.0, 0
	for i := range list {
		v := columns[list[i].place][stream&3][j&7]
		none := isNaN(v)
		some += unless(none, v)
		n -= 1 - none
		if n == 0 {
			return total + some, true
		}
		if added += 1 - none; added == atOnce {
			total, some, added = total+some, 0, 0
		}
	}
	return 0, false
}
