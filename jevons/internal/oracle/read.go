package oracle

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// ReadDir reads a panel directory: CSV files, plain or gzipped. Only the
// columns that the index needs are looked at.
func ReadDir(dir string) (*Data, error) {
	d := &Data{BaseWeek: DefaultBaseWeek}
	readers := []struct {
		name     string
		optional bool
		row      func(record)
	}{
		{"settings", true, func(r record) {
			if r.text("key") == "base_week" {
				d.BaseWeek = r.text("value")
			}
		}},
		{"products", false, func(r record) {
			d.Products = append(d.Products, Product{
				ID:       r.id("id"),
				Category: r.text("category"),
				Weight:   r.number("basket_weight"),
				Active:   r.boolean("active"),
			})
		}},
		{"cities", false, func(r record) {
			d.Cities = append(d.Cities, City{Slug: r.text("slug"), Name: r.text("name")})
		}},
		{"banners", false, func(r record) {
			d.Banners = append(d.Banners, Banner{Key: r.text("key"), InIndex: r.boolean("in_index")})
		}},
		{"stores", false, func(r record) {
			d.Stores = append(d.Stores, Store{
				ID:     r.id("id"),
				Banner: r.text("banner"),
				City:   r.text("city"),
				Active: r.boolean("active"),
			})
		}},
		{"retailer_products", false, func(r record) {
			d.Listings = append(d.Listings, Listing{
				ID:        r.id("id"),
				ProductID: r.id("product_id"),
				Banner:    r.text("banner"),
				Active:    r.boolean("active"),
			})
		}},
		{"observations", false, func(r record) {
			d.Observations = append(d.Observations, Observation{
				ID:             r.optionalID("id"),
				ListingID:      r.id("retailer_product_id"),
				StoreID:        r.id("store_id"),
				EffectivePrice: r.number("effective_price"),
				ObservedAt:     r.text("observed_at"),
			})
		}},
	}
	for _, f := range readers {
		if err := readFile(dir, f.name, f.optional, f.row); err != nil {
			return nil, err
		}
	}
	if _, err := newLookup(d); err != nil {
		return nil, err
	}
	return d, nil
}

// record is one row of a file, by column name; the first bad cell is kept.
type record struct {
	columns map[string]int
	cells   []string
	err     *error
}

func (r record) fail(column string, err error) {
	if *r.err == nil {
		*r.err = fmt.Errorf("column %s: %w", column, err)
	}
}

func (r record) text(column string) string {
	i, ok := r.columns[column]
	if !ok {
		r.fail(column, errors.New("missing"))
		return ""
	}
	return r.cells[i]
}

func (r record) id(column string) int64 {
	n, err := strconv.ParseInt(r.text(column), 10, 64)
	if err != nil {
		r.fail(column, err)
	}
	return n
}

func (r record) optionalID(column string) int64 {
	if r.text(column) == "" {
		return 0
	}
	return r.id(column)
}

func (r record) number(column string) float64 {
	v, err := strconv.ParseFloat(r.text(column), 64)
	if err != nil {
		r.fail(column, err)
	}
	return v
}

func (r record) boolean(column string) bool {
	switch r.text(column) {
	case "1":
		return true
	case "0":
		return false
	}
	r.fail(column, errors.New("not 0 or 1"))
	return false
}

// readFile calls row for every row of NAME.csv or NAME.csv.gz.
func readFile(dir, name string, optional bool, row func(record)) error {
	in, err := open(filepath.Join(dir, name+".csv"))
	if optional && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()

	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 {
		return fmt.Errorf("%s: no header", name)
	}
	columns := map[string]int{}
	for i, column := range rows[0] {
		columns[column] = i
	}
	for i, cells := range rows[1:] {
		var bad error
		row(record{columns, cells, &bad})
		if bad != nil {
			return fmt.Errorf("%s, row %d: %w", name, i+1, bad)
		}
	}
	return nil
}

// open opens a file, or the gzipped one next to it.
func open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	f, err = os.Open(path + ".gz")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}
