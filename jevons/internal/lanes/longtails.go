package lanes

import (
	"math"

	"github.com/larder-index/larder/panel/selection"
)

// Near remembers how far inside the tails of one place were, by stream. The
// values of a place in two weeks are nearly alike, so the limits of one week
// serve the next. They decide how long a search takes and never its result. The
// zero value remembers nothing.
type Near [Streams]limits

// limits hold all values of the tails. The high one has its sign flipped.
type limits struct {
	low, high float64
	known     bool
}

// longTails cuts off tails that are too long to be kept in order.
type longTails struct{ low, high []float64 }

func newLongTails(widest int) longTails {
	return longTails{make([]float64, widest), make([]float64, widest)}
}

// between adds the values of a stream in week j without the n smallest and the n
// largest, in the order of their columns; count is how many values there are.
// What is left out is in no sum: of a few values between long tails, a
// difference of sums would be wrong in digits that decide how a level is rounded.
func (e *longTails) between(columns []Column, stream, j, count, n int, near *limits) float64 {
	e.search(columns, stream, j, n, near)
	low, lows := cut(e.low, n, &near.low)
	high, highs := cut(e.high, n, &near.high)
	high = -high
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

// search collects the values within the limits. It widens them until there are
// at least n at each end.
func (e *longTails) search(columns []Column, stream, j, n int, near *limits) {
	if !near.known {
		*near = limits{math.Inf(1), math.Inf(1), true}
	}
	for step := 0.01; ; step *= 2 {
		e.collect(columns, stream, j, near.low, -near.high)
		if len(e.low) >= n && len(e.high) >= n {
			return
		}
		if len(e.low) < n {
			near.low += step
		}
		if len(e.high) < n {
			near.high += step
		}
	}
}

// collect finds the values up to low, and those from high on with their sign
// flipped. It writes every value first and keeps it only then, so that no branch
// depends on a value.
func (e *longTails) collect(columns []Column, stream, j int, low, high float64) {
	l, h := e.low[:cap(e.low)], e.high[:cap(e.high)]
	nl, nh := 0, 0
	for i := range columns {
		v := columns[i][stream&3][j&7]
		l[nl], h[nh] = v, -v
		if v <= low {
			nl++
		}
		if v >= high {
			nh++
		}
	}
	e.low, e.high = l[:nl], h[:nh]
}

// cut returns the n-th smallest value of a list and how many more are equal to
// it. It narrows the limit to let in a sixteenth more next week.
func cut(values []float64, n int, limit *float64) (last float64, more int) {
	last = selection.At(values, n-1)
	for _, v := range values[n:] {
		if v == last {
			more++
		}
	}
	if wide := n + n/16; len(values) > wide+n/16 {
		*limit = selection.At(values[n-1:], wide-n)
	}
	return last, more
}
