package sqlite

import (
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// table ties records to a table of the schema.
type table[T any] struct {
	name    string
	order   string // of reading
	columns []panel.Column[T]
}

var (
	settings     = &table[panel.Setting]{"settings", "key", panel.SettingColumns}
	products     = &table[basket.Product]{"products", "id", panel.ProductColumns}
	cities       = &table[basket.City]{"cities", "slug", panel.CityColumns}
	banners      = &table[basket.Banner]{"banners", "key", panel.BannerColumns}
	stores       = &table[panel.Store]{"stores", "id", panel.StoreColumns}
	listings     = &table[panel.Listing]{"retailer_products", "id", panel.ListingColumns}
	observations = &table[panel.Observation]{"observations", "id", panel.ObservationColumns}
	specs        = &table[basket.Spec]{"product_specs", "product_id", panel.SpecColumns}
	quarantine   = &table[panel.Quarantine]{"quarantine", "id", panel.QuarantineColumns}
	shrinkEvents = &table[panel.ShrinkEvent]{"shrink_events", "id", panel.ShrinkEventColumns}
	pilot        = &table[panel.PilotRow]{"index_v1", "date, city, banner, category", panel.PilotColumns}
)

// stored returns the columns that the schema has, in its order, and their names
// with commas between.
func (t *table[T]) stored(c *conn) (columns []*panel.Column[T], names string, err error) {
	err = c.each("SELECT name FROM pragma_table_info(?) ORDER BY cid", func(r row) error {
		for i := range t.columns {
			if col := &t.columns[i]; col.Name == r.text(0) {
				columns = append(columns, col)
				names += ", " + col.Name
			}
		}
		return nil
	}, t.name)
	return columns, strings.TrimPrefix(names, ", "), err
}

// read returns all records of a table.
func (t *table[T]) read(c *conn) ([]T, error) {
	columns, names, err := t.stored(c)
	if err != nil {
		return nil, err
	}
	var list []T
	err = c.each(fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", names, t.name, t.order), func(r row) error {
		var v T
		for i, col := range columns {
			col.Restore(&v, r[i])
		}
		list = append(list, v)
		return nil
	})
	return list, err
}

// writer returns a function that adds a record in place of the one with the
// same key.
func (t *table[T]) writer(c *conn) (put func(v *T) error, err error) {
	columns, names, err := t.stored(c)
	query := fmt.Sprintf("INSERT OR REPLACE INTO %s (%s) VALUES (%s)", t.name, names, placeholders(len(columns)))
	values := make([]driver.Value, len(columns))
	return func(v *T) error {
		for i, col := range columns {
			values[i] = col.Stored(v)
		}
		return c.exec(query, values...)
	}, err
}

// placeholders returns n question marks with commas between.
func placeholders(n int) string { return strings.TrimPrefix(strings.Repeat(", ?", n), ", ") }
