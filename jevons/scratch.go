package jevons

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// scratch is one worker's memory.
type scratch struct {
	trim    []int32   // how many to drop at each end, by number of stores
	inverse []float64 // 1/n; 0 for 0

	series []band             // log prices of a run's series
	values [numStreams][]band // of a product's stores
	points []pointSums        // of a product
	nation band               // the product's national price
	acc    []sums             // by category, geography

	trimmer trimmer
	near    [numStreams][]tails // by point: those of a week like this one

	wanted []bool  // by geography
	plans  []*plan // of the last few wanted
}

func (e *engine) newScratch() *scratch {
	runs, points := 0, 0
	for i := range e.all.parts {
		p := &e.all.parts[i]
		points = max(points, len(p.points))
		for _, r := range p.runs {
			runs = max(runs, int(r.hi-r.lo))
		}
	}
	w := &scratch{
		trim:    make([]int32, e.widest+1),
		inverse: make([]float64, e.widest+1),
		series:  make([]band, runs),
		points:  make([]pointSums, points),
		acc:     make([]sums, (numSlices-1)*len(e.geos)),
		trimmer: newTrimmer(e.widest),
		wanted:  make([]bool, len(e.geos)),
	}
	for n := range w.trim {
		w.trim[n] = int32(e.opts.Trim.Of(n))
		if n > 0 {
			w.inverse[n] = 1 / float64(n)
		}
	}
	for s := range w.near {
		w.near[s] = make([]tails, e.layout.points)
		w.values[s] = make([]band, e.widest)
	}
	return w
}

// plan returns a plan that serves the geographies w.wanted. It may serve others
// too: leaving out a few points is not worth a plan of its own.
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

// eachStretch calls do for the weeks from k on, width of them at a time, on all
// processors. Every call has a scratch to itself.
func (e *engine) eachStretch(k int, do func(w *scratch, k0, n int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	stretches := (len(e.weeks) - k + width - 1) / width
	for i := range min(runtime.GOMAXPROCS(0), stretches) {
		if i == len(e.workers) {
			e.workers = append(e.workers, e.newScratch())
		}
		w := e.workers[i]
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < stretches; i = int(next.Add(1)) - 1 {
				k0 := k + i*width
				do(w, k0, min(width, len(e.weeks)-k0))
			}
		})
	}
	wg.Wait()
}
