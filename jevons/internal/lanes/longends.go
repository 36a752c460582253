package lanes

import "github.com/larder-index/larder/panel/selection"

// longEnds cuts off tails that are too long to be kept in order.
type longEnds struct {
	ends
	values []float64
}

func newLongEnds(widest int) longEnds {
	return longEnds{newEnds(widest), make([]float64, widest)}
}

// between adds what is left of count values of a stream in week j without the n
// smallest and the n largest, in the order of their columns. What is left out is
// in no sum: of a few values between long tails a difference of sums would be
// wrong in digits that decide how a level is rounded.
func (e *longEnds) between(columns []Column, stream, j, count, n int, near *limits) float64 {
	e.search(columns, stream, j, n, near)
	low, lows, nextLow := e.cut(e.low, n, near.low)
	high, highs, nextHigh := e.cut(e.high, n, near.high)
	near.low, near.high, high = nextLow, nextHigh, -high
	if low == high {
		return float64(count-2*n) * low
	}
	total, some, added := 0.0, 0.0, 0
	for i := range columns {
		if v := columns[i][stream&3][j&7]; v > low && v < high {
			some += v
			if added++; added%atOnce == 0 {
				total, some = total+some, 0
			}
		}
	}
	return total + some + float64(float64(lows)*low) + float64(float64(highs)*high)
}

// cut returns the n-th smallest value of a list, how many more are equal to it, and
// the limit for the next week, which lets in a sixteenth more.
func (e *longEnds) cut(list []entry, n int, limit float64) (last float64, more int, next float64) {
	values := e.values[:len(list)]
	for i := range list {
		values[i] = list[i].value
	}
	last, next = selection.At(values, n-1), limit
	for _, v := range values[n:] {
		if v == last {
			more++
		}
	}
	if wide := n + n/16; len(list) > wide+n/16 {
		next = selection.At(values[n-1:], wide-n)
	}
	return last, more, next
}
