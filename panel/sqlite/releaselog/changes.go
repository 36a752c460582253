package releaselog

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// Stored changes are columns, each with its length before it: weeks, cells, flags,
// nulls, then each figure. They are sorted by week, then in published order. Weeks and
// cells are differences from the change before. A figure is the difference from the
// row that the change revises, or else from the cell's row of the week before. All
// numbers are varints. A change that takes a row away has no nulls and no figures.
const (
	colWeek = iota
	colCell
	colFlags
	colNulls
	colFigures
	numColumns = colFigures + numFigures
)

// goes is the flag of a change without a new row. The other bits are causes.
const goes = 1 << 7

// causes are the causes by their bit.
var causes = [...]release.Cause{release.NewWeek, release.AddedRows, release.Quarantine, release.Reference, release.Settings, release.Method}

var errChanges = errors.New("its stored changes are damaged")

// near returns the row that the figures of a change are differences from.
func (s *state) near(w panel.Week, cell int, old *jevons.Row) *jevons.Row {
	return cmp.Or(old, s.row(w.Add(-1), cell), &jevons.Row{})
}

// unitsOf returns one figure of a row; 0 for null.
func unitsOf(r *jevons.Row, k int) int64 {
	if v := figureOf(r, k); v.Valid {
		return v.Units
	}
	return 0
}

// published returns the changes by week, then in published order.
func published(changes []release.Change) []release.Change {
	return slices.SortedStableFunc(slices.Values(changes), func(a, b release.Change) int {
		return cmp.Or(cmp.Compare(a.Week, b.Week), jevons.CompareCells(&a.Cell, &b.Cell))
	})
}

// encode makes the changes, which are sorted, and returns them as they are stored. It
// fails when a change does not follow from the table.
func (s *state) encode(changes []release.Change) ([]byte, error) {
	var columns [numColumns][]byte
	add := func(col int, v int64) { columns[col] = binary.AppendVarint(columns[col], v) }
	var week panel.Week
	cell := 0
	for i := range changes {
		c := &changes[i]
		n := s.numberOf(c.Cell)
		old := s.row(c.Week, n)
		if err := fits(c, old); err != nil {
			return nil, fmt.Errorf("%s in %s: %w", c.Cell, c.Week, err)
		}
		add(colWeek, int64(c.Week-week))
		add(colCell, int64(n-cell))
		week, cell = c.Week, n
		flags, err := flagsOf(c)
		if err != nil {
			return nil, fmt.Errorf("%s in %s: %w", c.Cell, c.Week, err)
		}
		columns[colFlags] = append(columns[colFlags], flags)
		if c.New != nil {
			near, nulls := s.near(c.Week, n, old), byte(0)
			for k := range numFigures {
				if v := figureOf(c.New, k); v.Valid {
					add(colFigures+k, v.Units-unitsOf(near, k))
				} else {
					nulls |= 1 << k
				}
			}
			columns[colNulls] = append(columns[colNulls], nulls)
		}
		s.put(c.Week, n, c.New)
	}
	var parts [][]byte
	for _, col := range columns {
		parts = append(parts, binary.AppendUvarint(nil, uint64(len(col))), col)
	}
	return deflate(parts...)
}

// fits reports whether a change says what the table had, and changes it.
func fits(c *release.Change, old *jevons.Row) error {
	switch {
	case c.Old == nil && c.New == nil:
		return errors.New("the change has neither an old row nor a new one")
	case (c.Old == nil) != (old == nil), old != nil && !sameFigures(c.Old, old):
		return errors.New("the change has another old row than was released")
	case c.Old != nil && c.New != nil && sameFigures(c.Old, c.New):
		return errors.New("the change changes nothing")
	case len(c.Causes) == 0:
		return errors.New("the change has no cause")
	}
	return nil
}

func flagsOf(c *release.Change) (flags byte, err error) {
	for _, cause := range c.Causes {
		bit := slices.Index(causes[:], cause)
		if bit < 0 {
			return 0, fmt.Errorf("the cause %q is not known", cause)
		}
		flags |= 1 << bit
	}
	if c.New == nil {
		flags |= goes
	}
	return flags, nil
}

// columnReader reads the columns of stored changes. It keeps the first error.
type columnReader struct {
	columns [numColumns][]byte
	err     error
}

func newColumnReader(stored []byte) *columnReader {
	r := &columnReader{}
	b, err := io.ReadAll(flate.NewReader(bytes.NewReader(stored)))
	if err != nil {
		r.err = errChanges
		return r
	}
	for i := range r.columns {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			r.err = errChanges
			return r
		}
		r.columns[i], b = b[size:size+int(n)], b[size+int(n):]
	}
	if len(b) > 0 {
		r.err = errChanges
	}
	return r
}

func (r *columnReader) int(col int) int64 {
	v, n := binary.Varint(r.columns[col])
	if n <= 0 {
		r.err = errChanges
		return 0
	}
	r.columns[col] = r.columns[col][n:]
	return v
}

func (r *columnReader) byte(col int) byte {
	if len(r.columns[col]) == 0 {
		r.err = errChanges
		return 0
	}
	v := r.columns[col][0]
	r.columns[col] = r.columns[col][1:]
	return v
}

// decode makes the changes that encode stored, and returns them by week, then in
// published order.
func (s *state) decode(stored []byte) ([]release.Change, error) {
	r := newColumnReader(stored)
	n := len(r.columns[colFlags])
	changes := make([]release.Change, 0, n)
	rows := make([]jevons.Row, n)
	var week panel.Week
	cell := 0
	for i := range rows {
		week += panel.Week(r.int(colWeek))
		cell += int(r.int(colCell))
		flags := r.byte(colFlags)
		if r.err != nil || cell < 0 || cell >= len(s.cells) || !week.IsSunday() {
			return nil, errChanges
		}
		old := s.row(week, cell)
		c := release.Change{Week: week, Cell: *s.cells[cell], Old: old}
		for bit, cause := range causes {
			if flags&(1<<bit) != 0 {
				c.Causes = append(c.Causes, cause)
			}
		}
		if flags&goes == 0 {
			c.New = &rows[i]
			c.New.Week, c.New.Cell = week, s.cells[cell]
			near, nulls := s.near(week, cell, old), r.byte(colNulls)
			for k := range numFigures {
				v := panel.Fixed{Valid: nulls&(1<<k) == 0}
				if v.Valid {
					v.Units = unitsOf(near, k) + r.int(colFigures+k)
				}
				setFigure(c.New, k, v)
			}
		}
		if err := fits(&c, old); err != nil {
			return nil, fmt.Errorf("%s in %s: %w", c.Cell, c.Week, err)
		}
		s.put(week, cell, c.New)
		changes = append(changes, c)
	}
	for _, col := range r.columns {
		if len(col) > 0 {
			r.err = errChanges
		}
	}
	return changes, r.err
}
