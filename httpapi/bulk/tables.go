package bulk

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
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

func indexSet(v *prepared.Vintage, at time.Time) (*Set, error) {
	x, err := v.V2()
	if err != nil {
		return nil, err
	}
	lo, hi := x.Between(v.Base.Date(), v.LastClosed(at).Date())
	index := with(Table{
		Name: "index", Title: "Weekly grocery price index", Key: []string{"date", "city", "retailer", "category"}, Sorted: []string{"date"}, Week: "date",
	}, ofIndex(table.Columns()), func(yield func(*jevons.Row) bool) {
		for i := lo; i < hi && yield(&x.Rows[i]); i++ {
		}
	})
	return &Set{aboutOf(v), []Table{index}}, nil
}

// aboutOf says what the files are. Without a release log the snapshot's id names the release.
func aboutOf(v *prepared.Vintage) *About {
	a := &About{Release: v.ID(), Snapshot: v.Hash, Words: v.Words}
	if v.Ref != nil {
		a.Release, a.Created = v.Ref.ID, v.Ref.ReleasedAt
	}
	return a
}

// row is an observation or a shrinkflation event with what it refers to.
type row struct {
	price panel.Observation
	shrink.Graded
	sold check.Listed
	city *basket.City // of an observation
}

func listing(r *row) *panel.Listing  { return r.sold.Listing }
func product(r *row) *basket.Product { return r.sold.Product }
func banner(r *row) *basket.Banner   { return r.sold.Banner }

func pricesTable(s *prepared.Served) Table {
	var shown []string
	for _, c := range record.Observations {
		if c.Shown {
			shown = append(shown, c.Name)
		}
	}
	columns := slices.Concat(
		of(record.Observations, func(r *row) *panel.Observation { return &r.price }, shown...),
		of(record.Listings, listing, "product_id"),
		of(record.Banners, banner, "retailer", "key banner"),
		of(record.Listings, listing, "sku retailer_sku", "name retailer_name", "brand", "is_store_brand"),
		of(record.Products, product, "name product_name", "category", "subcategory", "basket_weight"),
		of(record.Cities, func(r *row) *basket.City { return r.city }, "name city", "province"),
		[]column[row]{{Column{"week", record.Date, 0, true}, func(r *row) record.Value { return weekValue(panel.WeekOf(r.price.ObservedAt)) }}},
	)
	columns[0].Required = true // a snapshot numbers every price
	return with(Table{
		Name: "prices", Title: "Grocery prices observed in stores",
		Key: []string{"id"}, Refers: map[string]string{"product_id": "products"}, Sorted: []string{"observed_at", "id"}, Week: "week", Nanoseconds: fine(s.Rows),
	}, columns, func(yield func(*row) bool) {
		var r row
		s.Prices().Each(func(o *panel.Observation, of check.Listed, city *basket.City) bool {
			if r.price, r.sold, r.city = *o, of, city; !of.Banner.Verified {
				r.price.RegularSource, r.price.PromoDetail = panel.NoSource, ""
			}
			return yield(&r)
		})
	})
}

// fine reports whether some row's time is finer than a microsecond.
func fine(rows *panel.Rows) bool {
	for i := range rows.Len() {
		if rows.UnixNano(i)%1000 != 0 {
			return true
		}
	}
	return false
}

func productsTable(s *prepared.Served) Table {
	list := s.Catalog()
	columns := of(record.Products, func(p *basket.Product) *basket.Product { return p },
		"id", "name", "category", "subcategory", "standard_size", "unit", "basket_weight")
	return with(Table{Name: "products", Title: "Tracked grocery products", Key: []string{"id"}}, columns, func(yield func(*basket.Product) bool) {
		for i := 0; i < len(list) && yield(list[i]); i++ {
		}
	})
}

// shrinkflationTable is the rows of /api/v1/shrinkflation of any confidence.
func shrinkflationTable(s *prepared.Served) Table {
	events := s.Shrinkages()
	event := func(r *row) *panel.ShrinkEvent { return r.ShrinkEvent }
	perUnit := func(name string, value func(*panel.ShrinkEvent) float64) column[row] {
		return column[row]{Column{Name: name, Type: record.Decimal}, func(r *row) record.Value {
			v := value(r.ShrinkEvent)
			return record.Value{Known: v != 0, Int: decimal.NewFromFloat(v).Shift(panel.PriceDecimals).Round(0).IntPart()}
		}}
	}
	measured := slices.Concat(
		of(record.ShrinkEvents, event, "id", "old_package_size", "new_package_size", "old_size_numeric", "new_size_numeric", "size_unit", "pct_size_change"),
		[]column[row]{
			perUnit("old_unit_price", func(e *panel.ShrinkEvent) float64 { return e.OldUnitPrice }),
			perUnit("new_unit_price", func(e *panel.ShrinkEvent) float64 { return e.NewUnitPrice }),
		},
		of(record.ShrinkEvents, event, "pct_unit_price_change", "shelf_price_at_change", "detected_at"),
	)
	for i := range measured {
		measured[i].Decimals = 0 // as its JSON has them
	}
	columns := slices.Concat(measured,
		[]column[row]{
			{Column{Name: "confidence", Required: true}, func(r *row) record.Value { return textValue(r.Confidence.String()) }},
			{Column{Name: "flag", Required: true}, func(r *row) record.Value { return textValue(r.Flag) }},
		},
		of(record.Banners, banner, "retailer", "key banner"),
		of(record.Listings, listing, "name retailer_name", "brand", "product_id"),
		of(record.Products, product, "name product_name", "category"),
	)
	return with(Table{
		Name: "shrinkflation", Title: "Packages that became smaller",
		Key: []string{"id"}, Refers: map[string]string{"product_id": "products"}, Sorted: []string{"detected_at", "id"},
		Nanoseconds: slices.ContainsFunc(events, func(e shrink.Graded) bool { return e.DetectedAt.Nanosecond()%1000 != 0 }),
	}, columns, func(yield func(*row) bool) {
		var r row
		for _, e := range events {
			if r.Graded, r.sold = e, s.Listings[e.Listing]; !yield(&r) {
				return
			}
		}
	})
}
