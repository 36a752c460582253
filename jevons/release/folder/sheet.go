package folder

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// sheet is a table that is written as CSV and as Parquet.
type sheet struct {
	name, title string
	fields      []field
	key         []string                 // the columns that tell rows apart
	refers      map[string]string        // other tables that columns refer to, by their column id
	sorted      []string                 // the columns that rows are in order of
	week        string                   // the column by which a Parquet file has row groups, if any
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

// pointers yields the elements of a list.
func pointers[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := 0; i < len(list) && yield(&list[i]); i++ {
		}
	}
}

func textValue(s string) record.Value     { return record.Value{Known: s != "", Text: s} }
func count(n int) record.Value            { return record.Value{Known: true, Int: int64(n)} }
func weekValue(w panel.Week) record.Value { return record.Value{Known: true, Int: int64(w.Date())} }

// columnsOf picks columns of a record. A new name may follow a column's name behind a blank.
func columnsOf[R any](list []record.Column[R], names ...string) (columns []column[R]) {
	for _, name := range names {
		from, to, renamed := strings.Cut(name, " ")
		if !renamed {
			to = from
		}
		c := &list[slices.IndexFunc(list, func(c record.Column[R]) bool { return c.Name == from })]
		columns = append(columns, column[R]{field{to, c.Type, c.Decimals, c.Required()}, func(row *R) record.Value {
			v := c.Value(row)
			if v.Known && c.Type == record.JSON {
				v.Text = string(c.AppendJSON(nil, row))
			}
			return v
		}})
	}
	return columns
}

// indexColumns returns columns of index rows. A number without decimals is a whole number.
func indexColumns(list []table.Column) (columns []column[jevons.Row]) {
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

// via returns columns of what rows refer to. They are null where a row refers to nothing.
func via[T, R any](refer func(row *T) *R, columns []column[R]) (list []column[T]) {
	for _, c := range columns {
		list = append(list, column[T]{c.field, func(row *T) record.Value {
			if r := refer(row); r != nil {
				return c.value(r)
			}
			return record.Value{}
		}})
	}
	return list
}

// lines yields the lines of the CSV file, the columns first. The values are those of JSON bodies; null is the empty
// cell.
func (t *sheet) lines(yield func([]byte) bool) {
	var b []byte
	for _, c := range t.fields {
		b = append(append(b, c.name...), ',')
	}
	b[len(b)-1] = '\n'
	more := yield(b)
	for values := range t.rows {
		b = b[:0]
		for i := range values {
			b = append(values[i].AppendCell(b, t.fields[i].kind, t.fields[i].decimals), ',')
		}
		b[len(b)-1] = '\n'
		if more = more && yield(b); !more {
			return
		}
	}
}

// appendRow appends the values of a row of the Parquet file.
func (t *sheet) appendRow(row parquet.Row, values []record.Value) parquet.Row {
	for i := range values {
		v, c := &values[i], &t.fields[i]
		if !v.Known {
			if c.required {
				panic("folder: a row of " + t.name + " has no " + c.name)
			}
			row = append(row, parquet.Value{}.Level(0, 0, i))
			continue
		}
		level := 1
		if c.required {
			level = 0
		}
		var value parquet.Value
		switch {
		case c.kind <= record.JSON: // the writer copies it
			value = parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(v.Text), len(v.Text)))
		case c.kind == record.Float:
			value = parquet.DoubleValue(v.Float())
		case c.kind == record.Date:
			value = parquet.Int32Value(int32(v.Int))
		case c.kind == record.Flag:
			value = parquet.BooleanValue(v.Int != 0)
		case c.kind == record.Time:
			value = parquet.Int64Value(v.Int / 1000)
		default:
			value = parquet.Int64Value(v.Int)
		}
		row = append(row, value.Level(0, level, i))
	}
	return row
}

// parquetTypes are the types of columns as package parquet has them, by their Go types and tags.
// Decimals have the precision that fits an int64.
var parquetTypes = map[record.Type]struct {
	of  reflect.Type
	tag string
}{
	record.Text:    {reflect.TypeFor[string](), "dict"},
	record.JSON:    {reflect.TypeFor[string](), "dict"},
	record.Whole:   {reflect.TypeFor[int64](), "dict"},
	record.Float:   {reflect.TypeFor[float64](), "dict"},
	record.Decimal: {reflect.TypeFor[int64](), "decimal(4:18),dict"},
	record.Flag:    {reflect.TypeFor[bool](), ""},
	record.Date:    {reflect.TypeFor[int32](), "date,dict"},
	record.Time:    {reflect.TypeFor[int64](), "timestamp(microsecond),delta"},
}

// parquetSchema describes the columns to package parquet.
func (t *sheet) parquetSchema() *parquet.Schema {
	fields := make([]reflect.StructField, len(t.fields))
	for i, c := range t.fields {
		kind := parquetTypes[c.kind]
		tags := []string{c.name, kind.tag}
		if c.kind == record.Whole && slices.Contains(t.key, c.name) {
			tags[1] = "delta" // nearly every row has another value
		}
		if !c.required {
			tags = append(tags, "optional")
		}
		tag := fmt.Sprintf("parquet:%q", strings.Join(tags, ","))
		fields[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: kind.of, Tag: reflect.StructTag(tag)}
	}
	return parquet.NewSchema(t.name, parquet.SchemaOf(reflect.Zero(reflect.StructOf(fields)).Interface()))
}
