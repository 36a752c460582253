package jevons

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// Compute returns every published row of the panel by the method of the package
// doc, with the given options. It splits the weeks among the processors; the
// result is the same however many there are. The error says which option is out
// of range, or why no price counts: all are of inactive records, or before the base week.
//
// A panel without prices has a table without rows.
func Compute(p *panel.Panel, o Options) (*Table, error) {
	o, err := o.withDefaults(p)
	if err == nil {
		err = checkPrices(p, o.Base)
	}
	if err != nil {
		return nil, err
	}
	e := newEngine(p, o)
	if o.Quality {
		e.assessed, e.reads = newAssessment(e), true
	}
	e.measureWeeks()
	e.findEntries()
	e.rebaseHeadlines()
	e.matchCompositions()
	return &Table{Rows: e.makeRows(), Options: o, engine: e.reader()}, nil
}

func checkPrices(p *panel.Panel, base panel.Week) error {
	n, weeks := p.Counts(), p.Weeks()
	switch inactive := n.InactiveStore + n.RetiredListing + n.InactiveProduct; {
	case inactive > 0 && inactive == n.Observations:
		return fmt.Errorf("jevons: all %d prices are of inactive stores, listings or products; set Active of those that count", inactive)
	case n.Used > 0 && !slices.ContainsFunc(p.Products(), func(x basket.Product) bool { return x.Active && x.Weight > 0 }):
		return errors.New("jevons: no active product has a basket weight; set Weight of those that count")
	case len(weeks) > 0 && weeks[len(weeks)-1] < base:
		return fmt.Errorf("jevons: all prices are before the base week %s (base_week in settings.csv); choose one from %s to %s", base, weeks[0], weeks[len(weeks)-1])
	}
	return nil
}

// reader returns an engine without its results. Explain, Coverage and contributions measure
// weeks again with it.
func (e *engine) reader() *engine {
	return &engine{layout: e.layout, panel: e.panel, opts: e.opts, weeks: e.weeks, logs: e.logs, base: e.base, none: e.none, entry: e.entry, reads: true}
}

// engine is a computation in progress. It sees prices only in logs and base.
type engine struct {
	*layout
	panel *panel.Panel
	opts  Options
	weeks []panel.Week
	logs  [][]float64 // by week, then series: log prices; NaN: no price
	base  []float64   // by series, in the base week
	none  []float64   // a week without prices

	// By week, geography and slice; see at.
	items []int32   // matched products; 0: not published
	level []int64   // published, in ten-thousandths
	cost  []float64 // dollars

	// By week and geography.
	priced []int32   // active products with a price
	before []int     // previous published week of the headline; -1: none
	wow    []float64 // same-composition change of the headline, percent; NaN: null

	entry    []int       // by geography: entry week; -1: none
	assessed *assessment // nil unless quality is asked for
	workers  []*worker
	reads    bool // elementary aggregates are kept to be read
}

func newEngine(p *panel.Panel, o Options) *engine {
	e := &engine{layout: newLayout(p), panel: p, opts: o, none: make([]float64, len(p.Series()))}
	for i := range e.none {
		e.none[i] = math.NaN()
	}
	for k, w := range p.Weeks() {
		if w >= o.Base && w <= o.Through {
			e.weeks, e.logs = append(e.weeks, w), append(e.logs, p.LogPrices(k))
		}
	}
	e.base = e.none
	if len(e.weeks) > 0 && e.weeks[0] == o.Base {
		if o.BaseWeeks > 1 {
			e.logs[0] = e.meanLogs(o.Base.Add(o.BaseWeeks))
		}
		e.base = e.logs[0]
	}
	n := len(e.weeks) * len(e.geos)
	e.items, e.level, e.cost = make([]int32, n*numSlices), make([]int64, n*numSlices), make([]float64, n*numSlices)
	e.priced, e.before, e.wow = make([]int32, n), make([]int, n), make([]float64, n)
	e.entry = make([]int, len(e.geos))
	return e
}

