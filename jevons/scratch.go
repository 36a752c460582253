package jevons

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// scratch is one worker's memory. Kept from stage to stage, so that the tails
// of relatives found for levels serve for changes too.
type scratch struct {
	trim      []int32 // how many to drop at each end, by number of stores
	trimmer   trimmer
	prices    stream
	relatives stream
	earlier   stream  // relatives of the week before
	acc, acc2 []sums  // by category, geography
	wanted    []bool  // by geography
	plans     []*plan // of the last few wanted
}

func (e *engine) newScratch() *scratch {
	widest, lo := 0, int32(0)
	for _, r := range e.all.runs {
		if r.lastOfProduct {
			widest = max(widest, int(r.hi-lo))
			lo = r.hi
		}
	}
	s := &scratch{
		trim:   make([]int32, widest+1),
		acc:    make([]sums, (numSlices-1)*len(e.geos)),
		acc2:   make([]sums, (numSlices-1)*len(e.geos)),
		wanted: make([]bool, len(e.geos)),
	}
	for n := range s.trim {
		s.trim[n] = int32(e.opts.Trim.Of(n))
	}
	for _, st := range []*stream{&s.prices, &s.relatives, &s.earlier} {
		st.out = make([]float64, len(e.geoOf))
		st.near = make([]tails, len(e.geoOf))
		st.buf = make([]float64, widest+1) // a missing value is written before it is passed over
	}
	return s
}

// plan returns a plan that serves the geographies s.wanted. It may serve others
// too: leaving out a few points is not worth a plan of its own.
func (s *scratch) plan(l *layout) *plan {
	const kept = 8 // most weeks want the same few sets as the last
	if s.wanted[0] {
		return &l.all
	}
	for _, p := range s.plans {
		if slices.Equal(p.wanted, s.wanted) {
			return p
		}
	}
	if len(s.plans) == kept {
		s.plans = slices.Delete(s.plans, 0, 1)
	}
	s.plans = append(s.plans, l.only(s.wanted))
	return s.plans[len(s.plans)-1]
}

// eachWeek calls do for every week from k0 on, on all processors. Every call
// has a scratch to itself.
func (e *engine) eachWeek(k0 int, do func(s *scratch, k int)) {
	var next atomic.Int64
	next.Store(int64(k0))
	var wg sync.WaitGroup
	for i := range min(runtime.GOMAXPROCS(0), len(e.weeks)-k0) {
		if i == len(e.workers) {
			e.workers = append(e.workers, e.newScratch())
		}
		s := e.workers[i]
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < len(e.weeks); k = int(next.Add(1)) - 1 {
				do(s, k)
			}
		})
	}
	wg.Wait()
}
