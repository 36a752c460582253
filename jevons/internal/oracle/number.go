package oracle

import (
	"math"
	"math/big"
	"sort"
)

// tieWidth: a computed value this close to a tie, in units of its last place,
// is taken as the tie.
const tieWidth = 1e-7

// sum adds with Neumaier's compensation.
func sum(values []float64) float64 {
	total, lost := 0.0, 0.0
	for _, v := range values {
		next := total + v
		if math.Abs(total) >= math.Abs(v) {
			lost += (total - next) + v
		} else {
			lost += (v - next) + total
		}
		total = next
	}
	return total + lost
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func mean(values []float64) float64 {
	return sum(values) / float64(len(values))
}

// weightedMean normalizes the weights where they are used (section 4).
func weightedMean(values, weights []float64) float64 {
	products := make([]float64, len(values))
	for i := range values {
		products[i] = weights[i] * values[i]
	}
	return sum(products) / sum(weights)
}

// trimmedMean. Section 4.3: "drop floor(0.10 * n) at each end; take the mean.
// (With fewer than 10 stores nothing is dropped.)"
func trimmedMean(values []float64, trimPercent int) float64 {
	sorted := append([]float64(nil), values...)
	sort.Float64s(sorted)
	drop := trimPercent * len(sorted) / 100
	return mean(sorted[drop : len(sorted)-drop])
}

// roundUnits rounds half away from zero to whole units of 10^-decimals.
func roundUnits(v float64, decimals int) int64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		panic("no value to round: are all weights of a category 0?")
	}
	scale := math.Pow10(decimals)
	scaled := math.Abs(v) * scale
	units := math.Floor(scaled)
	if scaled-units >= 0.5-tieWidth {
		units++
	}
	if v < 0 {
		return -int64(units)
	}
	return int64(units)
}

// fromUnits is the float64 nearest to a rounded value; never -0.
func fromUnits(units int64, decimals int) float64 {
	return float64(units) / math.Pow10(decimals)
}

// ratioChange is the percent change between two published levels. Section 6:
// "with V and Q the levels as whole ten-thousandths, the change is
// |V - Q| * 100 / Q rounded half away from zero".
func ratioChange(v, q int64) float64 {
	change := big.NewRat(v-q, q)
	change.Mul(change, big.NewRat(100, 1))
	change.Mul(change, big.NewRat(10000, 1)) // in ten-thousandths of a percent

	size := new(big.Rat).Abs(change)
	size.Add(size, big.NewRat(1, 2))
	units := new(big.Int).Quo(size.Num(), size.Denom()).Int64() // floor
	if change.Sign() < 0 {
		units = -units
	}
	return fromUnits(units, 4)
}
