package bulk

import (
	"io"
	"reflect"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// batch is how many rows are gathered before their columns are encoded.
const batch = 1024

// writeParquet writes the rows as Parquet: packed by Snappy, texts by dictionary.
func (t *Rows[T]) writeParquet(w io.Writer, about *About) error {
	out := parquet.NewGenericWriter[any](w, t.options(about)...)
	columns := out.ColumnWriters()
	values := make([][]parquet.Value, len(t.Columns))
	gather := func() error {
		for i := range values {
			if _, err := columns[i].WriteRowValues(values[i]); err != nil {
				return err
			}
			values[i] = values[i][:0]
		}
		return nil
	}
	var week panel.Week
	for row := range t.Each {
		next := week
		if t.Week != nil {
			next = t.Week(row)
		}
		if next != week && week != 0 || len(values[0]) == batch {
			if err := gather(); err != nil {
				return err
			}
		}
		if next != week && week != 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		week = next
		for i := range t.Columns {
			values[i] = append(values[i], t.parquetValue(i, row))
		}
	}
	if err := gather(); err != nil {
		return err
	}
	return out.Close()
}

// parquetValue returns a value in the form of its Parquet type.
func (t *Rows[T]) parquetValue(i int, row *T) parquet.Value {
	c := &t.Columns[i]
	v, level := c.Value(row), 0
	switch {
	case v.IsNull() && c.Required:
		panic("bulk: a row of " + t.Name + " has no " + c.Name)
	case v.IsNull():
		return v.Level(0, 0, i)
	case c.Type == record.Date:
		v = parquet.Int32Value(int32(v.Int64()))
	case c.Type == record.Flag:
		v = parquet.BooleanValue(v.Int64() != 0)
	case c.Type == record.Time && !t.Nanoseconds:
		v = parquet.Int64Value(v.Int64() / 1000)
	}
	if !c.Required {
		level = 1
	}
	return v.Level(0, level, i)
}

func (t *Rows[T]) options(about *About) []parquet.WriterOption {
	root := &ordered{}
	for i := range t.Columns {
		root.fields = append(root.fields, &field{t.node(&t.Columns[i]), t.Columns[i].Name})
	}
	var sorting []parquet.SortingColumn
	for _, name := range t.Sorted {
		sorting = append(sorting, parquet.NullsFirst(parquet.Ascending(name)))
	}
	options := []parquet.WriterOption{
		parquet.NewSchema(t.Name, root), parquet.Compression(&parquet.Snappy), parquet.CreatedBy("larder", about.Method, ""),
		parquet.SortingWriterConfig(parquet.SortingColumns(sorting...)),
	}
	for _, x := range about.metadata() {
		options = append(options, parquet.KeyValueMetadata(x[0], x[1]))
	}
	return options
}

// node returns the type of a column. Decimals have the precision that fits an int64.
func (t *Rows[T]) node(c *Column[T]) parquet.Node {
	var n parquet.Node
	switch c.Type {
	case record.Whole:
		n = parquet.Int(64)
	case record.Float:
		n = parquet.Leaf(parquet.DoubleType)
	case record.Decimal:
		n = parquet.Decimal(panel.PriceDecimals, 18, parquet.Int64Type)
	case record.Flag:
		n = parquet.Leaf(parquet.BooleanType)
	case record.Date:
		n = parquet.Date()
	case record.Time:
		n = parquet.Timestamp(parquet.Microsecond)
		if t.Nanoseconds {
			n = parquet.Timestamp(parquet.Nanosecond)
		}
	default:
		n = parquet.String()
	}
	switch {
	case c.Type == record.Time || slices.Contains(t.Key, c.Name) && c.Type == record.Whole:
		n = parquet.Encoded(n, &parquet.DeltaBinaryPacked) // nearly every row has another value
	case c.Type != record.Flag:
		n = parquet.Encoded(n, &parquet.RLEDictionary)
	}
	if !c.Required {
		n = parquet.Optional(n)
	}
	return n
}

// ordered is a group whose fields keep their order. Those of parquet.Group are sorted.
type ordered struct {
	parquet.Group
	fields []parquet.Field
}

func (g *ordered) Fields() []parquet.Field { return g.fields }

type field struct {
	parquet.Node
	name string
}

func (f *field) Name() string { return f.name }

// Value is for rows that are Go structs, which these are not.
func (f *field) Value(base reflect.Value) reflect.Value {
	return base.MapIndex(reflect.ValueOf(f.name))
}
