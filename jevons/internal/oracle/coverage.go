package oracle

import (
	"slices"
	"time"
)

// CoverageCell is one cell of one week of the grid (section 13).
type CoverageCell struct {
	Date     string
	City     string // display name, "" on national cells
	Banner   string // "" on national and city cells
	Category string // "" is the headline

	Published             bool
	Reason                string // "" when published
	ItemCount, TotalItems int
	Unmatched             []Unmatched
}

// Unmatched says why a product is not matched.
type Unmatched struct {
	Product int64
	Reason  string
}

// Coverage is the whole grid. Section 13: "For every closed week from the base
// week on, every geography that has a series and every slice"; "a geography is
// in it when it has a passing row of any date; slices without active products
// are left out; [...] cells come in the index's row order". Where section 13 is
// silent: a passing row is one that counts by section 2, and a row that the
// gate dropped is one that would count but for the gate.
func Coverage(d *Data, opts Options) []CoverageCell {
	opts.Plain = true
	p := newPanelFor(d, opts)
	dropped := p.droppedByGate(d)
	var cells []CoverageCell
	for g := range p.prices {
		for _, slice := range append([]string{overall}, p.categories...) {
			if len(p.slice(slice)) == 0 {
				continue
			}
			published := map[string]bool{}
			for _, row := range p.cell(g, slice, opts) {
				published[row.Date] = true
			}
			// "every calendar week up to the last closed one, also weeks without any row"
			for w := p.baseWeek; !opts.Now.Before(closes(w)); w = addDays(w, 7) {
				c := p.coverage(g, slice, w, dropped[geoWeek{g, w}])
				c.Published = published[w]
				if !c.Published {
					c.Reason = p.whyMissing(g, slice, w)
				}
				cells = append(cells, c)
			}
		}
	}
	slices.SortFunc(cells, func(a, b CoverageCell) int { return p.publishedOrder(a.place(), b.place()) })
	return cells
}

func (c CoverageCell) place() Row {
	return Row{Date: c.Date, City: c.City, Banner: c.Banner, Category: c.Category}
}

// whyMissing is the first reason that holds for a cell that is not published.
func (p *panel) whyMissing(g geography, slice, w string) string {
	b := p.base(g, slice)
	switch {
	case len(p.priced(g, slice, w)) == 0:
		return "no_prices"
	case slice == overall && (b == "" || w < b):
		return "before_entry"
	case slice != overall && len(p.priced(g, slice, b)) == 0:
		return "no_base"
	}
	return "below_floor"
}

// coverage counts the matched products and says why each other is not. "Before
// the entry week nothing of a headline is matched: item_count 0, priced
// products are not_in_base. The list of unmatched products stands on published
// cells too, by ascending id".
func (p *panel) coverage(g geography, slice, w string, dropped map[int64]bool) CoverageCell {
	c := CoverageCell{Date: w, City: p.cities[g.city].Name, Banner: g.banner, Category: slice, TotalItems: len(p.slice(slice))}
	b := p.base(g, slice)
	matched := map[int64]bool{}
	if b != "" && w >= b {
		for _, s := range p.matchedSeries(g, b, w) {
			matched[p.productOf(s)] = true
		}
	}
	priced := p.priced(g, slice, w)
	for _, product := range p.slice(slice) {
		switch id := product.ID; {
		case matched[id]:
			c.ItemCount++
		case priced[id]:
			c.Unmatched = append(c.Unmatched, Unmatched{id, "not_in_base"})
		case dropped[id]:
			c.Unmatched = append(c.Unmatched, Unmatched{id, "filtered"})
		default:
			c.Unmatched = append(c.Unmatched, Unmatched{id, "not_priced"})
		}
	}
	return c
}

// droppedByGate holds the products with a row that the gate dropped.
func (p *panel) droppedByGate(d *Data) map[geoWeek]map[int64]bool {
	all := map[geoWeek]map[int64]bool{}
	for _, o := range d.Observations {
		if !d.Excluded[o.ID] || !p.mayCount(o) {
			continue
		}
		week := weekOf(must(time.Parse(time.RFC3339, o.ObservedAt)))
		for _, g := range p.geographiesOf(series{o.ListingID, o.StoreID}) {
			k := geoWeek{g, week}
			if all[k] == nil {
				all[k] = map[int64]bool{}
			}
			all[k][p.listings[o.ListingID].ProductID] = true
		}
	}
	return all
}