// meanLogs returns the series' mean log prices over the weeks before the given one.
func (e *engine) meanLogs(end panel.Week) []float64 {
	mean, n := make([]float64, len(e.none)), make([]float64, len(e.none))
	for k, logs := range e.logs {
		for i, log := range logs {
			if log == log && e.weeks[k] < end {
				mean[i], n[i] = mean[i]+log, n[i]+1
			}
		}
	}
	for i := range mean {
		mean[i] /= n[i] // NaN without a price
	}
	return mean
}

// at returns the index of the headline of geography g in week k. Its categories
// follow.
func (e *engine) at(k, g int) int { return (k*len(e.geos) + g) * numSlices }

// stretch returns n weeks from week k on, against the given base.
func (e *engine) stretch(k, n int, base []float64) stretch {
	s := stretch{now: e.logs[k : k+n], before: e.none, base: base}
	if k > 0 {
		s.before = e.logs[k-1]
	}
	return s
}

// measureWeeks computes category levels, basket costs and how many products are
// priced. It computes headlines as if every entry week were the base week and
// every week before were published, which holds for most.
func (e *engine) measureWeeks() {
	e.eachStretch(0, len(e.weeks), func(w *worker, k0, n int) {
		e.measure(w, &e.plans[0], e.stretch(k0, n, e.base))
		for j := range n {
			k := k0 + j
			e.basketCosts(w, k, j)
			for g := range e.geos {
				for _, c := range basket.Slices() {
					e.publishCell(w, k, g, j, c)
				}
			}
		}
	})
}

// worker is the memory of one goroutine.
type worker struct {
	none []float64 // log prices of a week without any
	trim []int32   // how many stores to drop at each end, by number of stores

	// Of one product.
	rows    []lanes.Row    // log prices of its series
	columns []lanes.Column // of its stores
	series  []lanes.Column // of the series at one store
	points  []lanes.Sums   // of its points: sums, then means
	nation  lanes.Band     // its price in the nation, dollars

	acc   []lanes.Aggregate // by category and geography
	tails *lanes.Tails

	*layout
	table []aggregates // elementary aggregates by point, if they are read
	seen  []uint8      // by slice and store: one bit for each week in which it is matched

	strata  [numSlices]stratum // of the levels of a geography in a week
	student map[int64]float64  // quantiles of Student's t, by ten-thousandths of degrees of freedom
}

func (e *engine) newWorker() *worker {
	w := &worker{
		none:    e.none,
		trim:    make([]int32, e.mostStores+1),
		rows:    make([]lanes.Row, e.mostSeries),
		columns: make([]lanes.Column, e.mostStores),
		series:  make([]lanes.Column, e.mostAtStore),
		points:  make([]lanes.Sums, e.mostPoints),
		acc:     make([]lanes.Aggregate, (numSlices-1)*len(e.geos)),
		tails:   lanes.NewTails(e.mostStores),
		layout:  e.layout,
	}
	if e.reads {
		w.table, w.seen = make([]aggregates, 1+e.points), make([]uint8, numSlices*e.stores)
		w.student = map[int64]float64{}
	}
	for n := range w.trim {
		w.trim[n] = int32(e.opts.Trim.of(n))
	}
	return w
}

// eachStretch calls do for the weeks from week k on and before week end, up to lanes.Width at a time.
func (e *engine) eachStretch(k, end int, do func(w *worker, k0, n int)) {
	e.each((end-k+lanes.Width-1)/lanes.Width, func(w *worker, i int) {
		k0 := k + i*lanes.Width
		do(w, k0, min(lanes.Width, end-k0))
	})
}

// each calls do for the numbers below n, on all processors. Every call has a worker to
// itself.
func (e *engine) each(n int, do func(w *worker, i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for i := range min(runtime.GOMAXPROCS(0), n) {
		if i == len(e.workers) {
			e.workers = append(e.workers, e.newWorker())
		}
		w := e.workers[i]
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(w, i)
			}
		})
	}
	wg.Wait()
}
