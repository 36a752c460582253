package sqlite

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// table ties a record type to its table: how a row becomes a record and back.
type table[T any] struct {
	name    string
	columns []string
	order   string // of reading
	scan    func(r row) T
	values  func(v *T) []driver.Value
}

// read returns all records of a table.
func (t *table[T]) read(c *conn) ([]T, error) {
	var list []T
	query := fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", strings.Join(t.columns, ", "), t.name, t.order)
	err := c.each(query, func(r row) error { list = append(list, t.scan(r)); return nil })
	return list, err
}

// put adds a record, in place of the one with the same key.
func (t *table[T]) put(c *conn, v *T) error {
	return c.exec(fmt.Sprintf("INSERT OR REPLACE INTO %s (%s) VALUES (?%s)",
		t.name, strings.Join(t.columns, ", "), strings.Repeat(", ?", len(t.columns)-1)), t.values(v)...)
}

var (
	settings = &table[csvdir.Setting]{
		name: "settings", columns: []string{"key", "value"}, order: "key",
		scan:   func(r row) csvdir.Setting { return csvdir.Setting{Key: r.text(0), Value: r.text(1)} },
		values: func(v *csvdir.Setting) []driver.Value { return []driver.Value{v.Key, v.Value} },
	}
	products = &table[basket.Product]{
		name: "products", order: "id",
		columns: []string{"id", "name", "category", "subcategory", "standard_size", "unit", "basket_weight", "sold_by", "active", "name_fr", "aliases"},
		scan: func(r row) basket.Product {
			p := basket.Product{
				ID: int(r.int(0)), Name: r.text(1), Subcategory: r.text(3), StandardSize: r.float(4),
				Weight: r.float(6), Active: r.bool(8), NameFr: r.text(9),
			}
			// A word that is none leaves a zero, which the builder refuses.
			p.Category, _ = basket.ParseCategory(r.text(2))
			p.Unit, _ = basket.ParseUnit(r.text(5))
			p.SoldBy, _ = basket.ParseSoldBy(r.text(7))
			if a := r.text(10); a != "" {
				p.Aliases = strings.Split(a, "|")
			}
			return p
		},
		values: func(v *basket.Product) []driver.Value {
			return []driver.Value{
				int64(v.ID), v.Name, v.Category.String(), orNull(v.Subcategory), v.StandardSize, v.Unit.String(),
				v.Weight, v.SoldBy.String(), bit(v.Active), orNull(v.NameFr), orNull(strings.Join(v.Aliases, "|")),
			}
		},
	}
	cities = &table[basket.City]{
		name: "cities", columns: []string{"slug", "name", "province"}, order: "slug",
		scan: func(r row) basket.City {
			return basket.City{Slug: r.text(0), Name: r.text(1), Province: r.text(2)}
		},
		values: func(v *basket.City) []driver.Value { return []driver.Value{v.Slug, v.Name, v.Province} },
	}
	banners = &table[basket.Banner]{
		name: "banners", columns: []string{"key", "name", "retailer", "in_index", "in_shopper", "verified"}, order: "key",
		scan: func(r row) basket.Banner {
			return basket.Banner{
				Key: r.text(0), Name: r.text(1), Retailer: r.text(2),
				InIndex: r.bool(3), InShopper: r.bool(4), Verified: r.bool(5),
			}
		},
		values: func(v *basket.Banner) []driver.Value {
			return []driver.Value{v.Key, v.Name, v.Retailer, bit(v.InIndex), bit(v.InShopper), bit(v.Verified)}
		},
	}
	stores = &table[panel.Store]{
		name: "stores", columns: []string{"id", "banner", "city", "active", "location_certain"}, order: "id",
		scan: func(r row) panel.Store {
			return panel.Store{ID: r.int(0), Banner: r.text(1), City: r.text(2), Active: r.bool(3), LocationCertain: r.bool(4)}
		},
		values: func(v *panel.Store) []driver.Value {
			return []driver.Value{v.ID, v.Banner, v.City, bit(v.Active), bit(v.LocationCertain)}
		},
	}
	listings = &table[panel.Listing]{
		name: "retailer_products", order: "id",
		columns: []string{"id", "product_id", "banner", "sku", "name", "brand", "is_store_brand", "active"},
		scan: func(r row) panel.Listing {
			return panel.Listing{
				ID: r.int(0), ProductID: int(r.int(1)), Banner: r.text(2), SKU: r.text(3), Name: r.text(4),
				Brand: r.text(5), IsStoreBrand: r.tri(6), Active: r.bool(7),
			}
		},
		values: func(v *panel.Listing) []driver.Value {
			return []driver.Value{v.ID, int64(v.ProductID), v.Banner, orNull(v.SKU), v.Name, orNull(v.Brand), triOrNull(v.IsStoreBrand), bit(v.Active)}
		},
	}
	specs = &table[basket.Spec]{
		name: "product_specs", columns: []string{"product_id", "require", "forbid", "min_size", "max_size"}, order: "product_id",
		scan: func(r row) basket.Spec {
			s := basket.Spec{ProductID: int(r.int(0)), MinSize: r.float(3), MaxSize: r.float(4)}
			if t := r.text(1); t != "" {
				for _, group := range strings.Split(t, "&") {
					s.Require = append(s.Require, strings.Split(group, "|"))
				}
			}
			if t := r.text(2); t != "" {
				s.Forbid = strings.Split(t, "|")
			}
			return s
		},
		values: func(v *basket.Spec) []driver.Value {
			groups := make([]string, len(v.Require))
			for i, terms := range v.Require {
				groups[i] = strings.Join(terms, "|")
			}
			return []driver.Value{
				int64(v.ProductID), orNull(strings.Join(groups, "&")), orNull(strings.Join(v.Forbid, "|")),
				floatOrNull(v.MinSize), floatOrNull(v.MaxSize),
			}
		},
	}
	quarantine = &table[panel.Quarantine]{
		name: "quarantine", order: "id",
		columns: []string{"id", "retailer_product_id", "store_id", "observation_id", "rule", "reason", "found_at", "released"},
		scan: func(r row) panel.Quarantine {
			q := panel.Quarantine{
				ID: r.int(0), Listing: r.int(1), Store: r.int(2), Observation: r.int(3), Reason: r.text(5), Released: r.bool(7),
			}
			for i, name := range panel.QuarantineRules {
				if name == r.text(4) {
					q.Rule = panel.QuarantineRule(i)
				}
			}
			if !r.null(6) {
				q.FoundAt = time.Unix(0, r.int(6)).UTC()
			}
			return q
		},
		values: func(v *panel.Quarantine) []driver.Value {
			var found driver.Value
			if !v.FoundAt.IsZero() {
				found = v.FoundAt.UnixNano()
			}
			return []driver.Value{
				intOrNull(v.ID), v.Listing, intOrNull(v.Store), intOrNull(v.Observation), v.Rule.String(), orNull(v.Reason), found, bit(v.Released),
			}
		},
	}
	shrinkEvents = &table[panel.ShrinkEvent]{
		name: "shrink_events", order: "id",
		columns: []string{
			"id", "retailer_product_id", "old_package_size", "new_package_size", "old_size_numeric", "new_size_numeric",
			"size_unit", "pct_size_change", "old_unit_price", "new_unit_price", "pct_unit_price_change",
			"shelf_price_at_change", "detected_at", "observation_ids",
		},
		scan: func(r row) panel.ShrinkEvent {
			e := panel.ShrinkEvent{
				ID: r.int(0), Listing: r.int(1), OldPackageSize: r.text(2), NewPackageSize: r.text(3),
				OldSize: r.float(4), NewSize: r.float(5), SizeUnit: r.text(6), PctSizeChange: r.fixed(7),
				OldUnitPrice: r.float(8), NewUnitPrice: r.float(9), PctUnitPriceChange: r.fixed(10),
				ShelfPrice: panel.Price(r.int(11)), DetectedAt: time.Unix(0, r.int(12)).UTC(),
			}
			if t := r.text(13); t != "" {
				for _, s := range strings.Split(t, "|") {
					id, _ := strconv.ParseInt(s, 10, 64)
					e.Observations = append(e.Observations, id)
				}
			}
			return e
		},
		values: func(v *panel.ShrinkEvent) []driver.Value {
			return []driver.Value{
				v.ID, v.Listing, orNull(v.OldPackageSize), orNull(v.NewPackageSize), floatOrNull(v.OldSize),
				floatOrNull(v.NewSize), orNull(v.SizeUnit), fixedOrNull(v.PctSizeChange), floatOrNull(v.OldUnitPrice),
				floatOrNull(v.NewUnitPrice), fixedOrNull(v.PctUnitPriceChange), intOrNull(int64(v.ShelfPrice)),
				v.DetectedAt.UnixNano(), orNull(string(csvdir.AppendIDs(nil, v.Observations))),
			}
		},
	}
	pilot = &table[panel.PilotRow]{
		name: "index_v1", order: "date, city, banner, category",
		columns: []string{
			"date", "city", "banner", "category", "index_value", "basket_cost_cad",
			"pct_change_wow", "pct_change_mom", "item_count", "total_items",
		},
		scan: func(r row) panel.PilotRow {
			p := panel.PilotRow{
				Date: panel.Week(r.int(0)), City: r.text(1), Banner: r.text(2), IndexValue: r.fixed(4),
				BasketCost: r.fixed(5), WoW: r.fixed(6), MoM: r.fixed(7), ItemCount: r.count(8), TotalItems: r.count(9),
			}
			if !r.null(3) {
				p.Category, _ = basket.ParseCategory(r.text(3))
			}
			return p
		},
		values: func(v *panel.PilotRow) []driver.Value {
			var category driver.Value
			if v.Category != basket.Overall {
				category = v.Category.String()
			}
			return []driver.Value{
				int64(v.Date), orNull(v.City), orNull(v.Banner), category, fixedOrNull(v.IndexValue),
				fixedOrNull(v.BasketCost), fixedOrNull(v.WoW), fixedOrNull(v.MoM), countOrNull(v.ItemCount), countOrNull(v.TotalItems),
			}
		},
	}
)
