package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// recomputation is the index of one week, computed from downloaded pages. Where
// the pages don't hold all prices of a place, its rows are of no use: check asks
// for what a cell needs first.
type recomputation struct {
	*downloads
	panel      *panel.Panel
	table      *jevons.Table
	base, week panel.Week
}

func (d *downloads) recompute(base, week panel.Week) (*recomputation, error) {
	p, err := d.panel(base)
	if err != nil {
		return nil, err
	}
	table, err := jevons.Compute(p, jevons.Options{Through: week})
	return &recomputation{d, p, table, base, week}, err
}

// verification is what came of checking one cell.
type verification struct {
	*recomputation
	cell    jevons.Cell
	row     *jevons.Row // nil: it has none
	whyNot  error
	since   jevons.Decomposition
	stores  []jevons.StoreRelative
	figures []checked // as figures
	claim   *claim    // nil: nothing to compare with
}

// checked is one figure, recomputed and published.
type checked struct {
	value panel.Fixed
	needs string // what the pages lack for it; empty: it was recomputed
	published
}

// compared reports whether the figure was compared.
func (c *checked) compared() bool { return c.needs == "" && c.given }

// check recomputes a cell and compares it with what was published, unless that
// is nil.
func (r *recomputation) check(cell jevons.Cell, published *claim) (*verification, error) {
	if err := r.suffices(cell); err != nil {
		return nil, err
	}
	if _, err := cellOf(r.panel, cell.City, cell.Banner, cell.Category.String()); err != nil {
		return nil, err
	}
	v := &verification{recomputation: r, cell: cell, claim: published}
	e, err := r.table.Explain(r.panel, r.week, cell)
	switch {
	case errors.Is(err, jevons.ErrNotPublished):
		v.whyNot = err
		return v, nil
	case err != nil:
		return nil, err
	}
	v.row, v.since = &e.Row, e.SinceBase
	if v.stores, err = r.table.StoreRelatives(r.panel, r.week, cell); err != nil {
		return nil, err
	}
	v.figures = make([]checked, len(figures))
	for i := range figures {
		v.figures[i].value = figures[i].Number(&e.Row)
		if published != nil && !published.absent {
			v.figures[i].published = published.figures[i]
		}
	}
	for name, needs := range r.unknown(cell) {
		v.figures[figure(name)].needs = needs
	}
	return v, nil
}

// suffices refuses pages that a cell's level can't be recomputed from. It needs
// the week and the base week; a headline instead of that all weeks up to its
// entry week, which they show to be the first with enough products.
func (r *recomputation) suffices(cell jevons.Cell) error {
	e := r.extentOf(cell)
	var errs []error
	asked := r.base.Add(-1) // the last week that is asked for
	for w := r.base; w <= r.week; w = w.Add(1) {
		if !r.hold(w, e) {
			asked = w
			if w > r.base {
				asked = r.week // the entry week may be any
			}
			errs = append(errs, r.lack(w, asked, e))
			break
		}
		if cell.Category != basket.Overall || r.table.Base(cell) == w {
			break
		}
	}
	if asked < r.week && !r.hold(r.week, e) {
		errs = append(errs, r.lack(r.week, r.week, e))
	}
	return errors.Join(errs...)
}

// unknown returns the figures that the pages are not enough for, and what they
// lack.
func (r *recomputation) unknown(cell jevons.Cell) map[string]string {
	list := map[string]string{}
	e, start := r.extentOf(cell), r.table.Base(cell)
	if !r.hold(r.week, e.nation()) {
		list[jevons.BasketCost] = fmt.Sprintf("week %s of the whole country", r.week)
	}
	// A headline's change counts from its previous published week.
	for w := r.week.Add(-1); w >= start; w = w.Add(-1) {
		if !r.hold(w, e) {
			list[jevons.ChangeWoW] = fmt.Sprintf("week %s", w)
		}
		if list[jevons.ChangeWoW] != "" || cell.Category != basket.Overall || r.table.Find(w, cell) != nil {
			break
		}
	}
	for f, weeks := range map[string]int{jevons.ChangeMoM: 4, jevons.ChangeYoY: 52} {
		if w := r.week.Add(-weeks); w >= start && !r.hold(w, e) {
			list[f] = fmt.Sprintf("week %s", w)
		}
	}
	return list
}

// matches reports whether everything that could be compared is as published.
func (v *verification) matches() bool {
	if v.claim.absent || v.row == nil {
		return v.claim.absent && v.row == nil
	}
	return !slices.ContainsFunc(v.figures, func(c checked) bool { return c.compared() && c.value != c.published.value })
}
