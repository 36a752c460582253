package jevons

import (
	"errors"
	"maps"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// Names of the companion series.
const (
	RegularSeries = "regular"
	LinkedSeries  = "linked"
)

var errCompanion = errors.New("jevons: a companion series has no quality")

// Regular returns the companion series of regular prices: Compute's table of
// [panel.Panel.Regular]. It shows prices without sales. The rows must be all of
// the panel's. It is never to be spliced into the published series. It fails with
// Options.Quality and for options that Compute refuses.
func Regular(p *panel.Panel, rows *panel.Rows, o Options) (*Table, error) {
	if o.Quality {
		return nil, errCompanion
	}
	regular, err := p.Regular(rows)
	if err != nil {
		return nil, err
	}
	if weeks := p.Weeks(); o.Through == 0 && len(weeks) > 0 {
		o.Through = weeks[len(weeks)-1]
	}
	return Compute(regular, o)
}

// Linked returns the companion series whose base moves. A fixed base loses series
// for ever and lets no new product in. Here each cell takes a new base in the first
// week, at least 52 weeks after the last base, in which it has a level and 75% of
// its products are priced. From the next week on its levels are the level of that
// week times exp(rho) against it, and its counts are of products matched with it.
// Row.Base is the base at hand. Up to the first link the rows are Compute's.
//
// It is never to be spliced into the published series. It fails with
// Options.Quality and for options that Compute refuses.
func Linked(p *panel.Panel, o Options) (*Table, error) {
	if o.Quality {
		return nil, errCompanion
	}
	return compute(p, o, true)
}

// When a cell is linked.
const linkWeeks = 52 // after its base, at least

var linkShare = Percent(75) // of its products that must be priced

// links holds the inputs of the linked series beside the panel. Cells are by geography
// and slice.
type links struct {
	rho    []float64 // by week and cell: ln of level / 100, not rounded
	priced []int32   // the same: products with a price
	base   []int32   // the same: week of the base
	lift   []float64 // by cell: rho of its base, in the segment at hand
}

// segment is a run of weeks in which some cells are compared with one base. It lasts until the next
// one of a cell.
type segment struct{ base, from int }

// linkSegments computes the weeks after each link anew. When it begins, all cells
// are on their first base.
func (e *engine) linkSegments() {
	n := len(e.cells)
	open := map[segment][]int{} // cells whose next link is to be looked for
	for i, cell := range e.cells {
		s := segment{}
		if cell.Category == basket.Overall {
			s.base = max(0, e.entry[i/numSlices]) // without an entry week there is no level
		}
		for k := range e.weeks {
			e.links.base[k*n+i] = int32(s.base)
		}
		open[s] = append(open[s], i)
	}
	for len(open) > 0 {
		next := map[segment][]int{}
		for _, s := range slices.SortedFunc(maps.Keys(open), func(a, b segment) int { return a.from - b.from }) {
			end := len(e.weeks)
			if s.from > 0 {
				end = min(end, s.from+linkWeeks+lanes.Width/2)
				e.measureSegment(s, end, open[s])
			}
			for _, i := range open[s] {
				if l := e.nextLink(s, end, i); l >= 0 {
					e.links.lift[i] = e.links.rho[l*n+i]
					next[segment{l, l + 1}] = append(next[segment{l, l + 1}], i)
				} else if end < len(e.weeks) {
					next[segment{s.base, end}] = append(next[segment{s.base, end}], i)
				}
			}
		}
		open = next
	}
}

// nextLink returns the first week of the segment, before week end, in which the
// i-th cell is linked. It is -1 without any.
func (e *engine) nextLink(s segment, end, i int) int {
	for k := s.from; k < end; k++ {
		at := k*len(e.cells) + i
		if e.weeks[k] >= e.weeks[s.base].Add(linkWeeks) && e.items[at] > 0 &&
			linkShare.metBy(int(e.links.priced[at]), e.slices[e.cells[i].Category].items) {
			return k
		}
	}
	return -1
}

// measureSegment computes the weeks of a segment before week end, for some cells.
// The plan of everything computes the nation's, and then all others too.
func (e *engine) measureSegment(s segment, end int, cells []int) {
	byPlan := map[int][]int{}
	for _, i := range cells {
		byPlan[e.geos[i/numSlices]] = append(byPlan[e.geos[i/numSlices]], i)
	}
	if byPlan[0] != nil {
		byPlan = map[int][]int{0: cells}
	}
	for plan, cells := range byPlan {
		e.eachStretch(s.from, end, func(w *worker, k0, n int) {
			e.measure(w, &e.plans[plan], e.stretch(k0, n, e.logs[s.base]))
			for j := range n {
				for _, i := range cells {
					e.links.base[(k0+j)*len(e.cells)+i] = int32(s.base)
					e.publishCell(w, k0+j, i/numSlices, j, e.cells[i].Category)
				}
			}
		})
	}
}
