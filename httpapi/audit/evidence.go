package audit

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Evidence is pages that were checked against each other. It holds what rows are
// recomputed from, and what they are compared with.
type Evidence struct {
	prices, index []*query
	rows          []priceRow // of all pages of prices, each row once
	pages         []*Page    // the first page with each of rows
	published     map[rowKey]Published
	products      []basket.Product
	sources       Sources
}

// Sources describes the pages that figures were recomputed from.
type Sources struct {
	Files    int       `json:"files"`
	Oldest   time.Time `json:"oldest"` // when the oldest page was made, in UTC
	Newest   time.Time `json:"newest"`
	Prices   int       `json:"prices"`            // rows of prices, each counted once
	Verified int       `json:"verified_left_out"` // of these, rows of a verified banner: they count in no index
	Gate     string    `json:"gate_version"`
}

// rowKey names a row of the index.
type rowKey struct {
	week panel.Week
	cell jevons.Cell
}

// NewEvidence puts pages together. They may come in any order and overlap; pages
// of the index are optional. It fails when there are no prices or products, when
// a page is missing between the others, and when the pages contradict each other.
func NewEvidence(pages []*Page) (*Evidence, error) {
	e := &Evidence{published: map[rowKey]Published{}, sources: Sources{Files: len(pages)}}
	var prices, index []*Page
	var products *Page
	for i, p := range pages {
		at := p.meta.GeneratedAt.UTC().Truncate(time.Second)
		if i == 0 || at.Before(e.sources.Oldest) {
			e.sources.Oldest = at
		}
		if i == 0 || at.After(e.sources.Newest) {
			e.sources.Newest = at
		}
		switch p.Endpoint() {
		case PricesEndpoint:
			prices = append(prices, p)
		case ProductsEndpoint:
			if products != nil {
				return nil, fmt.Errorf("%s and %s both hold the products: leave the older one out", products.name, p.name)
			}
			products = p
		default:
			index = append(index, p)
		}
	}
	switch {
	case prices == nil:
		return nil, missing(PricesEndpoint, "there is no page of %s", PricesEndpoint)
	case products == nil:
		return nil, missing(ProductsEndpoint, "there is no page of %s", ProductsEndpoint)
	}
	e.products = products.products
	if err := errors.Join(e.addPrices(prices), e.addIndex(index)); err != nil {
		return nil, err
	}
	e.sources.Prices = len(e.rows)
	return e, nil
}

// addPrices puts the pages of prices together. It fails when they can't all be of
// one snapshot.
func (e *Evidence) addPrices(pages []*Page) error {
	e.sources.Gate = pages[0].meta.GateVersion
	for _, p := range pages {
		if p.meta.GateVersion != e.sources.Gate {
			return fmt.Errorf("%s is of gate_version %q, %s of %q: the same rows may have other verdicts; download both again", pages[0].name, e.sources.Gate, p.name, p.meta.GateVersion)
		}
	}
	var err error
	if e.prices, err = queriesOf(pages); err != nil {
		return err
	}
	for _, q := range e.prices {
		err = errors.Join(err, q.whole(), q.ordered())
	}
	if err != nil {
		return err
	}
	seen := map[int64]int{} // places in rows by id
	for _, p := range pages {
		for _, r := range p.prices {
			at, again := seen[r.ID]
			if !again {
				seen[r.ID] = len(e.rows)
				e.rows, e.pages = append(e.rows, r), append(e.pages, p)
			} else if e.rows[at] != r {
				return fmt.Errorf("row %d stands in %s and in %s with different members: the data changed between the downloads, or a page was changed; download both again", r.ID, e.pages[at].name, p.name)
			}
		}
	}
	return e.agree()
}

// agree fails when a query lacks a row that it should hold and another one has.
func (e *Evidence) agree() error {
	for i := range e.rows {
		r := &e.rows[i]
		for _, q := range e.prices {
			if q.asksFor(r) && q.reaches(r.day) && !q.rows[r.ID] {
				return fmt.Errorf("row %d is in %s and not in %s, where it belongs too: the data changed between the downloads; download both again", r.ID, e.pages[i].name, q.pages[0].name)
			}
		}
	}
	return nil
}

// addIndex puts the pages of the index together.
func (e *Evidence) addIndex(pages []*Page) (err error) {
	if e.index, err = queriesOf(pages); err != nil {
		return err
	}
	for _, p := range pages {
		if p.meta.Series != "v2" {
			return fmt.Errorf("%s: it is of series %q, whose prices are not published; v2 can be recomputed", p.name, p.meta.Series)
		}
		for _, r := range p.index {
			known := e.published[r.rowKey]
			if known == nil {
				e.published[r.rowKey] = maps.Clone(r.figures)
				continue
			}
			for name, value := range r.figures {
				if other, ok := known[name]; ok && other != value {
					return fmt.Errorf("%s: %s, week %s: %s differs between two of the pages: the data changed between the downloads; download all pages again", p.name, r.cell, r.week, name)
				}
				known[name] = value
			}
		}
	}
	return nil
}
