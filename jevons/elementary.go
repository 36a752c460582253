package jevons

import (
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
)

// weeks is up to lanes.Width weeks of log prices by series, which are computed side by side. All
// relatives are against the same base.
type weeks struct {
	now          [][]float64
	before, base []float64 // the week before the first, and the base week
}

// worker is the memory of one goroutine.
type worker struct {
	*geographies
	none []float64 // log prices of a week without any
	trim []int32   // how many stores to drop at each end, by number of stores

	// Of one item.
	rows       []lanes.Row    // log prices of its series
	columns    []lanes.Column // of its stores
	series     []lanes.Column // of the series at one store
	elementary []lanes.Sums   // by place: means over stores
	nation     lanes.Band     // its price in the nation, dollars
	tails      *lanes.Tails

	categories []lanes.Aggregate // by geography and category
	nationCost []float64         // by slice
	strata     []stratum         // by slice, of levels
	changes    []stratum         // and of changes
	student    map[int64]float64 // quantiles of Student's t, by ten-thousandths of degrees of freedom

	// Where elementary aggregates are read after all items have been measured.
	table []aggregate // by geography and product
	seen  []uint8     // by slice and store: one bit for each week in which it is matched
}

// aggregate is the elementary aggregate of one product in one geography, in up to lanes.Width weeks:
// means over stores, and how many there are. Quality, coverage and explanations read it.
type aggregate struct {
	lanes.Sums
	series [lanes.Width]int32 // matched with the base
}

// kept returns the aggregate of a product in a geography. One that lacks the product has no store.
func (w *worker) kept(g int, product int32) *aggregate {
	return &w.table[g*len(w.products)+int(product)]
}

// keep notes the aggregates of an item.
func (w *worker) keep(x *item) {
	for i, at := range x.places {
		w.kept(int(at.geography), x.product).Sums = w.elementary[i]
	}
}

// eachItem computes the elementary aggregates of a scope's items, one item after the other. When do is
// called, they are in w.elementary.
func (e *engine) eachItem(w *worker, scope int, of weeks, do func(x *item)) {
	for i := range e.items[scope] {
		w.measure(&e.items[scope][i], of)
		do(&e.items[scope][i])
	}
}

// measure goes from log prices to the elementary aggregates of one item: relatives of each store, their
// sums over the stores of each banner, of these over cities and the nation, and trimmed means.
func (w *worker) measure(x *item, of weeks) {
	first, last := x.series()
	places := x.places
	w.rows, w.elementary = sized(w.rows, int(last-first)), sized(w.elementary, len(places))
	w.columns = sized(w.columns, int(places[len(places)-1].hi))
	var now [lanes.Width][]float64
	for j := range now {
		now[j] = w.none[first:last]
		if j < len(of.now) {
			now[j] = of.now[j][first:last]
		}
	}
	lanes.Transpose(w.rows, of.before[first:last], &now)
	for i, r := range x.banners {
		columns, rows := w.columns[places[i].lo:places[i].hi], w.rows[r.lo-first:r.hi-first]
		if r.several {
			w.relateSeveral(columns, rows, of.base[r.lo:r.hi], w.store[r.lo:r.hi], &w.elementary[i])
		} else {
			lanes.Relate(columns, rows, of.base[r.lo:r.hi], &w.elementary[i])
		}
	}
	for i := len(x.banners); i < len(places); i++ {
		lanes.Add(&w.elementary[i], w.elementary[places[i].from:places[i].to])
	}
	for i, at := range places {
		if int(at.geography) >= len(w.scopes) {
			continue // left out: nobody reads its means
		}
		if w.trim[at.hi-at.lo] == 0 {
			lanes.Divide(&w.elementary[i])
		} else {
			w.tails.Means(&w.elementary[i], w.columns[at.lo:at.hi], w.trim)
		}
	}
}

// relateSeveral makes the relatives of a run in which a store has several series. The store then has
// their mean.
func (w *worker) relateSeveral(
	columns []lanes.Column, rows []lanes.Row, base []float64, store []int32, to *lanes.Sums,
) {
	for i, c := 0, 0; i < len(store); c++ {
		from := i
		for of := store[i]; i < len(store) && store[i] == of; i++ {
		}
		var sums lanes.Sums
		w.series = sized(w.series, i-from)
		lanes.Relate(w.series, rows[from:i], base[from:i], &sums)
		for s := range sums.Total {
			count := sums.Count(s)
			for j, total := range sums.Total[s] {
				columns[c][s][j] = total / count[j] // NaN without values
			}
		}
	}
	lanes.AddColumns(to, columns)
}

// sized returns n elements, of the same memory if it is large enough.
func sized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// elementary is the elementary aggregates of one product in a cell, by stream.
type elementary struct {
	product *basket.Product
	slice   int // of its category
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

// question holds the weeks between which a row is taken apart, as indices into the engine's.
type question struct{ week, before, base int }

// question returns the weeks of a published row. Without a change, before is the row's own.
func (t *Table) question(row *Row) (q question) {
	q.week, _ = t.engine.week(row.Week)
	q.base, _ = t.engine.week(row.Base)
	q.before = q.week
	if row.WoW.Valid {
		q.before, _ = t.engine.week(t.Before(row.Week, *row.Cell).Week)
	}
	return q
}

// takeApart measures the weeks of a question, and returns the aggregates behind the cells of some
// geographies.
func (e *engine) takeApart(w *worker, q question, cells ...*Cell) [][]elementary {
	var of []int // geographies
	scope := 0
	for i, c := range cells {
		g, _ := e.geography(*c)
		of = append(of, g)
		if i == 0 {
			scope = e.scopes[g]
		} else if e.scopes[g] != scope {
			scope = 0
		}
	}
	weeks := weeks{now: [][]float64{e.logs[q.before], e.logs[q.week]}, before: e.none, base: e.logs[q.base]}
	e.eachItem(w, scope, weeks, w.keep)
	lists := make([][]elementary, len(cells))
	for i, c := range cells {
		for p := range e.products {
			product, x := &e.products[p], w.kept(of[i], int32(p))
			if slice := c.Category.Index(); slice != headline && slice != e.sliceOf[p] {
				continue
			}
			in := func(stream, week int) relative {
				n := int(x.Count(stream)[week])
				return relative{x.Total[stream][week], n, 2 * int(w.trim[n])}
			}
			at := in(lanes.Relatives, 1)
			lists[i] = append(lists[i], elementary{product, e.sliceOf[p], [streams]relative{
				atBase: {stores: at.stores}, now: at, before: in(lanes.Relatives, 0),
				earlier: in(lanes.Earlier, 1), later: in(lanes.Later, 1),
			}})
		}
	}
	return lists
}
