package jevons

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
)

// publishCell notes the level of a slice of geography g in week k, which is the j-th in w.acc, if
// enough of its products are matched. It also notes the change of a headline.
func (e *engine) publishCell(w *worker, k, g, j int, c basket.Category) {
	var rho float64
	var items int
	if c == basket.Overall { // it comes before its categories
		rho, items = e.headline(w.acc, g, j, lanes.Relatives)
		if e.assessed != nil {
			w.strata = e.leaveOut(w, g, j, lanes.Relatives)
		}
	} else {
		rho, _, items = w.acc[e.accAt(c, g)].Mean(lanes.Relatives, j)
	}
	at := e.at(k, g) + int(c)
	e.items[at] = 0
	level := round(100*lanes.Exp(rho), fourDecimals)
	if level.Valid && items > 0 && e.opts.Floor.metBy(items, e.slices[c].items) {
		e.items[at], e.level[at] = int32(items), level.Units
		if e.assessed != nil {
			e.assess(w, k, g, j, c, rho)
		}
	}
	if c == basket.Overall {
		e.noteChange(w, k, g, j)
	}
}

// findEntries finds the entry week of each geography: the first week in which
// enough of the active products are priced. It clears the headlines of earlier weeks, which
// measureWeeks published.
func (e *engine) findEntries() {
	total := e.slices[basket.Overall].items
	for g := range e.geos {
		e.entry[g] = -1
		for k := range e.weeks {
			if n := int(e.priced[k*len(e.geos)+g]); n > 0 && e.opts.Floor.metBy(n, total) {
				e.entry[g] = k
				break
			}
			e.items[e.at(k, g)] = 0
		}
	}
}

// rebaseHeadlines computes the headlines again whose entry week is not the base
// week, against their entry week.
func (e *engine) rebaseHeadlines() {
	for i := range e.plans {
		plan := &e.plans[i]
		done := map[int]bool{-1: true}
		done[0] = len(e.weeks) > 0 && e.weeks[0] == e.opts.Base
		for _, g := range plan.geos {
			start := e.entry[g]
			if done[start] {
				continue
			}
			done[start] = true
			e.eachStretch(start, len(e.weeks), func(w *worker, k0, n int) {
				e.measure(w, plan, e.stretch(k0, n, e.logs[start]))
				for j := range n {
					for _, g := range plan.geos {
						if e.entry[g] == start {
							e.publishCell(w, k0+j, g, j, basket.Overall)
						}
					}
				}
			})
		}
	}
}
