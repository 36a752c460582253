package folder

import (
	"iter"
	"slices"
	"strings"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// sheet is a table that can be written as files.
type sheet struct {
	name, title string
	fields      []field
	key         []string                 // the columns that tell rows apart
	refers      map[string]string        // other tables that columns refer to, by their column id
	sorted      []string                 // the columns that rows are in order of
	week        string                   // the column by which a Parquet file has row groups, if any
	nanoseconds bool                     // some time is finer than a microsecond
	rows        iter.Seq[[]record.Value] // in the order of the columns, valid until the next row
}

// field describes a column.
type field struct {
	name     string
	kind     record.Type
	decimals int  // of a decimal: how many a CSV file has at least
	required bool // no value is null
}

type column[T any] struct {
	field
	value func(row *T) record.Value
}

// with returns the table with rows of type T.
func with[T any](t sheet, columns []column[T], rows iter.Seq[*T]) *sheet {
	for _, c := range columns {
		t.fields = append(t.fields, c.field)
	}
	t.rows = func(yield func([]record.Value) bool) {
		values := make([]record.Value, len(columns))
		for row := range rows {
			for i := range columns {
				values[i] = columns[i].value(row)
			}
			if !yield(values) {
				return
			}
		}
	}
	return &t
}

func textValue(s string) record.Value     { return record.Value{Known: s != "", Text: s} }
func weekValue(w panel.Week) record.Value { return record.Value{Known: true, Int: int64(w.Date())} }

// of returns columns of a record that each row refers to. Each of names is a column's name in the list,
// with its name in the table behind a blank if that is another one.
func of[T, R any](list []record.Column[R], refer func(row *T) *R, names ...string) (columns []column[T]) {
	for _, name := range names {
		from, to, renamed := strings.Cut(name, " ")
		if !renamed {
			to = from
		}
		c := &list[slices.IndexFunc(list, func(c record.Column[R]) bool { return c.Name == from })]
		columns = append(columns, column[T]{field{to, c.Type, c.Decimals, c.Required()}, func(row *T) record.Value {
			v := c.Value(refer(row))
			if v.Known && c.Type == record.JSON {
				v.Text = string(c.AppendJSON(nil, refer(row)))
			}
			return v
		}})
	}
	return columns
}

// ofIndex returns the columns of index rows. A number without decimals is a whole number.
func ofIndex(list []table.Column) (columns []column[jevons.Row]) {
	for _, c := range list {
		x := column[jevons.Row]{field: field{name: c.Name, kind: record.Decimal, decimals: c.Decimals}}
		switch {
		case c.Week != nil:
			x.kind, x.required = record.Date, true
			x.value = func(r *jevons.Row) record.Value { return weekValue(c.Week(r)) }
		case c.Text != nil:
			x.kind, x.value = record.Text, func(r *jevons.Row) record.Value { return textValue(c.Text(r)) }
		default:
			unit := int64(1)
			if c.Decimals == 0 {
				x.kind, unit = record.Whole, 1e4
			}
			x.value = func(r *jevons.Row) record.Value {
				v := c.Number(r)
				return record.Value{Known: v.Valid, Int: v.Units / unit}
			}
		}
		columns = append(columns, x)
	}
	return columns
}
