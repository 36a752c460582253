package jevons

import (
	"encoding/json"
	"iter"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Why a cell is not published; the first of these that holds.
const (
	NoPrices    = "no_prices"    // no product of the slice has a price there in that week
	BeforeEntry = "before_entry" // of a headline: the geography has not entered yet
	NoBase      = "no_base"      // of a category: no product has a price there in the base week
	BelowFloor  = "below_floor"  // too few of the products are matched
)

// Why a product is not matched.
const (
	NotPriced = "not_priced"  // no row in that week
	Filtered  = "filtered"    // the gate dropped all its rows of that week
	NotInBase = "not_in_base" // priced, but no series of it is priced in the base too
)

// Bits of Coverage.state.
const (
	bitPriced   = 1 << iota
	bitMatched  // with the base week
	bitEntered  // with the entry week
	bitFiltered // a row was dropped
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
	*layout
	panel     *panel.Panel
	floor     Share
	base      []float64    // log prices of the base week; nil: it has none
	first     panel.Week   // the base week
	based     []bool       // by cell: some product has a price in the base week
	entry     []panel.Week // by geography: entry week; 0: none
	entryLogs [][]float64
	there     []bool // by geography: it has a series
	dropped   map[panel.Week][]droppedAt
	state     []uint8 // by geography and product, of the week at hand
}

// droppedAt is a product in a geography with a row that the gate dropped.
type droppedAt struct{ geo, product int32 }

// NewCoverage examines the panel of a table that Compute made of it. The rows must
// be all of the panel's; without them no product is Filtered.
func NewCoverage(p *panel.Panel, rows *panel.Rows, t *Table) *Coverage {
	l := newLayout(p)
	c := &Coverage{
		layout: l, panel: p, floor: t.Options.Floor, first: t.Options.Base,
		entry: make([]panel.Week, len(l.geos)), there: make([]bool, len(l.geos)),
		entryLogs: make([][]float64, len(l.geos)), dropped: map[panel.Week][]droppedAt{},
	}
	c.base = c.logs(c.first)
	geoOf := map[Cell]int{}
	for g := range l.geos {
		geoOf[*l.cells[g*numSlices]] = g
	}
	for i := range t.Rows {
		if g, ok := geoOf[*t.Rows[i].Cell]; ok && c.entry[g] == 0 {
			c.entry[g], c.entryLogs[g] = t.Rows[i].Week, c.logs(t.Rows[i].Week)
		}
	}
	c.based = make([]bool, len(l.cells))
	c.eachRun(func(product int32, r *run) {
		priced := c.base != nil && slices.ContainsFunc(c.base[r.lo:r.hi], func(log float64) bool { return !math.IsNaN(log) })
		for _, g := range [...]int32{0, r.city, r.banner} {
			c.there[g] = true
			if priced {
				c.based[int(g)*numSlices+int(l.products[product].Category)] = true
			}
		}
	})
	if rows != nil {
		c.findDropped(panel.NewFiltered(rows, p), geoOf)
	}
	return c
}

// eachRun goes through the series, a run at a time.
func (c *Coverage) eachRun(do func(product int32, r *run)) {
	for i := range c.plans[0].parts {
		part := &c.plans[0].parts[i]
		for j := range part.runs {
			do(part.product, &part.runs[j])
		}
	}
}

// findDropped notes the rows that would count but for the gate.
func (c *Coverage) findDropped(f *panel.Filtered, geoOf map[Cell]int) {
	inIndex, product := map[string]bool{}, map[int]int32{}
	for _, b := range c.panel.Banners() {
		inIndex[b.Key] = b.InIndex
	}
	for i := range c.products {
		product[c.products[i].ID] = int32(i)
	}
	for r := range f.All {
		if !inIndex[r.Store.Banner] {
			continue
		}
		week := panel.WeekOf(r.ObservedAt)
		for _, cell := range [...]Cell{{Level: National}, {Level: City, City: r.City}, {Level: Banner, City: r.City, Banner: r.Store.Banner}} {
			if g, ok := geoOf[cell]; ok {
				c.dropped[week] = append(c.dropped[week], droppedAt{int32(g), product[r.Product.ID]})
			}
		}
	}
}

// logs returns the log prices of a week, or nil when it has no prices.
func (c *Coverage) logs(w panel.Week) []float64 {
	if k, ok := slices.BinarySearch(c.panel.Weeks(), w); ok {
		return c.panel.LogPrices(k)
	}
	return nil
}

// Cells yields every cell that the filter chooses, in the order of rows: those of
// each calendar week from the base week to the last closed one, through, of every
// geography that has a series, and of every slice that has an active product. Weeks
// without any row are there too.
func (c *Coverage) Cells(f Filter, through panel.Week) iter.Seq[CoverageCell] {
	return func(yield func(CoverageCell) bool) {
		c := *c
		c.state = make([]uint8, len(c.geos)*len(c.products))
		for week := c.first; week <= through && (f.To == 0 || week.Date() <= f.To); week = week.Add(1) {
			if week.Date() < f.From {
				continue
			}
			c.examine(week)
			for i, cell := range c.cells {
				g := i / numSlices
				if c.there[g] && c.slices[cell.Category].items > 0 && f.Matches(cell) && !yield(c.cell(week, g, cell)) {
					return
				}
			}
		}
	}
}

// examine fills in the state of a week.
func (c *Coverage) examine(week panel.Week) {
	clear(c.state)
	n := len(c.products)
	for _, d := range c.dropped[week] {
		c.state[int(d.geo)*n+int(d.product)] |= bitFiltered
	}
	now := c.logs(week)
	if now == nil {
		return
	}
	c.eachRun(func(product int32, r *run) {
		for _, g := range [...]int32{0, r.city, r.banner} {
			state := &c.state[int(g)*n+int(product)]
			var entry []float64
			if c.entry[g] <= week {
				entry = c.entryLogs[g]
			}
			for i := r.lo; i < r.hi; i++ {
				if math.IsNaN(now[i]) {
					continue
				}
				*state |= bitPriced
				if c.base != nil && !math.IsNaN(c.base[i]) {
					*state |= bitMatched
				}
				if entry != nil && !math.IsNaN(entry[i]) {
					*state |= bitEntered
				}
			}
		}
	})
}

// cell says what there is of a cell in the week at hand.
func (c *Coverage) cell(week panel.Week, g int, cell *Cell) CoverageCell {
	x := CoverageCell{Week: week, Cell: cell, TotalItems: c.slices[cell.Category].items}
	matched := uint8(bitMatched)
	if cell.Category == basket.Overall {
		matched = bitEntered
	}
	priced := 0
	for i := range c.products {
		if p := &c.products[i]; !p.Active || cell.Category != basket.Overall && cell.Category != p.Category {
			continue
		}
		state, reason := c.state[g*len(c.products)+i], ""
		switch {
		case state&matched != 0:
			x.ItemCount++
		case state&bitPriced != 0:
			reason = NotInBase
		case state&bitFiltered != 0:
			reason = Filtered
		default:
			reason = NotPriced
		}
		if state&bitPriced != 0 {
			priced++
		}
		if reason != "" {
			x.Unmatched = append(x.Unmatched, Unmatched{c.products[i].ID, reason})
		}
	}
	switch {
	case priced == 0:
		x.Reason = NoPrices
	case cell.Category == basket.Overall && (c.entry[g] == 0 || week < c.entry[g]):
		x.Reason = BeforeEntry
	case cell.Category != basket.Overall && !c.based[g*numSlices+int(cell.Category)]:
		x.Reason = NoBase
	case x.ItemCount == 0 || !c.floor.MetBy(x.ItemCount, x.TotalItems):
		x.Reason = BelowFloor
	}
	return x
}

// MarshalJSON writes date, city, retailer, category, published, reason, item_count,
// total_items and unmatched. The reason of a published cell is null.
func (x CoverageCell) MarshalJSON() ([]byte, error) {
	orNull := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	category := ""
	if x.Cell.Category != basket.Overall {
		category = x.Cell.Category.String()
	}
	return json.Marshal(struct {
		Date       panel.Week  `json:"date"`
		City       *string     `json:"city"`
		Retailer   *string     `json:"retailer"`
		Category   *string     `json:"category"`
		Published  bool        `json:"published"`
		Reason     *string     `json:"reason"`
		ItemCount  int         `json:"item_count"`
		TotalItems int         `json:"total_items"`
		Unmatched  []Unmatched `json:"unmatched"`
	}{
		x.Week, orNull(x.Cell.City), orNull(x.Cell.Banner), orNull(category), x.Reason == "", orNull(x.Reason),
		x.ItemCount, x.TotalItems, append([]Unmatched{}, x.Unmatched...),
	})
}
