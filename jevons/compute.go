package jevons

import (
	"math"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Compute returns every published row of the panel by the method of the
// package doc, with the given options. It splits the weeks among the
// processors and gives the same result however many there are. The error says
// which option is out of range.
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
	e.link()
	e.matchCompositions()
	return &Table{Rows: e.rows(), Options: o}, nil
}

// engine holds a computation in progress.
type engine struct {
	*layout
	panel *panel.Panel
	opts  Options
	weeks []panel.Week // from the base week on, through the last published one
	first int          // place of weeks[0] in the panel's weeks
	base  []float64    // log prices in the base week

	// By week, geography and slice; see at.
	items []int32   // matched products; 0: not published
	level []int64   // the published level in ten-thousandths
	cost  []float64 // dollars

	// By week and geography.
	priced []int32   // active products with a price
	before []int32   // place of the headline's previous published week; -1: none
	wow    []float64 // the headline's same-composition change in percent; NaN: none

	entry   []int // by geography: place of the entry week in weeks; -1: none yet
	workers []*scratch
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
	e.items, e.level, e.cost = make([]int32, n*numSlices), make([]int64, n*numSlices), make([]float64, n*numSlices)
	e.priced, e.before, e.wow = make([]int32, n), make([]int32, n), make([]float64, n)
	return e
}

// at returns the place of the headline of geography g in week k; those of the
// categories follow.
func (e *engine) at(k, g int) int { return (k*len(e.geos) + g) * numSlices }

// logs returns the log prices of week k.
func (e *engine) logs(k int) []float64 { return e.panel.LogPrices(e.first + k) }

// publish notes a slice's level, if enough of its products are matched.
func (e *engine) publish(at int, c basket.Category, rho float64, items int32) {
	e.items[at+int(c)] = 0
	if items == 0 || !e.opts.Floor.MetBy(int(items), e.slices[c].items) {
		return
	}
	if level := round(100*math.Exp(rho), fourDecimals); level.Valid {
		e.items[at+int(c)] = items
		e.level[at+int(c)] = level.Units
	}
}

// measureWeeks fills in, for every week, category levels and headlines on the
// base week, basket costs, and how many products are priced.
func (e *engine) measureWeeks() {
	e.eachWeek(0, func(s *scratch, k int) {
		e.levelsAndPrices(&s.prices, &s.relatives, e.logs(k), e.base, s)
		e.basketCosts(s, k)
		e.sumUp(s.acc, s.relatives.out, &e.all)
		for g := range e.geos {
			at := e.at(k, g)
			for c := basket.Dairy; int(c) < numSlices; c++ {
				a := &s.acc[e.accAt(c, g)]
				e.publish(at, c, a.mean(), a.items)
			}
			rho, items := e.headline(s.acc, g)
			e.publish(at, basket.Overall, rho, items)
		}
	})
}

// findEntries finds each geography's entry week, the first one in which enough
// of the active products are priced, and takes back the headlines before it.
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
			e.items[e.at(k, g)] = 0
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
		p := e.only(geos)
		base := e.logs(start)
		e.eachWeek(start, func(s *scratch, k int) {
			e.levels(&s.relatives, e.logs(k), base, p.runs, s)
			e.sumUp(s.acc, s.relatives.out, p)
			for g, wanted := range geos {
				if wanted {
					rho, items := e.headline(s.acc, g)
					e.publish(e.at(k, g), basket.Overall, rho, items)
				}
			}
		})
	}
}

// link links each published headline to the one before it.
func (e *engine) link() {
	for g := range e.geos {
		last := int32(-1)
		for k := range e.weeks {
			e.before[k*len(e.geos)+g] = last
			if e.items[e.at(k, g)] > 0 {
				last = int32(k)
			}
		}
	}
}
