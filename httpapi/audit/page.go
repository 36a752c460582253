// Package audit recomputes published index rows from downloaded pages of the API,
// and compares them with what was published. It asks no server and reads no
// snapshot: it builds a panel from the pages and lets package jevons compute and explain.
//
// It refuses pages that are cut off, that contradict each other, that lack a page
// between them, or that were made before their week was over. The error says what
// to download. A figure that needs more prices than the pages hold is not
// recomputed, and says which prices it needs. Of which snapshot a page is, and whether
// its prices are right, it cannot tell.
//
// The steps are ReadPage for each file, NewEvidence for all pages together and a week, and
// Evidence.Check for a cell.
package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Page is one downloaded answer. It holds rows of one kind, and the part of its meta that is used.
type Page struct {
	Endpoint, Series, Note string // the note of prices and products: that they are invented; or empty
	Filters                map[string]string
	wire.Page
	Identity    int       `json:"filtered_identity"`
	Quarantine  int       `json:"filtered_quarantine"`
	GateVersion string    `json:"gate_version"`
	GeneratedAt time.Time `json:"generated_at"`

	name     string    // in errors
	made     time.Time // the oldest page of its result
	prices   []wire.Price
	products []wire.Product
	index    []jevons.Row
}

// ReadPage reads one answer of the API as it was sent, not compressed. The name is the page's in
// errors, such as that of its file. The error says what is wrong with the page.
func ReadPage(name string, content []byte) (*Page, error) {
	p, err := read(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.name, p.made = name, p.GeneratedAt
	return p, nil
}

func read(content []byte) (p *Page, err error) {
	var answer struct {
		Meta                   *Page
		Observations, Products json.RawMessage
		Error                  string // of a refusal
	}
	if err := json.Unmarshal(content, &answer); err != nil {
		return nil, fmt.Errorf("it is no page, or was cut off: %w; download it again", err)
	}
	switch p = answer.Meta; {
	case answer.Error != "":
		return nil, fmt.Errorf("it is no page but a refusal of the server: %q", answer.Error)
	case p == nil:
		return nil, errors.New(`it has no "meta": save the server's answer as it is`)
	}
	switch p.Endpoint {
	case wire.PricesEndpoint:
		err = json.Unmarshal(answer.Observations, &p.prices)
	case wire.ProductsEndpoint:
		err = json.Unmarshal(answer.Products, &p.products)
	case wire.IndexEndpoint, wire.PublicIndexEndpoint:
		p.Note = "" // it says more
		var rows []json.RawMessage
		err = json.Unmarshal(answer.Observations, &rows)
		p.index = make([]jevons.Row, len(rows))
		for i := 0; err == nil && i < len(rows); i++ {
			p.index[i], err = table.ReadJSON(rows[i])
		}
	default:
		return nil, fmt.Errorf("it is of %q; pages of %s, %s, %s and %s are read", p.Endpoint, wire.PricesEndpoint, wire.ProductsEndpoint, wire.IndexEndpoint, wire.PublicIndexEndpoint)
	}
	const again = "something was cut off or changed; download it again"
	switch rows := len(p.prices) + len(p.products) + len(p.index); {
	case err != nil:
		return nil, fmt.Errorf("its rows can't be read: %w; save the server's answer as it is", err)
	case p.GeneratedAt.IsZero():
		return nil, errors.New("meta.generated_at is missing")
	case p.Count != rows:
		return nil, fmt.Errorf("meta.count is %d, and it has %d rows: "+again, p.Count, rows)
	case p.Endpoint == wire.ProductsEndpoint:
		return p, nil
	case p.Limit < 1 || p.Offset < 0 || p.HasMore != (p.NextOffset != nil) || !p.filtersDays():
		return nil, errors.New("meta lacks limit, offset, has_more or filters")
	case p.HasMore && p.walked() != p.Limit:
		return nil, fmt.Errorf("it has %d rows with those that the gate left out, and meta.limit is %d: "+again, p.walked(), p.Limit)
	case p.Series != "v2" && p.index != nil:
		return nil, fmt.Errorf("it is of series %q, whose prices are not published; v2 can be recomputed", p.Series)
	}
	return p, nil
}

// filtersDays reports whether the page says from which day to which its rows are.
func (p *Page) filtersDays() bool {
	_, from := panel.ParseDate(p.Filters["from"])
	_, to := panel.ParseDate(p.Filters["to"])
	return from == nil && to == nil
}

// walked returns how many rows of the result the page covers, including those
// that the gate left out.
func (p *Page) walked() int { return p.Count + p.Identity + p.Quarantine }

// passes reports whether the page's filters let values pass, by their names, and its days the day,
// which was over in Toronto when its result was made. Only a filter that is not set lets "" pass.
func (p *Page) passes(day panel.Date, values map[string]string) bool {
	for name, value := range values {
		if f := p.Filters[name]; f != "all" && f != value {
			return false
		}
	}
	return p.Filters["from"] <= day.String() && day.String() <= p.Filters["to"] && !p.made.Before((day + 1).Time(panel.Toronto))
}
