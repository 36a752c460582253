package jevons

import (
	"cmp"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// aggregates are the elementary aggregates of one product in one geography, in up to lanes.Width
// weeks: means over stores, and how many there are. Quality, coverage and explanations read them.
type aggregates struct {
	lanes.Sums
	series [lanes.Width]int32 // matched with the base
}

// keep notes the elementary aggregates of a part that has been measured.
func (w *worker) keep(part *part) {
	for i, at := range part.points {
		w.kept(int(at.geo), part.product).Sums = w.points[i]
	}
}

// kept returns the aggregates of a product in a geography. Those of a geography that lacks the
// product have no store.
func (w *worker) kept(g int, product int32) *aggregates {
	return &w.table[w.pointAt[g*len(w.products)+int(product)]]
}

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

// question holds the weeks between which a row is taken apart, as indices into the engine's.
type question struct{ week, before, base int }

// question returns the weeks of a row. Without a change, before is the row's own.
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
func (e *engine) planOf(g int) *plan { return &e.plans[e.geos[g]] }

// takeApart measures the weeks of a question, and returns the aggregates behind each cell.
func (e *engine) takeApart(w *worker, q question, cells ...*Cell) [][]elementary {
	plan := e.planOf(e.geography(*cells[0]))
	for _, c := range cells {
		if of := e.planOf(e.geography(*c)); of != plan {
			plan = &e.plans[0]
		}
	}
	weeks := stretch{now: [][]float64{e.logs[q.before], e.logs[q.week]}, before: e.none, base: e.logs[q.base]}
	e.eachPart(w, plan, weeks, w.keep)
	lists := make([][]elementary, len(cells))
	for i, c := range cells {
		for p := range e.products {
			product, x := &e.products[p], w.kept(e.geography(*c), int32(p))
			if c.Category != basket.Overall && c.Category != product.Category {
				continue
			}
			of := func(stream, week int) relative {
				n := int(x.Count(stream)[week])
				return relative{x.Total[stream][week], n, 2 * int(w.trim[n])}
			}
			at := of(lanes.Relatives, 1)
			lists[i] = append(lists[i], elementary{product, [streams]relative{
				atBase: {stores: at.stores}, now: at, before: of(lanes.Relatives, 0), earlier: of(lanes.Earlier, 1), later: of(lanes.Later, 1),
			}})
		}
	}
	return lists
}

// StoreRelative is the price of one product at one store against its base price:
// step 2 of the estimator, before the trim.
type StoreRelative struct {
	Product  basket.Product `json:"-"`
	Store    panel.Store    `json:"-"`
	Listings []int64        `json:"retailer_product_ids"` // of the matched listings, ascending; nearly always one
	Base     float64        `json:"base_price"`           // dollars in the cell's base week; of several listings the geometric mean
	Price    float64        `json:"price"`                // the same in the row's week
	Relative float64        `json:"relative"`             // Price / Base
	Trimmed  bool           `json:"trimmed"`
}

// StoreRelatives returns the store relatives behind one row of a table of Compute's, by
// product id, then relative, then store id. Of relatives that are equal where
// the trim cuts, those of the lower ids count as the lower ones, which changes
// no mean.
//
// For a cell without a row in that week it returns ErrNotPublished with the reason.
func (t *Table) StoreRelatives(week panel.Week, cell Cell) ([]StoreRelative, error) {
	row, err := t.explainable(week, cell)
	if err != nil {
		return nil, err
	}
	e, p := t.engine, t.engine.panel
	base, now, g := e.logs[e.index(row.Base)], e.logs[e.index(week)], e.geography(cell)
	var all []StoreRelative
	for _, part := range e.planOf(g).parts {
		first := len(all)
		product := &e.products[part.product]
		if cell.Category != basket.Overall && cell.Category != product.Category {
			continue
		}
		for _, r := range part.runs {
			if cell.Level == Banner && int(r.banner) != g {
				continue
			}
			for i := r.lo; i < r.hi; {
				s, store := StoreRelative{Product: *product, Store: p.Stores()[e.store[i]]}, e.store[i]
				for ; i < r.hi && e.store[i] == store; i++ {
					if log := now[i] - base[i]; log == log {
						s.Listings = append(s.Listings, p.Listings()[p.Series()[i].Listing].ID)
						s.Base, s.Price, s.Relative = s.Base+base[i], s.Price+now[i], s.Relative+log
					}
				}
				if n := float64(len(s.Listings)); n > 0 {
					s.Base, s.Price, s.Relative = math.Exp(s.Base/n), math.Exp(s.Price/n), math.Exp(s.Relative/n)
					all = append(all, s)
				}
			}
		}
		of := all[first:]
		slices.SortFunc(of, func(a, b StoreRelative) int {
			return cmp.Or(cmp.Compare(a.Relative, b.Relative), cmp.Compare(a.Store.ID, b.Store.ID))
		})
		for k := range t.Options.Trim.of(len(of)) {
			of[k].Trimmed, of[len(of)-1-k].Trimmed = true, true
		}
	}
	return all, nil
}
