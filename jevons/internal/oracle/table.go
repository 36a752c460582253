package oracle

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Options of Table. Only Now is required.
type Options struct {
	Now          time.Time
	BaseWeek     string // empty: the data's
	TrimPercent  *int   // nil: 10; below 50
	FloorPercent *int   // nil: 60
	Regular      bool   // the companion of section 15
	Plain        bool   // rows without quality and contributions
}

// Row is one published cell of one week.
type Row struct {
	Date     string
	City     string // display name, "" on national rows
	Banner   string // "" on national and city rows
	Category string // "" is the headline

	Index float64 // 4 decimals
	Cost  float64 // 2 decimals

	WoW, MoM, YoY *float64 // 4 decimals; nil is null

	ItemCount, TotalItems int

	// Of series v2 only, and not of plain rows.
	Quality       Quality
	Contributions []Contribution

	Base string // the week that the level is compared with

	indexUnits int64             // Index in ten-thousandths
	level      float64           // Index before rounding
	products   map[int64]float64 // rho_i of the matched products
}

// Table computes every row whose week has closed by opts.Now, in the published
// order.
func Table(d *Data, opts Options) []Row {
	p := newPanelFor(d, opts)
	var rows []Row
	for g := range p.prices {
		for _, slice := range append([]string{overall}, p.categories...) {
			rows = append(rows, p.cell(g, slice, opts)...)
		}
	}
	slices.SortFunc(rows, p.publishedOrder)
	return rows
}

// newPanelFor is the panel with the options' base week, trim, floor and prices.
func newPanelFor(d *Data, opts Options) *panel {
	if opts.Regular {
		d = atRegularPrices(d)
	}
	p := newPanel(d)
	p.baseWeek = cmp.Or(opts.BaseWeek, d.BaseWeek, DefaultBaseWeek)
	p.trimPercent, p.floorPercent = 10, 60
	if opts.TrimPercent != nil {
		p.trimPercent = *opts.TrimPercent
	}
	if opts.FloorPercent != nil {
		p.floorPercent = *opts.FloorPercent
	}
	return p
}

// reachesFloor. Section 5: "100 * item_count >= 60 * total_items, integers".
func (p *panel) reachesFloor(items, total int) bool {
	return 100*items >= p.floorPercent*total
}

// entryWeek. Section 5: "its first week, from 2026-07-19 on, in which at least
// 60% of the active products are priced". "" when there is none.
func (p *panel) entryWeek(g geography) string {
	for _, w := range weeksBetween(p.baseWeek, p.lastWeek) {
		priced := len(p.priced(g, overall, w))
		if priced > 0 && p.reachesFloor(priced, len(p.slice(overall))) {
			return w
		}
	}
	return ""
}

// priced is the set of the slice's active products that have a price in w.
func (p *panel) priced(g geography, slice, w string) map[int64]bool {
	products := map[int64]bool{}
	for _, s := range p.inSlice(slice, p.prices[g][w].order) {
		products[p.productOf(s)] = true
	}
	return products
}

// base. Section 5: "Category cells: base = 2026-07-19 in every geography.
// Headline cells: base = the geography's entry week".
func (p *panel) base(g geography, slice string) string {
	if slice == overall {
		return p.entryWeek(g)
	}
	return p.baseWeek
}

// cell computes the rows of one geography and slice, week by week.
func (p *panel) cell(g geography, slice string, opts Options) []Row {
	b := p.base(g, slice)
	if b == "" {
		return nil
	}
	var rows []Row
	cell := published{rows: map[string]*Row{}}
	for _, w := range weeksBetween(b, p.lastWeek) {
		if opts.Now.Before(closes(w)) { // section 1: "never as a partial week"
			break
		}
		row := p.level(g, slice, b, w)
		if row == nil {
			continue // section 5: "a suppressed cell has no row"
		}
		p.changes(row, cell, g, b)
		if !opts.Regular && !opts.Plain {
			row.Quality = p.quality(g, row, cell, b)
			row.Contributions = p.contributions(g, row, cell, b)
		}
		cell.rows[w], cell.last = row, w
		rows = append(rows, *row)
	}
	return rows
}

// level. Section 4.6: "level = 100 * exp(rho)"; nil under the floor of section 5.
func (p *panel) level(g geography, slice, b, w string) *Row {
	total := len(p.slice(slice))
	matched := p.inSlice(slice, p.matchedSeries(g, b, w))
	products := p.productRelatives(g, matched, b, w)
	rho, items, ok := p.relative(slice, products)
	if !ok || !p.reachesFloor(items, total) {
		return nil
	}
	row := &Row{
		Date:       w,
		City:       p.cities[g.city].Name,
		Banner:     g.banner,
		Category:   slice,
		ItemCount:  items,
		TotalItems: total,
		Base:       b,
		level:      100 * math.Exp(rho),
		products:   products,
	}
	// Section 6: "All levels are published rounded to 4 decimals, half away
	// from zero; dollars to 2".
	row.indexUnits = roundUnits(row.level, 4)
	row.Index = fromUnits(row.indexUnits, 4)
	row.Cost = fromUnits(roundUnits(p.basketCost(g, slice, w), 2), 2)
	return row
}

// changes fills the changes of section 6, "percent changes to 4" decimals.
func (p *panel) changes(row *Row, cell published, g geography, b string) {
	if row.Category == overall {
		if change := p.headlineWoW(g, b, cell.last, row.Date); change != nil {
			rounded := fromUnits(roundUnits(*change, 4), 4)
			row.WoW = &rounded
		}
	} else {
		row.WoW = levelChange(cell, row, 7)
	}
	row.MoM = levelChange(cell, row, 28)
	row.YoY = levelChange(cell, row, 364)
}

// publishedOrder: "date, then national, city, banner, then city display name, banner
// key (byte order), then headline before the nine categories in the document's
// order".
func (p *panel) publishedOrder(a, b Row) int {
	level := func(r Row) int {
		switch {
		case r.Banner != "":
			return 2
		case r.City != "":
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(a.Date, b.Date),
		cmp.Compare(level(a), level(b)),
		cmp.Compare(a.City, b.City),
		cmp.Compare(a.Banner, b.Banner),
		cmp.Compare(slices.Index(p.categories, a.Category), slices.Index(p.categories, b.Category)), // -1: the headline
	)
}
