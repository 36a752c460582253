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

	indexUnits int64 // Index in ten-thousandths
}

// Table computes every row of series v2 whose week has closed by opts.Now, in
// the published order.
func Table(d *Data, opts Options) []Row {
	p := newPanel(d)
	p.baseWeek = cmp.Or(opts.BaseWeek, d.BaseWeek, DefaultBaseWeek)
	p.trimPercent, p.floorPercent = 10, 60
	if opts.TrimPercent != nil {
		p.trimPercent = *opts.TrimPercent
	}
	if opts.FloorPercent != nil {
		p.floorPercent = *opts.FloorPercent
	}
	var rows []Row
	for g := range p.prices {
		for _, slice := range append([]string{overall}, categories...) {
			rows = append(rows, p.cell(g, slice, opts.Now)...)
		}
	}
	sortRows(rows)
	return rows
}

// reachesFloor. Section 5: "100 * item_count >= 60 * total_items, integers".
func (p *panel) reachesFloor(items, total int) bool {
	return 100*items >= p.floorPercent*total
}

// entryWeek. Section 5: "its first week, from 2026-07-19 on, in which at least
// 60% of the active products are priced". "" when there is none.
func (p *panel) entryWeek(g geography) string {
	for _, w := range weeksBetween(p.baseWeek, p.lastWeek) {
		priced := map[int64]bool{}
		for _, s := range p.prices[g][w].order {
			priced[p.productOf(s)] = true
		}
		if len(priced) > 0 && p.reachesFloor(len(priced), len(p.slice(overall))) {
			return w
		}
	}
	return ""
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
func (p *panel) cell(g geography, slice string, now time.Time) []Row {
	b := p.base(g, slice)
	if b == "" {
		return nil
	}
	var rows []Row
	cell := published{rows: map[string]*Row{}}
	for _, w := range weeksBetween(b, p.lastWeek) {
		if now.Before(closes(w)) { // section 1: "never as a partial week"
			break
		}
		row := p.level(g, slice, b, w)
		if row == nil {
			continue // section 5: "a suppressed cell has no row"
		}
		p.changes(row, cell, g, b)
		cell.rows[w], cell.last = row, w
		rows = append(rows, *row)
	}
	return rows
}

// level. Section 4.6: "level = 100 * exp(rho)"; nil under the floor of
// section 5.
func (p *panel) level(g geography, slice, b, w string) *Row {
	total := len(p.slice(slice))
	rho, items, ok := p.relative(g, slice, p.matchedSeries(g, b, w), b, w)
	if !ok || !p.reachesFloor(items, total) {
		return nil
	}
	row := &Row{
		Date:       w,
		Banner:     g.banner,
		Category:   slice,
		ItemCount:  items,
		TotalItems: total,
	}
	if g != national {
		row.City = p.cities[g.city].Name
	}
	// Section 6: "All levels are published rounded to 4 decimals, half away
	// from zero; dollars to 2".
	row.indexUnits = roundUnits(100*math.Exp(rho), 4)
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

// sortRows: "date, then national, city, banner, then city display name, banner
// key (byte order), then headline before the nine categories in the document's
// order".
func sortRows(rows []Row) {
	level := func(r Row) int {
		switch {
		case r.Banner != "":
			return 2
		case r.City != "":
			return 1
		}
		return 0
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(
			cmp.Compare(a.Date, b.Date),
			cmp.Compare(level(a), level(b)),
			cmp.Compare(a.City, b.City),
			cmp.Compare(a.Banner, b.Banner),
			cmp.Compare(slices.Index(categories, a.Category), slices.Index(categories, b.Category)), // -1: the headline
		)
	})
}
