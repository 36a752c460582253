// Package selection finds the value at a place of the sorted list without sorting it, for
// the limits of trimmed tails. It promises nothing to other modules.
package selection

import "cmp"

// At returns the value that would be at place k, from 0 on, if the values were
// sorted, and puts none above it before k and none below it after. It panics when
// there is no such place. None may be NaN.
//
// It is Hoare's selection (Algorithm 65: Find, 1961), with the middle of three
// values as pivot: linear on average.
func At[T cmp.Ordered](values []T, k int) T {
	_ = values[k]
	lo, hi := 0, len(values)-1
	for lo < hi {
		a, b, c := values[lo], values[lo+(hi-lo)/2], values[hi]
		pivot := max(min(a, b), min(max(a, b), c)) // the middle one
		i, j := lo, hi
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return values[k]
		}
	}
	return values[k]
}
