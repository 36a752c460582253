package lanes

import "github.com/larder-index/larder/panel/selection"

// longEnds finds the sums of tails that are too long to be kept in order.
type longEnds struct {
	ends
	values []float64
}

func newLongEnds(widest int) longEnds {
	return longEnds{newEnds(widest), make([]float64, widest)}
}

// sums adds the n smallest and the n largest values of a stream in week j.
func (e *longEnds) sums(columns []Column, stream, j, n int, near *limits) (low, high float64) {
	e.search(columns, stream, j, n, near)
	low, near.low = e.sum(e.low, n, near.low)
	high, near.high = e.sum(e.high, n, near.high)
	return low, -high
}

// sum adds the n smallest values of a list, those below the n-th in the order of
// their columns, and returns the limit for the next week, which lets in a
// sixteenth more.
func (e *longEnds) sum(list []entry, n int, limit float64) (total, next float64) {
	values := e.values[:len(list)]
	for i := range list {
		values[i] = list[i].value
	}
	last := selection.At(values, n-1)
	next = limit
	if more := n + n/16; len(list) > more+n/16 {
		next = selection.At(values[n-1:], more-n)
	}
	some, added := 0.0, 0
	for i := range list {
		if v := list[i].value; v < last {
			some += v
			if added++; added%atOnce == 0 {
				total, some = total+some, 0
			}
		}
	}
	return total + some + float64(float64(n-added)*last), next
}
