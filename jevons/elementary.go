package jevons

import (
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// elementary is the elementary aggregates of one product in a cell, by stream.
type elementary struct {
	product *basket.Product
	of      [streams]relative
}

// relative is an elementary aggregate.
type relative struct {
	rho             float64 // its logarithm; 0 when the product is not matched
	stores, trimmed int
}

// The streams of relatives against the base that changes are made of.
const (
	atBase  = iota // of the base, over the series that are priced in it and in the row's week
	now            // of the row's week, over the same
	before         // of the week before, over the series that are priced in it and in the base
	earlier        // of the week before, over the series that are priced in all three weeks
	later          // of the row's week, over the same
	streams
)

// question is the weeks that a row is taken apart by, as indices into the engine's.
type question struct{ week, before, base int }

// question returns that of a row. Without a change, before is the row's week.
func (t *Table) question(row *Row) question {
	before := row.Week
	if row.WoW.Valid {
		before = t.Before(row.Week, *row.Cell).Week
	}
	return question{t.engine.index(row.Week), t.engine.index(before), t.engine.index(row.Base)}
}

// index returns the index of a week, and -1 when no price was collected in it.
func (e *engine) index(week panel.Week) int {
	if k, ok := slices.BinarySearch(e.weeks, week); ok {
		return k
	}
	return -1
}

// geography returns the index of a cell's geography, or -1 for one without series.
func (e *engine) geography(cell Cell) int {
	cell.Category = basket.Overall
	for g := range e.geos {
		if *e.cells[g*numSlices] == cell {
			return g
		}
	}
	return -1
}

// planOf returns the smallest plan with a geography.
func (e *engine) planOf(g int) *plan { return &e.plans[1+e.geos[g].city] }

// takeApart gives the elementary aggregates behind each cell, by product id.
func (e *engine) takeApart(w *worker, q question, cells []*Cell, do func(i int, list []elementary)) {
	tables := map[int][]elementary{} // by geography
	var plan *plan
	for _, c := range cells {
		g := e.geography(*c)
		tables[g] = nil
		if of := e.planOf(g); plan == nil || of == plan {
			plan = of
		} else {
			plan = &e.plans[0]
		}
	}
	weeks := stretch{now: [][]float64{e.logs[q.before], e.logs[q.week]}, before: e.none, base: e.logs[q.base]}
	e.eachPart(w, plan, weeks, func(part *part) {
		for i := range part.points {
			list, wanted := tables[int(part.points[i].geo)]
			if !wanted {
				continue
			}
			of := func(stream, week int) relative {
				n := int(w.points[i].Count(stream)[week])
				return relative{w.points[i].Total[stream][week], n, 2 * int(w.trim[n])}
			}
			x := elementary{&e.products[part.product], [streams]relative{
				now: of(lanes.Relatives, 1), before: of(lanes.Relatives, 0), earlier: of(lanes.Earlier, 1), later: of(lanes.Later, 1),
			}}
			x.of[atBase].stores = x.of[now].stores
			tables[int(part.points[i].geo)] = append(list, x)
		}
	})
	for i, c := range cells {
		list := tables[e.geography(*c)]
		if c.Category != basket.Overall {
			list = slices.DeleteFunc(slices.Clone(list), func(x elementary) bool { return x.product.Category != c.Category })
		}
		do(i, list)
	}
}
