package csvdir

import (
	"fmt"
	"slices"
	"strings"
)

// Table describes one file of a panel directory: its name, its columns and
// what a row becomes.
type Table[T any] struct {
	name     string // file name without .csv
	optional bool   // the file may be missing
	columns  []column[T]
	check    func(d *decoder, r *T) error // of a whole row; may be nil
	compare  func(a, b *T) int            // the order that rows are written in
}

// column is one column of a table.
type column[T any] struct {
	name     string
	optional bool // the column may be missing
	decode   func(d *decoder, cell []byte, r *T) error
	encode   func(b []byte, r *T) []byte
}

// decoder is what decoding keeps from cell to cell and row to row.
type decoder struct {
	texts map[string]string
	level string // the level cell of an index_v1 row
}

// maxInterned bounds the memory that repeated texts are remembered in.
const maxInterned = 1 << 20

// text returns the cell as a string, the same one for the same text.
func (d *decoder) text(cell []byte) string {
	if len(cell) == 0 {
		return ""
	}
	if s, ok := d.texts[string(cell)]; ok {
		return s
	}
	if len(d.texts) >= maxInterned || d.texts == nil {
		d.texts = map[string]string{}
	}
	s := string(cell)
	d.texts[s] = s
	return s
}

// FileName returns the table's plain file name, such as "stores.csv".
func (t *Table[T]) FileName() string { return t.name + ".csv" }

// Columns returns the names of all columns, in the order they are written.
func (t *Table[T]) Columns() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

func (t *Table[T]) base() string   { return t.name }
func (t *Table[T]) required() bool { return !t.optional }

// match finds the column of every header cell.
func (t *Table[T]) match(header [][]byte) ([]*column[T], error) {
	var order []*column[T]
	var problems []string
	for _, cell := range header {
		i := slices.IndexFunc(t.columns, func(c column[T]) bool { return c.name == string(cell) })
		switch {
		case i < 0:
			problems = append(problems, fmt.Sprintf("column %s is unknown", shorten(cell)))
		case slices.Contains(order, &t.columns[i]):
			problems = append(problems, fmt.Sprintf("column %q stands twice", cell))
		default:
			order = append(order, &t.columns[i])
		}
	}
	for i := range t.columns {
		if c := &t.columns[i]; !c.optional && !slices.Contains(order, c) {
			problems = append(problems, fmt.Sprintf("column %q is missing", c.name))
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s; expected are %s", strings.Join(problems, "; "), t.expected())
	}
	return order, nil
}

func (t *Table[T]) checkHeader(header [][]byte) error {
	_, err := t.match(header)
	return err
}

// expected lists the columns for a message.
func (t *Table[T]) expected() string {
	var need, may []string
	for _, c := range t.columns {
		if c.optional {
			may = append(may, c.name)
		} else {
			need = append(need, c.name)
		}
	}
	list := strings.Join(need, ", ")
	if len(may) > 0 {
		list += " and optionally " + strings.Join(may, ", ")
	}
	return list
}
