package jevons

import (
	"math"

	"github.com/larder-index/larder/basket"
)

// matchCompositions fills in the headlines' same-composition changes: with u
// the previous published week and b the headline's base, both levels are
// computed on just the series priced in all of b, u and w, so a store or
// product that comes or goes moves nothing.
func (e *engine) matchCompositions() {
	e.eachWeek(0, func(s *scratch, k int) {
		done := make([]bool, len(e.geos))
		for g := range e.geos {
			cells := e.at(k, g)
			cells[basket.Overall].wow = math.NaN()
			if u := e.before[k*len(e.geos)+g]; u < 0 || !cells[basket.Overall].published {
				done[g] = true
			}
		}
		for g := range e.geos {
			if done[g] {
				continue
			}
			u, b := e.before[k*len(e.geos)+g], e.entry[g]
			clear(s.wanted)
			for h := g; h < len(e.geos); h++ {
				if !done[h] && e.before[k*len(e.geos)+h] == u && e.entry[h] == b {
					s.wanted[h], done[h] = true, true
				}
			}
			e.matchComposition(s, b, int(u), k)
		}
	})
}

// matchComposition does so for the geographies s.wanted, which share b, u and
// w = k.
func (e *engine) matchComposition(s *scratch, b, u, k int) {
	logs := func(week int) []float64 { return e.panel.LogPrices(e.first + week) }
	s.runs = e.only(s.runs[:0], s.wanted)
	subtractPair(s.x, s.y, logs(u), logs(k), logs(b), s.runs)
	e.means(s.mx, s.x, s.runs, e.opts.Trim, s, s.u)
	e.means(s.my, s.y, s.runs, e.opts.Trim, s, s.w)
	e.sumUpRuns(s.acc, s.mx, s.runs)
	e.sumUpRuns(s.acc2, s.my, s.runs)
	total := e.slices[basket.Overall].items
	for g, wanted := range s.wanted {
		if !wanted {
			continue
		}
		before, items := e.headline(s.acc, g)
		now, _ := e.headline(s.acc2, g)
		if items > 0 && e.opts.Floor.MetBy(int(items), total) {
			e.at(k, g)[basket.Overall].wow = 100 * (math.Exp(now-before) - 1)
		}
	}
}
