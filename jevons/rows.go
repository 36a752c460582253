package jevons

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// rows assembles the table in published order.
func (e *engine) rows() []Row {
	cells := e.cellList()
	starts := make([]int, len(e.weeks)+1)
	for k := range e.weeks {
		starts[k+1] = starts[k]
		for i := range cells {
			if e.cells[k*len(cells)+i].published {
				starts[k+1]++
			}
		}
	}
	rows := make([]Row, starts[len(e.weeks)])
	e.eachWeek(0, func(_ *scratch, k int) {
		past := [...]int{e.weekBefore(k, 1), e.weekBefore(k, 4), e.weekBefore(k, 52)}
		next := starts[k]
		for i := range cells {
			f := &e.cells[k*len(cells)+i]
			if !f.published {
				continue
			}
			change := func(weeks int) panel.Fixed {
				if j := past[weeks]; j >= 0 && e.cells[j*len(cells)+i].published {
					return percentChange(f.level, e.cells[j*len(cells)+i].level)
				}
				return panel.Fixed{}
			}
			r := &rows[next]
			next++
			*r = Row{
				Week: e.weeks[k], Cell: &cells[i],
				Index:      panel.FixedOf(f.level),
				BasketCost: round(f.cost, twoDecimals),
				MoM:        change(1), YoY: change(2),
				ItemCount: f.items, TotalItems: int32(e.slices[cells[i].Category].items),
			}
			if cells[i].Category == basket.Overall {
				r.WoW = round(f.wow, fourDecimals)
			} else {
				r.WoW = change(0)
			}
		}
	})
	return rows
}

// cellList returns the cells by geography and slice, as engine.cells has them
// for each week.
func (e *engine) cellList() []Cell {
	cells := make([]Cell, 0, len(e.geos)*numSlices)
	for _, g := range e.geos {
		for _, c := range basket.Slices() {
			cell := Cell{Level: g.level, Category: c}
			if g.city >= 0 {
				cell.City = e.panel.Cities()[g.city].Name
			}
			if g.banner >= 0 {
				cell.Banner = e.panel.Banners()[g.banner].Key
			}
			cells = append(cells, cell)
		}
	}
	return cells
}

// weekBefore returns the place of the week n weeks before week k, or -1 when
// no price was collected in it.
func (e *engine) weekBefore(k, n int) int {
	want := e.weeks[k].Add(-n)
	for j := k - 1; j >= 0 && e.weeks[j] >= want; j-- {
		if e.weeks[j] == want {
			return j
		}
	}
	return -1
}
