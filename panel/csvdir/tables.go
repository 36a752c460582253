package csvdir

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Setting is one row of settings.csv.
type Setting struct{ Key, Value string }

func settingsTable() *Table[Setting] {
	return &Table[Setting]{
		name: "settings", optional: true,
		columns: []column[Setting]{
			textColumn("key", filled, func(r *Setting) *string { return &r.Key }),
			textColumn("value", filled, func(r *Setting) *string { return &r.Value }),
		},
		compare: func(a, b *Setting) int { return strings.Compare(a.Key, b.Key) },
	}
}

func productsTable() *Table[basket.Product] {
	return &Table[basket.Product]{
		name: "products",
		columns: []column[basket.Product]{
			idColumn("id", filled, func(r *basket.Product) *int { return &r.ID }),
			textColumn("name", filled, func(r *basket.Product) *string { return &r.Name }),
			parsedColumn("category", "a category", func(r *basket.Product) *basket.Category { return &r.Category }, basket.ParseCategory),
			textColumn("subcategory", maybe, func(r *basket.Product) *string { return &r.Subcategory }),
			floatColumn("standard_size", filled, func(r *basket.Product) *float64 { return &r.StandardSize }),
			parsedColumn("unit", "a unit", func(r *basket.Product) *basket.Unit { return &r.Unit }, basket.ParseUnit),
			floatColumn("basket_weight", filled, func(r *basket.Product) *float64 { return &r.Weight }),
			parsedColumn("sold_by", "package or kg", func(r *basket.Product) *basket.SoldBy { return &r.SoldBy }, basket.ParseSoldBy),
			boolColumn("active", filled, func(r *basket.Product) *bool { return &r.Active }),
			asOptional(textColumn("name_fr", maybe, func(r *basket.Product) *string { return &r.NameFr })),
			asOptional(newColumn("aliases", maybe, "", func(r *basket.Product) *[]string { return &r.Aliases },
				func(cell []byte, v *[]string) error { *v = strings.Split(string(cell), "|"); return nil },
				func(b []byte, v []string) []byte { return appendText(b, strings.Join(v, "|")) })),
		},
		check:   func(_ *decoder, r *basket.Product) error { return r.Validate() },
		compare: func(a, b *basket.Product) int { return cmp.Compare(a.ID, b.ID) },
	}
}

func citiesTable() *Table[basket.City] {
	return &Table[basket.City]{
		name: "cities",
		columns: []column[basket.City]{
			textColumn("slug", filled, func(r *basket.City) *string { return &r.Slug }),
			textColumn("name", filled, func(r *basket.City) *string { return &r.Name }),
			textColumn("province", filled, func(r *basket.City) *string { return &r.Province }),
		},
		check:   func(_ *decoder, r *basket.City) error { return r.Validate() },
		compare: func(a, b *basket.City) int { return strings.Compare(a.Slug, b.Slug) },
	}
}

func bannersTable() *Table[basket.Banner] {
	return &Table[basket.Banner]{
		name: "banners",
		columns: []column[basket.Banner]{
			textColumn("key", filled, func(r *basket.Banner) *string { return &r.Key }),
			textColumn("name", filled, func(r *basket.Banner) *string { return &r.Name }),
			textColumn("retailer", filled, func(r *basket.Banner) *string { return &r.Retailer }),
			boolColumn("in_index", filled, func(r *basket.Banner) *bool { return &r.InIndex }),
			boolColumn("in_shopper", filled, func(r *basket.Banner) *bool { return &r.InShopper }),
			boolColumn("verified", filled, func(r *basket.Banner) *bool { return &r.Verified }),
		},
		check:   func(_ *decoder, r *basket.Banner) error { return r.Validate() },
		compare: func(a, b *basket.Banner) int { return strings.Compare(a.Key, b.Key) },
	}
}

