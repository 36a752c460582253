package csvdir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/larder-index/larder/panel/record"
)

// Table describes one file of a panel directory: its name, its columns and the
// record that a row becomes.
type Table[T any] struct {
	name     string // of the file, without .csv
	optional bool   // the file may be missing
	columns  []record.Column[T]
	check    func(r *T, cell func(column string) string) error // of a whole row; may be nil
	compare  func(a, b *T) int                                 // the order of the rows in a file
}

// Name returns the table's name, such as "stores".
func (t *Table[T]) Name() string { return t.name }

// All returns the table's columns, also those that only snapshots have.
func (t *Table[T]) All() []record.Column[T] { return t.columns }

// FileName returns the table's plain file name, such as "stores.csv".
func (t *Table[T]) FileName() string { return t.name + ".csv" }

// Columns returns the names of all columns, in the order they are written.
func (t *Table[T]) Columns() []string {
	var names []string
	for _, c := range t.filed() {
		names = append(names, c.Name)
	}
	return names
}

// In returns the table with amounts named for a currency, such as basket_cost_eur.
func (t *Table[T]) In(currency string) *Table[T] {
	n := *t
	n.columns = slices.Clone(t.columns)
	for i := range n.columns {
		if stem, ok := strings.CutSuffix(n.columns[i].Name, "_cad"); ok {
			n.columns[i].Name = stem + "_" + strings.ToLower(currency)
		}
	}
	return &n
}

// named reports whether a cell of a header is a column's name. Amounts are in the panel's currency, whichever the
// header has.
func named(column, cell string) bool {
	if stem, ok := strings.CutSuffix(column, "_cad"); ok && len(cell) == len(column) {
		column, cell = stem, cell[:len(stem)]
	}
	return strings.EqualFold(column, cell)
}

// filed returns the columns that files have.
func (t *Table[T]) filed() []*record.Column[T] {
	var list []*record.Column[T]
	for i := range t.columns {
		if c := &t.columns[i]; !c.NotFiled {
			list = append(list, c)
		}
	}
	return list
}

// needed returns the table without the sparse columns of which no row has a
// value.
func (t *Table[T]) needed(rows []T) *Table[T] {
	n := *t
	n.columns = slices.DeleteFunc(slices.Clone(t.columns), func(c record.Column[T]) bool {
		return c.Sparse && !slices.ContainsFunc(rows, func(r T) bool { return len(c.Append(nil, &r)) > 0 })
	})
	return &n
}

func (t *Table[T]) required() bool { return !t.optional }

func (t *Table[T]) match(header []string) ([]*record.Column[T], error) {
	var order []*record.Column[T]
	var problems []string
	all := t.filed()
	for _, cell := range header {
		i := slices.IndexFunc(all, func(c *record.Column[T]) bool { return named(c.Name, cell) })
		switch {
		case i < 0:
			problems = append(problems, fmt.Sprintf("column %s is unknown", record.Quote(cell)))
		case slices.Contains(order, all[i]):
			problems = append(problems, fmt.Sprintf("column %q stands twice", cell))
		default:
			order = append(order, all[i])
		}
	}
	var need, may []string
	for _, c := range all {
		if c.Optional {
			may = append(may, c.Name)
			continue
		}
		need = append(need, c.Name)
		other := func(x *record.Column[T]) bool { return x.Name == c.Instead }
		if !slices.Contains(order, c) && !slices.ContainsFunc(order, other) {
			problems = append(problems, fmt.Sprintf("column %q is missing", c.Name))
		}
	}
	if len(problems) == 0 {
		return order, nil
	}
	expected := strings.Join(need, ", ")
	if len(may) > 0 {
		expected += " and optionally " + strings.Join(may, ", ")
	}
	return nil, fmt.Errorf("%s; expected are %s", strings.Join(problems, "; "), expected)
}

func (t *Table[T]) checkHeader(header []string) error {
	_, err := t.match(header)
	return err
}
