package bulk

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// Column is one column of a table with rows of type T.
type Column[T any] struct {
	Name     string
	Type     record.Type
	Decimals int  // of a decimal: how many a CSV file has at least
	Required bool // no value is null
	// Value returns the value of a row, in the form that record.Type names, or null.
	Value func(row *T) parquet.Value
}

// Text returns a column of texts. An empty text is null.
func Text[T any](name string, value func(row *T) string) Column[T] {
	return Column[T]{Name: name, Value: func(row *T) parquet.Value { return textValue(value(row)) }}
}

func textValue(s string) parquet.Value {
	if s == "" {
		return parquet.NullValue()
	}
	return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s))) // the writer copies it
}

// Day returns a column of dates.
func Day[T any](name string, value func(row *T) panel.Date) Column[T] {
	return Column[T]{Name: name, Type: record.Date, Required: true, Value: func(row *T) parquet.Value {
		return parquet.Int64Value(int64(value(row)))
	}}
}

// Fixed returns a column of decimals.
func Fixed[T any](name string, decimals int, value func(row *T) panel.Fixed) Column[T] {
	return Column[T]{Name: name, Type: record.Decimal, Decimals: decimals, Value: func(row *T) parquet.Value {
		v := value(row)
		if !v.Valid {
			return parquet.NullValue()
		}
		return parquet.Int64Value(v.Units)
	}}
}

// Of returns columns of a record that each row refers to. names has the column's name in the
// list, or that name, a blank and its name in the table.
func Of[T, R any](list []record.Column[R], of func(row *T) *R, names ...string) (columns []Column[T]) {
	for _, name := range names {
		from, to, renamed := strings.Cut(name, " ")
		if !renamed {
			to = from
		}
		c := &list[slices.IndexFunc(list, func(c record.Column[R]) bool { return c.Name == from })]
		columns = append(columns, Column[T]{Name: to, Type: c.Type, Decimals: c.Decimals, Value: func(row *T) parquet.Value {
			v := c.Value(of(row))
			switch {
			case !v.Known:
				return parquet.NullValue()
			case c.Type == record.Text:
				return textValue(v.Text)
			case c.Type == record.JSON:
				return textValue(string(c.AppendJSON(nil, of(row))))
			case c.Type == record.Float:
				return parquet.DoubleValue(v.Float())
			}
			return parquet.Int64Value(v.Int)
		}})
	}
	return columns
}

// Required says of the named columns that no value is null.
func Required[T any](columns []Column[T], names ...string) []Column[T] {
	for _, name := range names {
		columns[slices.IndexFunc(columns, func(c Column[T]) bool { return c.Name == name })].Required = true
	}
	return columns
}

// OfIndex returns the columns of index rows. A number without decimals is a whole number.
func OfIndex(list []table.Column) (columns []Column[jevons.Row]) {
	for _, c := range list {
		switch {
		case c.Week != nil:
			columns = append(columns, Day(c.Name, func(r *jevons.Row) panel.Date { return c.Week(r).Date() }))
		case c.Text != nil:
			columns = append(columns, Text(c.Name, c.Text))
		case c.Decimals == 0:
			columns = append(columns, Column[jevons.Row]{Name: c.Name, Type: record.Whole, Value: func(r *jevons.Row) parquet.Value {
				if v := c.Number(r); v.Valid {
					return parquet.Int64Value(v.Units / 1e4)
				}
				return parquet.NullValue()
			}})
		default:
			columns = append(columns, Fixed(c.Name, c.Decimals, c.Number))
		}
	}
	return columns
}
