package jevons

import "math"

// tails remembers where the two tails of a set were cut. The sets of one cell
// in two weeks are nearly alike, so last week's cuts tell how to divide this
// week's values into buckets. They change how long the search takes and never
// what it finds. The zero value remembers nothing.
type tails struct {
	low, high float64
	known     bool
}

// trimmer takes trimmed means by selection: it never sorts a set. It holds
// scratch memory; the zero value is ready, and one is for one goroutine.
type trimmer struct {
	bucket    []uint8 // of each value
	low, high []float64
}

const (
	buckets    = 64
	inner      = buckets / 2 // of these, those between the cuts of last time
	lastBucket = buckets - 1
)

// mean returns the arithmetic mean of x after its t smallest and t largest
// values are dropped; NaN when nothing is left. The values must be logarithms
// of prices or relatives, their sum total; near is the memory of an earlier set
// like this one.
//
// With the cuts, the t-th smallest and the t-th largest value, the mean is that
// of the values between them and of as many of those equal to a cut as are not
// dropped. The cuts are found by counting values into buckets and searching the
// one bucket that each must be in: passes without a branch that depends on a
// value. Values are summed in the order that they have in x, so the result is
// the same to the last bit whatever is remembered.
func (tr *trimmer) mean(x []float64, t int, total float64, near *tails) float64 {
	n := len(x)
	switch {
	case n <= 2*t:
		return math.NaN()
	case t == 0:
		return total / float64(n)
	case t == 1:
		low, high := extremes(x)
		return (total - low - high) / float64(n-2)
	}
	if !near.known {
		near.low, near.high = extremes(x)
		near.known = true
	}
	lowCut, highCut := tr.cuts(x, t, near)
	near.low, near.high = lowCut.value, highCut.value
	if lowCut.value == highCut.value {
		return lowCut.value
	}
	kept := sumBetween(x, lowCut.value, highCut.value) +
		float64(lowCut.kept)*lowCut.value + float64(highCut.kept)*highCut.value
	return kept / float64(n-2*t)
}

// cut is where a tail ends.
type cut struct {
	value float64 // the tail's last one
	kept  int     // of the values equal to it, how many are not in the tail
}

// cuts finds the cuts of the t smallest and the t largest values, t at least 1
// and less than half of all.
func (tr *trimmer) cuts(x []float64, t int, near *tails) (low, high cut) {
	if len(x) > len(tr.bucket) {
		n := len(x) + len(x)/4
		tr.bucket, tr.low, tr.high = make([]uint8, n), make([]float64, n), make([]float64, n)
	}
	// Logarithms of prices differ by 26 at most, so no bucket's number
	// overflows.
	span := max(near.high-near.low, 1e-9)
	scale := inner / span
	origin := near.low - span*(buckets-inner)/2/inner
	codes := tr.bucket[:len(x)]
	var count [buckets]int32
	for i, v := range x {
		b := min(max(int((v-origin)*scale), 0), lastBucket)
		codes[i] = uint8(b)
		count[b&lastBucket]++
	}
	below, first := 0, 0
	for below+int(count[first&lastBucket]) < t {
		below += int(count[first&lastBucket])
		first++
	}
	above, last := 0, lastBucket
	for above+int(count[last&lastBucket]) < t {
		above += int(count[last&lastBucket])
		last--
	}
	nl, nh := 0, 0
	lowest, highest := tr.low[:len(x)], tr.high[:len(x)]
	for i, v := range x {
		b := int(codes[i])
		lowest[nl], highest[nh] = v, -v
		if b == first {
			nl++
		}
		if b == last {
			nh++
		}
	}
	low = cutOf(lowest[:nl], t-below)
	high = cutOf(highest[:nh], t-above)
	high.value = -high.value
	return low, high
}

// cutOf finds the cut of the t smallest values. It reorders x.
func cutOf(x []float64, t int) cut {
	const few = 16
	for len(x) > few {
		low, high := extremes(x)
		if high-low < 1e-300 { // equal, or too near for their difference to be a divisor
			return cut{low, len(x) - t}
		}
		// Look closer: the values of one bucket get 64 of their own.
		scale := lastBucket / (high - low)
		var count [buckets]int32
		for _, v := range x {
			count[int((v-low)*scale)&lastBucket]++
		}
		at := 0
		for ; t > int(count[at]); at++ {
			t -= int(count[at])
		}
		n := 0
		for _, v := range x {
			x[n] = v
			if int((v-low)*scale) == at {
				n++
			}
		}
		x = x[:n]
	}
	for i := 1; i < len(x); i++ {
		v, j := x[i], i
		for ; j > 0 && x[j-1] > v; j-- {
			x[j] = x[j-1]
		}
		x[j] = v
	}
	c := cut{value: x[t-1]}
	for _, v := range x[t:] {
		if v == c.value {
			c.kept++
		}
	}
	return c
}

// extremes returns the smallest and the largest value.
func extremes(x []float64) (low, high float64) {
	low, high = x[0], x[0]
	for _, v := range x[1:] {
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
	}
	return low, high
}

// sumBetween adds the values that lie between low and high, both excluded.
func sumBetween(x []float64, low, high float64) float64 {
	var a, b float64
	for len(x) >= 2 {
		a += between(x[0], low, high)
		b += between(x[1], low, high)
		x = x[2:]
	}
	for _, v := range x {
		a += between(v, low, high)
	}
	return a + b
}

// between returns v if it lies between low and high, and 0 otherwise, without a
// branch: the signs of two differences make a mask.
func between(v, low, high float64) float64 {
	mask := int64(math.Float64bits(low-v)) >> 63 & int64(math.Float64bits(v-high)) >> 63
	return math.Float64frombits(math.Float64bits(v) & uint64(mask))
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
