package folder

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
func (t *sheet) writeParquet(w io.Writer, about *about) error {
	out := parquet.NewGenericWriter[any](w, t.options(about)...)
	rows := make([]parquet.Row, 0, batch)
	write := func(ended bool) error {
		_, err := out.WriteRows(rows)
		if rows = rows[:0]; ended && err == nil {
			err = out.Flush()
		}
		return err
	}
	at, week, quarter, grouped := slices.IndexFunc(t.fields, func(f field) bool { return f.name == t.week }), int64(0), 0, 0
	for values := range t.rows {
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

func (t *sheet) parquetValue(i int, v *record.Value) (value parquet.Value) {
	c, level := &t.fields[i], 1
	if c.required {
		level = 0
	}
	switch {
	case !v.Known && c.required:
		panic("folder: a row of " + t.name + " has no " + c.name)
	case !v.Known:
		return value.Level(0, 0, i)
	case c.kind <= record.JSON:
		value = parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(v.Text), len(v.Text))) // the writer copies it
	case c.kind == record.Float:
		value = parquet.DoubleValue(v.Float())
	case c.kind == record.Date:
		value = parquet.Int32Value(int32(v.Int))
	case c.kind == record.Flag:
		value = parquet.BooleanValue(v.Int != 0)
	case c.kind == record.Time && !t.nanoseconds:
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

func (t *sheet) options(about *about) []parquet.WriterOption {
	fields := make([]reflect.StructField, len(t.fields))
	for i, c := range t.fields {
		kind := parquetTypes[c.kind]
		tags := []string{c.name, kind.tag}
		if c.kind == record.Time && t.nanoseconds {
			tags[1] = "timestamp(nanosecond),delta"
		}
		if c.kind == record.Whole && slices.Contains(t.key, c.name) {
			tags[1] = "delta" // nearly every row has another value
		}
		if !c.required {
			tags = append(tags, "optional")
		}
		fields[i] = reflect.StructField{Name: fmt.Sprint("F", i), Type: kind.of, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", strings.Join(tags, ",")))}
	}
	var sorting []parquet.SortingColumn
	for _, name := range t.sorted {
		sorting = append(sorting, parquet.NullsFirst(parquet.Ascending(name)))
	}
	options := []parquet.WriterOption{
		parquet.NewSchema(t.name, parquet.SchemaOf(reflect.Zero(reflect.StructOf(fields)).Interface())),
		parquet.Compression(&parquet.Snappy), parquet.CreatedBy("larder", jevons.MethodVersion, ""),
		parquet.SortingWriterConfig(parquet.SortingColumns(sorting...)),
	}
	for _, x := range [][2]string{
		{"release", about.ID()}, {"snapshot", about.Snapshot}, {"gate_version", about.Gate}, {"method_version", about.Method},
		{"source", about.words.SourceLabel()}, {"licence", about.words.Terms()}, {"notice", about.words.Notice()},
	} {
		if x[1] != "" {
			options = append(options, parquet.KeyValueMetadata("larder."+x[0], x[1]))
		}
	}
	return options
}
