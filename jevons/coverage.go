package jevons

import (
	"iter"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
)

// Why a cell is not published; the first of these that holds.
const (
	noPrices    = "no_prices"    // no product of the slice has a price there in that week
	beforeEntry = "before_entry" // of a headline: the geography has not entered yet
	noBase      = "no_base"      // of a category: no product has a price there in the base week
	belowFloor  = "below_floor"  // too few of the products are matched
)

// Why a product is not matched.
const (
	notPriced   = "not_priced"  // no row in that week
	filteredOut = "filtered"    // the gate dropped all its rows of that week
	notInBase   = "not_in_base" // priced, but no series of it is priced in the base too
)

// CoverageCell is one cell in one week, published or not.
type CoverageCell struct {
	Week       panel.Week
	Cell       *Cell
	Reason     string // why it is not published; empty if it is
	ItemCount  int    // products matched with the base
	TotalItems int    // active products of the slice
	Unmatched  []Unmatched
}

// Unmatched is an active product of a cell that is not matched, with the reason.
type Unmatched struct {
	Product int    `json:"product_id"`
	Reason  string `json:"reason"`
}

// Coverage says why cells of the published series are missing.
type Coverage struct {
	*engine
	based   []bool // by cell: some product has a price in the base week
	there   []bool // by geography: it has a series
	dropped map[dropped]bool
}

// dropped is a product in a geography with a row of the week that the gate dropped.
type dropped struct {
	week         panel.Week
	geo, product int
}

// NewCoverage examines a table of Compute's. The rows must be all of its panel's; without
// them none is found to be filtered.
func NewCoverage(rows *panel.Rows, t *Table) *Coverage {
	c := &Coverage{engine: t.engine, there: make([]bool, len(t.engine.geos)), based: make([]bool, len(t.engine.cells)), dropped: map[dropped]bool{}}
	inBase := c.newGrid()
	if c.index(c.opts.Base) == 0 {
		inBase.examine(0, 1)
	}
	for i := range c.plans[0].parts {
		part := &c.plans[0].parts[i]
		for _, at := range part.points {
			c.there[at.geo] = true
			if inBase.at(int(at.geo), int(part.product)).priced != 0 {
				c.based[int(at.geo)*numSlices+int(c.products[part.product].Category)] = true
			}
		}
	}
	if rows != nil {
		c.findDropped(check.NewFiltered(rows, c.panel))
	}
	return c
}

// findDropped notes the rows that would count but for the gate.
func (c *Coverage) findDropped(f *check.Filtered) {
	inIndex, product := map[string]bool{}, map[int]int{}
	for _, b := range c.panel.Banners() {
		inIndex[b.Key] = b.InIndex
	}
	for i := range c.products {
		product[c.products[i].ID] = i
	}
	for r := range f.All {
		if !inIndex[r.Store.Banner] {
			continue
		}
		week := panel.WeekOf(r.ObservedAt)
		for _, cell := range [...]Cell{{Level: National}, {Level: City, City: r.City}, {Level: Banner, City: r.City, Banner: r.Store.Banner}} {
			if g := c.geography(cell); g >= 0 {
				c.dropped[dropped{week, g, product[r.Product.ID]}] = true
			}
		}
	}
}

// Cells yields every cell that the filter chooses, in the order of rows: those of
// each calendar week from the base week to the last closed one, through, of every
// geography that has a series, and of every slice that has an active product. Weeks
// without any row are there too.
func (c *Coverage) Cells(f Filter, through panel.Week) iter.Seq[CoverageCell] {
	return func(yield func(CoverageCell) bool) {
		grid := c.newGrid()
		for week := c.opts.Base; week <= through && (f.To == 0 || week.Date() <= f.To); week = week.Add(1) {
			if week.Date() < f.From {
				continue
			}
			for i, cell := range c.cells {
				g := i / numSlices
				if c.there[g] && c.slices[cell.Category].items > 0 && f.Matches(cell) && !yield(grid.cell(week, g, cell)) {
					return
				}
			}
		}
	}
}

// grid is the products of up to lanes.Width weeks by geography.
type grid struct {
	*Coverage
	worker   *worker
	first, n int     // the weeks
	states   []state // by geography and product
}

// state has one bit for each week in which a product is priced, matched with the base
// week, and matched with the geography's entry week.
type state struct{ priced, matched, entered uint8 }

func (c *Coverage) newGrid() *grid {
	return &grid{Coverage: c, worker: c.newWorker(), states: make([]state, len(c.geos)*len(c.products))}
}

func (x *grid) at(g, product int) *state { return &x.states[g*len(x.products)+product] }

// examine fills in n weeks from week k on.
func (x *grid) examine(k, n int) {
	clear(x.states)
	x.first, x.n = k, n
	x.eachPart(x.worker, &x.plans[0], x.stretch(k, n, x.base), func(part *part) {
		for i, at := range part.points {
			s, sums := x.at(int(at.geo), int(part.product)), &x.worker.points[i]
			s.priced, s.matched = weeksOf(sums.Count(lanes.Prices)), weeksOf(sums.Count(lanes.Relatives))
		}
	})
	for i := range x.plans {
		plan, starts := &x.plans[i], map[int]bool{-1: true}
		for _, g := range plan.geos {
			start := x.entry[g]
			if starts[start] {
				continue
			}
			starts[start] = true
			x.eachPart(x.worker, plan, x.stretch(k, n, x.logs[start]), func(part *part) {
				for i, at := range part.points {
					if g := int(at.geo); slices.Contains(plan.geos, g) && x.entry[g] == start {
						early := uint8(1)<<max(0, start-k) - 1 // the weeks before the entry week
						x.at(g, int(part.product)).entered = weeksOf(x.worker.points[i].Count(lanes.Relatives)) &^ early
					}
				}
			})
		}
	}
}

// cell says what there is of a cell in a week.
func (x *grid) cell(week panel.Week, g int, cell *Cell) CoverageCell {
	c := CoverageCell{Week: week, Cell: cell, TotalItems: x.slices[cell.Category].items}
	bit := uint8(0)
	if k := x.index(week); k >= 0 {
		if k < x.first || k >= x.first+x.n {
			x.examine(k, min(lanes.Width, len(x.weeks)-k))
		}
		bit = 1 << (k - x.first)
	}
	headline, priced := cell.Category == basket.Overall, 0
	for i := range x.products {
		p, s := &x.products[i], x.at(g, i)
		if !p.Active || !headline && cell.Category != p.Category {
			continue
		}
		if s.priced&bit != 0 {
			priced++
		}
		switch {
		case headline && s.entered&bit != 0, !headline && s.matched&bit != 0:
			c.ItemCount++
		case s.priced&bit != 0:
			c.Unmatched = append(c.Unmatched, Unmatched{p.ID, notInBase})
		case x.dropped[dropped{week, g, i}]:
			c.Unmatched = append(c.Unmatched, Unmatched{p.ID, filteredOut})
		default:
			c.Unmatched = append(c.Unmatched, Unmatched{p.ID, notPriced})
		}
	}
	switch {
	case priced == 0:
		c.Reason = noPrices
	case headline && (x.entry[g] < 0 || week < x.weeks[x.entry[g]]):
		c.Reason = beforeEntry
	case !headline && !x.based[g*numSlices+int(cell.Category)]:
		c.Reason = noBase
	case c.ItemCount == 0 || !x.opts.Floor.metBy(c.ItemCount, c.TotalItems):
		c.Reason = belowFloor
	}
	return c
}
