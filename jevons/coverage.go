package jevons

import (
	"iter"
	"slices"

	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
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
	Week       panel.Week  `json:"-"`
	Cell       *Cell       `json:"-"`
	Reason     string      `json:"-"`           // why it is not published; empty if it is
	ItemCount  int         `json:"item_count"`  // products matched with the base
	TotalItems int         `json:"total_items"` // active products of the slice
	Unmatched  []Unmatched `json:"unmatched"`   // not nil
}

// Unmatched is an active product of a cell that is not matched, with the reason.
type Unmatched struct {
	Product int64  `json:"product_id"`
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
	week    panel.Week
	geo     int
	product int64 // its id
}

// NewCoverage examines a table of Compute's. The rows must be all of its panel's; without
// them none is found to be filtered.
func NewCoverage(rows *panel.Rows, t *Table) *Coverage {
	e := t.engine
	c := &Coverage{e, make([]bool, e.all*len(e.slices)), make([]bool, e.all), map[dropped]bool{}}
	for _, x := range c.items[0] {
		for _, r := range x.banners {
			priced := slices.ContainsFunc(c.base[r.lo:r.hi], func(log float64) bool { return log == log })
			for _, g := range [...]int{0, int(r.city), int(r.banner)} {
				at := g*len(c.slices) + c.sliceOf[x.product]
				c.there[g], c.based[at] = true, c.based[at] || priced
			}
		}
	}
	if rows != nil {
		c.findDropped(rows)
	}
	return c
}

// findDropped notes the rows that would count but for the gate.
func (c *Coverage) findDropped(rows *panel.Rows) {
	p, weekOf, names := c.panel, c.panel.Calendar().Weeks(), map[string]string{}
	for _, x := range p.Cities() {
		names[x.Slug] = x.Name
	}
	geos := map[int64][]int{} // by store: where its rows count
	for _, b := range p.Banners() {
		for _, s := range p.Stores() {
			if b.InIndex && s.Active && s.Banner == b.Key {
				city := names[s.City]
				at, _ := c.geography(Cell{Level: City, City: city})
				within, _ := c.geography(Cell{Level: Banner, City: city, Banner: b.Key})
				geos[s.ID] = []int{0, at, within}
			}
		}
	}
	for i := range rows.Len() {
		if rows.Verdict(i) == panel.Pass {
			continue
		}
		if at, ok := p.ListingAt(rows.Listing(i)); ok && p.Listings()[at].Active {
			for _, g := range geos[rows.Store(i)] {
				c.dropped[dropped{weekOf(rows.UnixNano(i)), g, p.Listings()[at].ProductID}] = true
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
		grid := &grid{Coverage: c, base: c.newWorker(), entered: c.newWorker()}
		for week := c.opts.Base; week <= through && (f.To == 0 || week.Date() <= f.To); week = week.Add(1) {
			if week.Date() < f.From {
				continue
			}
			for i, cell := range c.cells {
				g, slice := i/len(c.slices), i%len(c.slices)
				chosen := c.chosen(g, slice) && c.there[g] && c.slices[slice].items > 0 && f.Matches(cell)
				if chosen && !yield(grid.cell(week, g, cell)) {
					return
				}
			}
		}
	}
}

// grid is the elementary aggregates of up to lanes.Width weeks, against the base week and against
// the entry week of each geography.
type grid struct {
	*Coverage
	base, entered *worker
	first, n      int // the weeks
}

func (x *grid) examine(k, n int) {
	x.first, x.n = k, n
	x.eachItem(x.base, 0, x.against(k, n, x.engine.base), x.base.keep)
	for scope := range x.items {
		x.eachEntry(scope, func(from entry) {
			x.eachItem(x.entered, scope, x.against(k, n, x.logs[from.week]), func(of *item) {
				for i, at := range of.places {
					g := int(at.geography)
					if g < len(x.scopes) && x.scopes[g] == scope && x.entry[g] == from {
						x.entered.kept(g, of.product).Sums = x.entered.elementary[i]
					}
				}
			})
		})
	}
}

func (x *grid) cell(week panel.Week, g int, cell *Cell) CoverageCell {
	slice := cell.Category.Index()
	c := CoverageCell{Week: week, Cell: cell, TotalItems: x.slices[slice].items, Unmatched: []Unmatched{}}
	k, collected := x.week(week)
	if collected && (k < x.first || k >= x.first+x.n) {
		x.examine(k, min(lanes.Width, len(x.weeks)-k))
	}
	matched := x.base
	priced, early := 0, false
	if slice == headline {
		matched, early = x.entered, !x.entry[g].found || week < x.weeks[x.entry[g].week]
	}
	for i := range x.products {
		p := &x.products[i]
		if !p.Active || slice != headline && slice != x.sliceOf[i] {
			continue
		}
		has := func(w *worker, stream int) bool { return collected && w.kept(g, int32(i)).Count(stream)[k-x.first] > 0 }
		there := has(x.base, lanes.Prices)
		if there {
			priced++
		}
		switch {
		case !early && has(matched, lanes.Relatives):
			c.ItemCount++
		case there:
			c.Unmatched = append(c.Unmatched, Unmatched{p.ID, notInBase})
		case x.dropped[dropped{week, g, p.ID}]:
			c.Unmatched = append(c.Unmatched, Unmatched{p.ID, filteredOut})
		default:
			c.Unmatched = append(c.Unmatched, Unmatched{p.ID, notPriced})
		}
	}
	switch {
	case priced == 0:
		c.Reason = noPrices
	case early:
		c.Reason = beforeEntry
	case slice != headline && !x.based[g*len(x.slices)+slice]:
		c.Reason = noBase
	case c.ItemCount == 0 || !x.opts.Floor.metBy(c.ItemCount, c.TotalItems):
		c.Reason = belowFloor
	}
	return c
}
