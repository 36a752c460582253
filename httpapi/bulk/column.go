package bulk

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Column is one column of a table with rows of type T.
type Column[T any] struct {
	Name     string
	Type     panel.ColumnType
	Decimals int  // of a decimal: how many a CSV file has at least
	Required bool // no value is null
	// Value returns the value of a row, in the form that panel.ColumnType names, or null.
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
	return Column[T]{Name: name, Type: panel.TypeDate, Required: true, Value: func(row *T) parquet.Value {
		return parquet.Int64Value(int64(value(row)))
	}}
}

// Fixed returns a column of decimals.
func Fixed[T any](name string, decimals int, value func(row *T) panel.Fixed) Column[T] {
	return Column[T]{Name: name, Type: panel.TypeDecimal, Decimals: decimals, Value: func(row *T) parquet.Value {
		v := value(row)
		if !v.Valid {
			return parquet.NullValue()
		}
		return parquet.Int64Value(v.Units)
	}}
}

// Of returns columns of a record that each row refers to. names has the column's name in the
// list, or that name, a blank and its name in the table.
func Of[T, R any](list []panel.Column[R], record func(row *T) *R, names ...string) (columns []Column[T]) {
	for _, name := range names {
		from, to, renamed := strings.Cut(name, " ")
		if !renamed {
			to = from
		}
		c := &list[slices.IndexFunc(list, func(c panel.Column[R]) bool { return c.Name == from })]
		var none R
		columns = append(columns, Column[T]{Name: to, Type: c.Value(&none).Type, Decimals: 2, Value: func(row *T) parquet.Value {
			v := c.Value(record(row))
			switch {
			case !v.Known:
				return parquet.NullValue()
			case v.Type == panel.TypeText:
				return textValue(v.Text)
			case v.Type == panel.TypeFloat:
				return parquet.DoubleValue(v.Float)
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
			columns = append(columns, Column[jevons.Row]{Name: c.Name, Type: panel.TypeWhole, Value: func(r *jevons.Row) parquet.Value {
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
