package audit

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// query is one result of an endpoint: its filters and all of its pages.
type query struct {
	endpoint string
	filters  map[string]string
	from, to panel.Date
	pages    []*Page   // by offset
	made     time.Time // when the oldest page was made
}

// all is the value of a filter that is not set.
const all = "all"

// queriesOf groups pages by endpoint and filters. It fails when a page is missing.
func queriesOf(pages []*Page) (list []*query, err error) {
	of := map[string]*query{}
	for _, p := range pages {
		key := fmt.Sprintf("%s %q", p.Endpoint(), p.meta.Filters) // fmt prints maps in the order of their keys
		q := of[key]
		if q == nil {
			q = &query{endpoint: p.Endpoint(), filters: p.meta.Filters, made: p.meta.GeneratedAt}
			var wrong [2]error
			q.from, wrong[0] = panel.ParseDate(q.filters["from"])
			q.to, wrong[1] = panel.ParseDate(q.filters["to"])
			if bad := errors.Join(wrong[:]...); bad != nil {
				err = errors.Join(err, fmt.Errorf("%s: meta.filters: %w", p.name, bad))
			}
			of[key], list = q, append(list, q)
		}
		q.pages = append(q.pages, p)
		if p.meta.GeneratedAt.Before(q.made) {
			q.made = p.meta.GeneratedAt
		}
	}
	for _, q := range list {
		slices.SortStableFunc(q.pages, func(a, b *Page) int { return cmp.Compare(a.meta.Offset, b.meta.Offset) })
		err = errors.Join(err, q.whole())
	}
	return list, err
}

// whole fails when a page is missing at the start, in between or at the end.
func (q *query) whole() error {
	next, more := 0, true
	for _, p := range q.pages {
		if p.meta.Offset > next {
			break
		}
		next, more = max(next, p.meta.Offset+p.walked()), p.meta.HasMore
	}
	if !more {
		return nil
	}
	address := address(q.endpoint, q.filters, "limit", strconv.Itoa(q.pages[0].meta.Limit), "offset", strconv.Itoa(next))
	return fmt.Errorf("a page is missing beside %s: download %s too, and add its file", q.pages[0].name, address)
}

// address returns the path and query that ask for the result of some filters, with more
// parameters given as names and values in turn.
func address(endpoint string, filters map[string]string, more ...string) string {
	v := url.Values{}
	for name, value := range filters {
		if value != all && value != "" {
			v.Set(name, value)
		}
	}
	for i := 0; i < len(more); i += 2 {
		v.Set(more[i], more[i+1])
	}
	return endpoint + "?" + v.Encode()
}

// chooses reports whether a filter lets a value pass. Only a filter that is not
// set lets all values pass, named "".
func (q *query) chooses(filter, value string) bool {
	return q.filters[filter] == all || q.filters[filter] == value
}

// reaches reports whether the query covers a day that was over in Toronto when
// its pages were made.
func (q *query) reaches(day panel.Date) bool {
	return q.from <= day && day <= q.to && !q.made.Before((day + 1).Time(panel.Toronto))
}

// hold reports whether the pages hold every price of a cell's place and products in a week.
func (e *Evidence) hold(week panel.Week, cell jevons.Cell) bool {
	for day := week.Date() - 6; day <= week.Date(); day++ {
		for _, product := range e.products {
			if cell.Category != 0 && product.Category != cell.Category.String() {
				continue
			}
			if !slices.ContainsFunc(e.prices, func(q *query) bool {
				return q.reaches(day) && q.chooses("city", cell.City) && q.chooses("banner", cell.Banner) && q.chooses("product_id", strconv.Itoa(product.ID))
			}) {
				return false
			}
		}
	}
	return true
}

// lack says which pages to download for the weeks from first to last.
func lack(first, last panel.Week, cell jevons.Cell) error {
	from, to := first.Date()-6, last.Date()
	name := "the whole country"
	switch cell.Level {
	case jevons.City:
		name = cell.City
	case jevons.Banner:
		name = cell.Banner + " in " + cell.City
	}
	return fmt.Errorf("the pages do not hold all prices of %s from %s to %s; download all pages of %s and add their files", name, from, to,
		address(wire.PricesEndpoint, map[string]string{"city": cell.City, "banner": cell.Banner}, "from", from.String(), "to", to.String()))
}
