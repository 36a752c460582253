package jevons

import "math"

// trimmer takes trimmed means of a stretch of columns by selection. It holds
// scratch memory, and is for one goroutine.
//
// Of a set it looks for the values up to a limit and from another one on, in one
// pass without a branch that depends on a value, and sorts these few. The sets
// of one point in two weeks are nearly alike, so last week's tails tell the
// limits. And the sets of the streams earlier and later are those of relatives
// but for the few values that are missing in one of the weeks: their tails are
// read off the ends of relatives.
//
// What is remembered decides how long the search takes and never what it finds.
// Tails are added in ascending order, so not even the last bit depends on it.
type trimmer struct {
	found [width]ends // of relatives, in each week of the band
	own   ends        // of another set
}

func newTrimmer(widest int) trimmer {
	room := func() ends {
		n := widest + 1 // a value that is passed over is written first
		return ends{low: make([]entry, n), high: make([]entry, n)}
	}
	tr := trimmer{own: room()}
	for j := range tr.found {
		tr.found[j] = room()
	}
	return tr
}

// forget drops what was found, before another point.
func (tr *trimmer) forget() {
	for j := range tr.found {
		tr.found[j].known = false
	}
}

// mean returns the mean of n values, those of the columns in the j-th week of a
// stream, without the t smallest and the t largest; total is the sum of all. In
// a part in which a store has several series, the values of earlier and later
// are others than those of relatives.
func (tr *trimmer) mean(values []band, shared bool, stream, j, n, t int, total float64, near *tails) float64 {
	if t == 1 {
		low, high := extremes(values, j)
		return (total - (low + high)) / float64(n-2)
	}
	low, high, ok := 0.0, 0.0, false
	switch {
	case shared:
	case stream == relatives:
		tr.found[j].look(values, j, t, near)
		low, high, ok = sumOf(tr.found[j].low[:t]), -sumOf(tr.found[j].high[:t]), true
	case stream == later:
		low, high, ok = tr.found[j].sums(values, j, t)
	case stream == earlier && j > 0:
		low, high, ok = tr.found[j-1].sums(values, j, t)
	}
	if !ok {
		tr.own.look(values, j, t, near)
		low, high = sumOf(tr.own.low[:t]), -sumOf(tr.own.high[:t])
	}
	return (total - (low + high)) / float64(n-2*t)
}

// extremes returns the smallest and the largest value. Bits, unlike numbers, are
// chosen without a branch.
func extremes(values []band, j int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	lowest, highest := math.Float64bits(low), math.Float64bits(high)
	for i := range values {
		v := values[i][j&7]
		b := math.Float64bits(v)
		if v < low {
			lowest = b
		}
		if v > high {
			highest = b
		}
		low, high = math.Float64frombits(lowest), math.Float64frombits(highest)
	}
	return low, high
}

// sum adds in four lanes, which a processor can run side by side.
func sum(x []float64) float64 {
	var a, b, c, d float64
	for len(x) >= 4 {
		a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
		x = x[4:]
	}
	for _, v := range x {
		a += v
	}
	return (a + b) + (c + d)
}
