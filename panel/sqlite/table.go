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
	readRows func(c *conn) ([]T, error)
	putRow   func(c *conn, v *T) error
}

func newTable[T any](name, order string, columns []record.Column[T], file *csvdir.Table[T],
	key func(v *T) any) *table[T] {
	return &table[T]{name: name, order: order, columns: columns, file: file, key: key}
}

var (
	settings = newTable("settings", "key", record.Settings, csvdir.Settings,
		func(s *panel.Setting) any { return s.Key })
	products = newTable("products", "id", record.Products, csvdir.Products,
		func(p *basket.Product) any { return p.ID })
	cities = newTable("cities", "slug", record.Cities, csvdir.Cities,
		func(c *basket.City) any { return c.Slug })
	banners = newTable("banners", "key", record.Banners, csvdir.Banners,
		func(b *basket.Banner) any { return b.Key })
	stores = newTable("stores", "id", record.Stores, csvdir.Stores,
		func(s *panel.Store) any { return s.ID })
	listings = newTable("retailer_products", "id", record.Listings, csvdir.Listings,
		func(l *panel.Listing) any { return l.ID })
	observations = newTable("observations", "id", record.Observations, csvdir.Observations, nil)
	specs        = newTable("product_specs", "product_id", record.Specs, csvdir.Specs,
		func(s *basket.Spec) any { return s.ProductID })
	quarantine = newTable("quarantine", "id", record.Quarantine, csvdir.QuarantineEntries,
		func(q *panel.Quarantine) any { return q.Key() })
	shrinkEvents = newTable("shrink_events", "id", record.ShrinkEvents, csvdir.ShrinkEvents,
		func(e *panel.ShrinkEvent) any { return e.ID })
	pilot = newTable("index_v1", "date, city, banner, category", record.Pilot, csvdir.Pilot,
		func(r *panel.PilotRow) any { return [4]any{r.Date, r.City, r.Banner, r.Category} })
	annotations = newTable("annotations", "date, series", record.Annotations, csvdir.Annotations,
		func(a *panel.Annotation) any { return [2]any{a.Date, a.Series} })
	words = newTable("words", "product_id, word", record.Words, csvdir.Words,
		func(w *basket.Word) any { return [2]any{w.Product, w.Text} })
	matches = newTable("matches", "retailer_product_id, at", record.Matches, csvdir.Matches,
		func(m *panel.Match) any { return [2]any{m.Listing, m.At} })
)

// tables are the tables that a panel directory has too, in its order.
var tables = []interface {
	title() string
	export(r *reader, w *csvdir.Writer)
}{settings, products, cities, banners, stores, listings, observations, specs, quarantine, shrinkEvents, pilot,
	annotations, words, matches}

// seldom names the tables that lists leave out while they have no rows.
var seldom = []string{annotations.name, words.name, matches.name}

func (t *table[T]) title() string { return t.name }

// stored returns the columns that the schema has, in its order, and their names
// in quotes with commas between: some are words of SQL.
func (t *table[T]) stored(c *conn) (columns []*record.Column[T], names string, err error) {
	err = c.each("SELECT name FROM pragma_table_info(?) ORDER BY cid", func(r row) error {
		for i := range t.columns {
			if col := &t.columns[i]; col.Name == r.text(0) {
				columns = append(columns, col)
				names += `, "` + col.Name + `"`
			}
		}
		return nil
	}, t.name)
	return columns, strings.TrimPrefix(names, ", "), err
}

// read returns all records of a table.
func (t *table[T]) read(c *conn) ([]T, error) {
	if t.readRows != nil {
		return t.readRows(c)
	}
	return t.rows(c)
}

// rows returns the rows of a table as records.
func (t *table[T]) rows(c *conn) ([]T, error) {
	columns, names, err := t.stored(c)
	if err != nil {
		return nil, err
	}
	var list []T
	err = c.each(fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", names, t.name, t.order), func(r row) error {
		var v T
		for i, col := range columns {
			col.SetSQL(&v, r[i])
		}
		list = append(list, v)
		return nil
	})
	return list, err
}

// writer returns a function that adds a record in place of the one with the
// same key.
func (t *table[T]) writer(c *conn) (put func(v *T) error, err error) {
	if t.putRow != nil {
		return func(v *T) error { return t.putRow(c, v) }, nil
	}
	return t.insert(c)
}

// insert returns a function that stores a record as a row of the table.
func (t *table[T]) insert(c *conn) (put func(v *T) error, err error) {
	columns, names, err := t.stored(c)
	query := fmt.Sprintf("INSERT OR REPLACE INTO %s (%s) VALUES (%s)", t.name, names, placeholders(len(columns)))
	values := make([]driver.Value, len(columns))
	return func(v *T) error {
		for i, col := range columns {
			values[i] = col.SQL(v)
		}
		return c.exec(query, values...)
	}, err
}

// put adds records as writer does.
func (t *table[T]) put(c *conn, list ...T) error {
	put, err := t.writer(c)
	for i := 0; i < len(list) && err == nil; i++ {
		err = put(&list[i])
	}
	return err
}

func placeholders(n int) string { return strings.TrimPrefix(strings.Repeat(", ?", n), ", ") }

// reader reads whole tables until the first error.
type reader struct {
	conn *conn
	err  error
}

// readAll returns all records of a table, or nothing after an error.
func readAll[T any](r *reader, t *table[T]) (list []T) {
	if r.err == nil {
		list, r.err = t.read(r.conn)
	}
	return list
}

func readEach[T any](r *reader, t *table[T], f func(T) error) {
	for _, v := range readAll(r, t) {
		if r.err == nil {
			r.err = f(v)
		}
	}
}

// readMap returns the records of a table by key.
func readMap[T any](r *reader, t *table[T]) map[any]T {
	list := readAll(r, t)
	m := make(map[any]T, len(list))
	for i := range list {
		m[t.key(&list[i])] = list[i]
	}
	return m
}
