package jevons

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

// tails remembers up to where to look for the tails of a point; the high one's
// limit has its sign flipped. The zero value remembers nothing.
type tails struct {
	low, high float64
	known     bool
}

// look finds the ends of a set, with at least t values each.
func (e *ends) look(values []band, j, t int, near *tails) {
	if !near.known {
		near.low, near.high, near.known = math.Inf(1), math.Inf(1), true
	}
	for step := 0.01; ; step *= 2 {
		e.within(values, j, near.low, -near.high)
		if len(e.low) >= t && len(e.high) >= t {
			break
		}
		if len(e.low) < t {
			near.low += step
		}
		if len(e.high) < t {
			near.high += step
		}
	}
	sortShort(e.low)
	sortShort(e.high)
	near.low, near.high = lowered(e.low, t, near.low), lowered(e.high, t, near.high)
	e.known = true
}

// lowered returns the limit for the next week: the same unless many more values
// than t were within it.
func lowered(list []entry, t int, limit float64) float64 {
	const some, many = 5, 12
	if len(list) <= t+many {
		return limit
	}
	return list[t+some].value
}

// within finds the values up to low, and from high on.
func (e *ends) within(values []band, j int, low, high float64) {
	l, h := e.low[:cap(e.low)], e.high[:cap(e.high)]
	nl, nh := 0, 0
	for i := range values {
		v := values[i][j&7]
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

// sumOf adds the values, addedAtOnce at a time.
func sumOf(list []entry) float64 {
	total := 0.0
	for len(list) > addedAtOnce {
		total += sumOf(list[:addedAtOnce])
		list = list[addedAtOnce:]
	}
	some := 0.0
	for i := range list {
		some += list[i].value
	}
	return total + some
}

// sums adds the t smallest and the t largest values of a set that has the values
// of the one whose ends are given, except those that are missing; false when
// the ends are too short.
func (e *ends) sums(values []band, j, t int) (low, high float64, ok bool) {
	if !e.known {
		return 0, 0, false
	}
	low, ok = sumOfPresent(e.low, values, j, t)
	if !ok {
		return 0, 0, false
	}
	high, ok = sumOfPresent(e.high, values, j, t)
	return low, high, ok
}

// sumOfPresent adds the first t values that are not missing, as sumOf does.
func sumOfPresent(list []entry, values []band, j, t int) (float64, bool) {
	total, some, added := 0.0, 0.0, 0
	for i := range list {
		v := values[list[i].place][j&7]
		none := isNaN(v)
		some += unless(none, v)
		t -= 1 - none
		if t == 0 {
			return total + some, true
		}
		if added += 1 - none; added == addedAtOnce {
			total, some, added = total+some, 0, 0
		}
	}
	return 0, false
}
