package jevons

import "math"

// exp returns e to the x, as math.Exp does but for the last bit or two, in a
// third of the time: every product's price in every geography and week is one.
//
// With k the integer nearest to 256x/ln 2 and r the rest, at most ln 2/512, it
// is 2^(k/256) * e^r: the first from a table, the second from its series, of
// which the first term left out is below 4e-17.
func exp(x float64) float64 {
	const (
		perUnit = 256 / math.Ln2
		// ln 2/256 in two parts; the first has so few digits that its
		// products with k are exact.
		high = 0x1.62e42feep-9
		low  = math.Ln2/256 - high
		// A number so large that its last digit counts ones.
		shift = 0x1.8p52
	)
	if !(math.Abs(x) < 700) {
		return math.Exp(x) // too large or small for what follows, or NaN
	}
	shifted := x*perUnit + shift
	nearest := shifted - shift
	k := int64(nearest)
	r := x - nearest*high - nearest*low
	p := powers[k&255]
	p += p * (r + r*r*(1.0/2+r*(1.0/6+r*(1.0/24))))
	return math.Float64frombits(math.Float64bits(p) + uint64(k>>8)<<52)
}

// powers are 2^(i/256).
var powers = func() (p [256]float64) {
	for i := range p {
		p[i] = math.Exp2(float64(i) / 256)
	}
	return p
}()
