package bulk

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

const (
	batch   = 1024    // rows are gathered before their columns are encoded
	inGroup = 1 << 20 // rows at most are in a row group, which the writer has in memory
)

// writeParquet writes the rows as Parquet: packed by Snappy, texts by dictionary. The weeks of a
// quarter of a year are a row group: a column of ten years is read in forty pieces.
func (t *Table) writeParquet(w io.Writer, about *About) error {
	out := parquet.NewGenericWriter[any](w, t.options(about)...)
	rows := make([]parquet.Row, 0, batch)
	write := func(ended bool) error {
		_, err := out.WriteRows(rows)
		if rows = rows[:0]; ended && err == nil {
			err = out.Flush()
		}
		return err
	}
	at, week, quarter, grouped := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == t.Week }), int64(0), 0, 0
	for values := range t.Rows {
		ended := grouped == inGroup
		if at >= 0 && values[at].Int != week {
			week = values[at].Int
			y, m, _ := panel.Date(week).Time(time.UTC).Date()
			next := 4*y + int(m-1)/3
			ended, quarter = ended || next != quarter, next
		}
		if ended || len(rows) == batch {
			if err := write(ended); err != nil {
				return err
			}
		}
		if grouped++; ended {
			grouped = 1
		}
		rows = rows[:len(rows)+1]
		row := &rows[len(rows)-1]
		*row = (*row)[:0]
		for i := range values {
			*row = append(*row, t.parquetValue(i, &values[i]))
		}
	}
	return errors.Join(write(false), out.Close())
}

func (t *Table) parquetValue(i int, v *record.Value) (value parquet.Value) {
	c, level := &t.Columns[i], 1
	if c.Required {
		level = 0
	}
	switch {
	case !v.Known && c.Required:
		panic("bulk: a row of " + t.Name + " has no " + c.Name)
	case !v.Known:
		return value.Level(0, 0, i)
	case c.Type <= record.JSON:
		value = parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(v.Text), len(v.Text))) // the writer copies it
	case c.Type == record.Float:
		value = parquet.DoubleValue(v.Float())
	case c.Type == record.Date:
		value = parquet.Int32Value(int32(v.Int))
	case c.Type == record.Flag:
		value = parquet.BooleanValue(v.Int != 0)
	case c.Type == record.Time && !t.Nanoseconds:
		value = parquet.Int64Value(v.Int / 1000)
	default:
		value = parquet.Int64Value(v.Int)
	}
	return value.Level(0, level, i)
}

// parquetTypes are the types of columns as package parquet has them, by their Go types and tags.
// Decimals have the precision that fits an int64.
var parquetTypes = map[record.Type]struct {
	of  reflect.Type
	tag string
}{
	record.Text: {reflect.TypeFor[string](), "dict"}, record.JSON: {reflect.TypeFor[string](), "dict"},
	record.Whole: {reflect.TypeFor[int64](), "dict"}, record.Float: {reflect.TypeFor[float64](), "dict"},
	record.Decimal: {reflect.TypeFor[int64](), "decimal(4:18),dict"}, record.Flag: {reflect.TypeFor[bool](), ""},
	record.Date: {reflect.TypeFor[int32](), "date,dict"}, record.Time: {reflect.TypeFor[int64](), "timestamp(microsecond),delta"},
}

func (t *Table) options(about *About) []parquet.WriterOption {
	fields := make([]reflect.StructField, len(t.Columns))
	for i, c := range t.Columns {
		kind := parquetTypes[c.Type]
		tags := []string{c.Name, kind.tag}
		if c.Type == record.Time && t.Nanoseconds {
			tags[1] = "timestamp(nanosecond),delta"
		}
		if c.Type == record.Whole && slices.Contains(t.Key, c.Name) {
			tags[1] = "delta" // nearly every row has another value
		}
		if !c.Required {
			tags = append(tags, "optional")
		}
		fields[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: kind.of, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", strings.Join(tags, ",")))}
	}
	var sorting []parquet.SortingColumn
	for _, name := range t.Sorted {
		sorting = append(sorting, parquet.NullsFirst(parquet.Ascending(name)))
	}
	options := []parquet.WriterOption{
		parquet.NewSchema(t.Name, parquet.SchemaOf(reflect.Zero(reflect.StructOf(fields)).Interface())),
		parquet.Compression(&parquet.Snappy), parquet.CreatedBy("larder", jevons.MethodVersion, ""),
		parquet.SortingWriterConfig(parquet.SortingColumns(sorting...)),
	}
	for _, x := range [][2]string{
		{"release", about.Release}, {"snapshot", about.Snapshot}, {"gate_version", panel.GateVersion}, {"method_version", jevons.MethodVersion},
		{"source", about.Words.SourceLabel()}, {"licence", about.Words.Terms()}, {"notice", about.Words.Notice()},
	} {
		if x[1] != "" {
			options = append(options, parquet.KeyValueMetadata("larder."+x[0], x[1]))
		}
	}
	return options
}
