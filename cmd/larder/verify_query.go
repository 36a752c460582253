package main

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

// query is one result of an endpoint: what was asked for, and all of its pages.
type query struct {
	endpoint string
	filters  map[string]string
	from, to panel.Date
	pages    []*page   // by offset
	made     time.Time // when the oldest of them was
	rows     map[int64]bool
}

// all is how a filter that is not set reads.
const all = "all"

// queriesOf puts pages together by what was asked for.
func queriesOf(pages []*page) ([]*query, error) {
	var list []*query
	of := map[string]*query{}
	var errs []error
	for _, p := range pages {
		key := fmt.Sprintf("%s %q", p.meta.Endpoint, p.meta.Filters) // a map is printed in the order of its keys
		q := of[key]
		if q == nil {
			var err error
			if q, err = newQuery(&p.meta); err != nil {
				errs = append(errs, fmt.Errorf("%s: meta.filters: %w", p.file, err))
				continue
			}
			of[key], list = q, append(list, q)
		}
		q.pages = append(q.pages, p)
		if p.meta.GeneratedAt.Before(q.made) {
			q.made = p.meta.GeneratedAt
		}
		for i := range p.prices {
			q.rows[p.prices[i].id] = true
		}
	}
	for _, q := range list {
		slices.SortStableFunc(q.pages, func(a, b *page) int { return cmp.Compare(*a.meta.Offset, *b.meta.Offset) })
	}
	return list, errors.Join(errs...)
}

// filterNames are the filters that a query of an endpoint has, beside from and
// to.
var filterNames = map[string][]string{
	pricesEndpoint:      {"product_id", "city", "banner"},
	indexEndpoint:       {"series", "level", "category", "city", "banner"},
	publicIndexEndpoint: {"series", "level", "category", "city", "banner"},
}

func newQuery(m *pageMeta) (*query, error) {
	q := &query{endpoint: m.Endpoint, filters: m.Filters, made: m.GeneratedAt, rows: map[int64]bool{}}
	var err, err2 error
	q.from, err = panel.ParseDate(q.filters["from"])
	q.to, err2 = panel.ParseDate(q.filters["to"])
	err = errors.Join(err, err2)
	for _, name := range filterNames[m.Endpoint] {
		if q.filters[name] == "" {
			err = errors.Join(err, fmt.Errorf("%s is missing", name))
		}
	}
	return q, err
}

// whole refuses a query that does not begin with its first row, does not end
// with its last, lacks some in between, or whose pages disagree on how many rows
// there are.
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
		return fmt.Errorf("the pages with %s disagree on how many rows there are: the data changed between them; download all of %s again", q.pages[0].file, q.address())
	case most == math.MaxInt:
		return q.lacks(next, *q.pages[0].meta.Limit)
	}
	return nil
}

func (q *query) lacks(offset, limit int) error {
	return fmt.Errorf("a page is missing beside %s: download %s too, and add its file", q.pages[0].file,
		q.address("limit", strconv.Itoa(limit), "offset", strconv.Itoa(offset)))
}

// address is the path and query that asks for it, with more parameters.
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

// ordered refuses pages whose rows are not what the query asks for, or not in
// the order of one result: then they are of different snapshots, or changed.
func (q *query) ordered() error {
	var last *priceRow
	var lastOf *page
	end := 0 // of the rows so far
	for _, p := range q.pages {
		if *p.meta.Offset < end {
			last = nil // the pages overlap
		}
		for i := range p.prices {
			r := &p.prices[i]
			if !q.asksFor(r) {
				return fmt.Errorf("%s: row %d of %s, banner %q in %q, is not what meta.filters asks for", p.file, r.id, r.day, r.banner, r.city)
			}
			if last != nil && !last.before(r) {
				return fmt.Errorf("%s: row %d does not come after row %d of %s: the data changed between the pages, or the pages were changed; download all of %s again",
					p.file, r.id, last.id, lastOf.file, q.address())
			}
			last, lastOf = r, p
		}
		end = max(end, *p.meta.Offset+*p.meta.Limit)
	}
	return nil
}

// asksFor reports whether the filters choose the row.
func (q *query) asksFor(r *priceRow) bool {
	return q.from <= r.day && r.day <= q.to && q.chooses(r.city, r.banner) && q.choosesProduct(r.product.id)
}

// chooses reports whether the filters leave nothing out of a place; empty names
// are those of a wider one.
func (q *query) chooses(city, banner string) bool {
	return slices.Contains([]string{all, city}, q.filters["city"]) && slices.Contains([]string{all, banner}, q.filters["banner"])
}

func (q *query) choosesProduct(id int) bool {
	return slices.Contains([]string{all, strconv.Itoa(id)}, q.filters["product_id"])
}

// reaches reports whether a day is one of the query's, and was over in Toronto
// when its pages were made.
func (q *query) reaches(day panel.Date) bool {
	return q.from <= day && day <= q.to && !q.made.Before((day + 1).Time(panel.Toronto))
}
