package lanes

import "math"

// Aggregate adds up the products of one category in one place.
type Aggregate struct {
	Price, NationPrice Band        // Σ p and Σ p in the nation, dollars, over the products with a price
	sum                [Later]Band // Σ weight * mean, of Relatives, Earlier and Later
	weight             [Earlier]Band
	Items              [Later]Band // products with a price, a relative, relatives of both weeks
}

// Mean returns the weighted mean of a stream other than Prices in week j, with
// the weight and the number of the products behind it. The mean is NaN when that
// weight is 0.
func (a *Aggregate) Mean(stream, j int) (mean, weight float64, items int) {
	of := min(stream, Earlier)
	weight = a.weight[of-1][j]
	return a.sum[stream-1][j] / weight, weight, int(a.Items[of][j])
}

// Add adds a product: the means of its streams, its price in the nation and its
// weight. Mean log prices must be far from the limits of Exp.
func (a *Aggregate) Add(means *Sums, nation *Band, weight float64) {
	if useAVX2 {
		aggregateAVX2(a, means, nation, weight, &exps)
		return
	}
	for j := range Width {
		if means.count[Prices][j] > 0 {
			a.Items[Prices][j]++
			a.Price[j] += Exp(means.Total[Prices][j])
			a.NationPrice[j] += nation[j]
		}
		for s := Relatives; s < Streams; s++ {
			if means.Count(s)[j] == 0 {
				continue
			}
			a.sum[s-1][j] += float64(weight * means.Total[s][j])
			if s < Later {
				a.Items[s][j]++
				a.weight[s-1][j] += weight
			}
		}
	}
}

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
