package jevons

import (
	"slices"

	"github.com/larder-index/larder/jevons/internal/lanes"
)

// takeMeans turns the sums of each point into means over its stores. Of n stores
// it leaves out w.trim[n] at each end.
func (w *worker) takeMeans(part *part) {
	for i := range part.points {
		at := &part.points[i]
		if w.trim[at.hi-at.lo] == 0 {
			lanes.Divide(&w.points[i])
		} else {
			w.tails.Means(&w.points[i], w.columns[at.lo:at.hi], w.trim, &w.near[part.first+i])
		}
	}
}

// trimmedMean returns the mean of the values without floor(trim * n) of the
// smallest and as many of the largest, and how many it left out. What it leaves
// out is in no sum, however large it is. It sorts x, which must not be empty. It
// is R's mean(x, trim) and SciPy's stats.trim_mean.
func trimmedMean(x []float64, trim Share) (mean float64, dropped int) {
	slices.Sort(x)
	t := trim.Of(len(x))
	kept := x[t : len(x)-t]
	return sum(kept) / float64(len(kept)), 2 * t
}

// sum adds in four lanes. The order of addition is the same on every processor
// and in every place in memory, which gonum's floats.Sum does not promise.
func sum(x []float64) float64 {
	var a, b, c, d float64
	for ; len(x) >= 4; x = x[4:] {
		a, b, c, d = a+x[0], b+x[1], c+x[2], d+x[3]
	}
	for _, v := range x {
		a += v
	}
	return (a + b) + (c + d)
}
