package record

import (
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// What the cells of a column must hold.
const (
	aText  = "a text"
	anID   = "a whole number above 0"
	aFlag  = "0 or 1"
	aTime  = "a time as in RFC 3339"
	aPrice = "a price above 0"
)

var (
	unit      = word(basket.ParseUnit, "a unit")
	soldBy    = word(basket.ParseSoldBy, "package or kg")
	condition = oneOf[panel.SaleCondition](panel.SaleConditions[:], true)
	source    = oneOf[panel.RegularSource](panel.RegularSources[:], true)
	class     = word(basket.ParseWordClass, "a class")
	verdict   = word(panel.ParseMatchVerdict, "a verdict")
	rule      = oneOf[panel.QuarantineRule](panel.QuarantineRules[:], false)

	// level is a pilot row's level. The row's place implies it, so reading it sets nothing.
	level = Column[panel.PilotRow]{
		Name: "level", parse: func(*panel.PilotRow, string) error { return nil }, load: func(*panel.PilotRow, Value) {},
		value: func(r *panel.PilotRow) Value { return kept(r.Level()) },
	}
)

// Observations are the columns of observations. A new one goes to the end.
var Observations = []Column[panel.Observation]{
	col("id", func(o *panel.Observation) *int64 { return &o.ID }, id, optional, shown),
	col("retailer_product_id", func(o *panel.Observation) *int64 { return &o.Listing }, id, needs(anID), shown),
	col("store_id", func(o *panel.Observation) *int64 { return &o.Store }, id, needs(anID), shown),
	col("regular_price", func(o *panel.Observation) *panel.Price { return &o.Regular }, price, optional, shown),
	col("sale_price", func(o *panel.Observation) *panel.Price { return &o.Sale }, price, optional, shown),
	col("effective_price", func(o *panel.Observation) *panel.Price { return &o.Effective }, price,
		needs(aPrice), shown, instead("shelf_price")),
	col("unit_price", func(o *panel.Observation) *float64 { return &o.UnitPrice }, number, optional, shown),
	col("package_size", func(o *panel.Observation) *string { return &o.PackageSize }, scraped, optional, shown),
	col("in_stock", func(o *panel.Observation) *panel.Tri { return &o.InStock }, tri, optional, shown),
	col("is_on_sale", func(o *panel.Observation) *bool { return &o.OnSale }, flag, needs(aFlag), shown),
	col("sale_ends_on", func(o *panel.Observation) *panel.Date { return &o.SaleEndsOn }, date, optional),
	col("sale_condition", func(o *panel.Observation) *panel.SaleCondition { return &o.SaleCondition },
		condition, optional),
	col("scraped_name", func(o *panel.Observation) *string { return &o.ScrapedName }, scraped, optional, shown),
	col("observed_at", func(o *panel.Observation) *time.Time { return &o.ObservedAt }, moment, needs(aTime), shown),
	col("regular_price_source", func(o *panel.Observation) *panel.RegularSource { return &o.RegularSource },
		source, optional, reviewed),
	col("promo_detail", func(o *panel.Observation) *string { return &o.PromoDetail }, promo, optional, reviewed),
}

// ShelfPrice is a column that a file may have instead of effective_price.
var ShelfPrice = col("shelf_price", func(o *panel.Observation) *panel.Price { return &o.Shelf }, price, sparse)

// Settings are the columns of settings.
var Settings = []Column[panel.Setting]{
	col("key", func(s *panel.Setting) *string { return &s.Key }, name, needs(aText)),
	col("value", func(s *panel.Setting) *string { return &s.Value }, name, needs(aText)),
}

// Categories are the columns of categories.
var Categories = []Column[basket.NamedCategory]{
	col("slug", func(c *basket.NamedCategory) *string { return &c.Slug }, name, needs(aText)),
	col("name", func(c *basket.NamedCategory) *string { return &c.Name }, name, needs(aText)),
	col("name_fr", func(c *basket.NamedCategory) *string { return &c.NameFr }, text, sparse),
}

// Products are the columns of products.
var Products = []Column[basket.Product]{
	col("id", func(p *basket.Product) *int64 { return &p.ID }, id, needs(anID)),
	col("name", func(p *basket.Product) *string { return &p.Name }, name, needs(aText)),
	col("category", func(p *basket.Product) *string { return &p.Category }, slug, needs("a category")),
	col("subcategory", func(p *basket.Product) *string { return &p.Subcategory }, text),
	col("standard_size", func(p *basket.Product) *float64 { return &p.StandardSize }, measure, needs("a number")),
	col("unit", func(p *basket.Product) *basket.Unit { return &p.Unit }, unit, needs("a unit")),
	col("basket_weight", func(p *basket.Product) *float64 { return &p.Weight }, measure, needs("a number")),
	col("sold_by", func(p *basket.Product) *basket.SoldBy { return &p.SoldBy }, soldBy, needs("package or kg")),
	col("active", func(p *basket.Product) *bool { return &p.Active }, flag, needs(aFlag)),
	col("name_fr", func(p *basket.Product) *string { return &p.NameFr }, text, optional),
	col("aliases", func(p *basket.Product) *[]string { return &p.Aliases }, aliases, optional),
	col("official_codes", func(p *basket.Product) *[]string { return &p.OfficialCodes }, aliases, sparse),
	col("gtins", func(p *basket.Product) *[]basket.GTIN { return &p.GTINs }, gtins, sparse),
}

// Cities are the columns of cities.
var Cities = []Column[basket.City]{
	col("slug", func(c *basket.City) *string { return &c.Slug }, name, needs(aText)),
	col("name", func(c *basket.City) *string { return &c.Name }, name, needs(aText)),
	col("province", func(c *basket.City) *string { return &c.Province }, name),
}

// Banners are the columns of banners.
var Banners = []Column[basket.Banner]{
	col("key", func(b *basket.Banner) *string { return &b.Key }, name, needs(aText)),
	col("name", func(b *basket.Banner) *string { return &b.Name }, name, needs(aText)),
	col("retailer", func(b *basket.Banner) *string { return &b.Retailer }, name, needs(aText)),
	col("in_index", func(b *basket.Banner) *bool { return &b.InIndex }, flag, needs(aFlag)),
	col("in_shopper", func(b *basket.Banner) *bool { return &b.InShopper }, flag, needs(aFlag)),
	col("verified", func(b *basket.Banner) *bool { return &b.Verified }, flag, needs(aFlag)),
}

// Stores are the columns of stores.
var Stores = []Column[panel.Store]{
	col("id", func(s *panel.Store) *int64 { return &s.ID }, id, needs(anID)),
	col("banner", func(s *panel.Store) *string { return &s.Banner }, name, needs(aText)),
	col("city", func(s *panel.Store) *string { return &s.City }, name, needs(aText)),
	col("active", func(s *panel.Store) *bool { return &s.Active }, flag, needs(aFlag)),
	col("location_certain", func(s *panel.Store) *bool { return &s.LocationCertain }, flag, needs(aFlag)),
	col("code", func(s *panel.Store) *string { return &s.Code }, scraped, sparse),
}

// Listings are the columns of retailer_products.
var Listings = []Column[panel.Listing]{
	col("id", func(l *panel.Listing) *int64 { return &l.ID }, id, needs(anID)),
	col("product_id", func(l *panel.Listing) *int64 { return &l.ProductID }, id, needs(anID)),
	col("banner", func(l *panel.Listing) *string { return &l.Banner }, name, needs(aText)),
	col("sku", func(l *panel.Listing) *string { return &l.SKU }, scraped),
	col("name", func(l *panel.Listing) *string { return &l.Name }, title),
	col("brand", func(l *panel.Listing) *string { return &l.Brand }, scraped),
	col("is_store_brand", func(l *panel.Listing) *panel.Tri { return &l.IsStoreBrand }, tri),
	col("active", func(l *panel.Listing) *bool { return &l.Active }, flag, needs(aFlag)),
	col("gtin", func(l *panel.Listing) *basket.GTIN { return &l.GTIN }, gtin, sparse),
}

// Specs are the columns of product_specs.
var Specs = []Column[basket.Spec]{
	col("product_id", func(s *basket.Spec) *int64 { return &s.ProductID }, id, needs(anID)),
	col("require", func(s *basket.Spec) *[][]string { return &s.Require }, groups),
	col("forbid", func(s *basket.Spec) *[]string { return &s.Forbid }, terms),
	col("min_size", func(s *basket.Spec) *float64 { return &s.MinSize }, number),
	col("max_size", func(s *basket.Spec) *float64 { return &s.MaxSize }, number),
}

// Quarantine are the columns of quarantine.
var Quarantine = []Column[panel.Quarantine]{
	col("id", func(q *panel.Quarantine) *int64 { return &q.ID }, id, notFiled),
	col("retailer_product_id", func(q *panel.Quarantine) *int64 { return &q.Listing }, id),
	col("store_id", func(q *panel.Quarantine) *int64 { return &q.Store }, id),
	col("reason", func(q *panel.Quarantine) *string { return &q.Reason }, text),
	col("observation_id", func(q *panel.Quarantine) *int64 { return &q.Observation }, id, optional),
	col("rule", func(q *panel.Quarantine) *panel.QuarantineRule { return &q.Rule }, rule, optional),
	col("found_at", func(q *panel.Quarantine) *time.Time { return &q.FoundAt }, moment, optional),
	col("released", func(q *panel.Quarantine) *bool { return &q.Released }, flag, optional),
	col("city", func(q *panel.Quarantine) *string { return &q.City }, text, sparse),
	col("banner", func(q *panel.Quarantine) *string { return &q.Banner }, text, sparse),
	col("product_id", func(q *panel.Quarantine) *int64 { return &q.Product }, id, sparse),
	col("from", func(q *panel.Quarantine) *panel.Date { return &q.From }, date, sparse),
	col("to", func(q *panel.Quarantine) *panel.Date { return &q.To }, date, sparse),
	col("withdrawn_at", func(q *panel.Quarantine) *time.Time { return &q.WithdrawnAt }, moment, sparse),
	col("confirmed_at", func(q *panel.Quarantine) *time.Time { return &q.ConfirmedAt }, moment, sparse),
}

// ShrinkEvents are the columns of shrink_events.
var ShrinkEvents = []Column[panel.ShrinkEvent]{
	col("id", func(e *panel.ShrinkEvent) *int64 { return &e.ID }, id, needs(anID)),
	col("retailer_product_id", func(e *panel.ShrinkEvent) *int64 { return &e.Listing }, id, needs(anID)),
	col("old_package_size", func(e *panel.ShrinkEvent) *string { return &e.OldPackageSize }, scraped),
	col("new_package_size", func(e *panel.ShrinkEvent) *string { return &e.NewPackageSize }, scraped),
	col("old_size_numeric", func(e *panel.ShrinkEvent) *float64 { return &e.OldSize }, number),
	col("new_size_numeric", func(e *panel.ShrinkEvent) *float64 { return &e.NewSize }, number),
	col("size_unit", func(e *panel.ShrinkEvent) *string { return &e.SizeUnit }, text),
	col("pct_size_change", func(e *panel.ShrinkEvent) *panel.Fixed { return &e.PctSizeChange }, fixed),
	col("old_unit_price", func(e *panel.ShrinkEvent) *float64 { return &e.OldUnitPrice }, number),
	col("new_unit_price", func(e *panel.ShrinkEvent) *float64 { return &e.NewUnitPrice }, number),
	col("pct_unit_price_change", func(e *panel.ShrinkEvent) *panel.Fixed { return &e.PctUnitPriceChange }, fixed),
	col("shelf_price_at_change", func(e *panel.ShrinkEvent) *panel.Price { return &e.ShelfPrice }, price),
	col("detected_at", func(e *panel.ShrinkEvent) *time.Time { return &e.DetectedAt }, moment, needs(aTime)),
	col("observation_ids", func(e *panel.ShrinkEvent) *[]int64 { return &e.Observations }, ids, optional),
	col("detected", func(e *panel.ShrinkEvent) *bool { return &e.Detected }, flag, notFiled),
}

// Pilot are the columns of index_v1. Snapshots do not store the level.
var Pilot = []Column[panel.PilotRow]{
	col("date", func(r *panel.PilotRow) *panel.Week { return &r.Date }, week, needs("a week's Sunday")),
	level,
	col("city", func(r *panel.PilotRow) *string { return &r.City }, text),
	col("banner", func(r *panel.PilotRow) *string { return &r.Banner }, text),
	col("category", func(r *panel.PilotRow) *string { return &r.Category }, slice),
	col("index_value", func(r *panel.PilotRow) *panel.Fixed { return &r.IndexValue }, fixed,
		needs("a number of at most four decimals")),
	col("basket_cost_cad", func(r *panel.PilotRow) *panel.Fixed { return &r.BasketCost }, fixed),
	col("pct_change_wow", func(r *panel.PilotRow) *panel.Fixed { return &r.WoW }, fixed),
	col("pct_change_mom", func(r *panel.PilotRow) *panel.Fixed { return &r.MoM }, fixed),
	col("item_count", func(r *panel.PilotRow) *int { return &r.ItemCount }, count),
	col("total_items", func(r *panel.PilotRow) *int { return &r.TotalItems }, count),
}

// Words are the columns of words.
var Words = []Column[basket.Word]{
	col("class", func(w *basket.Word) *basket.WordClass { return &w.Class }, class, needs("a class")),
	col("word", func(w *basket.Word) *string { return &w.Text }, name, needs(aText)),
	col("synonyms", func(w *basket.Word) *[]string { return &w.Synonyms }, terms, optional),
	col("product_id", func(w *basket.Word) *int64 { return &w.Product }, id, sparse),
	col("note", func(w *basket.Word) *string { return &w.Note }, text, sparse),
}

// Matches are the columns of matches.
var Matches = []Column[panel.Match]{
	col("retailer_product_id", func(m *panel.Match) *int64 { return &m.Listing }, id, needs(anID)),
	col("verdict", func(m *panel.Match) *panel.MatchVerdict { return &m.Verdict }, verdict,
		needs("accepted or rejected")),
	col("reason", func(m *panel.Match) *string { return &m.Reason }, name, needs(aText)),
	col("at", func(m *panel.Match) *time.Time { return &m.At }, moment, needs(aTime)),
}
