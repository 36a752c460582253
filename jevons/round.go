package jevons

import (
	"math"
	"math/bits"

	"github.com/larder-index/larder/panel"
)

// Published decimals: how many ten-thousandths make one unit in the last
// place.
const (
	fourDecimals = 1
	twoDecimals  = 100

	unitsPerOne = 10_000
)

// tieSlack is how near to a tie, in units of the last place, a computed value
// counts as the tie itself. Logarithms carry an error of some 1e-15 of a
// level, far below it; without it a dollar value that is exactly 2.345 would
// be published as 2.34 or 2.35 by chance.
const tieSlack = 1e-7

// round rounds x half away from zero to a multiple of step ten-thousandths;
// what does not fit is null.
func round(x float64, step int64) panel.Fixed {
	scaled := math.Abs(x) * unitsPerOne / float64(step)
	if !(scaled < float64(math.MaxInt64/2/step)) {
		return panel.Fixed{}
	}
	units := int64(math.Floor(scaled+0.5+tieSlack)) * step
	if x < 0 {
		units = -units
	}
	return panel.FixedOf(units)
}

// percentChange returns 100 * (v - q) / q rounded to four decimals, half away
// from zero, for two published levels above 0. The ratio of published values
// is taken exactly, in integers; zero is never -0.
func percentChange(v, q int64) panel.Fixed {
	const hundred = 100 * unitsPerOne
	diff := v - q
	negative := diff < 0
	if negative {
		diff = -diff
	}
	units, ok := mulDivRound(uint64(diff), hundred, uint64(q))
	if !ok {
		return panel.Fixed{}
	}
	if negative {
		return panel.FixedOf(-units)
	}
	return panel.FixedOf(units)
}

// mulDivRound returns a * b / c rounded half up, through a product of 128
// bits; false when the result does not fit.
func mulDivRound(a, b, c uint64) (int64, bool) {
	hi, lo := bits.Mul64(a, b)
	if hi >= c {
		return 0, false
	}
	q, r := bits.Div64(hi, lo, c)
	if r >= c-r {
		q++
	}
	return int64(q), q <= math.MaxInt64
}
