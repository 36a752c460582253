package audit

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Evidence is pages that were checked against each other, with the index of a week that
// they make. Check answers for those of its cells that the pages hold all prices of.
type Evidence struct {
	Panel         *panel.Panel // that the pages make; cities have slugs of their own: pages have none
	base, week    panel.Week
	table         *jevons.Table
	prices, index []*Page
	published     map[cellWeek]Published
	cities        map[string]string // names by slug
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

// Published is the figures that were published of a cell in a week, by the names
// of their columns in table.Columns. An empty one says that no row was published;
// nil says that nothing is known.
type Published map[string]panel.Fixed

// NewEvidence puts pages together and computes the index of a week on a base week. Pages may come
// in any order and overlap; those of the index are optional. It fails when there are no prices or
// products, when a page is missing between the others, and when the pages contradict each other.
func NewEvidence(pages []*Page, base, week panel.Week) (e *Evidence, err error) {
	of, results := map[string][]*Page{}, map[string][]*Page{} // by endpoint, and by what was asked for
	e = &Evidence{base: base, week: week, cities: map[string]string{}, published: map[cellWeek]Published{}}
	for _, p := range pages {
		asked := fmt.Sprintf("%s %q", p.Endpoint, p.Filters) // fmt prints maps in the order of their keys
		of[p.Endpoint], results[asked] = append(of[p.Endpoint], p), append(results[asked], p)
	}
	products := of[wire.ProductsEndpoint]
	e.prices, e.index = of[wire.PricesEndpoint], slices.Concat(of[wire.IndexEndpoint], of[wire.PublicIndexEndpoint])
	if len(e.prices) == 0 || len(products) != 1 {
		return nil, fmt.Errorf("there are %d pages of %s and %d of %s: give all of the former, and the newest of the latter",
			len(e.prices), wire.PricesEndpoint, len(products), wire.ProductsEndpoint)
	}
	e.sources = Sources{
		Files: len(pages), Oldest: slices.MinFunc(pages, byTime).GeneratedAt.UTC().Truncate(time.Second),
		Newest: slices.MaxFunc(pages, byTime).GeneratedAt.UTC().Truncate(time.Second), Gate: e.prices[0].GateVersion,
	}
	for _, asked := range slices.Sorted(maps.Keys(results)) {
		err = errors.Join(err, whole(results[asked]))
	}
	if err = errors.Join(err, e.addPrices(products[0].products), e.addIndex()); err != nil {
		return nil, err
	}
	e.sources.Verified = e.Panel.Counts().OutsideIndex
	e.table, err = jevons.Compute(e.Panel, jevons.Options{Through: week})
	return e, err
}

func byTime(a, b *Page) int { return a.GeneratedAt.Compare(b.GeneratedAt) }

// whole fails when a page of a result is missing at the start, in between or at the end.
func whole(pages []*Page) error {
	slices.SortStableFunc(pages, func(a, b *Page) int { return cmp.Compare(a.Offset, b.Offset) })
	first, next, more, made := pages[0], 0, true, slices.MinFunc(pages, byTime).GeneratedAt
	for _, p := range pages {
		if p.made = made; p.Offset <= next {
			next, more = max(next, p.Offset+p.walked()), p.HasMore
		}
	}
	if !more {
		return nil
	}
	query := maps.Clone(first.Filters)
	query["limit"], query["offset"] = strconv.Itoa(first.Limit), strconv.Itoa(next)
	return fmt.Errorf("a page is missing beside %s: download %s too, and add its file", first.name, wire.Address(first.Endpoint, query))
}

// addIndex takes in the rows of the index. It refuses pages that say different things about a cell.
func (e *Evidence) addIndex() error {
	for _, p := range e.index {
		for i := range p.index {
			r := &p.index[i]
			key := cellWeek{*r.Cell, r.Week}
			if e.published[key] == nil {
				e.published[key] = Published{}
			}
			for _, c := range columns {
				if c.Licensed && p.Endpoint == wire.PublicIndexEndpoint {
					continue
				}
				if other, ok := e.published[key][c.Name]; ok && other != c.Number(r) {
					return fmt.Errorf("%s: %s, week %s: %s differs between two of the pages: the data changed between the downloads; download all pages again", p.name, r.Cell, r.Week, c.Name)
				}
				e.published[key][c.Name] = c.Number(r)
			}
		}
	}
	return nil
}

type cellWeek struct {
	jevons.Cell
	panel.Week
}

// Published returns what the pages of the index say about a cell. It is empty when they
// cover the cell and hold no row of it. When they do not cover the cell, the error says
// what to download.
func (e *Evidence) Published(cell jevons.Cell) (Published, error) {
	query := map[string]string{"city": cell.City, "banner": cell.Banner, "level": cell.Level.String(), "category": cell.Category.String()}
	if figures := e.published[cellWeek{cell, e.week}]; figures != nil {
		return figures, nil
	}
	if slices.ContainsFunc(e.index, func(p *Page) bool { return p.passes(e.week.Date(), query) }) {
		return Published{}, nil
	}
	query["from"], query["to"] = e.week.String(), e.week.String()
	return nil, fmt.Errorf("%s, week %s is in none of the pages of the index; download %s for it", cell, e.week, wire.Address(wire.IndexEndpoint, query))
}

// addPrices makes the panel of the rows, each once. Every record in the pages is active, and every
// row has passed the gate. Rows of a verified banner count in no index. It refuses rows that say
// different things about the same product, listing, store, city or banner, and of two gates.
func (e *Evidence) addPrices(list []wire.Product) (err error) {
	b, products := panel.NewBuilder(e.base), map[int]wire.PriceProduct{}
	for _, x := range list {
		category, err := basket.ParseCategory(x.Category)
		unit, err2 := basket.ParseUnit(x.Unit)
		// The page does not say how a product is sold, and the index does not use it.
		if err := errors.Join(err, err2, b.AddProduct(basket.Product{
			ID: x.ID, Name: x.Name, Category: category, Weight: x.BasketWeight, StandardSize: x.StandardSize, Unit: unit, SoldBy: basket.ByPackage, Active: true,
		})); err != nil {
			return fmt.Errorf("the products: product %d: %w", x.ID, err)
		}
		products[x.ID] = wire.PriceProduct{ID: x.ID, Name: x.Name, Category: x.Category, Subcategory: x.Subcategory, BasketWeight: x.BasketWeight}
	}
	seen, known := map[int64]*wire.Price{}, map[any]bool{}
	for _, p := range e.prices {
		if p.GateVersion != e.sources.Gate {
			return fmt.Errorf("%s is of gate_version %q, %s of %q: the same rows may have other verdicts; download both again", e.prices[0].name, e.sources.Gate, p.name, p.GateVersion)
		}
		for i := range p.prices {
			r := &p.prices[i]
			if old := seen[r.ID]; old != nil && reflect.DeepEqual(old, r) {
				continue
			} else if old != nil {
				return fmt.Errorf("%s: row %d has different members in another page: the data changed between the downloads, or a page was changed; download both again", p.name, r.ID)
			}
			if products[r.Listing.ProductID] != r.Listing.Product {
				return fmt.Errorf("row %d: its product %d, %q, is not as in the products: they are of another snapshot; download prices and products again", r.ID, r.Listing.ProductID, r.Listing.Product.Name)
			}
			if err := e.add(b, known, r); err != nil {
				return fmt.Errorf("row %d: %w; the rows are wrong, or the data changed between the downloads: download all pages again", r.ID, err)
			}
			seen[r.ID] = r
		}
	}
	e.sources.Prices = len(seen)
	e.Panel, err = b.Build()
	return err
}

// add adds a row, and those records of it that are new.
func (e *Evidence) add(b *panel.Builder, known map[any]bool, r *wire.Price) error {
	of, slug, verified := &r.Listing, fmt.Sprintf("city-%x", r.Store.City), r.RegularSource != ""
	e.cities[slug] = r.Store.City
	price, err := panel.ParsePrice(string(r.Effective))
	// Pages hold rows of index banners and of verified banners only.
	return errors.Join(err,
		once(known, basket.City{Slug: slug, Name: r.Store.City, Province: r.Store.Province}, b.AddCity),
		once(known, basket.Banner{Key: of.Banner, Name: of.Banner, Retailer: of.Banner, InIndex: !verified, Verified: verified}, b.AddBanner),
		once(known, panel.Store{ID: r.StoreID, Banner: of.Banner, City: slug, Active: true, LocationCertain: true}, b.AddStore),
		once(known, panel.Listing{ID: r.ListingID, ProductID: of.ProductID, Banner: of.Banner, Active: true}, b.AddListing),
		b.Observe(&panel.Observation{ID: r.ID, Listing: r.ListingID, Store: r.StoreID, Effective: price, ObservedAt: r.At}),
	)
}

// once adds a record that is new. The builder refuses another one with the same key.
func once[T comparable](known map[any]bool, record T, add func(T) error) error {
	if known[record] {
		return nil
	}
	known[record] = true
	return add(record)
}

// columns are the numbers of an index row: the level, the counts, then the others.
var columns = func() []table.Column {
	list := slices.DeleteFunc(table.Columns(), func(c table.Column) bool { return c.Number == nil })
	rank := func(c table.Column) int {
		return slices.Index([]string{table.TotalItems, table.ItemCount, table.IndexValue}, c.Name)
	}
	slices.SortStableFunc(list, func(a, b table.Column) int { return rank(b) - rank(a) })
	return list
}()

// hold reports whether the pages hold every price of a cell's place and products in a week.
func (e *Evidence) hold(week panel.Week, cell jevons.Cell) bool {
	for day := week.Date() - 6; day <= week.Date(); day++ {
		for _, product := range e.Panel.Products() {
			values := map[string]string{"city": cell.City, "banner": cell.Banner, "product_id": strconv.Itoa(product.ID)}
			held := func(p *Page) bool { return p.passes(day, values) }
			if (cell.Category == basket.Overall || product.Category == cell.Category) && !slices.ContainsFunc(e.prices, held) {
				return false
			}
		}
	}
	return true
}

// Suffices fails when the pages do not hold every price that the level of the
// cell needs. The error says what to download.
// A level needs the week and the base week. A headline needs all weeks from the base week to its
// entry week: they show that none before had enough products.
func (e *Evidence) Suffices(cell jevons.Cell) error {
	// lack fails when a week is missing, and asks for all up to last.
	lack := func(week, last panel.Week) error {
		if e.hold(week, cell) {
			return nil
		}
		name := map[jevons.Level]string{jevons.National: "the whole country", jevons.City: cell.City, jevons.Banner: cell.Banner + " in " + cell.City}[cell.Level]
		from, to := (week.Date() - 6).String(), last.String()
		return fmt.Errorf("the pages do not hold all prices of %s from %s to %s; download all pages of %s and add their files",
			name, from, to, wire.Address(wire.PricesEndpoint, map[string]string{"city": cell.City, "banner": cell.Banner, "from": from, "to": to}))
	}
	err := lack(e.base, e.base)
	for w := e.base; err == nil && cell.Category == basket.Overall && w < e.week && e.table.Base(cell) != w; {
		if w = w.Add(1); !e.hold(w, cell) {
			return lack(w, e.week) // the entry week may be any
		}
	}
	if e.week > e.base {
		err = errors.Join(err, lack(e.week, e.week))
	}
	return err
}

// needs returns the prices that the pages lack for a figure beside the level.
func (e *Evidence) needs(column string, cell jevons.Cell) wire.Text {
	w, place := e.week, ""
	switch column {
	case table.BasketCost:
		cell, place = jevons.Cell{Level: jevons.National, Category: cell.Category}, " of the whole country"
	case table.ChangeWoW:
		// A headline's change counts from its previous published week.
		for w = w.Add(-1); cell.Category == basket.Overall && w >= e.table.Base(cell) && e.hold(w, cell) && e.table.Find(w, cell) == nil; {
			w = w.Add(-1)
		}
	case table.ChangeMoM:
		w = w.Add(-4)
	case table.ChangeYoY:
		w = w.Add(-52)
	}
	if place == "" && w < e.table.Base(cell) || e.hold(w, cell) {
		return ""
	}
	return wire.Text("week " + w.String() + place)
}

// Result is the outcome of checking one cell in one week. Its JSON is what
// "larder verify --format json" prints.
type Result struct {
	Date      panel.Week           `json:"date"`
	City      wire.Text            `json:"city"`
	Retailer  wire.Text            `json:"retailer"`
	Category  wire.Text            `json:"category"`
	Level     string               `json:"level"`
	Match     *bool                `json:"matches"`         // nil when there was nothing to compare with
	Reason    wire.Text            `json:"not_published"`   // why there is no row
	Figures   []Figure             `json:"figures"`         // of the row, the level first
	SinceBase *table.Decomposition `json:"since_base"`      // nil when no row may be published
	Stores    []StoreRelative      `json:"store_relatives"` // behind the row, by product id and then relative
	Sources   Sources              `json:"sources"`

	Verdict string `json:"-"` // says in words whether the cell matches
}

// Figure is one number of a row, recomputed and published, as the server writes it.
type Figure struct {
	Name       string       `json:"figure"`
	Recomputed wire.Number  `json:"recomputed"`
	Published  *wire.Number `json:"published"` // nil: not known
	Match      *bool        `json:"matches"`   // nil unless both are known
	Needs      wire.Text    `json:"needs"`     // the prices that the pages lack for this figure, in words
}

// StoreRelative is the relative of one product at one store.
type StoreRelative struct {
	ProductID int    `json:"product_id"`
	StoreID   int64  `json:"store_id"`
	Banner    string `json:"banner"` // key
	City      string `json:"city"`   // display name
	jevons.StoreRelative
}

// Check recomputes a cell and compares it with what was published, unless that is
// nil. It fails when the pages do not suffice, and when no row may be published and there is
// nothing to compare with. A figure that differs is no error: it is in the result.
func (e *Evidence) Check(cell jevons.Cell, published Published) (*Result, error) {
	if err := e.Suffices(cell); err != nil {
		return nil, err
	}
	x := &Result{
		Date: e.week, City: wire.Text(cell.City), Retailer: wire.Text(cell.Banner), Category: wire.Text(cell.Category.Slug()),
		Level: cell.Level.String(), Figures: []Figure{}, Stores: []StoreRelative{}, Sources: e.sources,
	}
	taken, err := e.table.Explain(e.week, cell)
	switch {
	case errors.Is(err, jevons.ErrNotPublished) && published != nil:
		x.Reason, x.Match = wire.Text(err.Error()), new(len(published) == 0)
		x.Verdict = "matches: no row is published, and none may be\n" + err.Error()
		if len(published) > 0 {
			x.Verdict = fmt.Sprintf("DOES NOT MATCH: %s is published, and no row may be\n%s", published[table.IndexValue], err)
		}
		return x, nil
	case err != nil:
		return nil, err
	}
	row := &taken.Row
	x.SinceBase = &table.Decomposition{Decomposition: &taken.SinceBase}
	var differing []string
	for _, c := range columns {
		number := func(v panel.Fixed) (n wire.Number) {
			if v.Valid {
				n = wire.Number(v.Append(nil, c.Decimals))
			}
			return n
		}
		f := Figure{Name: c.Name, Recomputed: number(c.Number(row)), Needs: e.needs(c.Name, cell)}
		if was, given := published[c.Name]; given {
			f.Published, f.Match = new(number(was)), new(c.Number(row) == was)
		}
		if f.Needs != "" {
			f.Recomputed, f.Match = "", nil
		}
		if f.Match != nil && !*f.Match {
			differing = append(differing, c.Name)
		}
		x.Figures = append(x.Figures, f)
	}
	stores, err := e.table.StoreRelatives(e.week, cell)
	for _, s := range stores {
		x.Stores = append(x.Stores, StoreRelative{s.Product.ID, s.Store.ID, s.Store.Banner, e.cities[s.Store.City], s})
	}
	x.Verdict = fmt.Sprintf("index %s, %d of %d products", row.Index, row.ItemCount, row.TotalItems)
	switch {
	case published == nil:
		x.Verdict += "; nothing was given to compare with"
		return x, err
	case len(published) == 0:
		x.Verdict = fmt.Sprintf("DOES NOT MATCH: index %s is recomputed, and no row is published", row.Index)
	case differing != nil:
		x.Verdict = "DOES NOT MATCH in " + strings.Join(differing, ", ")
	default:
		x.Verdict = "matches: " + x.Verdict
	}
	x.Match = new(len(published) > 0 && differing == nil)
	return x, err
}
