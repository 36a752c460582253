package jevons

import (
	"math"
	"slices"
)

// trimmedMean returns the arithmetic mean of x after its t smallest and t
// largest values are dropped; NaN when nothing is left. The values must be
// finite; it may reorder x.
func trimmedMean(x []float64, t int) float64 {
	var tr trimmer
	return tr.mean(x, t, &tails{})
}

// tails remembers near which values the two tails of a set began. The sets of
// one cell in two weeks are nearly alike, so last week's tails tell where to
// look for this week's. They change how long the search takes and never what
// it finds. The zero value remembers nothing.
type tails struct {
	low, high float64
	known     bool
}

// trimmer takes trimmed means. It holds scratch memory; the zero value is
// ready, and one is for one goroutine.
type trimmer struct {
	low, high, copied []float64
}

// mean is trimmedMean, with the memory of an earlier set like this one.
//
// The values outside the remembered tails are only summed; those inside are
// few, and are sorted to find the t to drop. Whichever way the tails were
// found, the same t values are subtracted in the same order, so the result does
// not depend on the memory, to the last bit.
func (tr *trimmer) mean(x []float64, t int, near *tails) float64 {
	n := len(x)
	switch {
	case n <= 2*t:
		return math.NaN()
	case t == 0:
		return sum(x) / float64(n)
	case t == 1:
		dropExtremes(x)
		return sum(x[1:n-1]) / float64(n-2)
	}
	if n > len(tr.low) {
		tr.low, tr.high = make([]float64, n+n/4), make([]float64, n+n/4)
	}
	low, high := tr.low[:0], tr.high[:0]
	if near.known {
		nl, nh := split(tr.low[:n], tr.high[:n], x, near.low, near.high)
		low, high = tr.low[:nl], tr.high[:nh]
	}
	// A tail is looked for a little wider than t, so that next time's, which
	// is a little different, still lies within.
	wide := min(t+t/3+3, n)
	foundLow, foundHigh := len(low) < t, len(high) < t
	if foundLow {
		low = tr.smallest(tr.low, x, wide, +1)
	}
	if foundHigh {
		high = tr.smallest(tr.high, x, wide, -1)
	}
	sortTail(low)
	sortTail(high)
	if k := len(low); !near.known || foundLow || k > 2*wide {
		near.low = low[min(k, wide)-1]
	}
	if k := len(high); !near.known || foundHigh || k > 2*wide {
		near.high = -high[min(k, wide)-1]
	}
	near.known = true
	dropped := 0.0
	for i, v := range low[:t] {
		dropped += v - high[i]
	}
	return (sum(x) - dropped) / float64(n-2*t)
}

// split copies the values of x up to the low bound to low and the negatives of
// those from the high bound on to high, and returns how many there are of
// each. It has no branch that depends on a value: the sign of a difference
// moves the place to write to.
func split(low, high, x []float64, lowBound, highBound float64) (nl, nh int) {
	for _, v := range x {
		low[nl] = v
		high[nh] = -v
		nl += 1 - int(math.Float64bits(lowBound-v)>>63)
		nh += 1 - int(math.Float64bits(v-highBound)>>63)
	}
	return nl, nh
}

// smallest copies the k smallest of sign * x to dst and returns them.
func (tr *trimmer) smallest(dst, x []float64, k int, sign float64) []float64 {
	tr.copied = append(tr.copied[:0], x...)
	if sign < 0 {
		for i, v := range tr.copied {
			tr.copied[i] = -v
		}
	}
	selectSmallest(tr.copied, k)
	return dst[:copy(dst, tr.copied[:k])]
}

// sortTail sorts ascending. A tail is short unless a cell has hundreds of
// stores.
func sortTail(x []float64) {
	if len(x) > 64 {
		slices.Sort(x)
		return
	}
	for i := 1; i < len(x); i++ {
		v, j := x[i], i
		for ; j > 0 && x[j-1] > v; j-- {
			x[j] = x[j-1]
		}
		x[j] = v
	}
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

// dropExtremes moves a smallest value to the front and a largest to the back.
func dropExtremes(x []float64) {
	lo, hi := 0, 0
	for i, v := range x {
		if v < x[lo] {
			lo = i
		}
		if v >= x[hi] {
			hi = i
		}
	}
	last := len(x) - 1
	x[0], x[lo] = x[lo], x[0]
	if hi == 0 {
		hi = lo // the largest stood where the smallest now stands
	}
	x[last], x[hi] = x[hi], x[last]
}
