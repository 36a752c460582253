package jevons

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/larder-index/larder/jevons/internal/lanes"
)

// scratch is one worker's memory.
type scratch struct {
	trim []int32   // how many to drop at each end, by number of stores
	none []float64 // log prices of a week without any

	rows    []lanes.Row       // log prices of a product's series
	columns []lanes.Column    // of its stores
	series  []lanes.Column    // of the series of one store
	points  []lanes.Sums      // of its points; then means
	nation  lanes.Band        // its national price
	acc     []lanes.Aggregate // by category, geography

	tails *lanes.Tails
	near  []lanes.Near // by point: up to where to look; decides no result

	wanted []bool  // by geography
	plans  []*plan // of the last few wanted
}

func (e *engine) newScratch() *scratch {
	points, rows := 0, 0
	for i := range e.all.parts {
		p := &e.all.parts[i]
		lo, hi := p.series()
		points, rows = max(points, len(p.points)), max(rows, int(hi-lo))
	}
	w := &scratch{
		trim:    make([]int32, e.widest+1),
		none:    e.none,
		rows:    make([]lanes.Row, rows),
		columns: make([]lanes.Column, e.widest),
		series:  make([]lanes.Column, e.layout.series),
		points:  make([]lanes.Sums, points),
		acc:     make([]lanes.Aggregate, (numSlices-1)*len(e.geos)),
		tails:   lanes.NewTails(e.widest),
		near:    make([]lanes.Near, e.layout.points),
		wanted:  make([]bool, len(e.geos)),
	}
	for n := range w.trim {
		w.trim[n] = int32(e.opts.Trim.Of(n))
	}
	return w
}

// plan returns a plan that serves the geographies w.wanted. With the nation among
// them that is the plan for all: it needs every store.
func (w *scratch) plan(l *layout) *plan {
	const kept = 8 // most weeks want the same few sets as the last
	if w.wanted[0] {
		return &l.all
	}
	for _, p := range w.plans {
		if slices.Equal(p.wanted, w.wanted) {
			return p
		}
	}
	if len(w.plans) == kept {
		w.plans = slices.Delete(w.plans, 0, 1)
	}
	w.plans = append(w.plans, l.only(w.wanted))
	return w.plans[len(w.plans)-1]
}

// eachWeek calls do for every fresh week, on all processors. Every call has a
// scratch to itself.
func (e *engine) eachWeek(do func(w *scratch, k int)) {
	e.eachStretch(e.fresh, func(w *scratch, k0, n int) {
		for k := k0; k < k0+n; k++ {
			do(w, k)
		}
	})
}

// eachStretch calls do for the weeks from k on, lanes.Width of them at a time, on all
// processors. Every call has a scratch to itself.
func (e *engine) eachStretch(k int, do func(w *scratch, k0, n int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	stretches := (len(e.weeks) - k + lanes.Width - 1) / lanes.Width
	for i := range min(runtime.GOMAXPROCS(0), stretches) {
		if i == len(e.workers) {
			e.workers = append(e.workers, e.newScratch())
		}
		w := e.workers[i]
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < stretches; i = int(next.Add(1)) - 1 {
				k0 := k + i*lanes.Width
				do(w, k0, min(lanes.Width, len(e.weeks)-k0))
			}
		})
	}
	wg.Wait()
}
