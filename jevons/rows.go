package jevons

import (
	"math"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// rows assembles the table in published order.
func (e *engine) rows() []Row {
	cells := e.cellList()
	starts := make([]int, len(e.weeks)+1)
	for k := range e.weeks {
		starts[k+1] = starts[k]
		for _, items := range e.items[k*len(cells) : (k+1)*len(cells)] {
			if items > 0 {
				starts[k+1]++
			}
		}
	}
	rows := make([]Row, starts[len(e.weeks)])
	e.eachWeek(0, func(_ *scratch, k int) {
		past := [...]int{e.weekBefore(k, 1), e.weekBefore(k, 4), e.weekBefore(k, 52)}
		here, next := k*len(cells), starts[k]
		for i := range cells {
			items := e.items[here+i]
			if items == 0 {
				continue
			}
			r := &rows[next]
			next++
			r.Week, r.Cell = e.weeks[k], &cells[i]
			r.Index = panel.FixedOf(e.level[here+i])
			r.BasketCost = round(e.cost[here+i], twoDecimals)
			if i%numSlices == int(basket.Overall) {
				r.WoW = round(e.wow[(here+i)/numSlices], fourDecimals)
			} else {
				r.WoW = e.ratio(here+i, past[0]*len(cells)+i)
			}
			r.MoM = e.ratio(here+i, past[1]*len(cells)+i)
			r.YoY = e.ratio(here+i, past[2]*len(cells)+i)
			r.ItemCount, r.TotalItems = items, int32(e.slices[cells[i].Category].items)
		}
	})
	return rows
}

// ratio returns the change between two published levels by their places; null
// when the earlier one is not there.
func (e *engine) ratio(now, then int) panel.Fixed {
	if then < 0 || e.items[then] == 0 {
		return panel.Fixed{}
	}
	return percentChange(e.level[now], e.level[then])
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

// weekBefore returns the place of the week n weeks before week k; a place far
// below 0 when no price was collected in it.
func (e *engine) weekBefore(k, n int) int {
	want := e.weeks[k].Add(-n)
	for j := k - 1; j >= 0 && e.weeks[j] >= want; j-- {
		if e.weeks[j] == want {
			return j
		}
	}
	return math.MinInt32
}
