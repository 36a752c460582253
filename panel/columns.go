package panel

import (
	"errors"
	"fmt"

	"github.com/larder-index/larder/basket"
)

// Column is one column of a table: its name in files and snapshots, and the
// field of a record that it holds. The CSV files, the snapshot and its export
// follow from the lists of columns in this file and in columns_records.go.
type Column[T any] struct {
	Name     string
	Optional bool   // files may lack it
	NotFiled bool   // only snapshots have it
	Sparse   bool   // optional, and written only to files of which some row has a value
	needs    string // what a cell must hold; empty: the cell may be empty
	field    func(record *T) Field
}

// Field points to a field of a record and gives it the forms that it has in a
// CSV cell and in a snapshot.
type Field interface {
	// Parse reads the text of a cell that is not empty. The error does not
	// name the column.
	Parse(cell string) error
	// Append appends the cell, in quotes if it needs them.
	Append(b []byte) []byte
	// Stored returns the int64, float64 or string that a snapshot stores, or
	// nil for an unknown value.
	Stored() any
	// Restore is the reverse of Stored.
	Restore(stored any)
}

// errBlank is the error of a cell that holds white space in place of a text.
var errBlank = errors.New("is blank; it needs " + aText)

// Parse reads a cell into a record. An empty cell is an unknown value. An
// error names the column, the value and what is accepted.
func (c *Column[T]) Parse(record *T, cell string) error {
	f := c.field(record)
	if cell == "" {
		if c.needs != "" {
			return fmt.Errorf("%s is empty; it needs %s", c.Name, c.needs)
		}
		f.Restore(nil)
		return nil
	}
	switch err := f.Parse(cell); err {
	case nil:
		return nil
	case errBlank:
		return fmt.Errorf("%s %w", c.Name, err)
	default:
		return fmt.Errorf("%s: %w", c.Name, err)
	}
}

// Append appends a record's cell to a line, in quotes if it needs them.
func (c *Column[T]) Append(b []byte, record *T) []byte { return c.field(record).Append(b) }

// Stored returns the int64, float64 or string that a snapshot stores for a
// record, or nil for an unknown value.
func (c *Column[T]) Stored(record *T) any { return c.field(record).Stored() }

// Restore sets a record's field to what Stored returned.
func (c *Column[T]) Restore(record *T, stored any) { c.field(record).Restore(stored) }

// What the cells of a column must hold.
const (
	aText  = "a text"
	anID   = "a whole number above 0"
	aFlag  = "0 or 1"
	aTime  = "a time as in RFC 3339"
	aPrice = "a price above 0"
)

func filled[T any](name, needs string, field func(*T) Field) Column[T] {
	return Column[T]{Name: name, needs: needs, field: field}
}

func maybe[T any](name string, field func(*T) Field) Column[T] {
	return Column[T]{Name: name, field: field}
}

func optional[T any](name string, field func(*T) Field) Column[T] {
	return Column[T]{Name: name, Optional: true, field: field}
}

func sparse[T any](name string, field func(*T) Field) Column[T] {
	return Column[T]{Name: name, Optional: true, Sparse: true, field: field}
}

// ObservationColumns are the columns of observations.
var ObservationColumns = []Column[Observation]{
	maybe("id", func(o *Observation) Field { return idField{&o.ID} }),
	filled("retailer_product_id", anID, func(o *Observation) Field { return idField{&o.Listing} }),
	filled("store_id", anID, func(o *Observation) Field { return idField{&o.Store} }),
	maybe("regular_price", func(o *Observation) Field { return priceField{&o.Regular} }),
	maybe("sale_price", func(o *Observation) Field { return priceField{&o.Sale} }),
	filled("effective_price", aPrice, func(o *Observation) Field { return priceField{&o.Effective} }),
	maybe("unit_price", func(o *Observation) Field { return numberField{&o.UnitPrice} }),
	maybe("package_size", func(o *Observation) Field { return textField{&o.PackageSize} }),
	maybe("in_stock", func(o *Observation) Field { return triField{&o.InStock} }),
	filled("is_on_sale", aFlag, func(o *Observation) Field { return flagField{&o.OnSale} }),
	maybe("sale_ends_on", func(o *Observation) Field { return dateField{&o.SaleEndsOn} }),
	maybe("sale_condition", func(o *Observation) Field { return conditionField{&o.SaleCondition} }),
	maybe("scraped_name", func(o *Observation) Field { return textField{&o.ScrapedName} }),
	filled("observed_at", aTime, func(o *Observation) Field { return timeField{&o.ObservedAt} }),
	maybe("regular_price_source", func(o *Observation) Field { return sourceField{&o.RegularSource} }),
	maybe("promo_detail", func(o *Observation) Field { return promoField{&o.PromoDetail} }),
}

