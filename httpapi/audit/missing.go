package audit

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// MissingError says which rows the pages lack, and where to download them.
type MissingError struct {
	Message  string // the whole error in words
	Download string // path and query of the API; all pages of it have to be added
}

// Error returns the message.
func (m *MissingError) Error() string { return m.Message }

func missing(download, format string, a ...any) *MissingError {
	return &MissingError{fmt.Sprintf(format, a...), download}
}

// Downloads returns what to download before trying again: the addresses of every
// MissingError in err.
func Downloads(err error) []string {
	switch err := err.(type) {
	case *MissingError:
		return []string{err.Download}
	case interface{ Unwrap() error }:
		return Downloads(err.Unwrap())
	case interface{ Unwrap() []error }:
		var all []string
		for _, err := range err.Unwrap() {
			all = append(all, Downloads(err)...)
		}
		return all
	}
	return nil
}

// place is a city and a banner. Either may be empty, for all of them.
type place struct{ city, banner string }

// extent is the prices that a figure needs in a week: those of a place, of the
// products of a category.
type extent struct {
	place
	products []int
}

// extentOf returns the extent of a cell.
func (e *Evidence) extentOf(cell jevons.Cell) extent {
	x := extent{place: place{cell.City, cell.Banner}}
	for _, p := range e.products {
		if cell.Category == basket.Overall || cell.Category == p.Category {
			x.products = append(x.products, p.ID)
		}
	}
	return x
}

// hold reports whether the pages hold every row of the extent in a week.
func (e *Evidence) hold(week panel.Week, x extent) bool {
	for day := week.Date() - 6; day <= week.Date(); day++ {
		for _, id := range x.products {
			if !slices.ContainsFunc(e.prices, func(q *query) bool {
				return q.reaches(day) && q.chooses("city", x.city) && q.chooses("banner", x.banner) && q.chooses("product_id", fmt.Sprint(id))
			}) {
				return false
			}
		}
	}
	return true
}

// lack says which pages to download for the weeks from first to last, and what is
// wrong with those that are there.
func (e *Evidence) lack(first, last panel.Week, x extent) error {
	from, to := first.Date()-6, last.Date()
	address := PricesEndpoint + "?" + x.add(url.Values{"from": {from.String()}, "to": {to.String()}}).Encode()
	return missing(address, "the pages do not hold all prices of %s from %s to %s%s; download all pages of %s and add their files",
		x.place, from, to, e.why(from, to, x), address)
}

// add adds the parameters that choose the place.
func (p place) add(v url.Values) url.Values {
	if p.city != "" {
		v.Set("city", p.city)
	}
	if p.banner != "" {
		v.Set("banner", p.banner)
	}
	return v
}

// String names the place.
func (p place) String() string {
	switch {
	case p.banner != "":
		return p.banner + " in " + p.city
	case p.city != "":
		return p.city
	}
	return "the whole country"
}

// why says what the first query for some of the days lacks.
func (e *Evidence) why(from, to panel.Date, x extent) string {
	for _, q := range e.prices {
		name := q.pages[0].name
		switch {
		case q.to < from || q.from > to:
			continue
		case !q.chooses("city", x.city) || !q.chooses("banner", x.banner):
			return fmt.Sprintf(": %s is of city %s and banner %s only", name, q.filters["city"], q.filters["banner"])
		case q.filters["product_id"] != all:
			return fmt.Sprintf(": %s is of product %s only", name, q.filters["product_id"])
		case !q.reaches(min(q.to, to)):
			return fmt.Sprintf(": %s was made at %s, before %s was over in Toronto", name, stamp(q.made), min(q.to, to))
		default:
			return fmt.Sprintf(": %s is of %s to %s", name, q.from, q.to)
		}
	}
	return ""
}
