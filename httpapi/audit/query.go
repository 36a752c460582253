package audit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/larder-index/larder/panel"
)

// query is one result of an endpoint: its filters and all of its pages.
type query struct {
	endpoint string
	filters  map[string]string
	from, to panel.Date
	pages    []*Page   // by offset
	made     time.Time // when the oldest page was made
	rows     map[int64]bool
}

// all is the value of a filter that is not set.
const all = "all"

// queriesOf groups pages by endpoint and filters.
func queriesOf(pages []*Page) ([]*query, error) {
	var list []*query
	of := map[string]*query{}
	var errs []error
	for _, p := range pages {
		key := fmt.Sprintf("%s %q", p.Endpoint(), p.meta.Filters) // fmt prints maps in the order of their keys
		q := of[key]
		if q == nil {
			var err error
			if q, err = newQuery(&p.meta); err != nil {
				errs = append(errs, fmt.Errorf("%s: meta.filters: %w", p.name, err))
				continue
			}
			of[key], list = q, append(list, q)
		}
		q.pages = append(q.pages, p)
		if p.meta.GeneratedAt.Before(q.made) {
			q.made = p.meta.GeneratedAt
		}
		for i := range p.prices {
			q.rows[p.prices[i].ID] = true
		}
	}
	for _, q := range list {
		slices.SortStableFunc(q.pages, func(a, b *Page) int { return cmp.Compare(*a.meta.Offset, *b.meta.Offset) })
	}
	return list, errors.Join(errs...)
}

// newQuery returns the query of a page. It fails when meta lacks a filter of the
// endpoint.
func newQuery(m *pageMeta) (*query, error) {
	q := &query{endpoint: m.Endpoint, filters: m.Filters, made: m.GeneratedAt, rows: map[int64]bool{}}
	var err, err2 error
	q.from, err = panel.ParseDate(q.filters["from"])
	q.to, err2 = panel.ParseDate(q.filters["to"])
	err = errors.Join(err, err2)
	names := []string{"series", "level", "category", "city", "banner"}
	if m.Endpoint == PricesEndpoint {
		names = []string{"product_id", "city", "banner"}
	}
	for _, name := range names {
		if q.filters[name] == "" {
			err = errors.Join(err, fmt.Errorf("%s is missing", name))
		}
	}
	return q, err
}

// whole fails when a page is missing at the start, in between or at the end, and
// when the pages disagree on how many rows there are.
func (q *query) whole() error {
	next, least, most := 0, 0, math.MaxInt
	for _, p := range q.pages {
		offset, walked := *p.meta.Offset, p.walked()
		if offset > next && next < most {
			return q.lacks(next, min(offset-next, *p.meta.Limit))
		}
		next = max(next, offset+walked)
		switch {
		case *p.meta.HasMore:
			least = max(least, offset+walked+1)
		case walked > 0:
			least, most = max(least, offset+walked), min(most, offset+walked)
		default:
			most = min(most, offset)
		}
	}
	switch {
	case least > most:
		return fmt.Errorf("the pages with %s disagree on how many rows there are: the data changed between them; download all of %s again", q.pages[0].name, q.address())
	case most == math.MaxInt:
		return q.lacks(next, *q.pages[0].meta.Limit)
	}
	return nil
}

func (q *query) lacks(offset, limit int) error {
	address := q.address("limit", strconv.Itoa(limit), "offset", strconv.Itoa(offset))
	return missing(address, "a page is missing beside %s: download %s too, and add its file", q.pages[0].name, address)
}

// address returns the path and query that ask for the result, with more
// parameters given as names and values in turn.
func (q *query) address(more ...string) string {
	v := url.Values{}
	for name, value := range q.filters {
		if value != all {
			v.Set(name, value)
		}
	}
	for i := 0; i < len(more); i += 2 {
		v.Set(more[i], more[i+1])
	}
	return q.endpoint + "?" + v.Encode()
}

// ordered fails when a row is outside the filters, or out of order: then the
// pages are of different snapshots, or were changed.
func (q *query) ordered() error {
	var last *priceRow
	var lastOf *Page
	end := 0 // of the rows so far
	for _, p := range q.pages {
		if *p.meta.Offset < end {
			last = nil // the pages overlap
		}
		for i := range p.prices {
			r := &p.prices[i]
			if !q.asksFor(r) {
				return fmt.Errorf("%s: row %d of %s, banner %q in %q, is not what meta.filters asks for", p.name, r.ID, r.day, r.Of.Banner, r.Stores.City)
			}
			if last != nil && !last.before(r) {
				return fmt.Errorf("%s: row %d does not come after row %d of %s: the data changed between the pages, or the pages were changed; download all of %s again",
					p.name, r.ID, last.ID, lastOf.name, q.address())
			}
			last, lastOf = r, p
		}
		end = max(end, *p.meta.Offset+*p.meta.Limit)
	}
	return nil
}

// asksFor reports whether the filters choose the row.
func (q *query) asksFor(r *priceRow) bool {
	return q.from <= r.day && r.day <= q.to && q.chooses("city", r.Stores.City) && q.chooses("banner", r.Of.Banner) &&
		q.chooses("product_id", strconv.Itoa(r.Of.Product))
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