// Setting is one setting of a panel. Its keys are KeyBaseWeek and those after it.
type Setting struct{ Key, Value string }

// SettingColumns are the columns of settings.
var SettingColumns = []Column[Setting]{
	filled("key", aText, func(s *Setting) Field { return nameField{&s.Key} }),
	filled("value", aText, func(s *Setting) Field { return nameField{&s.Value} }),
}

// ProductColumns are the columns of products.
var ProductColumns = []Column[basket.Product]{
	filled("id", anID, func(p *basket.Product) Field { return productField{&p.ID} }),
	filled("name", aText, func(p *basket.Product) Field { return nameField{&p.Name} }),
	filled("category", "a category", func(p *basket.Product) Field {
		return wordField[basket.Category]{&p.Category, basket.ParseCategory, "a category"}
	}),
	maybe("subcategory", func(p *basket.Product) Field { return textField{&p.Subcategory} }),
	filled("standard_size", "a number", func(p *basket.Product) Field { return measureField{numberField{&p.StandardSize}} }),
	filled("unit", "a unit", func(p *basket.Product) Field {
		return wordField[basket.Unit]{&p.Unit, basket.ParseUnit, "a unit"}
	}),
	filled("basket_weight", "a number", func(p *basket.Product) Field { return measureField{numberField{&p.Weight}} }),
	filled("sold_by", "package or kg", func(p *basket.Product) Field {
		return wordField[basket.SoldBy]{&p.SoldBy, basket.ParseSoldBy, "package or kg"}
	}),
	filled("active", aFlag, func(p *basket.Product) Field { return flagField{&p.Active} }),
	optional("name_fr", func(p *basket.Product) Field { return textField{&p.NameFr} }),
	optional("aliases", func(p *basket.Product) Field { return aliasesField{&p.Aliases} }),
}

// CityColumns are the columns of cities.
var CityColumns = []Column[basket.City]{
	filled("slug", aText, func(c *basket.City) Field { return nameField{&c.Slug} }),
	filled("name", aText, func(c *basket.City) Field { return nameField{&c.Name} }),
	filled("province", aText, func(c *basket.City) Field { return nameField{&c.Province} }),
}

// BannerColumns are the columns of banners.
var BannerColumns = []Column[basket.Banner]{
	filled("key", aText, func(b *basket.Banner) Field { return nameField{&b.Key} }),
	filled("name", aText, func(b *basket.Banner) Field { return nameField{&b.Name} }),
	filled("retailer", aText, func(b *basket.Banner) Field { return nameField{&b.Retailer} }),
	filled("in_index", aFlag, func(b *basket.Banner) Field { return flagField{&b.InIndex} }),
	filled("in_shopper", aFlag, func(b *basket.Banner) Field { return flagField{&b.InShopper} }),
	filled("verified", aFlag, func(b *basket.Banner) Field { return flagField{&b.Verified} }),
}

// StoreColumns are the columns of stores.
var StoreColumns = []Column[Store]{
	filled("id", anID, func(s *Store) Field { return idField{&s.ID} }),
	filled("banner", aText, func(s *Store) Field { return nameField{&s.Banner} }),
	filled("city", aText, func(s *Store) Field { return nameField{&s.City} }),
	filled("active", aFlag, func(s *Store) Field { return flagField{&s.Active} }),
	filled("location_certain", aFlag, func(s *Store) Field { return flagField{&s.LocationCertain} }),
}

// ListingColumns are the columns of retailer_products.
var ListingColumns = []Column[Listing]{
	filled("id", anID, func(l *Listing) Field { return idField{&l.ID} }),
	filled("product_id", anID, func(l *Listing) Field { return productField{&l.ProductID} }),
	filled("banner", aText, func(l *Listing) Field { return nameField{&l.Banner} }),
	maybe("sku", func(l *Listing) Field { return textField{&l.SKU} }),
	maybe("name", func(l *Listing) Field { return titleField{textField{&l.Name}} }),
	maybe("brand", func(l *Listing) Field { return textField{&l.Brand} }),
	maybe("is_store_brand", func(l *Listing) Field { return triField{&l.IsStoreBrand} }),
	filled("active", aFlag, func(l *Listing) Field { return flagField{&l.Active} }),
}
