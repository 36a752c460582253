package release

import (
	"cmp"
	"math"
	"slices"

	"github.com/larder-index/larder/jevons"
)

// class is a kind of series of weekly values whose usual range is watched.
type class struct {
	least float64 // of the MAD; 0: the class is not watched
	warn  float64 // robust standard deviations from the median beyond which a value is told; 0: warnFactor
	stop  float64 // and stops a release; 0: stopFactor
	above bool    // a value below the range is as good as one in it
}

const (
	warnFactor     = 8      // robust standard deviations beyond which a value is told
	stopFactor     = 12     // and beyond which it stops a release
	never          = 1e9    // stops nothing
	leastHistory   = 12     // earlier values that a series' own range needs, and that of its class
	madToDeviation = 1.4826 // of a normal distribution
)

// span is what is usual for a series.
type span struct {
	median, deviation float64
	values            int  // that say so
	pooled            bool // they are of all series of the class
}

// usualOf returns what is usual for a series with these earlier values; with fewer than 12, for all
// series of the class. It reports false when they have fewer, too.
func (c *class) usualOf(own []float64, pool func() span) (span, bool) {
	if len(own) >= leastHistory {
		return c.spanOf(own), true
	}
	s := pool()
	s.pooled = true
	return s, s.values >= leastHistory
}

func (c *class) spanOf(list []float64) span {
	if len(list) == 0 {
		return span{}
	}
	usual, off := median(list), make([]float64, len(list))
	for i, x := range list {
		off[i] = math.Abs(x - usual)
	}
	return span{median: usual, deviation: madToDeviation * max(median(off), c.least), values: len(list)}
}

// beyond returns the range that a value lies outside, and whether it stops a release. It reports false
// for a usual value.
func (c *class) beyond(x float64, s span) (low, high float64, stops, beyond bool) {
	off := (x - s.median) / s.deviation
	if !c.above {
		off = math.Abs(off)
	}
	far := cmp.Or(c.stop, stopFactor)
	if stops = off > far; !stops {
		far = cmp.Or(c.warn, warnFactor)
	}
	return s.median - far*s.deviation, s.median + far*s.deviation, stops, off > far
}

// median returns the median. Of an even count it takes the mean of the middle two.
func median(list []float64) float64 {
	return middle(slices.Sorted(slices.Values(list)))
}

func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// trimmed returns the mean of a sorted list without its lowest and its highest tenth.
func trimmed(sorted []float64) (mean float64) {
	n := len(sorted) / 10
	kept := sorted[n : len(sorted)-n]
	for _, x := range kept {
		mean += x / float64(len(kept))
	}
	return mean
}

// history has the rows with a change over a week, by week: of each cell, and of each class.
type history struct{ own, class map[jevons.Cell][]*jevons.Row }

func newHistory(rows []jevons.Row) *history {
	h := &history{map[jevons.Cell][]*jevons.Row{}, map[jevons.Cell][]*jevons.Row{}}
	for i := range rows {
		if row := &rows[i]; row.WoW.Valid {
			kind, _ := classOf(row.Cell)
			h.own[*row.Cell], h.class[kind] = append(h.own[*row.Cell], row), append(h.class[kind], row)
		}
	}
	return h
}

// before returns what was usual for a row's cell before its week, in percent. Cells that no rule watches
// have their own history only.
func (h *history) before(row *jevons.Row) (span, bool) {
	kind, watched := classOf(row.Cell)
	upTo := func(list []*jevons.Row) (changes []float64) {
		for i := 0; i < len(list) && list[i].Week < row.Week; i++ {
			changes = append(changes, list[i].WoW.Float64())
		}
		return changes
	}
	c := jumps[kind]
	return c.usualOf(upTo(h.own[*row.Cell]), func() span {
		if !watched {
			return span{}
		}
		return c.spanOf(upTo(h.class[kind]))
	})
}
