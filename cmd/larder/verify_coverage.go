package main

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// extent is what a figure needs of the prices in a week: those of a place, for
// the products of a slice.
type extent struct {
	city, banner string // empty: all
	products     []int
}

// extentOf returns the extent of a cell.
func (d *downloads) extentOf(cell jevons.Cell) extent {
	e := extent{city: cell.City, banner: cell.Banner}
	for _, p := range d.products {
		if cell.Category == basket.Overall || cell.Category == p.Category {
			e.products = append(e.products, p.ID)
		}
	}
	return e
}

// nation returns the same of the whole country.
func (e extent) nation() extent { return extent{products: e.products} }

// hold reports whether the pages hold every row of the extent in a week.
func (d *downloads) hold(week panel.Week, e extent) bool {
	for day := week.Date() - 6; day <= week.Date(); day++ {
		for _, id := range e.products {
			if !slices.ContainsFunc(d.prices, func(q *query) bool {
				return q.reaches(day) && q.chooses(e.city, e.banner) && q.choosesProduct(id)
			}) {
				return false
			}
		}
	}
	return true
}

// lack says which pages to download for the weeks from first to last, and what
// is wrong with those that are there.
func (d *downloads) lack(first, last panel.Week, e extent) error {
	from, to := first.Date()-6, last.Date()
	v := url.Values{"from": {from.String()}, "to": {to.String()}}
	if e.city != "" {
		v.Set("city", e.city)
	}
	if e.banner != "" {
		v.Set("banner", e.banner)
	}
	return fmt.Errorf("the pages do not hold all prices of %s from %s to %s%s; download all pages of %s?%s and add their files",
		e.place(), from, to, d.why(from, to, e), pricesEndpoint, v.Encode())
}

func (e extent) place() string {
	switch {
	case e.banner != "":
		return e.banner + " in " + e.city
	case e.city != "":
		return e.city
	}
	return "the whole country"
}

// why says what the first query for some of the days lacks.
func (d *downloads) why(from, to panel.Date, e extent) string {
	for _, q := range d.prices {
		file := q.pages[0].file
		switch {
		case q.to < from || q.from > to:
			continue
		case !q.chooses(e.city, e.banner):
			return fmt.Sprintf(": %s is of city %s and banner %s only", file, q.filters["city"], q.filters["banner"])
		case q.filters["product_id"] != all:
			return fmt.Sprintf(": %s is of product %s only", file, q.filters["product_id"])
		case !q.reaches(min(q.to, to)):
			return fmt.Sprintf(": %s was made at %s, before %s was over in Toronto", file, stamp(q.made), min(q.to, to))
		default:
			return fmt.Sprintf(": %s is of %s to %s", file, q.from, q.to)
		}
	}
	return ""
}

// claim returns what the pages of the index say of a cell in a week, absent where
// they hold no row of it.
func (d *downloads) claim(week panel.Week, cell jevons.Cell) (*claim, error) {
	for i := range d.indexRows {
		if r := &d.indexRows[i]; r.week == week && r.cell == cell {
			return &claim{figures: r.figures}, nil
		}
	}
	for _, q := range d.index {
		if q.reaches(week.Date()) && q.chooses(cell.City, cell.Banner) &&
			slices.Contains([]string{all, cell.Level.String()}, q.filters["level"]) &&
			slices.Contains([]string{all, cell.Category.String()}, q.filters["category"]) {
			return &claim{absent: true}, q.whole()
		}
	}
	v := url.Values{"from": {week.String()}, "to": {week.String()}, "level": {cell.Level.String()}, "category": {cell.Category.String()}}
	if cell.City != "" {
		v.Set("city", cell.City)
	}
	if cell.Banner != "" {
		v.Set("banner", cell.Banner)
	}
	return nil, fmt.Errorf("%s, week %s is in none of the pages of the index; download %s?%s for it", cell, week, indexEndpoint, v.Encode())
}

// claim is what was published of a cell in a week.
type claim struct {
	absent  bool        // no row
	figures []published // as figures
}
