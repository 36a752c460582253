// Package audit recomputes published index rows from downloaded pages of the API,
// and compares them with what was published. It asks no server and reads no
// snapshot: everything it knows is in the pages. The arithmetic is package jevons'.
//
// It refuses pages that are cut off, that contradict each other, that lack a page
// between them, or that were made before their week was over. The error says what
// to download. A figure that needs more prices than the pages hold is not
// recomputed, and says which prices it needs.
//
// It cannot tell of which snapshot a page is, whether the prices are right, or
// whether the quality gate was right to leave a row out.
//
// The steps are ReadPage for each file, NewEvidence for all pages together,
// Evidence.Recompute for a week, and Recomputation.Check for a cell.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/basket"
)

// The endpoints whose pages are read.
const (
	PricesEndpoint      = "/api/v1/prices"
	ProductsEndpoint    = "/api/v1/products"
	IndexEndpoint       = "/api/v1/index"
	PublicIndexEndpoint = "/api/public/index"
)

// Page is one downloaded answer. It holds rows of one kind.
type Page struct {
	name     string // in errors
	meta     pageMeta
	prices   []priceRow
	products []basket.Product
	index    []indexRow
}

// pageMeta is the part of an answer's meta that is used. Other members are
// ignored: the server may add some.
type pageMeta struct {
	Endpoint           string            `json:"endpoint"`
	Note               string            `json:"note"`
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

// maxPage bounds the bytes of an unpacked page. The largest page that a server
// sends has a thirtieth of it.
const maxPage = 256 << 20

// Endpoint returns the path of the API that the page is of.
func (p *Page) Endpoint() string { return p.meta.Endpoint }

// Notice returns what the server says of single prices and products: that they are
// invented, or nothing. It is empty for pages of the index, whose note says more.
func (p *Page) Notice() string {
	if p.Endpoint() == PricesEndpoint || p.Endpoint() == ProductsEndpoint {
		return p.meta.Note
	}
	return ""
}

// ReadPage reads one answer of the API as it was sent, compressed with gzip or
// not. The name is the page's in errors, such as that of its file. The error says
// what is wrong with the page.
func ReadPage(name string, r io.Reader) (*Page, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxPage+1))
	if err != nil {
		return nil, err
	}
	p, err := readPage(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.name = name
	return p, nil
}

func readPage(content []byte) (*Page, error) {
	content, err := unpack(content)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Meta         *pageMeta       `json:"meta"`
		Observations json.RawMessage `json:"observations"`
		Products     json.RawMessage `json:"products"`
		Error        string          `json:"error"` // of a refusal
	}
	if err := decode(content, &answer); err != nil {
		return nil, err
	}
	switch {
	case answer.Error != "":
		return nil, fmt.Errorf("it is no page but a refusal of the server: %q", answer.Error)
	case answer.Meta == nil:
		return nil, errors.New(`it has no "meta": save the server's answer as it is`)
	}
	p := &Page{meta: *answer.Meta}
	switch p.Endpoint() {
	case PricesEndpoint:
		p.prices, err = readRows("observations", answer.Observations, (*priceRow).row)
	case ProductsEndpoint:
		p.products, err = readRows("products", answer.Products, (*productJSON).product)
	case IndexEndpoint, PublicIndexEndpoint:
		p.index, err = readRows("observations", answer.Observations, (*indexJSON).row)
	default:
		return nil, fmt.Errorf("it is of %q; pages of %s, %s, %s and %s are read", p.Endpoint(), PricesEndpoint, ProductsEndpoint, IndexEndpoint, PublicIndexEndpoint)
	}
	if err == nil {
		err = p.meta.check(p.rows())
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// unpack undoes the compression that a client may have left in place.
func unpack(content []byte) ([]byte, error) {
	if bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		r, err := gzip.NewReader(bytes.NewReader(content))
		if err == nil {
			content, err = io.ReadAll(io.LimitReader(r, maxPage+1))
		}
		if err != nil {
			return nil, fmt.Errorf("it begins as gzip and can't be unpacked: %w", err)
		}
	}
	if len(content) > maxPage {
		return nil, fmt.Errorf("it has more than %d bytes: no page has", maxPage)
	}
	return content, nil
}

// check compares meta with the number of rows.
func (m *pageMeta) check(rows int) error {
	switch {
	case m.GeneratedAt.IsZero():
		return errors.New("meta.generated_at is missing")
	case m.Count == nil || *m.Count != rows:
		return fmt.Errorf("meta.count is %s, and it has %d rows: something was cut off or changed; download it again", orMissing(m.Count), rows)
	case m.Endpoint == ProductsEndpoint:
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

// rows returns how many rows the page holds.
func (p *Page) rows() int { return len(p.prices) + len(p.products) + len(p.index) }

// walked returns how many rows of the result the page covers, including those
// that the gate left out.
func (p *Page) walked() int {
	return p.rows() + p.meta.FilteredIdentity + p.meta.FilteredQuarantine
}

func orMissing(n *int) string {
	if n == nil {
		return "missing"
	}
	return fmt.Sprint(*n)
}
