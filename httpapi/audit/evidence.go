package audit

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Evidence is pages that were checked against each other. It holds what rows are
// recomputed from, and what they are compared with.
type Evidence struct {
	prices, index []*Page
	rows          []wire.Price // of all pages of prices, each row once
	products      []wire.Product
	published     map[rowKey]Published
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

type rowKey struct {
	week panel.Week
	cell jevons.Cell
}

// Published is the figures that were published of a cell in a week, by the names
// of their columns in table.Columns. An empty one says that no row was published;
// nil says that nothing is known.
type Published map[string]panel.Fixed

// NewEvidence puts pages together. They may come in any order and overlap; pages
// of the index are optional. It fails when there are no prices or products, when
// a page is missing between the others, and when the pages contradict each other.
func NewEvidence(pages []*Page) (*Evidence, error) {
	e := &Evidence{published: map[rowKey]Published{}, sources: Sources{Files: len(pages)}}
	results, held := map[string][]*Page{}, "" // by what was asked for
	seen := map[int64]int{}                   // places in rows by id
	for _, p := range pages {
		if p.Endpoint() == wire.ProductsEndpoint {
			if held != "" {
				return nil, fmt.Errorf("%s and %s both hold the products: leave the older one out", held, p.name)
			}
			e.products, held = p.products, p.name
			continue
		}
		asked := fmt.Sprintf("%s %q", p.Endpoint(), p.meta.Filters) // fmt prints maps in the order of their keys
		results[asked] = append(results[asked], p)
		if err := errors.Join(e.addPrices(p, seen), e.addIndex(p)); err != nil {
			return nil, err
		}
	}
	switch {
	case len(e.prices) == 0:
		return nil, fmt.Errorf("there is no page of %s", wire.PricesEndpoint)
	case held == "":
		return nil, fmt.Errorf("there is no page of %s", wire.ProductsEndpoint)
	}
	byTime := func(a, b *Page) int { return a.made.Compare(b.made) }
	e.sources.Oldest = slices.MinFunc(pages, byTime).made.UTC().Truncate(time.Second)
	e.sources.Newest = slices.MaxFunc(pages, byTime).made.UTC().Truncate(time.Second)
	e.sources.Prices = len(e.rows)
	var errs []error
	for _, asked := range slices.Sorted(maps.Keys(results)) {
		errs = append(errs, whole(results[asked]))
	}
	return e, errors.Join(errs...)
}

// whole fails when a page of a result is missing at the start, in between or at the end.
func whole(pages []*Page) error {
	slices.SortStableFunc(pages, func(a, b *Page) int { return cmp.Compare(a.meta.Offset, b.meta.Offset) })
	made := slices.MinFunc(pages, func(a, b *Page) int { return a.made.Compare(b.made) }).made
	first, next, more := pages[0], 0, true
	for _, p := range pages {
		if p.made = made; p.meta.Offset <= next {
			next, more = max(next, p.meta.Offset+p.walked()), p.meta.HasMore
		}
	}
	if !more {
		return nil
	}
	parameters := []string{"limit", strconv.Itoa(first.meta.Limit), "offset", strconv.Itoa(next)}
	for name, value := range first.meta.Filters {
		parameters = append(parameters, name, value)
	}
	return fmt.Errorf("a page is missing beside %s: download %s too, and add its file", first.name, address(first.Endpoint(), parameters...))
}

// addPrices adds a page of prices. It fails when it can't be of one snapshot with those before.
func (e *Evidence) addPrices(p *Page, seen map[int64]int) error {
	if p.Endpoint() != wire.PricesEndpoint {
		return nil
	}
	if len(e.prices) == 0 {
		e.sources.Gate = p.meta.GateVersion
	}
	if p.meta.GateVersion != e.sources.Gate {
		return fmt.Errorf("%s is of gate_version %q, %s of %q: the same rows may have other verdicts; download both again", e.prices[0].name, e.sources.Gate, p.name, p.meta.GateVersion)
	}
	e.prices = append(e.prices, p)
	for i := range p.prices {
		r := &p.prices[i]
		at, again := seen[r.ID]
		if !again {
			seen[r.ID] = len(e.rows)
			e.rows = append(e.rows, *r)
		} else if !reflect.DeepEqual(&e.rows[at], r) {
			return fmt.Errorf("%s: row %d has different members in another page: the data changed between the downloads, or a page was changed; download both again", p.name, r.ID)
		}
	}
	return nil
}

func (e *Evidence) addIndex(p *Page) error {
	if p.Endpoint() == wire.PricesEndpoint {
		return nil
	}
	if p.meta.Series != "v2" {
		return fmt.Errorf("%s: it is of series %q, whose prices are not published; v2 can be recomputed", p.name, p.meta.Series)
	}
	e.index = append(e.index, p)
	for i := range p.index {
		r := &p.index[i]
		key := rowKey{r.Week, *r.Cell}
		if e.published[key] == nil {
			e.published[key] = Published{}
		}
		for _, c := range columns {
			if c.Licensed && p.Endpoint() == wire.PublicIndexEndpoint {
				continue
			}
			if other, ok := e.published[key][c.Name]; ok && other != c.Number(r) {
				return fmt.Errorf("%s: %s, week %s: %s differs between two of the pages: the data changed between the downloads; download all pages again", p.name, r.Cell, r.Week, c.Name)
			}
			e.published[key][c.Name] = c.Number(r)
		}
	}
	return nil
}

// Published returns what the pages of the index say about a cell in a week. It is
// empty when they cover the cell and hold no row of it. When they do not cover the
// cell, the error says what to download.
func (e *Evidence) Published(week panel.Week, cell jevons.Cell) (Published, error) {
	filters := []string{"city", cell.City, "banner", cell.Banner, "level", cell.Level.String(), "category", cell.Category.String()}
	covered := func(p *Page) bool { return p.passes(week.Date(), filters...) }
	if figures := e.published[rowKey{week, cell}]; figures != nil {
		return figures, nil
	}
	if slices.ContainsFunc(e.index, covered) {
		return Published{}, nil
	}
	return nil, fmt.Errorf("%s, week %s is in none of the pages of the index; download %s for it",
		cell, week, address(wire.IndexEndpoint, append(filters, "from", week.String(), "to", week.String())...))
}

// panel returns the panel of the rows. Every record in the pages is active, and
// every row has passed the gate. Rows of a verified banner count in no index. It refuses
// rows that say different things about the same product, listing, store, city or banner.
func (e *Evidence) panel(base panel.Week) (*panel.Panel, error) {
	b, said, products := panel.NewBuilder(base), map[string]string{}, map[int]wire.PriceProduct{}
	slugs := map[string]string{} // pages have none
	for _, x := range e.products {
		category, err := basket.ParseCategory(x.Category)
		unit, err2 := basket.ParseUnit(x.Unit)
		// The page does not say how a product is sold, and the index does not use it.
		if err := errors.Join(err, err2, b.AddProduct(basket.Product{
			ID: x.ID, Name: x.Name, Category: category, Weight: x.BasketWeight, StandardSize: x.StandardSize, Unit: unit, SoldBy: basket.ByPackage, Active: true,
		})); err != nil {
			return nil, fmt.Errorf("the products: product %d: %w", x.ID, err)
		}
		products[x.ID] = wire.PriceProduct{ID: x.ID, Name: x.Name, Category: x.Category, Subcategory: x.Subcategory, BasketWeight: x.BasketWeight}
	}
	for i := range e.rows {
		r := &e.rows[i]
		of, city, verified := &r.Listing, r.Store.City, r.RegularSource != ""
		if products[of.ProductID] != of.Product {
			return nil, fmt.Errorf("row %d: its product %d, %q, is not as in the products: they are of another snapshot; download prices and products again", r.ID, of.ProductID, of.Product.Name)
		}
		// add adds what is new, and refuses what differs from what is known.
		add := func(what string, key any, says string, to func() error) error {
			what = fmt.Sprint(what, " ", key)
			known, ok := said[what]
			if said[what] = says; !ok {
				return to()
			}
			if known != says {
				return fmt.Errorf("%s is %s here and %s in another row: the data changed between the downloads; download all pages again", what, says, known)
			}
			return nil
		}
		price, err := panel.ParsePrice(string(r.Effective))
		if err := errors.Join(err,
			add("city", city, r.Store.Province, func() error {
				slugs[city] = fmt.Sprintf("city-%d", len(slugs)+1)
				return b.AddCity(basket.City{Slug: slugs[city], Name: city, Province: r.Store.Province})
			}),
			// Pages hold rows of index banners and of verified banners only.
			add("banner", of.Banner, fmt.Sprintf("verified: %t", verified), func() error {
				return b.AddBanner(basket.Banner{Key: of.Banner, Name: of.Banner, Retailer: of.Banner, InIndex: !verified, Verified: verified})
			}),
			add("store", r.StoreID, of.Banner+" in "+city, func() error {
				return b.AddStore(panel.Store{ID: r.StoreID, Banner: of.Banner, City: slugs[city], Active: true, LocationCertain: true})
			}),
			add("listing", r.ListingID, fmt.Sprint(of.Banner, " ", of.ProductID), func() error {
				return b.AddListing(panel.Listing{ID: r.ListingID, ProductID: of.ProductID, Banner: of.Banner, Active: true})
			}),
			b.Observe(&panel.Observation{ID: r.ID, Listing: r.ListingID, Store: r.StoreID, Effective: price, ObservedAt: r.At}),
		); err != nil {
			return nil, fmt.Errorf("row %d: %w", r.ID, err)
		}
	}
	return b.Build()
}
