package releaselog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// firstLine begins every leaf.
const firstLine = "larder-release/1\n"

// figures are the columns that a leaf has of a row. The first seven keep their places for ever.
// A column that was added later follows them, and is null in the leaves before.
var figures = leafColumns(table.Columns())

func leafColumns(columns []table.Column) []table.Column {
	first := []string{
		table.IndexValue, table.BasketCost, table.ChangeWoW, table.ChangeMoM, table.ChangeYoY, table.ItemCount, table.TotalItems,
	}
	columns = slices.DeleteFunc(columns, func(c table.Column) bool { return c.Number == nil })
	slices.SortStableFunc(columns, func(a, b table.Column) int {
		return cmp.Compare(uint(slices.Index(first, a.Name)), uint(slices.Index(first, b.Name)))
	})
	return columns
}

// unitsPerOne are the units of a panel.Fixed in 1. A column without decimals is a plain count in a
// leaf.
const unitsPerOne = 10_000

// head returns the second line of a leaf: the release as JSON.
func (r *Release) head() []byte {
	b, err := json.Marshal(struct {
		ID string `json:"id"`
		*Release
	}{r.ID(), r})
	if err != nil {
		panic("releaselog: " + err.Error()) // texts and numbers always have a JSON form
	}
	return append(b, '\n')
}

// readHead sets what head wrote.
func (r *Release) readHead(line []byte) error {
	x := struct {
		ID string `json:"id"`
		*Release
	}{Release: r}
	if err := json.Unmarshal(line, &x); err != nil {
		return err
	}
	if x.ID != r.ID() {
		return fmt.Errorf("it says that it is %.20q", x.ID)
	}
	return nil
}

// leafText returns the canonical bytes of a release; see the package doc. The changes are by week,
// then in published order.
func leafText(r *Release, changes []release.Change) []byte {
	b := append([]byte(firstLine), r.head()...)
	for i := range changes {
		c := &changes[i]
		b = append(appendCell(b, c.Week, &c.Cell), ",["...)
		for k, cause := range c.Causes {
			if k > 0 {
				b = append(b, ',')
			}
			b = appendText(b, string(cause))
		}
		b = append(appendRow(append(b, "],"...), c.Old), ',')
		b = append(appendRow(b, c.New), "]\n"...)
	}
	return b
}

// published returns the changes by week, then in published order.
func published(changes []release.Change) []release.Change {
	return slices.SortedStableFunc(slices.Values(changes), func(a, b release.Change) int {
		return cmp.Or(cmp.Compare(a.Week, b.Week), jevons.CompareCells(&a.Cell, &b.Cell))
	})
}

// appendCell begins an array with a week and a cell.
func appendCell(b []byte, w panel.Week, c *jevons.Cell) []byte {
	b = appendText(append(b, '['), w.String())
	for _, text := range [...]string{c.Level.String(), c.City, c.Banner, c.Category.String()} {
		b = appendText(append(b, ','), text)
	}
	return b
}

// appendText appends a JSON text. The empty text is "".
func appendText(b []byte, s string) []byte {
	if s == "" {
		return append(b, `""`...)
	}
	return panel.AppendJSONText(b, s)
}

// appendRow appends the figures of a row as an array, or null.
func appendRow(b []byte, r *jevons.Row) []byte {
	if r == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for k := range figures {
		if k > 0 {
			b = append(b, ',')
		}
		switch v := figures[k].Number(r); {
		case !v.Valid:
			b = append(b, "null"...)
		case figures[k].Decimals == 0:
			b = strconv.AppendInt(b, v.Units/unitsPerOne, 10)
		default:
			b = strconv.AppendInt(b, v.Units, 10)
		}
	}
	return append(b, ']')
}

var errLine = errors.New("a line is no changed cell")

// lineReader reads lines of leaves. Rows of one cell share it.
type lineReader struct {
	cells  map[string]*jevons.Cell    // by their text
	causes map[string][]release.Cause // by their text
}

