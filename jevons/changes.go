package jevons

import (
	"math"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
)

// A headline's change is same-composition: with u the previous published week
// and b the headline's base, both levels are computed on just the series priced
// in all of b, u and w, so a store or product that comes or goes moves nothing.

// noteChange notes the change of the headline of geography g in week k, the
// j-th in w.acc.
func (e *engine) noteChange(w *scratch, k, g, j int) {
	before, now, items := e.headlines(w.acc, g, j)
	change := math.NaN()
	if items > 0 && e.opts.Floor.MetBy(int(items), e.slices[basket.Overall].items) {
		change = 100 * (lanes.Exp(now-before) - 1)
	}
	e.wow[e.freshAt(k, g)] = change
}

// link links each published headline to the one before it.
func (e *engine) link() {
	for g := range e.geos {
		for k := e.fresh; k < len(e.weeks); k++ {
			e.before[e.freshAt(k, g)] = e.last[g]
			if e.items[e.at(k, g)] > 0 {
				e.last[g] = k
			}
		}
	}
}

// matchCompositions computes anew the changes of headlines whose previous
// published week is not the week before. Where there is none, there is no
// change.
func (e *engine) matchCompositions() {
	e.eachWeek(func(w *scratch, k int) {
		done := make([]bool, len(e.geos))
		for g := range e.geos {
			switch e.before[e.freshAt(k, g)] {
			case -1:
				e.wow[e.freshAt(k, g)] = math.NaN()
				done[g] = true
			case k - 1:
				done[g] = true
			}
			done[g] = done[g] || e.items[e.at(k, g)] == 0
		}
		for g := range e.geos {
			if done[g] {
				continue
			}
			u, b := e.before[e.freshAt(k, g)], e.entry[g]
			clear(w.wanted)
			for h := g; h < len(e.geos); h++ {
				if !done[h] && e.before[e.freshAt(k, h)] == u && e.entry[h] == b {
					w.wanted[h], done[h] = true, true
				}
			}
			e.measure(w, w.plan(e.layout), stretch{[][]float64{e.logs(k)}, e.logs(u), e.logs(b)})
			for h, wanted := range w.wanted {
				if wanted {
					e.noteChange(w, k, h, 0)
				}
			}
		}
	})
}
