package folder

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/record"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/shrink"
)

// sheetsOf returns the published tables of a release: those of its snapshot, and the cells that it changed.
func sheetsOf(all *sqlite.Contents, r *releaselog.Release, changes []release.Change) ([]*sheet, error) {
	t, err := jevons.Compute(all.Panel, jevons.Options{Through: r.Through, Quality: true})
	if err != nil {
		return nil, err
	}
	sold := check.Listings(all.Panel)
	return []*sheet{
		indexSheet(t), coverageSheet(all, t, r.Through), revisionsSheet(r, changes),
		pricesSheet(all, sold), productsSheet(all.Panel), shrinkflationSheet(all, sold),
	}, nil
}

var cellKey = []string{"date", "city", "retailer", "category"}

func indexSheet(t *jevons.Table) *sheet {
	return with(sheet{
		name: "index", title: "Weekly grocery price index", key: cellKey, sorted: []string{"date"}, week: "date",
	}, ofIndex(append(table.Columns(), table.QualityColumns()...)), func(yield func(*jevons.Row) bool) {
		for i := 0; i < len(t.Rows) && yield(&t.Rows[i]); i++ {
		}
	})
}

func coverageSheet(all *sqlite.Contents, t *jevons.Table, through panel.Week) *sheet {
	columns := []column[jevons.CoverageCell]{
		{field{"date", record.Date, 0, true}, func(x *jevons.CoverageCell) record.Value { return weekValue(x.Week) }},
		{field{name: "city"}, func(x *jevons.CoverageCell) record.Value { return textValue(x.Cell.City) }},
		{field{name: "retailer"}, func(x *jevons.CoverageCell) record.Value { return textValue(x.Cell.Banner) }},
		{field{name: "category"}, func(x *jevons.CoverageCell) record.Value { return textValue(x.Cell.Category.Slug()) }},
		{field{"published", record.Flag, 0, true}, func(x *jevons.CoverageCell) record.Value {
			v := record.Value{Known: true}
			if x.Reason == "" {
				v.Int = 1
			}
			return v
		}},
		{field{name: "reason"}, func(x *jevons.CoverageCell) record.Value { return textValue(x.Reason) }},
		{field{"item_count", record.Whole, 0, true}, func(x *jevons.CoverageCell) record.Value { return count(x.ItemCount) }},
		{field{"total_items", record.Whole, 0, true}, func(x *jevons.CoverageCell) record.Value { return count(x.TotalItems) }},
		{field{"unmatched", record.JSON, 0, true}, func(x *jevons.CoverageCell) record.Value {
			return jsonValue(append([]jevons.Unmatched{}, x.Unmatched...))
		}},
	}
	return with(sheet{
		name: "coverage", title: "Cells of the index, published or not", key: cellKey, sorted: []string{"date"}, week: "date",
	}, columns, func(yield func(*jevons.CoverageCell) bool) {
		for x := range jevons.NewCoverage(all.Rows, t).Cells(jevons.Filter{}, through) {
			if !yield(&x) {
				return
			}
		}
	})
}

func count(n int) record.Value { return record.Value{Known: true, Int: int64(n)} }

func jsonValue(x any) record.Value {
	text, _ := json.Marshal(x) // texts and numbers only
	return record.Value{Known: true, Text: string(text)}
}

