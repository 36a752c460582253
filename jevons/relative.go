package jevons

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
)

// stretch is up to lanes.Width weeks of log prices to compute side by side. All
// relatives are against the same base.
type stretch struct {
	now          [][]float64
	before, base []float64 // the week before the first, and the base week
}

// eachPart computes the elementary aggregates of a plan's products, one product after
// the other. Banners add up to cities, and cities to the nation. When do is called, the
// means over stores are in w.points, by the part's points.
func (e *engine) eachPart(w *worker, p *plan, weeks stretch, do func(part *part)) {
	for i := range p.parts {
		part := &p.parts[i]
		w.transpose(part, weeks)
		w.relate(part, weeks.base, e.store)
		for i := len(part.runs); i < len(part.points); i++ {
			lanes.Add(&w.points[i], w.points[part.points[i].from:part.points[i].to])
		}
		for i, at := range part.points {
			if w.trim[at.hi-at.lo] == 0 {
				lanes.Divide(&w.points[i])
			} else {
				w.tails.Means(&w.points[i], w.columns[at.lo:at.hi], w.trim)
			}
		}
		do(part)
	}
}

// measure computes the products of a plan in each of its geographies, and adds
// them up by category in w.acc.
func (e *engine) measure(w *worker, p *plan, weeks stretch) {
	for _, c := range basket.Slices()[1:] {
		for _, g := range p.all {
			w.acc[e.accAt(c, g)] = lanes.Aggregate{}
		}
	}
	clear(w.seen)
	e.eachPart(w, p, weeks, func(part *part) {
		e.gather(w, part)
		if w.table != nil {
			w.keep(part)
			e.countSeries(w, part, weeks.base)
		}
	})
}

// transpose makes one row of the log prices of each series of a part. The weeks
// that a stretch lacks have no prices.
func (w *worker) transpose(part *part, weeks stretch) {
	lo, hi := part.series()
	var now [lanes.Width][]float64
	for j := range now {
		now[j] = w.none[lo:hi]
		if j < len(weeks.now) {
			now[j] = weeks.now[j][lo:hi]
		}
	}
	lanes.Transpose(w.rows[:hi-lo], weeks.before[lo:hi], &now)
}

// relate makes the log prices and log relatives of each store, and their sums
// over the stores of each run.
func (w *worker) relate(part *part, base []float64, store []int32) {
	first, _ := part.series()
	for i := range part.runs {
		r, at := &part.runs[i], &part.points[i]
		columns, rows := w.columns[at.lo:at.hi], w.rows[r.lo-first:r.hi-first]
		if r.several {
			w.relateSeveral(columns, rows, base[r.lo:r.hi], store[r.lo:r.hi], &w.points[i])
		} else {
			lanes.Relate(columns, rows, base[r.lo:r.hi], &w.points[i])
		}
	}
}

// relateSeveral does the same for a run in which a store has several series. The
// store then has their mean.
func (w *worker) relateSeveral(columns []lanes.Column, rows []lanes.Row, base []float64, store []int32, p *lanes.Sums) {
	for i, c := 0, 0; i < len(store); c++ {
		from := i
		for of := store[i]; i < len(store) && store[i] == of; i++ {
		}
		var sums lanes.Sums
		lanes.Relate(w.series[:i-from], rows[from:i], base[from:i], &sums)
		for s := range sums.Total {
			count := sums.Count(s)
			for j, total := range sums.Total[s] {
				columns[c][s][j] = total / count[j] // NaN without values
			}
		}
	}
	lanes.AddColumns(p, columns)
}
