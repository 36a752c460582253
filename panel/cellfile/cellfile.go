// Package cellfile reads a file of cells: a Parquet file with the mean log price of
// every series and week, which another engine computed from single prices.
//
// The file has the columns listing_id, store_id, week, mean_log_price and prices, and
// may have the column filtered. Its rows are sorted by week, listing_id and store_id. A column
// that is missing, unknown or of another type fails Open, and a bad row fails
// [File.Each]; the errors name the file and the row.
package cellfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// column is a column that a file of cells has.
type column struct {
	name     string
	types    string // in words
	optional bool   // a file may lack it
	fits     func(parquet.Type) bool
}

// The places of the columns in columns.
const (
	listing = iota
	store
	week
	meanLog
	prices
	filtered
)

var columns = []column{
	{name: "listing_id", types: "INT64 or INT32", fits: whole},
	{name: "store_id", types: "INT64 or INT32", fits: whole},
	{name: "week", types: "DATE", fits: func(t parquet.Type) bool {
		_, ok := meaning(t).(*format.DateType)
		return ok && t.Kind() == parquet.Int32
	}},
	{name: "mean_log_price", types: "DOUBLE", fits: func(t parquet.Type) bool { return t.Kind() == parquet.Double }},
	{name: "prices", types: "INT32 or INT64", fits: whole},
	{name: "filtered", types: "INT32 or INT64", optional: true, fits: whole},
}

// whole reports whether a type is a whole number.
func whole(t parquet.Type) bool {
	m := meaning(t)
	_, ok := m.(*format.IntType)
	return (t.Kind() == parquet.Int32 || t.Kind() == parquet.Int64) && (ok || m == nil)
}

// meaning returns a type's annotation, or nil.
func meaning(t parquet.Type) format.LogicalTypeValue {
	if l := t.LogicalType(); l != nil {
		return l.Value
	}
	return nil
}

// File is an open file of cells.
type File struct {
	name  string // as errors name it
	file  *os.File
	table *parquet.File
	at    [filtered + 1]int // place of each of columns in a row; -1: the file lacks it
	size  int64
}

// Open opens a file and checks its columns.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("cellfile: no file %s", path)
	} else if err != nil {
		return nil, fmt.Errorf("cellfile: %w", err)
	}
	f := &File{name: filepath.Base(path), file: file}
	if err := f.open(); err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

func (f *File) open() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = f.unreadable(p)
		}
	}()
	info, err := f.file.Stat()
	if err != nil {
		return fmt.Errorf("cellfile: %w", err)
	}
	f.size = info.Size()
	if f.table, err = parquet.OpenFile(f.file, f.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)); err != nil {
		return f.unreadable(err)
	}
	if err := f.findColumns(); err != nil {
		return fmt.Errorf("cellfile: %s has not the columns of cells: %w", f.name, err)
	}
	if f.table.NumRows() == 0 {
		return fmt.Errorf("cellfile: %s has no rows", f.name)
	}
	return nil
}

// unreadable is the error for what the decoder can't read. It panics on some bytes.
func (f *File) unreadable(why any) error {
	return fmt.Errorf("cellfile: %s can't be read as Parquet: %v", f.name, why)
}

// findColumns finds the place of each column. The error lists all that is wrong.
func (f *File) findColumns() error {
	fields := f.table.Schema().Fields()
	var errs []error
	for i, c := range columns {
		f.at[i] = slices.IndexFunc(fields, func(x parquet.Field) bool { return x.Name() == c.name })
		if f.at[i] < 0 && !c.optional {
			errs = append(errs, fmt.Errorf("column %s (%s) is missing", c.name, c.types))
		}
	}
	for at, x := range fields {
		i := slices.Index(f.at[:], at)
		switch {
		case i < 0:
			errs = append(errs, fmt.Errorf("column %s is unknown; leave it out (a file of cells has %s)", x.Name(), names()))
		case !x.Leaf() || x.Repeated():
			errs = append(errs, fmt.Errorf("column %s is nested, not %s", x.Name(), columns[i].types))
		case !columns[i].fits(x.Type()):
			errs = append(errs, fmt.Errorf("column %s is %s, not %s", x.Name(), x.Type(), columns[i].types))
		}
	}
	return errors.Join(errs...)
}

func names() string {
	var list []string
	for _, c := range columns {
		list = append(list, c.name)
	}
	return strings.Join(list, ", ")
}

// Size returns the length of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Rows returns the number of rows, one a cell.
func (f *File) Rows() int64 { return f.table.NumRows() }

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
