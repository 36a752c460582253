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
		here := k * len(e.geos)
		done := make([]bool, len(e.geos))
		for g := range e.geos {
			e.wow[here+g] = math.NaN()
			done[g] = e.before[here+g] < 0 || e.items[e.at(k, g)] == 0
		}
		for g := range e.geos {
			if done[g] {
				continue
			}
			u, b := e.before[here+g], e.entry[g]
			clear(s.wanted)
			for h := g; h < len(e.geos); h++ {
				if !done[h] && e.before[here+h] == u && e.entry[h] == b {
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
	p := s.plan(e.layout)
	e.sameComposition(&s.earlier, &s.relatives, e.logs(u), e.logs(k), e.logs(b), p.runs, s)
	e.sumUp(s.acc, s.earlier.out, p)
	e.sumUp(s.acc2, s.relatives.out, p)
	total := e.slices[basket.Overall].items
	for g, wanted := range s.wanted {
		if !wanted {
			continue
		}
		before, items := e.headline(s.acc, g)
		now, _ := e.headline(s.acc2, g)
		if items > 0 && e.opts.Floor.MetBy(int(items), total) {
			e.wow[k*len(e.geos)+g] = 100 * (math.Exp(now-before) - 1)
		}
	}
}
