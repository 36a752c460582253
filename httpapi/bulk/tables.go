package bulk

import (
	"iter"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
	"github.com/larder-index/larder/shrink"
)

// SetOf returns the tables of a snapshot, as published at an instant.
func SetOf(s *prepared.Served, at time.Time) (*Set, error) {
	set, err := indexSet(s.Vintage, at)
	if err == nil {
		if set.About.Created.IsZero() {
			set.About.Created = s.Info.Last
		}
		set.Tables = append(set.Tables, pricesTable(s), productsTable(s), shrinkflationTable(s))
	}
	return set, err
}

// indexSet returns the index as published at an instant.
func indexSet(v *prepared.Vintage, at time.Time) (*Set, error) {
	x, err := v.V2()
	if err != nil {
		return nil, err
	}
	lo, hi := x.Between(v.Base.Date(), v.LastClosed(at).Date())
	index := &Rows[jevons.Row]{
		Name: "index", Title: "Weekly grocery price index", Columns: OfIndex(table.Columns()),
		Key: []string{"date", "city", "retailer", "category"}, Sorted: []string{"date"},
		Each: pointers(x.Rows[lo:hi]), Week: func(r *jevons.Row) panel.Week { return r.Week },
	}
	return &Set{About: aboutOf(v), Tables: []Table{index}}, nil
}

// aboutOf says what the files are. Without a release log the snapshot's id names the release.
func aboutOf(v *prepared.Vintage) *About {
	a := &About{Release: v.ID(), Snapshot: v.Hash, Gate: panel.GateVersion, Method: jevons.MethodVersion, Words: v.Words}
	if v.Ref != nil {
		a.Release, a.Created = v.Ref.ID, v.Ref.ReleasedAt
	}
	return a
}

