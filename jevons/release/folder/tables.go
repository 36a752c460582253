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
		with(ofCells("index", "Weekly grocery price index"),
			indexColumns(append(table.Columns(all.Panel.About()), table.QualityColumns()...)), pointers(t.Rows)),
		coverageSheet(all, t, r.Through), revisionsSheet(all.Panel.About(), r, changes),
		pricesSheet(all, sold), productsSheet(all.Panel), shrinkflationSheet(all, sold),
	}, nil
}

var cellKey = []string{"date", "city", "retailer", "category"}

func ofCells(name, title string) sheet {
	return sheet{name: name, title: title, key: cellKey, sorted: []string{"date"}, week: "date"}
}

// cells are the columns of cellKey.
func cells[T any](about *panel.About, key func(row *T) *jevons.Row) []column[T] {
	return via(key, indexColumns(table.Columns(about)[:len(cellKey)]))
}

func coverageSheet(all *sqlite.Contents, t *jevons.Table, through panel.Week) *sheet {
	type cell struct {
		jevons.CoverageCell
		key jevons.Row
	}
	columns := append(cells(all.Panel.About(), func(x *cell) *jevons.Row { return &x.key }), []column[cell]{
		{field{"published", record.Flag, 0, true}, func(x *cell) record.Value {
			if x.Reason == "" {
				return count(1)
			}
			return count(0)
		}},
		{field{name: "reason"}, func(x *cell) record.Value { return textValue(x.Reason) }},
		{field{"item_count", record.Whole, 0, true}, func(x *cell) record.Value { return count(x.ItemCount) }},
		{field{"total_items", record.Whole, 0, true}, func(x *cell) record.Value { return count(x.TotalItems) }},
		{field{"unmatched", record.JSON, 0, true}, func(x *cell) record.Value {
			return jsonValue(append([]jevons.Unmatched{}, x.Unmatched...))
		}},
	}...)
	return with(ofCells("coverage", "Cells of the index, published or not"), columns, func(yield func(*cell) bool) {
		for x := range jevons.NewCoverage(all.Rows, t).Cells(jevons.Filter{}, through) {
			if !yield(&cell{x, jevons.Row{Week: x.Week, Cell: x.Cell}}) {
				return
			}
		}
	})
}

func jsonValue(x any) record.Value {
	text, _ := json.Marshal(x) // texts and numbers only
	return record.Value{Known: true, Text: string(text)}
}

// revisionsSheet has the cells that the release changed, with the figures before and after.
func revisionsSheet(about *panel.About, r *releaselog.Release, changes []release.Change) *sheet {
	type change = release.Change
	columns := []column[change]{
		{field{"release", record.Text, 0, true}, func(*change) record.Value { return textValue(r.ID()) }},
		{field{"released_at", record.Time, 0, true}, func(*change) record.Value {
			return record.Value{Known: true, Int: r.At.UnixNano()}
		}},
	}
	columns = append(columns,
		cells(about, func(x *change) *jevons.Row { return &jevons.Row{Week: x.Week, Cell: &x.Cell} })...)
	columns = append(columns, column[change]{field{"causes", record.JSON, 0, true},
		func(x *change) record.Value { return jsonValue(x.Causes) }})
	figures := indexColumns(append(table.Columns(about), table.IntervalColumns()...))[len(cellKey):]
	before := via(func(x *change) *jevons.Row { return x.Old }, figures)
	after := via(func(x *change) *jevons.Row { return x.New }, figures)
	for i := range figures {
		before[i].name, after[i].name = "old_"+before[i].name, "new_"+after[i].name
	}
	return with(ofCells("revisions", "Cells that the release changed"), slices.Concat(columns, before, after),
		pointers(changes))
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
	listed := []string{"sku retailer_sku", "name retailer_name", "brand", "is_store_brand"}
	if slices.ContainsFunc(all.Panel.Listings(), func(l panel.Listing) bool { return l.GTIN != "" }) {
		listed = append(listed, "gtin")
	}
	columns := slices.Concat(
		via(func(r *row) *panel.Observation { return &r.price }, columnsOf(record.Observations, shown...)),
		via(listing, columnsOf(record.Listings, "product_id")),
		via(banner, columnsOf(record.Banners, "retailer", "key banner")),
		via(listing, columnsOf(record.Listings, listed...)),
		via(product, columnsOf(record.Products, "name product_name", "category", "subcategory", "basket_weight")),
		via(func(r *row) *basket.City { return r.city }, columnsOf(record.Cities, "name city", "province")),
		[]column[row]{{field{"week", record.Date, 0, true}, func(r *row) record.Value {
			return weekValue(all.Panel.Calendar().WeekOf(r.price.ObservedAt))
		}}},
	)
	columns[0].required = true // a snapshot numbers every price
	nowhere := func(c basket.City) bool { return c.Province == "" }
	columns[len(columns)-2].required = !slices.ContainsFunc(all.Panel.Cities(), nowhere)
	shownRows, cities := check.NewShown(all.Panel, all.Rows, sold), map[string]*basket.City{}
	for i, c := range all.Panel.Cities() {
		cities[c.Slug] = &all.Panel.Cities()[i]
	}
	return with(sheet{
		name: "prices", title: "Grocery prices observed in stores", key: []string{"id"},
		refers: map[string]string{"product_id": "products"}, sorted: []string{"observed_at", "id"}, week: "week",
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
			r.price.RestateRegular(banner(&r).Verified)
			if !banner(&r).Verified {
				r.price.RegularSource, r.price.PromoDetail = panel.NoSource, ""
			}
			if !yield(&r) {
				return
			}
		}
	})
}