func storesTable() *Table[panel.Store] {
	return &Table[panel.Store]{
		name: "stores",
		columns: []column[panel.Store]{
			idColumn("id", filled, func(r *panel.Store) *int64 { return &r.ID }),
			textColumn("banner", filled, func(r *panel.Store) *string { return &r.Banner }),
			textColumn("city", filled, func(r *panel.Store) *string { return &r.City }),
			boolColumn("active", filled, func(r *panel.Store) *bool { return &r.Active }),
			boolColumn("location_certain", filled, func(r *panel.Store) *bool { return &r.LocationCertain }),
		},
		compare: func(a, b *panel.Store) int { return cmp.Compare(a.ID, b.ID) },
	}
}

func listingsTable() *Table[panel.Listing] {
	return &Table[panel.Listing]{
		name: "retailer_products",
		columns: []column[panel.Listing]{
			idColumn("id", filled, func(r *panel.Listing) *int64 { return &r.ID }),
			idColumn("product_id", filled, func(r *panel.Listing) *int { return &r.ProductID }),
			textColumn("banner", filled, func(r *panel.Listing) *string { return &r.Banner }),
			textColumn("sku", maybe, func(r *panel.Listing) *string { return &r.SKU }),
			textColumn("name", maybe, func(r *panel.Listing) *string { return &r.Name }),
			textColumn("brand", maybe, func(r *panel.Listing) *string { return &r.Brand }),
			triColumn("is_store_brand", func(r *panel.Listing) *panel.Tri { return &r.IsStoreBrand }),
			boolColumn("active", filled, func(r *panel.Listing) *bool { return &r.Active }),
		},
		compare: func(a, b *panel.Listing) int { return cmp.Compare(a.ID, b.ID) },
	}
}

func observationsTable() *Table[panel.Observation] {
	return &Table[panel.Observation]{
		name: "observations",
		columns: []column[panel.Observation]{
			idColumn("id", maybe, func(r *panel.Observation) *int64 { return &r.ID }),
			idColumn("retailer_product_id", filled, func(r *panel.Observation) *int64 { return &r.Listing }),
			idColumn("store_id", filled, func(r *panel.Observation) *int64 { return &r.Store }),
			priceColumn("regular_price", maybe, func(r *panel.Observation) *panel.Price { return &r.Regular }),
			priceColumn("sale_price", maybe, func(r *panel.Observation) *panel.Price { return &r.Sale }),
			priceColumn("effective_price", filled, func(r *panel.Observation) *panel.Price { return &r.Effective }),
			floatColumn("unit_price", maybe, func(r *panel.Observation) *float64 { return &r.UnitPrice }),
			textColumn("package_size", maybe, func(r *panel.Observation) *string { return &r.PackageSize }),
			triColumn("in_stock", func(r *panel.Observation) *panel.Tri { return &r.InStock }),
			boolColumn("is_on_sale", filled, func(r *panel.Observation) *bool { return &r.OnSale }),
			dateColumn("sale_ends_on", maybe, func(r *panel.Observation) *panel.Date { return &r.SaleEndsOn }),
			wordColumn("sale_condition", panel.SaleConditions[:], func(r *panel.Observation) *panel.SaleCondition { return &r.SaleCondition }),
			textColumn("scraped_name", maybe, func(r *panel.Observation) *string { return &r.ScrapedName }),
			timeColumn("observed_at", filled, func(r *panel.Observation) *time.Time { return &r.ObservedAt }),
			wordColumn("regular_price_source", panel.RegularSources[:], func(r *panel.Observation) *panel.RegularSource { return &r.RegularSource }),
			promoColumn("promo_detail", func(r *panel.Observation) *string { return &r.PromoDetail }),
		},
		compare: func(a, b *panel.Observation) int {
			return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Listing, b.Listing),
				cmp.Compare(a.Store, b.Store), a.ObservedAt.Compare(b.ObservedAt))
		},
	}
}

// table is a table whatever its rows are.
type table interface {
	FileName() string
	base() string
	required() bool
	checkHeader(header [][]byte) error
}

var tables = []table{
	Settings, Products, Cities, Banners, Stores, Listings, Observations,
	Specs, QuarantineEntries, ShrinkEvents, Pilot,
}

var errLevel = errors.New("level, city and banner disagree: national has neither, city a city, banner both")

func unknownLevel(level string) error {
	return fmt.Errorf("level: %s is not one of national, city, banner", shorten([]byte(level)))
}