func pointers[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// listed is a listing with what it refers to.
type listed struct {
	listing *panel.Listing
	product *basket.Product
	banner  *basket.Banner
}

func listedAs(s *prepared.Served, id int64) listed {
	l := s.Listings[id]
	return listed{l, s.Products[l.ProductID], s.Banners[l.Banner]}
}

// pricedRow is a row of /api/v1/prices with what it refers to.
type pricedRow struct {
	panel.Observation
	listed
	city *basket.City
}

// pricesTable is the rows of /api/v1/prices that the gate passes.
func pricesTable(s *prepared.Served) Table {
	var shown []string
	for _, c := range record.Observations {
		if c.Shown {
			shown = append(shown, c.Name)
		}
	}
	columns := Of(record.Observations, func(r *pricedRow) *panel.Observation { return &r.Observation }, shown...)
	listing := func(r *pricedRow) *panel.Listing { return r.listing }
	banner := func(r *pricedRow) *basket.Banner { return r.banner }
	product := func(r *pricedRow) *basket.Product { return r.product }
	columns = append(columns, Of(record.Listings, listing, "product_id")...)
	columns = append(columns, Of(record.Banners, banner, "retailer", "key banner")...)
	columns = append(columns, Of(record.Listings, listing, "sku retailer_sku", "name retailer_name", "brand", "is_store_brand")...)
	columns = append(columns, Of(record.Products, product, "name product_name", "category", "subcategory", "basket_weight")...)
	columns = append(columns, Of(record.Cities, func(r *pricedRow) *basket.City { return r.city }, "name city", "province")...)
	week := func(r *pricedRow) panel.Week { return panel.WeekOf(r.ObservedAt) }
	columns = append(columns, Day("week", func(r *pricedRow) panel.Date { return week(r).Date() }))
	return &Rows[pricedRow]{
		Name: "prices", Title: "Grocery prices observed in stores",
		Columns: Required(columns, "id", "retailer_product_id", "store_id", "effective_price", "is_on_sale", "observed_at",
			"product_id", "retailer", "banner", "product_name", "category", "basket_weight", "city", "province"),
		Key: []string{"id"}, Refers: map[string]string{"product_id": "products"}, Sorted: []string{"observed_at", "id"},
		Nanoseconds: finerThanMicroseconds(s.Rows), Week: week,
		Each: func(yield func(*pricedRow) bool) {
			var r pricedRow
			s.Prices().Each(func(o *panel.Observation, verified bool) bool {
				if r.Observation = *o; !verified {
					r.RegularSource, r.PromoDetail = panel.NoSource, ""
				}
				r.listed, r.city = listedAs(s, o.Listing), s.Cities[s.Stores[o.Store].City]
				return yield(&r)
			})
		},
	}
}

// finerThanMicroseconds reports whether some row's time is.
func finerThanMicroseconds(rows *panel.Rows) bool {
	for i := range rows.Len() {
		if rows.UnixNano(i)%1000 != 0 {
			return true
		}
	}
	return false
}

// productsTable is the rows of /api/v1/products.
func productsTable(s *prepared.Served) Table {
	list := s.Catalog()
	return &Rows[basket.Product]{
		Name: "products", Title: "Tracked grocery products",
		Columns: Required(Of(record.Products, func(p *basket.Product) *basket.Product { return p },
			"id", "name", "category", "subcategory", "standard_size", "unit", "basket_weight"),
			"id", "name", "category", "standard_size", "unit", "basket_weight"),
		Key: []string{"id"}, Each: func(yield func(*basket.Product) bool) {
			for i := range list {
				if !yield(s.Products[list[i].ID]) {
					return
				}
			}
		},
	}
}

// shrunkRow is a shrinkflation event with what it refers to.
type shrunkRow struct {
	*panel.ShrinkEvent
	listed
}

// shrinkflationTable is the rows of /api/v1/shrinkflation of any confidence.
func shrinkflationTable(s *prepared.Served) Table {
	events := s.Shrinkages()
	event := func(r *shrunkRow) *panel.ShrinkEvent { return r.ShrinkEvent }
	perUnit := func(value func(*shrunkRow) float64) func(*shrunkRow) panel.Fixed {
		return func(r *shrunkRow) panel.Fixed {
			v := value(r)
			return panel.Fixed{Units: decimal.NewFromFloat(v).Shift(panel.PriceDecimals).Round(0).IntPart(), Valid: v != 0}
		}
	}
	columns := Of(record.ShrinkEvents, event, "id", "old_package_size", "new_package_size", "old_size_numeric", "new_size_numeric", "size_unit", "pct_size_change")
	columns = append(columns,
		Fixed("old_unit_price", 0, perUnit(func(r *shrunkRow) float64 { return r.OldUnitPrice })),
		Fixed("new_unit_price", 0, perUnit(func(r *shrunkRow) float64 { return r.NewUnitPrice })))
	columns = append(columns, Of(record.ShrinkEvents, event, "pct_unit_price_change", "shelf_price_at_change", "detected_at")...)
	for i := range columns {
		columns[i].Decimals = 0 // as its JSON has them
	}
	grade := func(r *shrunkRow) (shrink.Confidence, shrink.Flag) { return shrink.Grade(r.ShrinkEvent) }
	columns = append(columns,
		Text("confidence", func(r *shrunkRow) string { c, _ := grade(r); return c.String() }),
		Text("flag", func(r *shrunkRow) string { _, f := grade(r); return f.String() }))
	listing := func(r *shrunkRow) *panel.Listing { return r.listing }
	columns = append(columns, Of(record.Banners, func(r *shrunkRow) *basket.Banner { return r.banner }, "retailer", "key banner")...)
	columns = append(columns, Of(record.Listings, listing, "name retailer_name", "brand", "product_id")...)
	columns = append(columns, Of(record.Products, func(r *shrunkRow) *basket.Product { return r.product }, "name product_name", "category")...)
	return &Rows[shrunkRow]{
		Name: "shrinkflation", Title: "Packages that became smaller",
		Columns: Required(columns, "id", "detected_at", "confidence", "flag", "retailer", "banner", "product_id", "product_name", "category"),
		Key:     []string{"id"}, Refers: map[string]string{"product_id": "products"}, Sorted: []string{"detected_at", "id"},
		Nanoseconds: slices.ContainsFunc(events, func(e *panel.ShrinkEvent) bool { return e.DetectedAt.Nanosecond()%1000 != 0 }),
		Each: func(yield func(*shrunkRow) bool) {
			var r shrunkRow
			for _, e := range events {
				r.ShrinkEvent, r.listed = e, listedAs(s, e.Listing)
				if !yield(&r) {
					return
				}
			}
		},
	}
}
