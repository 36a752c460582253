package jevons

import (
	"errors"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Index is a table to which weeks can be added. It keeps what was published, by
// place, and the panel that it is of. It is for one goroutine at a time; the
// tables that it has returned are not touched by adding weeks.
type Index struct {
	past
	panel *panel.Panel
	opts  Options
	rows  []Row
}

// past is what a computation needs to know of the weeks before: what was
// published in them.
type past struct {
	weeks []panel.Week // from the base week on, through the last published one
	cells []*Cell      // by geography and slice

	// By week, geography and slice; see engine.at.
	items []int32 // matched products; 0: not published
	level []int64 // the published level in ten-thousandths

	// By geography.
	entry []int // place of the entry week in weeks; -1: none yet
	last  []int // place of the last published headline; -1: none yet
}

// NewIndex computes the table of the panel, as Compute does, such that it can be
// extended.
func NewIndex(p *panel.Panel, o Options) (*Index, error) {
	o, err := o.withDefaults(p)
	if err != nil {
		return nil, err
	}
	x := &Index{panel: p, opts: o}
	x.compute()
	return x, nil
}

// Table returns the table through the last week that was computed.
func (x *Index) Table() *Table {
	return &Table{Rows: x.rows[:len(x.rows):len(x.rows)], Options: x.opts}
}

// Extend adds the weeks of p that are not in the table yet, through the given
// one; 0: p's last. It computes these weeks only, and the table is then, to the
// last digit, what Compute returns for p with the same options and that last
// week.
//
// This rests on p having the earlier weeks as they were, which only
// [panel.Extend] promises: p must be the index's panel or extend it. For another
// one, and for a last week before that of the table, Extend returns an error and
// changes nothing: compute the table anew.
func (x *Index) Extend(p *panel.Panel, through panel.Week) error {
	o := x.opts
	o.Through = through
	o, err := o.withDefaults(p)
	if err != nil {
		return err
	}
	if !p.Extends(x.panel) {
		return errors.New("jevons: extend: the panel was not made by panel.Extend from the one that the table is of; use NewIndex")
	}
	if o.Through < x.opts.Through {
		return fmt.Errorf("jevons: extend: the table goes through %s already, which is after %s; use NewIndex", x.opts.Through, o.Through)
	}
	next := *x
	next.panel, next.opts = p, o
	next.compute()
	*x = next
	return nil
}

// compute adds the panel's weeks that are not there yet.
func (x *Index) compute() {
	e := &engine{layout: newLayout(x.panel), panel: x.panel, opts: x.opts, fresh: len(x.weeks)}
	e.takeWeeks()
	e.past.takeGeographies(&x.past, e.geos, x.panel)
	e.makeRoom()
	e.measureWeeks()
	e.findEntries()
	e.rebaseHeadlines()
	e.link()
	e.matchCompositions()
	x.rows = e.addRows(x.rows)
	x.past = e.past
}

// takeGeographies takes over what was published in old, for a list of
// geographies that may have new ones between the old.
func (p *past) takeGeographies(old *past, geos []geography, of *panel.Panel) {
	n := len(geos) * numSlices
	p.entry, p.last = make([]int, len(geos)), make([]int, len(geos))
	from := make([]int, len(geos)) // place among the old ones; -1: new
	known := map[Cell]int{}
	before := len(old.cells) / numSlices
	for g := range before {
		known[*old.cells[g*numSlices]] = g
	}
	p.cells = make([]*Cell, 0, n)
	for g, geo := range geos {
		cell := geo.cell(of)
		p.entry[g], p.last[g], from[g] = -1, -1, -1
		if at, ok := known[cell]; ok {
			p.entry[g], p.last[g], from[g] = old.entry[at], old.last[at], at
			p.cells = append(p.cells, old.cells[at*numSlices:(at+1)*numSlices]...)
			continue
		}
		for _, c := range basket.Slices() {
			each := cell
			each.Category = c
			p.cells = append(p.cells, &each)
		}
	}
	if len(geos) == before {
		p.items, p.level = old.items, old.level // new ones never replace any
		return
	}
	p.items, p.level = make([]int32, len(old.weeks)*n), make([]int64, len(old.weeks)*n)
	for k := range old.weeks {
		for g, at := range from {
			if at >= 0 {
				there, here := (k*before+at)*numSlices, (k*len(geos)+g)*numSlices
				copy(p.items[here:here+numSlices], old.items[there:])
				copy(p.level[here:here+numSlices], old.level[there:])
			}
		}
	}
}

// cell returns the geography's headline cell.
func (g geography) cell(p *panel.Panel) Cell {
	cell := Cell{Level: g.level}
	if g.city >= 0 {
		cell.City = p.Cities()[g.city].Name
	}
	if g.banner >= 0 {
		cell.Banner = p.Banners()[g.banner].Key
	}
	return cell
}

// grown returns the list with n more zero values. New memory is zero as it comes,
// and touched by those who fill it only.
func grown[T any](list []T, n int) []T {
	if len(list) == 0 {
		return make([]T, n)
	}
	list = slices.Grow(list, n)[:len(list)+n]
	clear(list[len(list)-n:])
	return list
}
