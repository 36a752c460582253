package release

import (
	"cmp"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
)

// limits say how far a figure may be from the usual.
type limits struct {
	least float64 // of the median absolute deviation (MAD)
	warn  float64 // robust standard deviations from the median beyond which it is found; 0: warnFactor
	stop  float64 // and stops a release; 0: stopFactor
	above bool    // a value below the range is as good as one in it
}

const (
	warnFactor     = 8
	stopFactor     = 12
	never          = 1e9    // stops nothing
	leastHistory   = 12     // earlier values that a usual range needs
	madToDeviation = 1.4826 // of a normal distribution
)

// usual describes the earlier values of a figure.
type usual struct {
	median, deviation float64
	values            int
	pooled            bool // they are those of all places of a kind
}

// usualOf describes a figure's own earlier values; while they are fewer than 12, those of all places of its
// kind. It reports false when they are fewer, too.
func (l *limits) usualOf(own []float64, pool func() usual) (usual, bool) {
	if len(own) >= leastHistory {
		return l.describe(own), true
	}
	u := pool()
	u.pooled = true
	return u, u.values >= leastHistory
}

func (l *limits) describe(list []float64) usual {
	if len(list) == 0 {
		return usual{}
	}
	center, off := median(list), make([]float64, len(list))
	for i, x := range list {
		off[i] = math.Abs(x - center)
	}
	return usual{median: center, deviation: madToDeviation * max(median(off), l.least), values: len(list)}
}

// beyond returns the range that a value lies outside, and whether it stops a release. It reports false
// for a usual value.
func (l *limits) beyond(x float64, u usual) (low, high float64, stops, beyond bool) {
	off := (x - u.median) / u.deviation
	if !l.above {
		off = math.Abs(off)
	}
	far := cmp.Or(l.stop, stopFactor)
	stops = off > far
	if !stops {
		far = cmp.Or(l.warn, warnFactor)
	}
	return u.median - far*u.deviation, u.median + far*u.deviation, stops, off > far
}

// median returns the median. Of an even count it takes the mean of the middle two.
func median(list []float64) float64 {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return middle(sorted)
}

func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// trimmedMean returns the mean of a sorted list without its lowest and its highest tenth.
func trimmedMean(sorted []float64) (mean float64) {
	n := len(sorted) / 10
	kept := sorted[n : len(sorted)-n]
	for _, x := range kept {
		mean += x / float64(len(kept))
	}
	return mean
}

// changeLimits are those of a change over a week in percent: of national categories, then of headlines by level.
var changeLimits = [...]limits{
	{least: 0.35}, jevons.National: {least: 0.07}, jevons.City: {least: 0.35}, jevons.Banner: {least: 0.7},
}

// changeKind returns the kind of a cell in changeLimits. No rule looks at categories of cities and banners.
func changeKind(c *jevons.Cell) (kind jevons.Level, ok bool) {
	if c.Category == basket.Overall {
		return c.Level, true
	}
	return 0, c.Level == jevons.National
}
