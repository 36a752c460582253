package jevons

import (
	"runtime"
	"slices"
	"sync"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Part is the contribution of a category to a headline, or of a product to a category's row.
// The parts of a row add up to its published digits.
type Part struct {
	Product  int             // id; 0: the part of a category
	Category basket.Category // of the part
	Level    panel.Fixed     // percentage points of Index - 100
	WoW      panel.Fixed     // percentage points of WoW; null where that is
}

// WithContributions returns the rows, which must be the table's own, with an Extra
// that has their Contributions beside what it had. They are the decompositions of
// Explain. A headline has those categories that have a matched product. A category's
// row has the products that are matched now, and where it has a WoW also those that
// were matched in the week before. The table must be Compute's for this panel. The
// error is that of Explain.
func (t *Table) WithContributions(p *panel.Panel, rows []Row) ([]Row, error) {
	if t.Linked {
		return nil, errLinked
	}
	type place struct {
		geography
		category basket.Category
	}
	places := map[place][]int32{}
	for i, s := range p.Series() {
		for _, g := range [...]geography{{National, -1, -1}, {City, s.City, -1}, {Banner, s.City, s.Banner}} {
			for _, c := range [...]basket.Category{basket.Overall, p.Products()[s.Product].Category} {
				places[place{g, c}] = append(places[place{g, c}], int32(i))
			}
		}
	}
	all, extras := slices.Clone(rows), make([]Extra, len(rows))
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for k := range workers {
		wg.Go(func() {
			for i := len(all) * k / workers; i < len(all)*(k+1)/workers; i++ {
				r := &all[i]
				x := &explainer{table: t, panel: p, cell: *r.Cell, series: places[place{placeOf(p, *r.Cell), r.Cell.Category}], base: r.Base}
				if r.Extra != nil {
					extras[i] = *r.Extra
				}
				extras[i].Contributions = x.explain(r).parts()
				r.Extra = &extras[i]
			}
		})
	}
	wg.Wait()
	return all, nil
}

// parts returns the row's parts: those of categories in published order, or those
// of products by id.
func (e *Explanation) parts() (parts []Part) {
	if e.Row.Cell.Category == basket.Overall {
		return e.Categories()
	}
	moved := &e.SinceBase
	if e.WoW != nil {
		moved = e.WoW
	}
	now := e.SinceBase.Products
	for i := range moved.Products {
		c := &moved.Products[i]
		part := Part{Product: c.Product.ID, Category: c.Product.Category, Level: panel.FixedOf(0)}
		if len(now) > 0 && now[0].Product.ID == part.Product {
			part.Level, now = now[0].Rounded, now[1:]
		}
		if e.WoW != nil {
			part.WoW = c.Rounded
		}
		parts = append(parts, part)
	}
	return parts
}

// Categories returns the parts of a headline's categories in published order. Products are
// added up before they are rounded.
func (e *Explanation) Categories() (parts []Part) {
	level, there := e.SinceBase.byCategory()
	wow := make([]float64, numSlices)
	if e.WoW != nil {
		wow, _ = e.WoW.byCategory()
	}
	var levels, changes []float64
	for c := basket.Dairy; int(c) < numSlices; c++ {
		if there[c] {
			parts = append(parts, Part{Category: c})
			levels, changes = append(levels, level[c]), append(changes, wow[c])
		}
	}
	rounded, roundedWoW := apportion(levels, e.Row.Index.Units-100*unitsPerOne), apportion(changes, e.Row.WoW.Units)
	for i := range parts {
		parts[i].Level, parts[i].WoW = panel.FixedOf(rounded[i]), panel.Fixed{Units: roundedWoW[i], Valid: e.WoW != nil}
	}
	return parts
}

// byCategory adds up the points of each category, and says which have a product.
func (d *Decomposition) byCategory() (points []float64, there []bool) {
	points, there = make([]float64, numSlices), make([]bool, numSlices)
	for i := range d.Products {
		c := d.Products[i].Product.Category
		points[c] += d.Products[i].Points
		there[c] = true
	}
	return points, there
}
