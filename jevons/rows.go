package jevons

import (
	"math"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// addRows appends the rows of the fresh weeks, in published order.
func (e *engine) addRows(rows []Row) []Row {
	n := len(e.cells)
	starts := make([]int, len(e.weeks)-e.fresh+1)
	starts[0] = len(rows)
	for i := range len(starts) - 1 {
		starts[i+1] = starts[i]
		for _, items := range e.items[(e.fresh+i)*n : (e.fresh+i+1)*n] {
			if items > 0 {
				starts[i+1]++
			}
		}
	}
	rows = grown(rows, starts[len(starts)-1]-len(rows))
	e.eachWeek(func(_ *scratch, k int) {
		earlier := [...]int{e.weekBefore(k, 1), e.weekBefore(k, 4), e.weekBefore(k, 52)}
		here, next := k*n, starts[k-e.fresh]
		cost := e.cost[e.at(k-e.fresh, 0):]
		wow := e.wow[e.freshAt(k, 0):]
		for i, cell := range e.cells {
			items := e.items[here+i]
			if items == 0 {
				continue
			}
			r := &rows[next]
			next++
			r.Week, r.Cell = e.weeks[k], cell
			r.Index = panel.FixedOf(e.level[here+i])
			r.BasketCost = round(cost[i], twoDecimals)
			if i%numSlices == int(basket.Overall) {
				r.WoW = round(wow[i/numSlices], fourDecimals)
			} else {
				r.WoW = e.ratio(here+i, earlier[0]*n+i)
			}
			r.MoM = e.ratio(here+i, earlier[1]*n+i)
			r.YoY = e.ratio(here+i, earlier[2]*n+i)
			r.ItemCount, r.TotalItems = items, int32(e.slices[cell.Category].items)
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
