// Package selection finds the value at a place of the sorted list without
// sorting it: medians of a product's million rows, and the limits of
// trimmed tails.
//
// Equal values are interchangeable. A place that is not there is a panic. The slice
// changes its order. The package is public because packages beside panel use it, and
// promises nothing to other modules.
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
		pivot := middle(values[lo], values[lo+(hi-lo)/2], values[hi])
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

func middle[T cmp.Ordered](a, b, c T) T { return max(min(a, b), min(max(a, b), c)) }
