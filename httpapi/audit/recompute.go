package audit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// columns are the numbers of an index row: the level, the counts, then the others.
var columns = func() []table.Column {
	list := slices.DeleteFunc(table.Columns(), func(c table.Column) bool { return c.Number == nil })
	rank := func(c table.Column) int {
		return slices.Index([]string{table.TotalItems, table.ItemCount, table.IndexValue}, c.Name)
	}
	slices.SortStableFunc(list, func(a, b table.Column) int { return rank(b) - rank(a) })
	return list
}()

// Recomputation is the index of one week, computed from pages. Check answers for
// those of its cells that the pages hold all prices of.
type Recomputation struct {
	*Evidence
	panel      *panel.Panel
	table      *jevons.Table
	base, week panel.Week
}

// Recompute computes the index of a week on a base week. It fails when rows of
// the pages contradict each other.
func (e *Evidence) Recompute(base, week panel.Week) (*Recomputation, error) {
	p, err := e.panel(base)
	if err != nil {
		return nil, err
	}
	index, err := jevons.Compute(p, jevons.Options{Through: week})
	return &Recomputation{e, p, index, base, week}, err
}

// Panel returns the panel that the pages make. Its cities have slugs of their own:
// pages have none.
func (r *Recomputation) Panel() *panel.Panel { return r.panel }

// Suffices fails when the pages do not hold every price that the level of the
// cell needs. The error says what to download.
//
// A level needs the week and the base week. A headline needs every week up to its
// entry week instead of the base week: they show that none before had enough
// products.
func (r *Recomputation) Suffices(cell jevons.Cell) error {
	for w := r.base; w <= r.week; w = w.Add(1) {
		if !r.hold(w, cell) {
			if w > r.base {
				return lack(w, r.week, cell) // the entry week may be any
			}
			err := lack(w, w, cell)
			if w < r.week && !r.hold(r.week, cell) {
				err = errors.Join(err, lack(r.week, r.week, cell))
			}
			return err
		}
		if cell.Category != basket.Overall || r.table.Base(cell) == w {
			break
		}
	}
	if !r.hold(r.week, cell) {
		return lack(r.week, r.week, cell)
	}
	return nil
}

// Check recomputes a cell and compares it with what was published, unless that is
// nil. It fails when the pages do not suffice. A figure that differs is no error: it is in
// the result.
func (r *Recomputation) Check(cell jevons.Cell, published Published) (*Result, error) {
	if err := r.Suffices(cell); err != nil {
		return nil, err
	}
	x := &Result{
		Date: r.week, City: wire.Text(cell.City), Retailer: wire.Text(cell.Banner), Level: cell.Level.String(),
		Published: published, Figures: []Figure{}, Stores: []StoreRelative{}, Sources: r.sources,
	}
	if cell.Category != basket.Overall {
		x.Category = wire.Text(cell.Category.String())
	}
	x.Sources.Verified = r.panel.Counts().OutsideIndex
	e, err := r.table.Explain(r.week, cell)
	if errors.Is(err, jevons.ErrNotPublished) {
		x.NotPublished, x.Reason = err, wire.Text(err.Error())
		if published != nil {
			x.Match = new(x.Matches())
		}
		return x, nil
	} else if err != nil {
		return nil, err
	}
	stores, err := r.table.StoreRelatives(r.week, cell)
	if err != nil {
		return nil, err
	}
	x.Row, x.SinceBase = &e.Row, &table.Decomposition{Decomposition: &e.SinceBase}
	for _, s := range stores {
		city := slices.IndexFunc(r.panel.Cities(), func(c basket.City) bool { return c.Slug == s.Store.City })
		x.Stores = append(x.Stores, StoreRelative{
			s.Product.ID, s.Product.Name, s.Store.ID, s.Store.Banner, r.panel.Cities()[city].Name, s.Listings, s.Base, s.Price, s.Relative, s.Trimmed,
		})
	}
	for i := range columns {
		x.Figures = append(x.Figures, x.figure(&columns[i], r.needs(columns[i].Name, cell)))
	}
	if published != nil {
		x.Match = new(x.Matches())
	}
	return x, nil
}

// needs returns the prices that the pages lack for a figure beside the level.
func (r *Recomputation) needs(column string, cell jevons.Cell) string {
	w := r.week
	switch column {
	case table.BasketCost:
		if !r.hold(w, jevons.Cell{Category: cell.Category}) {
			return fmt.Sprintf("week %s of the whole country", w)
		}
		return ""
	case table.ChangeWoW:
		// A headline's change counts from its previous published week.
		for w = w.Add(-1); cell.Category == basket.Overall && w >= r.table.Base(cell) && r.hold(w, cell) && r.table.Find(w, cell) == nil; {
			w = w.Add(-1)
		}
	case table.ChangeMoM:
		w = w.Add(-4)
	case table.ChangeYoY:
		w = w.Add(-52)
	}
	if w < r.table.Base(cell) || r.hold(w, cell) {
		return ""
	}
	return fmt.Sprintf("week %s", w)
}
