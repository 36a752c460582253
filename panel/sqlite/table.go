package sqlite

import (
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/record"
)

// table ties records to a table of the schema and a file of a panel directory.
type table[T any] struct {
	name    string
	order   string // of reading
	columns []record.Column[T]
	file    *csvdir.Table[T]
	key     func(v *T) any // tells records apart

	// For records that are more than a row of the table: how they are read and stored.
	readRows func(c *conn) []T
	putRow   func(c *conn, v *T)
}

func newTable[T any](file *csvdir.Table[T], order string, key func(v *T) any) *table[T] {
	return &table[T]{name: file.Name(), order: order, columns: file.All(), file: file, key: key}
}

var (
	settings     = newTable(csvdir.Settings, "key", func(s *panel.Setting) any { return s.Key })
	categories   = newTable(csvdir.Categories, "place", func(c *basket.NamedCategory) any { return c.Slug })
	products     = newTable(csvdir.Products, "id", func(p *basket.Product) any { return p.ID })
	cities       = newTable(csvdir.Cities, "slug", func(c *basket.City) any { return c.Slug })
	banners      = newTable(csvdir.Banners, "key", func(b *basket.Banner) any { return b.Key })
	stores       = newTable(csvdir.Stores, "id", func(s *panel.Store) any { return s.ID })
	listings     = newTable(csvdir.Listings, "id", func(l *panel.Listing) any { return l.ID })
	observations = newTable(csvdir.Observations, "id", nil)
	specs        = newTable(csvdir.Specs, "product_id", func(s *basket.Spec) any { return s.ProductID })
	quarantine   = newTable(csvdir.QuarantineEntries, "id", func(q *panel.Quarantine) any { return q.Key() })
	shrinkEvents = newTable(csvdir.ShrinkEvents, "id", func(e *panel.ShrinkEvent) any { return e.ID })
	pilot        = newTable(csvdir.Pilot, "date, city, banner, category", func(r *panel.PilotRow) any {
		return [4]any{r.Date, r.City, r.Banner, r.Category}
	})
	words = newTable(csvdir.Words, "product_id, word", func(w *basket.Word) any {
		return [2]any{w.Product, w.Text}
	})
	matches = newTable(csvdir.Matches, "retailer_product_id, at", func(m *panel.Match) any {
		return [2]any{m.Listing, m.At}
	})
)

// tables are the tables that a panel directory has too, in its order.
var tables = []interface {
	title() string
	export(c *conn, w *csvdir.Writer)
}{settings, categories, products, cities, banners, stores, listings, observations, specs, quarantine,
	shrinkEvents, pilot, words, matches}

// seldom names the tables that lists leave out while they have no rows.
var seldom = []string{categories.name, words.name, matches.name}

func (t *table[T]) title() string { return t.name }

// stored returns the columns that the schema has, in its order.
func (t *table[T]) stored(c *conn) (columns []*record.Column[T]) {
	c.each("SELECT name FROM pragma_table_info(?) ORDER BY cid", func(r row) {
		for i := range t.columns {
			if t.columns[i].Name == r.text(0) {
				columns = append(columns, &t.columns[i])
			}
		}
	}, t.name)
	return columns
}

// quoted returns names of columns with commas between; some are words of SQL.
func quoted[T any](columns []*record.Column[T]) string {
	var names []string
	for _, c := range columns {
		names = append(names, `"`+c.Name+`"`)
	}
	return strings.Join(names, ", ")
}

// read returns all records of a table.
func (t *table[T]) read(c *conn) []T {
	if t.readRows != nil {
		return t.readRows(c)
	}
	return t.rows(c)
}

// rows returns the rows of a table as records.
func (t *table[T]) rows(c *conn) (list []T) {
	columns := t.stored(c)
	c.each(fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", quoted(columns), t.name, t.order), func(r row) {
		var v T
		for i, col := range columns {
			col.SetSQL(&v, r[i])
		}
		list = append(list, v)
	})
	return list
}

// each calls f with all records of a table, up to an error.
func (t *table[T]) each(c *conn, f func(T) error) {
	for _, v := range t.read(c) {
		if c.err == nil {
			c.err = f(v)
		}
	}
}

// byKey returns the records of a table by key.
func (t *table[T]) byKey(c *conn) map[any]T {
	m := map[any]T{}
	for _, v := range t.read(c) {
		m[t.key(&v)] = v
	}
	return m
}

// writer returns a function that adds a record in place of the one with the
// same key.
func (t *table[T]) writer(c *conn) (put func(v *T)) {
	if t.putRow != nil {
		return func(v *T) { t.putRow(c, v) }
	}
	return t.insert(c)
}

// insert returns a function that stores a record as a row of the table.
func (t *table[T]) insert(c *conn) (put func(v *T)) {
	columns := t.stored(c)
	query := fmt.Sprintf("INSERT OR REPLACE INTO %s (%s) VALUES (%s)", t.name, quoted(columns),
		placeholders(len(columns)))
	values := make([]driver.Value, len(columns))
	return func(v *T) {
		for i, col := range columns {
			values[i] = col.SQL(v)
		}
		c.exec(query, values...)
	}
}

func placeholders(n int) string { return strings.TrimPrefix(strings.Repeat(", ?", n), ", ") }
