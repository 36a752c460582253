package jevons

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Compute returns every published row of the panel by the method of the
// package doc, with the given options. It reads the panel once for levels,
// once for basket costs and once for same-composition changes, splits the
// weeks among the processors, and gives the same result however many there
// are. The error says which option is out of range.
//
// A panel without prices from the base week on has a table without rows.
func Compute(p *panel.Panel, o Options) (*Table, error) {
	o, err := o.withDefaults(p)
	if err != nil {
		return nil, err
	}
	e := newEngine(p, o)
	e.measureWeeks()
	e.findEntries()
	e.rebaseHeadlines()
	e.publish()
	e.matchCompositions()
	return &Table{Rows: e.rows(), Options: o}, nil
}

// engine holds a computation in progress.
type engine struct {
	*layout
	panel  *panel.Panel
	opts   Options
	weeks  []panel.Week // from the base week on, through the last published one
	first  int          // place of weeks[0] in the panel's weeks
	base   []float64    // log prices in the base week
	cells  []figures    // by week, geography, slice
	priced []int32      // by week, geography: active products with a price
	entry  []int        // by geography: place of the entry week in weeks; -1: none yet
	before []int32      // by week, geography: place of the headline's previous published week; -1: none
}

// figures are one cell's numbers in one week. NaN stands for null.
type figures struct {
	rho       float64 // log of the level against the cell's base
	cost      float64 // dollars
	wow       float64 // headline only: same-composition change in percent
	level     int64   // the published level in ten-thousandths; 0: not published
	items     int32   // matched products
	published bool
}

func newEngine(p *panel.Panel, o Options) *engine {
	e := &engine{layout: newLayout(p), panel: p, opts: o}
	all := p.Weeks()
	for e.first < len(all) && all[e.first] < o.Base {
		e.first++
	}
	last := len(all)
	for last > e.first && all[last-1] > o.Through {
		last--
	}
	e.weeks = all[e.first:last]
	if len(e.weeks) > 0 && e.weeks[0] == o.Base {
		e.base = p.LogPrices(e.first)
	} else {
		e.base = make([]float64, len(p.Series()))
		for i := range e.base {
			e.base[i] = math.NaN()
		}
	}
	n := len(e.weeks) * len(e.geos)
	e.cells = make([]figures, n*numSlices)
	e.priced = make([]int32, n)
	e.before = make([]int32, n)
	return e
}

// at returns the slices of geography g in week k.
func (e *engine) at(k, g int) []figures {
	i := (k*len(e.geos) + g) * numSlices
	return e.cells[i : i+numSlices : i+numSlices]
}

// scratch is one worker's memory.
type scratch struct {
	x, y   []float64 // by series
	mx, my []float64 // by point
	buf    []float64 // the store means of one product
	acc    []sums    // by category, geography
	acc2   []sums
	runs   []run
	wanted []bool // by geography

	trimmer             trimmer
	costs, levels, u, w []tails // by point: where each kind of mean was last trimmed
}

func (e *engine) newScratch() *scratch {
	widest, lo := 0, int32(0)
	for _, r := range e.runs {
		if r.lastOfProduct {
			widest = max(widest, int(r.hi-lo))
			lo = r.hi
		}
	}
	n, pts, acc := len(e.store), len(e.points), (numSlices-1)*len(e.geos)
	return &scratch{
		x: make([]float64, n), y: make([]float64, n),
		mx: make([]float64, pts), my: make([]float64, pts),
		buf: make([]float64, widest+1),
		acc: make([]sums, acc), acc2: make([]sums, acc),
		wanted: make([]bool, len(e.geos)),
		costs:  make([]tails, pts), levels: make([]tails, pts), u: make([]tails, pts), w: make([]tails, pts),
	}
}

// eachWeek calls do for every week from k0 on, on all processors.
func (e *engine) eachWeek(k0 int, do func(s *scratch, k int)) {
	workers := min(runtime.GOMAXPROCS(0), len(e.weeks)-k0)
	var next atomic.Int64
	next.Store(int64(k0))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			s := e.newScratch()
			for {
				k := int(next.Add(1)) - 1
				if k >= len(e.weeks) {
					return
				}
				do(s, k)
			}
		})
	}
	wg.Wait()
}

// measureWeeks fills in, for every week, category levels and headlines on the
// base week, basket costs, and how many products are priced.
func (e *engine) measureWeeks() {
	e.eachWeek(0, func(s *scratch, k int) {
		prices := e.panel.LogPrices(e.first + k)
		e.means(s.mx, prices, e.runs, e.opts.Trim, s, s.costs)
		e.basketCosts(s, k)
		subtract(s.x, prices, e.base, e.runs)
		e.means(s.mx, s.x, e.runs, e.opts.Trim, s, s.levels)
		e.sumUp(s.acc, s.mx)
		for g := range e.geos {
			cells := e.at(k, g)
			for c := basket.Dairy; int(c) < numSlices; c++ {
				a := s.acc[e.accAt(c, g)]
				cells[c].rho, cells[c].items = a.mean(), a.items
			}
			cells[basket.Overall].rho, cells[basket.Overall].items = e.headline(s.acc, g)
		}
	})
}

// findEntries finds each geography's entry week: the first one in which
// enough of the active products are priced.
func (e *engine) findEntries() {
	total := e.slices[basket.Overall].items
	e.entry = make([]int, len(e.geos))
	for g := range e.entry {
		e.entry[g] = -1
		for k := range e.weeks {
			if n := int(e.priced[k*len(e.geos)+g]); n > 0 && e.opts.Floor.MetBy(n, total) {
				e.entry[g] = k
				break
			}
		}
	}
}

// rebaseHeadlines computes anew the headlines whose entry week is not the base
// week, on their entry weeks.
func (e *engine) rebaseHeadlines() {
	late := map[int][]bool{} // entry week -> geographies
	for g, k := range e.entry {
		if k > 0 || (k == 0 && e.weeks[0] != e.opts.Base) {
			if late[k] == nil {
				late[k] = make([]bool, len(e.geos))
			}
			late[k][g] = true
		}
	}
	for start, geos := range late {
		runs := e.only(nil, geos)
		base := e.panel.LogPrices(e.first + start)
		e.eachWeek(start, func(s *scratch, k int) {
			subtract(s.x, e.panel.LogPrices(e.first+k), base, runs)
			e.means(s.mx, s.x, runs, e.opts.Trim, s, s.levels)
			e.sumUpRuns(s.acc, s.mx, runs)
			for g, wanted := range geos {
				if wanted {
					h := &e.at(k, g)[basket.Overall]
					h.rho, h.items = e.headline(s.acc, g)
				}
			}
		})
	}
}

// publish applies the floor, rounds what passes, and links each published
// headline to the one before it.
func (e *engine) publish() {
	for g := range e.geos {
		last := int32(-1)
		for k := range e.weeks {
			cells := e.at(k, g)
			for c := range cells {
				f := &cells[c]
				if c == int(basket.Overall) && (e.entry[g] < 0 || k < e.entry[g]) {
					continue
				}
				if f.items > 0 && e.opts.Floor.MetBy(int(f.items), e.slices[c].items) {
					f.published = true
					f.level = round(100*math.Exp(f.rho), fourDecimals).Units
				}
			}
			e.before[k*len(e.geos)+g] = last
			if cells[basket.Overall].published {
				last = int32(k)
			}
		}
	}
}
