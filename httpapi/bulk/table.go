// Package bulk writes whole tables as files: Parquet, and CSV packed by gzip. A Data Package
// describes the files, and a list has their sums. The same rows give the same bytes.
//
// Tables are streams of rows, so a file of any length is written in little memory. A Folder
// keeps the files of releases and makes those of each of them once.
package bulk

import (
	"iter"
	"slices"
	"strings"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// Format is the form of a file, and the end of its name.
type Format string

// The formats.
const (
	Parquet Format = "parquet"
	CSV     Format = "csv.gz"
)

// Table is a table that can be written as files.
type Table struct {
	Name, Title string
	Columns     []Column
	Key         []string          // the columns that tell rows apart
	Refers      map[string]string // other tables that columns refer to, by their column id
	Sorted      []string          // the columns that rows are in order of
	Nanoseconds bool              // some time is finer than a microsecond
	// Rows has the values of rows, in the order of the columns, which are valid until the next
	// row, each with its week. A Parquet file has a row group for each week.
	Rows iter.Seq2[panel.Week, []record.Value]
}

// Column describes a column.
type Column struct {
	Name     string
	Type     record.Type
	Decimals int  // of a decimal: how many a CSV file has at least
	Required bool // no value is null
}

// column is a column of rows of type T.
type column[T any] struct {
	Column
	value func(row *T) record.Value
}

// with returns the table with rows of type T. Without week they have none.
func with[T any](t Table, columns []column[T], rows iter.Seq[*T], week func(*T) panel.Week) Table {
	for _, c := range columns {
		t.Columns = append(t.Columns, c.Column)
	}
	t.Rows = func(yield func(panel.Week, []record.Value) bool) {
		values := make([]record.Value, len(columns))
		for row := range rows {
			for i := range columns {
				values[i] = columns[i].value(row)
			}
			w := panel.Week(0)
			if week != nil {
				w = week(row)
			}
			if !yield(w, values) {
				return
			}
		}
	}
	return t
}

func textValue(s string) record.Value       { return record.Value{Known: s != "", Text: s} }
func fixedValue(v panel.Fixed) record.Value { return record.Value{Known: v.Valid, Int: v.Units} }
func weekValue(w panel.Week) record.Value   { return record.Value{Known: true, Int: int64(w.Date())} }

// of returns columns of a record that each row refers to. names has the column's name in the
// list, or that name, a blank and its name in the table.
func of[T, R any](list []record.Column[R], refer func(row *T) *R, names ...string) (columns []column[T]) {
	for _, name := range names {
		from, to, renamed := strings.Cut(name, " ")
		if !renamed {
			to = from
		}
		c := &list[slices.IndexFunc(list, func(c record.Column[R]) bool { return c.Name == from })]
		columns = append(columns, column[T]{Column{Name: to, Type: c.Type, Decimals: c.Decimals}, func(row *T) record.Value {
			v := c.Value(refer(row))
			if v.Known && c.Type == record.JSON {
				v.Text = string(c.AppendJSON(nil, refer(row)))
			}
			return v
		}})
	}
	return columns
}

// required says of the named columns that no value is null.
func required[T any](columns []column[T], names ...string) {
	for i := range columns {
		columns[i].Required = columns[i].Required || slices.Contains(names, columns[i].Name)
	}
}

// ofIndex returns the columns of index rows. A number without decimals is a whole number.
func ofIndex(list []table.Column) (columns []column[jevons.Row]) {
	for _, c := range list {
		x := column[jevons.Row]{Column: Column{Name: c.Name, Type: record.Decimal, Decimals: c.Decimals}}
		switch {
		case c.Week != nil:
			x.Type, x.Required = record.Date, true
			x.value = func(r *jevons.Row) record.Value { return weekValue(c.Week(r)) }
		case c.Text != nil:
			x.Type, x.value = record.Text, func(r *jevons.Row) record.Value { return textValue(c.Text(r)) }
		case c.Decimals > 0:
			x.value = func(r *jevons.Row) record.Value { return fixedValue(c.Number(r)) }
		default:
			x.Type = record.Whole
			x.value = func(r *jevons.Row) record.Value {
				v := c.Number(r)
				return record.Value{Known: v.Valid, Int: v.Units / 1e4}
			}
		}
		columns = append(columns, x)
	}
	return columns
}