func productsSheet(p *panel.Panel) *sheet {
	active := slices.DeleteFunc(slices.Clone(p.Products()), func(x basket.Product) bool { return !x.Active })
	return with(sheet{name: "products", title: "Tracked grocery products", key: []string{"id"}},
		columnsOf(record.Products, "id", "name", "category", "subcategory", "standard_size", "unit", "basket_weight"),
		pointers(active))
}

// shrinkflationSheet is the rows of /api/v1/shrinkflation of any confidence. An event is history: what became of
// its listing since changes nothing.
func shrinkflationSheet(all *sqlite.Contents, sold map[int64]check.Listed) *sheet {
	graded := shrink.Select(all.Panel.Calendar(), all.Events, shrink.Low, math.MinInt32, math.MaxInt32)
	events := slices.DeleteFunc(graded, func(g shrink.Graded) bool { return !sold[g.Listing].Banner.InIndex })
	type event = panel.ShrinkEvent
	perUnit := func(v float64) record.Value {
		return record.Value{Known: v != 0, Int: decimal.NewFromFloat(v).Shift(panel.PriceDecimals).Round(0).IntPart()}
	}
	old := field{name: "old_unit_price", kind: record.Decimal}
	next := field{name: "new_unit_price", kind: record.Decimal}
	measured := slices.Concat(
		columnsOf(record.ShrinkEvents, "id", "old_package_size", "new_package_size", "old_size_numeric",
			"new_size_numeric", "size_unit", "pct_size_change"),
		[]column[event]{
			{old, func(e *event) record.Value { return perUnit(e.OldUnitPrice) }},
			{next, func(e *event) record.Value { return perUnit(e.NewUnitPrice) }},
		},
		columnsOf(record.ShrinkEvents, "pct_unit_price_change", "shelf_price_at_change", "detected_at"),
	)
	for i := range measured {
		measured[i].decimals = 0 // as its JSON has them
	}
	columns := slices.Concat(
		via(func(r *row) *event { return r.ShrinkEvent }, measured),
		[]column[row]{
			{field{name: "confidence", required: true}, func(r *row) record.Value {
				return textValue(r.Confidence.String())
			}},
			{field{name: "flag", required: true}, func(r *row) record.Value { return textValue(r.Flag) }},
		},
		via(banner, columnsOf(record.Banners, "retailer", "key banner")),
		via(listing, columnsOf(record.Listings, "name retailer_name", "brand", "product_id")),
		via(product, columnsOf(record.Products, "name product_name", "category")),
	)
	rows := make([]row, len(events))
	for i, e := range events {
		rows[i] = row{Graded: e, sold: sold[e.Listing]}
	}
	return with(sheet{
		name: "shrinkflation", title: "Packages that became smaller",
		key: []string{"id"}, refers: map[string]string{"product_id": "products"}, sorted: []string{"detected_at", "id"},
	}, columns, pointers(rows))
}
