package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"
)

// The endpoints whose pages are read.
const (
	pricesEndpoint      = "/api/v1/prices"
	productsEndpoint    = "/api/v1/products"
	indexEndpoint       = "/api/v1/index"
	publicIndexEndpoint = "/api/public/index"
)

// page is one downloaded answer. Of the three kinds of rows it has one.
type page struct {
	file     string
	meta     pageMeta
	prices   []priceRow
	products []productRow
	index    []indexRow
}

// pageMeta is what is used of an answer's meta. Members that are not known
// here are passed over: the server may add some.
type pageMeta struct {
	Endpoint           string            `json:"endpoint"`
	Series             string            `json:"series"`
	Filters            map[string]string `json:"filters"`
	Limit              *int              `json:"limit"`
	Offset             *int              `json:"offset"`
	Count              *int              `json:"count"`
	HasMore            *bool             `json:"has_more"`
	NextOffset         *int              `json:"next_offset"`
	FilteredIdentity   int               `json:"filtered_identity"`
	FilteredQuarantine int               `json:"filtered_quarantine"`
	GateVersion        string            `json:"gate_version"`
	GeneratedAt        time.Time         `json:"generated_at"`
}

// answer is a page before its rows are read, or a refusal.
type answer struct {
	Meta         *pageMeta        `json:"meta"`
	Observations *json.RawMessage `json:"observations"`
	Products     *json.RawMessage `json:"products"`
	Error        string           `json:"error"`
}

// maxPage bounds what is read of a file: a page of the most rows has a
// thirtieth of it.
const maxPage = 256 << 20

// openPage reads the page in a file.
func openPage(file string) (*page, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxPage+1))
	if err != nil {
		return nil, err
	}
	p, err := readPage(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p.file = file
	return p, nil
}

// readPage reads one answer as it was downloaded, compressed or not.
func readPage(content []byte) (*page, error) {
	content, err := decompress(content)
	if err != nil {
		return nil, err
	}
	var a answer
	if err := decodeJSON(content, &a); err != nil {
		return nil, err
	}
	switch {
	case a.Error != "":
		return nil, fmt.Errorf("it is no page but a refusal of the server: %q", a.Error)
	case a.Meta == nil:
		return nil, errors.New(`it has no "meta": save the server's answer as it is`)
	}
	p := &page{meta: *a.Meta}
	rows, name := a.Observations, "observations"
	if p.meta.Endpoint == productsEndpoint {
		rows, name = a.Products, "products"
	}
	if rows == nil {
		return nil, fmt.Errorf("it has no %q: save the server's answer as it is", name)
	}
	switch p.meta.Endpoint {
	case pricesEndpoint:
		p.prices, err = readRows(*rows, func(r *priceJSON) (priceRow, error) { return r.row() })
	case productsEndpoint:
		p.products, err = readRows(*rows, func(r *productRow) (productRow, error) { return *r, r.check() })
	case indexEndpoint, publicIndexEndpoint:
		p.index, err = readRows(*rows, func(r *indexJSON) (indexRow, error) { return r.row() })
	default:
		return nil, fmt.Errorf("it is of %q; pages of %s, %s, %s and %s are read", p.meta.Endpoint, pricesEndpoint, productsEndpoint, indexEndpoint, publicIndexEndpoint)
	}
	if err == nil {
		err = p.meta.check(len(p.prices) + len(p.products) + len(p.index))
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// check holds what meta says of the rows against their number.
func (m *pageMeta) check(rows int) error {
	switch {
	case m.GeneratedAt.IsZero():
		return errors.New("meta.generated_at is missing")
	case m.Count == nil || *m.Count != rows:
		return fmt.Errorf("meta.count is %s, and it has %d rows: something was cut off or changed; download it again", orMissing(m.Count), rows)
	case m.Endpoint == productsEndpoint:
		return nil
	case m.Limit == nil || *m.Limit < 1 || m.Offset == nil || *m.Offset < 0 || m.HasMore == nil || m.Filters == nil:
		return errors.New("meta lacks limit, offset, has_more or filters")
	case m.FilteredIdentity < 0 || m.FilteredQuarantine < 0 || *m.Offset > math.MaxInt32 || *m.Limit > math.MaxInt32:
		return errors.New("meta has a number that is out of range")
	case *m.HasMore != (m.NextOffset != nil), m.NextOffset != nil && *m.NextOffset != *m.Offset+*m.Limit:
		return fmt.Errorf("meta.next_offset is %s, which does not go with offset %d, limit %d and has_more %t", orMissing(m.NextOffset), *m.Offset, *m.Limit, *m.HasMore)
	}
	walked := rows + m.FilteredIdentity + m.FilteredQuarantine
	if walked > *m.Limit || *m.HasMore && walked < *m.Limit {
		return fmt.Errorf("it has %d rows with those that the gate left out, and meta.limit is %d: something was cut off or changed; download it again", walked, *m.Limit)
	}
	return nil
}

// walked is how many rows of the result the page is of, with those that the gate
// left out.
func (p *page) walked() int {
	return len(p.prices) + len(p.index) + p.meta.FilteredIdentity + p.meta.FilteredQuarantine
}

func orMissing(n *int) string {
	if n == nil {
		return "missing"
	}
	return fmt.Sprint(*n)
}
