package lanes

import "math"

// extremes sets low and high to the smallest and the largest value of a stream
// in each week: infinities where there is none.
func extremes(columns []Column, stream int, low, high *Band) {
	if useAVX2 && len(columns) > 0 {
		extremesAVX2(&columns[0][stream], len(columns), low, high)
		return
	}
	for j := range Width {
		low[j], high[j] = extremesOf(columns, stream, j)
	}
}

// extremesOf does it for one week. Bits, unlike numbers, are chosen without a
// branch.
func extremesOf(columns []Column, stream, j int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	lowest, highest := math.Float64bits(low), math.Float64bits(high)
	for i := range columns {
		v := columns[i][stream][j&7]
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
