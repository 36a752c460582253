package releaselog

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

const firstLine = "larder-release/1\n"

// figures are the columns that a leaf has of a row, whatever the currency. The first nine keep their places for ever.
// A column that was added later follows them, and is null in the leaves before. A leaf has the first
// seven, then no null at the end.
var figures = leafColumns(append(table.Columns(anywhere), table.IntervalColumns()...))

var anywhere = &panel.About{}

const leastFigures = 7

func leafColumns(columns []table.Column) []table.Column {
	first := []string{
		table.IndexValue, table.BasketCost(anywhere), table.ChangeWoW, table.ChangeMoM, table.ChangeYoY,
		table.ItemCount, table.TotalItems, "ci95_low", "ci95_high",
	}
	columns = slices.DeleteFunc(columns, func(c table.Column) bool { return c.Number == nil })
	slices.SortStableFunc(columns, func(a, b table.Column) int {
		return cmp.Compare(uint(slices.Index(first, a.Name)), uint(slices.Index(first, b.Name)))
	})
	return columns
}

// unitsOf returns the ten-thousandths that a leaf's unit of a column has. A column without decimals
// is a plain count in a leaf.
func unitsOf(c *table.Column) int64 {
	if c.Decimals == 0 {
		return 10_000
	}
	return 1
}

// head is the second line of a leaf.
type head struct {
	ID string `json:"id"`
	*Release
}

// leafText returns the canonical bytes of a release; see the package doc. The changes are by week,
// then in published order.
func leafText(r *Release, changes []release.Change) []byte {
	b := append(append([]byte(firstLine), mustJSON(head{r.ID(), r})...), '\n')
	for i := range changes {
		c := &changes[i]
		b = append(append(appendCell(b, c.Week, &c.Cell), ','), mustJSON(c.Causes)...)
		b = append(appendRow(append(b, ','), c.Old), ',')
		b = append(appendRow(b, c.New), "]\n"...)
	}
	return b
}

// readHead reads the first two lines of a leaf.
func readHead(leaf *bufio.Reader) (*Release, error) {
	first, err1 := leaf.ReadString('\n')
	second, err2 := leaf.ReadBytes('\n')
	h := head{Release: &Release{}}
	if err := cmp.Or(err1, err2, json.Unmarshal(second, &h)); err != nil {
		return nil, err
	}
	h.Number, _ = strconv.Atoi(strings.TrimPrefix(h.ID, "r"))
	if first != firstLine || h.Number < 1 || h.ID != idOf(h.Number) {
		return nil, fmt.Errorf("it says that it is %.20q", h.ID)
	}
	return h.Release, nil
}

// ReadLeaf reads the canonical bytes of a release: what they say of it, and the cells that it changed.
func ReadLeaf(text []byte) (*Release, []release.Change, error) {
	r, err := readHead(bufio.NewReader(bytes.NewReader(text)))
	if err != nil {
		return nil, nil, fmt.Errorf("it is no leaf of a release log: %w", err)
	}
	changes, err := newLines(nil).changes(text)
	return r, changes, err
}

// mustJSON returns the JSON of texts and numbers, which always have one.
func mustJSON(x any) []byte {
	b, err := json.Marshal(x)
	if err != nil {
		panic("releaselog: " + err.Error())
	}
	return b
}

// appendCell begins an array with a week and a cell.
func appendCell(b []byte, w panel.Week, c *jevons.Cell) []byte {
	cell := mustJSON([]string{w.String(), c.Level.String(), c.City, c.Banner, c.Category.String()})
	return append(b, cell[:len(cell)-1]...)
}

// appendRow appends the figures of a row as an array, or null.
func appendRow(b []byte, r *jevons.Row) []byte {
	if r == nil {
		return append(b, "null"...)
	}
	n, before := len(figures), byte('[')
	for n > leastFigures && !figures[n-1].Number(r).Valid {
		n--
	}
	for k := range figures[:n] {
		b, before = append(b, before), ','
		if v := figures[k].Number(r); v.Valid {
			b = strconv.AppendInt(b, v.Units/unitsOf(&figures[k]), 10)
		} else {
			b = append(b, "null"...)
		}
	}
	return append(b, ']')
}

// lines reads lines of leaves. It remembers what was read of each text between week and rows. Cells are in a list of
// categories; what the list lacks follows it.
type lines struct {
	seen       map[string]*line
	categories basket.Categories
}

func newLines(list basket.Categories) *lines { return &lines{map[string]*line{}, list} }

// line is a cell and the causes of its change.
type line struct {
	cell   jevons.Cell
	causes []release.Cause
}

// changes reads the changed cells of a leaf.
func (x *lines) changes(leaf []byte) (list []release.Change, err error) {
	for line := range bytes.Lines(bytes.SplitAfterN(leaf, []byte("\n"), 3)[2]) {
		c, err := x.change(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(list)+3, err)
		}
		list = append(list, c)
	}
	return list, nil
}

// change reads a line of a changed cell. A row shares its cell with those of the same causes.
func (x *lines) change(text []byte) (c release.Change, err error) {
	text, next := cutLast(bytes.TrimSuffix(text, []byte("]\n")))
	text, old := cutLast(text)
	week, of, err := x.begin(text)
	if err != nil {
		return c, err
	}
	c = release.Change{Week: week, Cell: of.cell, Causes: of.causes}
	if c.Old, err = readRow(old, week, &of.cell); err == nil {
		c.New, err = readRow(next, week, &of.cell)
	}
	return c, err
}

// cutLast cuts the last element off an array without its closing bracket. It is an array of numbers
// or null.
func cutLast(b []byte) (before, last []byte) {
	i := bytes.LastIndexByte(b, '[')
	if bytes.HasSuffix(b, []byte("null")) {
		i = len(b) - len("null")
	}
	return b[:max(i-1, 0)], b[max(i, 0):]
}

// begin reads the week, the cell and, if there are any, the causes that an array begins with.
func (x *lines) begin(text []byte) (panel.Week, *line, error) {
	date, names, _ := bytes.Cut(text, []byte(","))
	week, err := panel.ParseWeek(string(bytes.Trim(date, `["`)))
	if l := x.seen[string(names)]; l != nil || err != nil {
		return week, l, err
	}
	l, word := &line{}, ""
	err = json.Unmarshal(slices.Concat([]byte("["), names, []byte("]")),
		&[]any{&l.cell.Level, &l.cell.City, &l.cell.Banner, &word, &l.causes})
	if word != basket.Overall.String() {
		x.categories, l.cell.Category = x.categories.With(word)
	}
	x.seen[string(names)] = l
	return week, l, err
}

// readRow reads what appendRow writes. A figure that is not there is null.
func readRow(text []byte, week panel.Week, cell *jevons.Cell) (*jevons.Row, error) {
	if string(text) == "null" {
		return nil, nil
	}
	r, rest := &jevons.Row{Week: week, Cell: cell}, bytes.Trim(text, "[]")
	for k := range figures {
		var figure []byte
		figure, rest, _ = bytes.Cut(rest, []byte(","))
		v := panel.Fixed{}
		if len(figure) > 0 && string(figure) != "null" {
			n, err := strconv.ParseInt(string(figure), 10, 64)
			if err != nil {
				return nil, err
			}
			v = panel.FixedOf(n * unitsOf(&figures[k]))
		}
		figures[k].Set(r, v)
	}
	if len(rest) > 0 {
		return nil, errors.New("it has a figure that this larder does not know; use a newer one")
	}
	return r, nil
}
