package jevons

import (
	"math"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// Compute returns every published row of the panel by the method of the
// package doc, with the given options. It splits the weeks among the
// processors and gives the same result however many there are. The error says
// which option is out of range.
//
// A panel without prices from the base week on has a table without rows.
func Compute(p *panel.Panel, o Options) (*Table, error) {
	x, err := NewIndex(p, o)
	if err != nil {
		return nil, err
	}
	return x.Table(), nil
}

// engine holds a computation in progress: that of the weeks from the place
// fresh on. What it keeps of the weeks before them is what was published.
type engine struct {
	*layout
	panel *panel.Panel
	opts  Options
	past
	fresh int
	first int       // place of weeks[0] in the panel's weeks
	base  []float64 // log prices in the base week
	none  []float64 // those of a week without any

	// By fresh week, geography and slice, and by fresh week and geography; see
	// freshAt.
	cost   []float64 // dollars
	priced []int32   // active products with a price
	before []int     // place of the headline's previous published week; -1: none
	wow    []float64 // the headline's same-composition change in percent; NaN: none

	workers []*scratch
}

// takeWeeks takes the weeks to be published from the panel.
func (e *engine) takeWeeks() {
	all := e.panel.Weeks()
	for e.first < len(all) && all[e.first] < e.opts.Base {
		e.first++
	}
	last := len(all)
	for last > e.first && all[last-1] > e.opts.Through {
		last--
	}
	e.weeks = all[e.first:last]
	e.none = make([]float64, len(e.panel.Series()))
	for i := range e.none {
		e.none[i] = math.NaN()
	}
	e.base = e.none
	if len(e.weeks) > 0 && e.weeks[0] == e.opts.Base {
		e.base = e.logs(0)
	}
}

// makeRoom makes room for the fresh weeks.
func (e *engine) makeRoom() {
	n := (len(e.weeks) - e.fresh) * len(e.geos)
	e.items, e.level = grown(e.items, n*numSlices), grown(e.level, n*numSlices)
	e.cost, e.priced = make([]float64, n*numSlices), make([]int32, n)
	e.before, e.wow = make([]int, n), make([]float64, n)
}

// at returns the place of the headline of geography g in week k; those of the
// categories follow.
func (e *engine) at(k, g int) int { return (k*len(e.geos) + g) * numSlices }

// freshAt returns the place of geography g in the fresh week k.
func (e *engine) freshAt(k, g int) int { return (k-e.fresh)*len(e.geos) + g }

// logs returns the log prices of week k.
func (e *engine) logs(k int) []float64 { return e.panel.LogPrices(e.first + k) }

// stretch returns n weeks from k on, and the week before them, against base.
func (e *engine) stretch(k, n int, base []float64) stretch {
	s := stretch{before: e.none, base: base}
	if k > 0 {
		s.before = e.logs(k - 1)
	}
	for i := range n {
		s.now = append(s.now, e.logs(k+i))
	}
	return s
}

// publish notes a slice's level, if enough of its products are matched.
func (e *engine) publish(at int, c basket.Category, rho float64, items int32) {
	e.items[at+int(c)] = 0
	if items == 0 || !e.opts.Floor.MetBy(int(items), e.slices[c].items) {
		return
	}
	if level := round(100*lanes.Exp(rho), fourDecimals); level.Valid {
		e.items[at+int(c)] = items
		e.level[at+int(c)] = level.Units
	}
}

// measureWeeks fills in, for every fresh week, category levels, basket costs,
// how many products are priced, and headlines as if the base week were the
// entry week of all and the week before the previous published one. For most
// they are.
func (e *engine) measureWeeks() {
	e.eachStretch(e.fresh, func(w *scratch, k0, n int) {
		e.measure(w, &e.all, e.stretch(k0, n, e.base))
		for j := range n {
			k := k0 + j
			e.basketCosts(w, k, j)
			for g := range e.geos {
				for c := basket.Dairy; int(c) < numSlices; c++ {
					a := &w.acc[e.accAt(c, g)]
					e.publish(e.at(k, g), c, a.Num[j]/a.Den[j], int32(a.Items[lanes.Relatives][j]))
				}
				e.publishHeadline(w, k, g, j)
			}
		}
	})
}

// publishHeadline notes the headline of geography g in week k, the j-th in
// w.acc, and its change against the week before.
func (e *engine) publishHeadline(w *scratch, k, g, j int) {
	rho, items := e.headline(w.acc, g, j)
	e.publish(e.at(k, g), basket.Overall, rho, items)
	e.noteChange(w, k, g, j)
}

// findEntries finds each geography's entry week, the first one in which enough
// of the active products are priced, and takes back the headlines before it.
func (e *engine) findEntries() {
	total := e.slices[basket.Overall].items
	for g := range e.entry {
		for k := e.fresh; k < len(e.weeks) && e.entry[g] < 0; k++ {
			if n := int(e.priced[e.freshAt(k, g)]); n > 0 && e.opts.Floor.MetBy(n, total) {
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
		p, base := e.only(geos), e.logs(start)
		e.eachStretch(max(start, e.fresh), func(w *scratch, k0, n int) {
			e.measure(w, p, e.stretch(k0, n, base))
			for j := range n {
				for g, wanted := range geos {
					if wanted {
						e.publishHeadline(w, k0+j, g, j)
					}
				}
			}
		})
	}
}
