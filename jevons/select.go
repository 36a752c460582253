package jevons

import "math"

// nth returns the k-th smallest value of x, k from 1, and reorders x such that
// the first k are the k smallest: by Floyd and Rivest's SELECT (Communications
// of the ACM 18:3, 1975), about n + min(k, n-k) comparisons, sampling large
// slices for a pivot that is almost the value sought.
func nth(x []float64, k int) float64 {
	floydRivest(x, 0, len(x)-1, k-1)
	return x[k-1]
}

// sampleAbove is the size from which taking a sample pays (from the paper).
const sampleAbove = 600

// floydRivest puts the k-th smallest of x[left..right] at place k, nothing
// larger before it and nothing smaller after it.
func floydRivest(x []float64, left, right, k int) {
	for right > left {
		if right-left > sampleAbove {
			n := float64(right - left + 1)
			i := float64(k - left + 1)
			z := math.Log(n)
			s := 0.5 * math.Exp(2*z/3)
			sd := 0.5 * math.Sqrt(z*s*(n-s)/n)
			if i < n/2 {
				sd = -sd
			}
			floydRivest(x, max(left, int(float64(k)-i*s/n+sd)), min(right, int(float64(k)+(n-i)*s/n+sd)), k)
		}
		pivot := x[k]
		i, j := left, right
		x[left], x[k] = x[k], x[left]
		swapped := x[right] > pivot
		if swapped {
			x[right], x[left] = x[left], x[right]
		}
		for i < j {
			x[i], x[j] = x[j], x[i]
			i++
			j--
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
		}
		if x[left] == pivot {
			x[left], x[j] = x[j], x[left]
		} else {
			j++
			x[j], x[right] = x[right], x[j]
		}
		if j <= k {
			left = j + 1
		}
		if k <= j {
			right = j - 1
		}
	}
}
