package audit

import (
	"errors"
	"fmt"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Recomputation is the index of one week, computed from pages. Check answers for
// those of its cells that the pages hold all prices of.
type Recomputation struct {
	*Evidence
	panel      *panel.Panel
	table      *jevons.Table
	base, week panel.Week
	cities     map[string]string // display names by the panel's slugs
}

// Recompute computes the index of a week on a base week. It fails when rows of
// the pages contradict each other.
func (e *Evidence) Recompute(base, week panel.Week) (*Recomputation, error) {
	p, err := e.panel(base)
	if err != nil {
		return nil, err
	}
	table, err := jevons.Compute(p, jevons.Options{Through: week})
	if err != nil {
		return nil, err
	}
	r := &Recomputation{Evidence: e, panel: p, table: table, base: base, week: week, cities: map[string]string{}}
	for _, c := range p.Cities() {
		r.cities[c.Slug] = c.Name
	}
	return r, nil
}

// Panel returns the panel that the pages make. Its cities have slugs of their own:
// pages have none.
func (r *Recomputation) Panel() *panel.Panel { return r.panel }

// Suffices fails when the pages do not hold every price that the level of the
// cell needs; Downloads finds in the error what to add.
//
// A level needs the week and the base week. A headline needs every week up to its
// entry week instead of the base week: they show that none before had enough
// products.
func (r *Recomputation) Suffices(cell jevons.Cell) error {
	x := r.extentOf(cell)
	var errs []error
	asked := r.base.Add(-1) // the last week that is asked for
	for w := r.base; w <= r.week; w = w.Add(1) {
		if !r.hold(w, x) {
			asked = w
			if w > r.base {
				asked = r.week // the entry week may be any
			}
			errs = append(errs, r.lack(w, asked, x))
			break
		}
		if cell.Category != basket.Overall || r.table.Base(cell) == w {
			break
		}
	}
	if asked < r.week && !r.hold(r.week, x) {
		errs = append(errs, r.lack(r.week, r.week, x))
	}
	return errors.Join(errs...)
}

// Check recomputes a cell and compares it with what was published, unless that is
// nil. It fails when the pages do not suffice, and for a place that they do not
// have. A figure that differs is no error: it is in the result.
func (r *Recomputation) Check(cell jevons.Cell, published Published) (*Result, error) {
	if err := r.Suffices(cell); err != nil {
		return nil, err
	}
	result := &Result{Cell: cell, Week: r.week, Published: published, Figures: []Figure{}, Stores: []StoreRelative{}, Sources: r.sources}
	result.Sources.Verified = r.panel.Counts().OutsideIndex
	e, err := r.table.Explain(r.week, cell)
	switch {
	case errors.Is(err, jevons.ErrNotPublished):
		result.NotPublished = err
	case err != nil:
		return nil, err
	default:
		if err := r.fill(result, e); err != nil {
			return nil, err
		}
	}
	if published != nil && !result.Matches() {
		result.Warnings = append(result.Warnings, panel.Warning{
			Code: "unknown_snapshot", Kind: "Pages do not say of which snapshot they are.",
			Remedy: "If the data changed between the downloads, download all of them again before you ask the publisher.",
		})
	}
	return result, nil
}

// fill adds the row and what is behind it.
func (r *Recomputation) fill(result *Result, e *jevons.Explanation) error {
	result.Row, result.SinceBase = &e.Row, &e.SinceBase
	stores, err := r.table.StoreRelatives(r.week, result.Cell)
	if err != nil {
		return err
	}
	for _, s := range stores {
		result.Stores = append(result.Stores, StoreRelative{
			s.Product.ID, s.Product.Name, s.Store.ID, s.Store.Banner, r.cities[s.Store.City], s.Listings, s.Base, s.Price, s.Relative, s.Trimmed,
		})
	}
	needs := r.needs(result.Cell)
	for _, c := range columns {
		f := Figure{Column: c, Recomputed: c.Number(&e.Row), Needs: needs[c.Name]}
		f.Published, f.Given = result.Published[c.Name]
		result.Figures = append(result.Figures, f)
	}
	return nil
}

// needs returns the prices that the pages lack for figures beside the level, by
// column.
func (r *Recomputation) needs(cell jevons.Cell) map[string]string {
	list := map[string]string{}
	x, start := r.extentOf(cell), r.table.Base(cell)
	if !r.hold(r.week, extent{products: x.products}) {
		list[table.BasketCost] = fmt.Sprintf("week %s of the whole country", r.week)
	}
	// A headline's change counts from its previous published week.
	for w := r.week.Add(-1); w >= start; w = w.Add(-1) {
		if !r.hold(w, x) {
			list[table.ChangeWoW] = fmt.Sprintf("week %s", w)
			break
		}
		if cell.Category != basket.Overall || r.table.Find(w, cell) != nil {
			break
		}
	}
	for column, weeks := range map[string]int{table.ChangeMoM: 4, table.ChangeYoY: 52} {
		if w := r.week.Add(-weeks); w >= start && !r.hold(w, x) {
			list[column] = fmt.Sprintf("week %s", w)
		}
	}
	return list
}
