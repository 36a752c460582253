package lanes

import "math"

// expTable has the constants of Exp.
type expTable struct {
	perUnit, shift, high, low float64
	fourth, third, second     float64      // coefficients of the series of e^r
	powers                    [256]float64 // 2^(i/256)
}

var exps = func() (t expTable) {
	const high = 0x1.62e42feep-9
	t.perUnit = 256 / math.Ln2
	t.shift = 0x1.8p52 // so large that its last digit counts ones
	// ln 2/256 in two parts; the first has so few digits that its products with k
	// are exact.
	t.high, t.low = high, math.Ln2/256-high
	t.fourth, t.third, t.second = 1.0/24, 1.0/6, 1.0/2
	for i := range t.powers {
		t.powers[i] = math.Exp2(float64(i) / 256)
	}
	return t
}()

// Exp returns e to the x, as math.Exp does but for the last bit or two, in a
// third of the time: every product's price in every geography and week is one.
//
// With k the integer nearest to 256x/ln 2 and r the rest, at most ln 2/512, it
// is 2^(k/256) * e^r: the first from a table, the second from its series, of
// which the first term left out is below 4e-17.
//
// Products are converted to float64 so that no processor adds to them what it
// has not rounded: the result is then the same on all.
func Exp(x float64) float64 {
	if !(math.Abs(x) < 700) {
		return math.Exp(x) // too large or small for what follows, or NaN
	}
	shifted := float64(x*exps.perUnit) + exps.shift
	nearest := shifted - exps.shift
	k := int64(nearest)
	r := x - float64(nearest*exps.high) - float64(nearest*exps.low)
	series := exps.second + float64(r*(exps.third+float64(r*exps.fourth)))
	p := exps.powers[k&255]
	p += float64(p * (r + float64(float64(r*r)*series)))
	return math.Float64frombits(math.Float64bits(p) + uint64(k>>8)<<52)
}
