// Package record has the one list of columns of each kind of record: settings, categories, products,
// cities, banners, stores, listings, observations, specs, quarantine entries, shrink events,
// pilot rows, words of titles and operators' verdicts. A column says where its value
// lies in a record and what kind of value it is. Its CSV cell, its value in SQL, its JSON and its
// type in typed files follow from that.
//
// It refuses cells that can't be read, one at a time. The builder of package panel refuses whole
// records.
package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/internal/jsontext"
	"github.com/larder-index/larder/panel"
)

// Type is the kind of a column's values.
type Type uint8

// The types. Value.Text has the values of Text and JSON, and Value.Int all others: of Float the bits.
const (
	Text    Type = iota
	JSON         // a text that is a JSON object
	Whole        // a whole number
	Float        // a number
	Decimal      // a number in whole ten-thousandths
	Flag         // 0 or 1
	Date         // days since 1970-01-01
	Time         // nanoseconds since 1970-01-01 in UTC
)

// Value is the value of a column in a record. It allocates nothing for the columns of
// observations and listings, of which panels have millions.
type Value struct {
	Known bool
	Int   int64
	Text  string
}

// Float returns the value of a Float.
func (v Value) Float() float64 { return math.Float64frombits(uint64(v.Int)) }

func floatValue(known bool, v float64) Value {
	return Value{Known: known, Int: int64(math.Float64bits(v))}
}

// Column is a column of records of type T.
type Column[T any] struct {
	Name     string
	Type     Type
	Decimals int // of a decimal: how many a cell has at least
	traits
	numbered bool // a text that SQL has as the number in Int
	parse    func(r *T, cell string) error
	value    func(r *T) Value
	load     func(r *T, v Value)
}

// traits are properties of a column, whatever its type.
type traits struct {
	Optional bool   // files may lack it
	NotFiled bool   // only snapshots have it
	Sparse   bool   // optional, and written only to files of which some row has a value
	Shown    bool   // the prices that are served have it
	Reviewed bool   // shown, but for rows of verified banners only
	Instead  string // a column that files may have in its place
	needs    string
}

type trait func(*traits)

func optional(t *traits) { t.Optional = true }
func notFiled(t *traits) { t.NotFiled = true }
func sparse(t *traits)   { t.Optional, t.Sparse = true, true }
func shown(t *traits)    { t.Shown = true }
func reviewed(t *traits) { t.Shown, t.Reviewed = true, true }

// instead names a column that files may have in the place of this one.
func instead(name string) trait { return func(t *traits) { t.Instead = name } }

// needs says what a cell must hold. Without it the cell may be empty.
func needs(what string) trait { return func(t *traits) { t.needs = what } }

// codec reads and writes the values of one Go type. load gets what value gave, or the zero
// Value for an unknown value.
type codec[V any] struct {
	kind     Type
	decimals int
	numbered bool
	parse    func(cell string) (V, error) // of a cell that is not empty
	value    func(V) Value
	load     func(Value) V
}

// col makes a column of the values that at points to.
func col[T, V any](name string, at func(*T) *V, c codec[V], list ...trait) Column[T] {
	column := Column[T]{
		Name: name, Type: c.kind, Decimals: c.decimals, numbered: c.numbered,
		parse: func(r *T, cell string) (err error) {
			*at(r), err = c.parse(cell)
			return err
		},
		value: func(r *T) Value { return c.value(*at(r)) },
		load:  func(r *T, v Value) { *at(r) = c.load(v) },
	}
	for _, t := range list {
		t(&column.traits)
	}
	return column
}

// errBlank is the error of a cell that holds white space in place of a text.
var errBlank = errors.New("is blank; it needs " + aText)

// Parse reads a CSV cell into a record. An empty cell is an unknown value. An error names the
// column, the value and what is accepted.
func (c *Column[T]) Parse(r *T, cell string) error {
	if cell == "" {
		if c.needs != "" {
			return fmt.Errorf("%s is empty; it needs %s", c.Name, c.needs)
		}
		c.load(r, Value{})
		return nil
	}
	switch err := c.parse(r, cell); err {
	case nil:
		return nil
	case errBlank:
		return fmt.Errorf("%s %w", c.Name, err)
	default:
		return fmt.Errorf("%s: %w", c.Name, err)
	}
}

// Required reports whether a cell must hold a value.
func (c *Column[T]) Required() bool { return c.needs != "" }

// Append appends a record's CSV cell, in quotes if it needs them.
func (c *Column[T]) Append(b []byte, r *T) []byte {
	switch v := c.value(r); {
	case v.Known && c.Type == Float:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, 64)
	case v.Known && c.Type == Flag:
		return strconv.AppendInt(b, v.Int, 10)
	default:
		return v.AppendCell(b, c.Type, c.Decimals)
	}
}

// AppendCell appends a value of a type as the CSV cell of a published file, in quotes if it
// needs them. Numbers, flags and times are as in JSON.
func (v *Value) AppendCell(b []byte, kind Type, decimals int) []byte {
	switch {
	case !v.Known:
		return b
	case kind <= JSON && strings.ContainsAny(v.Text, ",\"\r\n"):
		return append(append(append(b, '"'), strings.ReplaceAll(v.Text, `"`, `""`)...), '"')
	}
	return v.append(b, kind, decimals)
}

// append appends a known value as text.
func (v *Value) append(b []byte, kind Type, decimals int) []byte {
	switch kind {
	case Text, JSON:
		return append(b, v.Text...)
	case Float:
		return strconv.AppendFloat(b, v.Float(), 'f', -1, 64)
	case Decimal:
		return panel.FixedOf(v.Int).Append(b, decimals)
	case Flag:
		return strconv.AppendBool(b, v.Int != 0)
	case Date:
		return append(b, panel.Date(v.Int).String()...)
	case Time:
		return time.Unix(0, v.Int).UTC().AppendFormat(b, time.RFC3339Nano)
	}
	return strconv.AppendInt(b, v.Int, 10)
}

// Value returns a record's value.
func (c *Column[T]) Value(r *T) Value { return c.value(r) }

// SQL returns the int64, float64 or string that a snapshot has for a record, or nil for an
// unknown value.
func (c *Column[T]) SQL(r *T) any {
	switch v := c.value(r); {
	case !v.Known:
		return nil
	case c.Type == Float:
		return v.Float()
	case c.Type > JSON || c.numbered:
		return v.Int
	default:
		return v.Text
	}
}

// SetSQL is the reverse of SQL.
func (c *Column[T]) SetSQL(r *T, stored any) {
	v := Value{Known: stored != nil}
	switch x := stored.(type) {
	case int64:
		v.Int = x
	case float64:
		v = floatValue(true, x)
	case string:
		v.Text = x
	}
	c.load(r, v)
}

// AppendJSON appends a record's value as JSON; an unknown one is null.
func (c *Column[T]) AppendJSON(b []byte, r *T) []byte {
	v := c.value(r)
	switch {
	case !v.Known:
		return append(b, "null"...)
	case c.Type == Text:
		return jsontext.Append(b, v.Text)
	case c.Type == JSON && strings.ContainsAny(v.Text, " \t\r\n"):
		out := bytes.NewBuffer(b)
		if json.Compact(out, []byte(v.Text)) != nil { // an import stores nothing but JSON
			return append(b, "null"...)
		}
		return out.Bytes()
	case c.Type == Date || c.Type == Time:
		return append(v.append(append(b, '"'), c.Type, c.Decimals), '"')
	}
	return v.append(b, c.Type, c.Decimals)
}