func newLineReader() *lineReader {
	return &lineReader{map[string]*jevons.Cell{}, map[string][]release.Cause{}}
}

// changes reads the lines of changed cells.
func (x *lineReader) changes(lines []byte) ([]release.Change, error) {
	changes := make([]release.Change, 0, bytes.Count(lines, []byte{'\n'}))
	for n := 1; len(lines) > 0; n++ {
		line, rest, whole := bytes.Cut(lines, []byte("]\n"))
		c, err := x.change(line)
		if !whole {
			err = errLine
		}
		if err != nil {
			return nil, fmt.Errorf("changed cell %d: %w", n, err)
		}
		changes, lines = append(changes, c), rest
	}
	return changes, nil
}

// change reads a line without its last bracket.
func (x *lineReader) change(line []byte) (c release.Change, err error) {
	line, next := cutLast(line)
	line, old := cutLast(line)
	line, causes := cutLast(line)
	week, cell, err := x.cell(line)
	if err != nil {
		return c, err
	}
	if c.Causes = x.causes[string(causes)]; c.Causes == nil {
		if err := json.Unmarshal(causes, &c.Causes); err != nil {
			return c, err
		}
		x.causes[string(causes)] = c.Causes
	}
	c.Week, c.Cell = week, *cell
	if c.Old, err = readRow(old, week, cell); err == nil {
		c.New, err = readRow(next, week, cell)
	}
	return c, err
}

// cutLast cuts the last element off an array that lacks its closing bracket. The element is null
// or an array without arrays and texts with brackets inside.
func cutLast(b []byte) (before, last []byte) {
	i := bytes.LastIndexByte(b, '[')
	if bytes.HasSuffix(b, []byte("null")) {
		i = len(b) - len("null")
	}
	if i < 1 {
		return nil, nil
	}
	return b[:i-1], b[i:]
}

// cell reads the beginning of an array that appendCell writes.
func (x *lineReader) cell(text []byte) (panel.Week, *jevons.Cell, error) {
	const weekEnds = len(`["2006-01-02"`)
	if len(text) <= weekEnds {
		return 0, nil, errLine
	}
	week, err := panel.ParseWeek(string(text[2 : weekEnds-1]))
	if err != nil {
		return 0, nil, err
	}
	names := string(text[weekEnds:])
	if x.cells[names] == nil {
		var parts [5]string
		if err := json.Unmarshal(append(slices.Clone(text), ']'), &parts); err != nil {
			return 0, nil, err
		}
		level, err1 := jevons.ParseLevel(parts[1])
		category, err2 := basket.ParseCategory(parts[4])
		if err := cmp.Or(err1, err2); err != nil {
			return 0, nil, err
		}
		x.cells[names] = &jevons.Cell{Level: level, City: parts[2], Banner: parts[3], Category: category}
	}
	return week, x.cells[names], nil
}

// readRow reads what appendRow writes. A leaf of before has fewer figures.
func readRow(text []byte, week panel.Week, cell *jevons.Cell) (*jevons.Row, error) {
	if string(text) == "null" {
		return nil, nil
	}
	inside, begun := bytes.CutPrefix(text, []byte("["))
	inside, ended := bytes.CutSuffix(inside, []byte("]"))
	if !begun || !ended {
		return nil, errLine
	}
	r := &jevons.Row{Week: week, Cell: cell}
	for k := range figures {
		var figure []byte
		figure, inside, _ = bytes.Cut(inside, []byte(","))
		v := panel.Fixed{}
		if len(figure) > 0 && string(figure) != "null" {
			n, err := strconv.ParseInt(string(figure), 10, 64)
			if err != nil {
				return nil, err
			}
			if v = panel.FixedOf(n); figures[k].Decimals == 0 {
				v.Units *= unitsPerOne
			}
		}
		figures[k].Set(r, v)
	}
	if len(inside) > 0 {
		return nil, errors.New("it has a figure that this larder does not know; use a newer one")
	}
	return r, nil
}