// revisionsSheet has the cells that the release changed, with the figures before and after.
func revisionsSheet(r *releaselog.Release, changes []release.Change) *sheet {
	type change = release.Change
	columns := []column[change]{
		{field{"release", record.Text, 0, true}, func(*change) record.Value { return textValue(r.ID()) }},
		{field{"released_at", record.Time, 0, true}, func(*change) record.Value {
			return record.Value{Known: true, Int: r.At.UnixNano()}
		}},
		{field{"date", record.Date, 0, true}, func(x *change) record.Value { return weekValue(x.Week) }},
		{field{name: "city"}, func(x *change) record.Value { return textValue(x.Cell.City) }},
		{field{name: "retailer"}, func(x *change) record.Value { return textValue(x.Cell.Banner) }},
		{field{name: "category"}, func(x *change) record.Value { return textValue(x.Cell.Category.Slug()) }},
		{field{"causes", record.JSON, 0, true}, func(x *change) record.Value { return jsonValue(x.Causes) }},
	}
	for _, side := range []struct {
		name string
		row  func(*change) *jevons.Row
	}{{"old_", func(x *change) *jevons.Row { return x.Old }}, {"new_", func(x *change) *jevons.Row { return x.New }}} {
		for _, c := range ofIndex(append(table.Columns(), table.IntervalColumns()...))[len(cellKey):] {
			c := c
			c.name = side.name + c.name
			columns = append(columns, column[change]{c.field, func(x *change) record.Value {
				if row := side.row(x); row != nil {
					return c.value(row)
				}
				return record.Value{}
			}})
		}
	}
	return with(sheet{
		name: "revisions", title: "Cells that the release changed", key: cellKey, sorted: []string{"date"}, week: "date",
		nanoseconds: r.At.Nanosecond()%1000 != 0,
	}, columns, func(yield func(*change) bool) {
		for i := 0; i < len(changes) && yield(&changes[i]); i++ {
		}
	})
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

func pricesSheet(all *sqlite.Contents, sold map[int64]check.Listed) *sheet {
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
		[]column[row]{{field{"week", record.Date, 0, true}, func(r *row) record.Value {
			return weekValue(panel.WeekOf(r.price.ObservedAt))
		}}},
	)
	columns[0].required = true // a snapshot numbers every price
	shownRows, cities := check.NewShown(all.Panel, all.Rows, sold), map[string]*basket.City{}
	for i, c := range all.Panel.Cities() {
		cities[c.Slug] = &all.Panel.Cities()[i]
	}
	return with(sheet{
		name: "prices", title: "Grocery prices observed in stores", key: []string{"id"},
		refers: map[string]string{"product_id": "products"}, sorted: []string{"observed_at", "id"}, week: "week",
		nanoseconds: fine(all.Rows),
	}, columns, func(yield func(*row) bool) {
		var r row
		for i := range all.Rows.Len() {
			if !shownRows.Passes(i) {
				continue
			}
			r.price = all.Rows.At(i)
			r.sold = sold[r.price.Listing]
			place, _ := all.Panel.StoreAt(r.price.Store)
			r.city = cities[all.Panel.Stores()[place].City]
			if r.price.RestateRegular(banner(&r).Verified); !banner(&r).Verified {
				r.price.RegularSource, r.price.PromoDetail = panel.NoSource, ""
			}
			if !yield(&r) {
				return
			}
		}
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

func productsSheet(p *panel.Panel) *sheet {
	columns := of(record.Products, func(p *basket.Product) *basket.Product { return p },
		"id", "name", "category", "subcategory", "standard_size", "unit", "basket_weight")
	return with(sheet{name: "products", title: "Tracked grocery products", key: []string{"id"}}, columns,
		func(yield func(*basket.Product) bool) {
			for i := range p.Products() {
				if x := &p.Products()[i]; x.Active && !yield(x) {
					return
				}
			}
		})
}

// shrinkflationSheet is the rows of /api/v1/shrinkflation of any confidence. An event is history: what became of
// its listing since changes nothing.
func shrinkflationSheet(all *sqlite.Contents, sold map[int64]check.Listed) *sheet {
	events := slices.DeleteFunc(shrink.Select(all.Events, shrink.Low, math.MinInt32, math.MaxInt32),
		func(g shrink.Graded) bool { return !sold[g.Listing].Banner.InIndex })
	event := func(r *row) *panel.ShrinkEvent { return r.ShrinkEvent }
	perUnit := func(name string, value func(*panel.ShrinkEvent) float64) column[row] {
		return column[row]{field{name: name, kind: record.Decimal}, func(r *row) record.Value {
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
		measured[i].decimals = 0 // as its JSON has them
	}
	columns := slices.Concat(measured,
		[]column[row]{
			{field{name: "confidence", required: true}, func(r *row) record.Value { return textValue(r.Confidence.String()) }},
			{field{name: "flag", required: true}, func(r *row) record.Value { return textValue(r.Flag) }},
		},
		of(record.Banners, banner, "retailer", "key banner"),
		of(record.Listings, listing, "name retailer_name", "brand", "product_id"),
		of(record.Products, product, "name product_name", "category"),
	)
	return with(sheet{
		name: "shrinkflation", title: "Packages that became smaller",
		key: []string{"id"}, refers: map[string]string{"product_id": "products"}, sorted: []string{"detected_at", "id"},
		nanoseconds: slices.ContainsFunc(events, func(e shrink.Graded) bool { return e.DetectedAt.Nanosecond()%1000 != 0 }),
	}, columns, func(yield func(*row) bool) {
		var r row
		for _, e := range events {
			if r.Graded, r.sold = e, sold[e.Listing]; !yield(&r) {
				return
			}
		}
	})
}
