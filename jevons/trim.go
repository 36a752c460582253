package jevons

import "github.com/larder-index/larder/jevons/internal/lanes"

// takeMeans turns the sums of each point into means over its stores. Of n stores
// it leaves out w.trim[n] at each end.
func (w *worker) takeMeans(part *part) {
	for i := range part.points {
		at := &part.points[i]
		if w.trim[at.hi-at.lo] == 0 {
			lanes.Divide(&w.points[i])
		} else {
			w.tails.Means(&w.points[i], w.columns[at.lo:at.hi], w.trim)
		}
	}
}
