// Package audit recomputes published index rows from downloaded pages of the API,
// and compares them with what was published. It asks no server and reads no
// snapshot: it builds a panel from the pages and lets package jevons compute and explain.
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
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Page is one downloaded answer. It holds rows of one kind.
type Page struct {
	name     string // in errors
	meta     pageMeta
	from, to panel.Date // of its result
	made     time.Time  // the oldest page of its result
	prices   []wire.Price
	products []wire.Product
	index    []jevons.Row
}

// pageMeta is the part of an answer's meta that is used. Other members are
// ignored: the server may add some.
type pageMeta struct {
	Endpoint string            `json:"endpoint"`
	Note     string            `json:"note"`
	Series   string            `json:"series"`
	Filters  map[string]string `json:"filters"`
	wire.Page
	Identity    int       `json:"filtered_identity"`
	Quarantine  int       `json:"filtered_quarantine"`
	GateVersion string    `json:"gate_version"`
	GeneratedAt time.Time `json:"generated_at"`
}

// maxPage bounds the bytes of a page. The largest page that a server
// sends has a thirtieth of it.
const maxPage = 256 << 20

// Endpoint returns the path of the API that the page is of.
func (p *Page) Endpoint() string { return p.meta.Endpoint }

// Notice returns what the server says of single prices and products: that they are
// invented, or nothing. It is empty for pages of the index, whose note says more.
func (p *Page) Notice() string {
	if p.Endpoint() == wire.PricesEndpoint || p.Endpoint() == wire.ProductsEndpoint {
		return p.meta.Note
	}
	return ""
}

// ReadPage reads one answer of the API as it was sent, not compressed. The name is the page's in
// errors, such as that of its file. The error says what is wrong with the page.
func ReadPage(name string, r io.Reader) (*Page, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxPage))
	p := &Page{name: name}
	if err == nil {
		err = p.read(content)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

func (p *Page) read(content []byte) (err error) {
	var answer struct {
		Meta                   *pageMeta
		Observations, Products json.RawMessage
		Error                  string // of a refusal
	}
	if err := json.Unmarshal(content, &answer); err != nil {
		return fmt.Errorf("it is no page, or was cut off: %w; download it again", err)
	}
	switch {
	case answer.Error != "":
		return fmt.Errorf("it is no page but a refusal of the server: %q", answer.Error)
	case answer.Meta == nil:
		return errors.New(`it has no "meta": save the server's answer as it is`)
	}
	p.meta = *answer.Meta
	m := &p.meta
	p.made = m.GeneratedAt
	switch p.Endpoint() {
	case wire.PricesEndpoint:
		err = json.Unmarshal(answer.Observations, &p.prices)
	case wire.ProductsEndpoint:
		err = json.Unmarshal(answer.Products, &p.products)
	case wire.IndexEndpoint, wire.PublicIndexEndpoint:
		var rows []json.RawMessage
		err = json.Unmarshal(answer.Observations, &rows)
		p.index = make([]jevons.Row, len(rows))
		for i := 0; err == nil && i < len(rows); i++ {
			p.index[i], err = table.ReadJSON(rows[i])
		}
	default:
		return fmt.Errorf("it is of %q; pages of %s, %s, %s and %s are read", p.Endpoint(), wire.PricesEndpoint, wire.ProductsEndpoint, wire.IndexEndpoint, wire.PublicIndexEndpoint)
	}
	switch rows := len(p.prices) + len(p.products) + len(p.index); {
	case err != nil:
		return fmt.Errorf("its rows can't be read: %w; save the server's answer as it is", err)
	case p.made.IsZero():
		return errors.New("meta.generated_at is missing")
	case m.Count != rows:
		return fmt.Errorf("meta.count is %d, and it has %d rows: something was cut off or changed; download it again", m.Count, rows)
	case m.Endpoint == wire.ProductsEndpoint:
		return nil
	case m.Limit < 1 || m.Offset < 0 || m.HasMore != (m.NextOffset != nil):
		return errors.New("meta lacks limit, offset or has_more")
	case m.HasMore && p.walked() != m.Limit:
		return fmt.Errorf("it has %d rows with those that the gate left out, and meta.limit is %d: something was cut off or changed; download it again", p.walked(), m.Limit)
	}
	p.from, err = panel.ParseDate(m.Filters["from"])
	var wrong error
	if p.to, wrong = panel.ParseDate(m.Filters["to"]); err != nil || wrong != nil {
		return fmt.Errorf("meta.filters: %w", errors.Join(err, wrong))
	}
	return nil
}

// walked returns how many rows of the result the page covers, including those
// that the gate left out.
func (p *Page) walked() int { return p.meta.Count + p.meta.Identity + p.meta.Quarantine }

// passes reports whether the page's filters let values pass, given as names and values in turn,
// and its days the day, which was over in Toronto when its result was made. Only a filter that
// is not set lets the value "" pass.
func (p *Page) passes(day panel.Date, filters ...string) bool {
	for i := 0; i < len(filters); i += 2 {
		if f := p.meta.Filters[filters[i]]; f != "all" && f != filters[i+1] {
			return false
		}
	}
	return p.from <= day && day <= p.to && !p.made.Before((day + 1).Time(panel.Toronto))
}

// address returns the path and query that ask for a result, by names and values in turn.
func address(endpoint string, parameters ...string) string {
	v := url.Values{}
	for i := 0; i < len(parameters); i += 2 {
		if parameters[i+1] != "" && parameters[i+1] != "all" {
			v.Set(parameters[i], parameters[i+1])
		}
	}
	return endpoint + "?" + v.Encode()
}
