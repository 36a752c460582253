package prepared

import (
	"slices"
	"sort"
	"sync"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Series are the rows of one series of the index with their JSON, which is made
// once. A page of thousands of rows in the table's own order is then one piece of
// memory, sent as it is.
type Series struct {
	Rows   []jevons.Row
	Full   func() *JSONRows // as /api/v1/index has them
	Public func() *JSONRows // as the public index has them
}

func newSeries(t *jevons.Table) *Series {
	form := func(columns func() []jevons.Column) func() *JSONRows {
		return sync.OnceValue(func() *JSONRows { return newJSONRows(t.Rows, columns()) })
	}
	return &Series{t.Rows, form(jevons.Columns), form(jevons.PublicColumns)}
}

// prepare makes both forms at once: a server is not ready before this.
func (x *Series) prepare() {
	var wg sync.WaitGroup
	wg.Go(func() { x.Full() })
	wg.Go(func() { x.Public() })
	wg.Wait()
}

// JSONRows are JSON objects one after the other, a comma after each.
type JSONRows struct {
	Columns []jevons.Column
	text    []byte
	ends    []int // of each object with its comma
}

func newJSONRows(rows []jevons.Row, columns []jevons.Column) *JSONRows {
	const usual = 256 // bytes of a row
	x := &JSONRows{columns, make([]byte, 0, usual*len(rows)), make([]int, len(rows))}
	for i := range rows {
		x.text = append(jevons.AppendJSON(x.text, &rows[i], columns), ',')
		x.ends[i] = len(x.text)
	}
	return x
}

// Span is a range of places of rows.
type Span struct{ From, To int }

// Join returns the rows of the ranges. Those of one range are not copied.
func (j *JSONRows) Join(found []Span) []byte {
	var rows []byte
	for _, x := range found {
		start := 0
		if x.From > 0 {
			start = j.ends[x.From-1]
		}
		next := j.text[start:j.ends[x.To-1]]
		if len(found) == 1 {
			return next
		}
		rows = append(rows, next...)
	}
	return rows
}

// Between returns the places of the rows of a range of days, both included.
func (x *Series) Between(from, to panel.Date) (lo, hi int) {
	lo = sort.Search(len(x.Rows), func(i int) bool { return x.Rows[i].Week.Date() >= from })
	hi = sort.Search(len(x.Rows), func(i int) bool { return x.Rows[i].Week.Date() > to })
	return lo, max(lo, hi)
}

// At returns the rows of the ranges.
func (x *Series) At(found []Span) (rows []jevons.Row) {
	for _, s := range found {
		rows = append(rows, x.Rows[s.From:s.To]...)
	}
	return rows
}

// Cells returns the cells that have rows for a filter.
func (x *Series) Cells(f *jevons.Filter) []jevons.Cell {
	lo, hi := x.Between(f.From, f.To)
	return slices.DeleteFunc(jevons.CellsOf(x.Rows[lo:hi]), func(cell jevons.Cell) bool { return !f.Matches(&cell) })
}

// Find returns the places of the rows for a page of a filter, and notes the page in m.
func (x *Series) Find(f *jevons.Filter, p reply.Page, m *wire.Page) (found []Span) {
	lo, hi := x.Between(f.From, f.To)
	if f.Level == 0 && f.City == "" && f.Banner == "" && len(f.Categories) == 0 {
		if from, to := reply.Cut(m, p, hi-lo); from < to {
			found = []Span{{lo + from, lo + to}}
		}
		return found
	}
	var chosen []int
	for i := lo; i < hi; i++ {
		if f.Matches(x.Rows[i].Cell) {
			chosen = append(chosen, i)
		}
	}
	from, to := reply.Cut(m, p, len(chosen))
	for _, i := range chosen[from:to] {
		if n := len(found); n > 0 && found[n-1].To == i {
			found[n-1].To++
		} else {
			found = append(found, Span{i, i + 1})
		}
	}
	return found
}

// AppendRows appends an answer whose rows are written for it alone.
func AppendRows(b []byte, meta any, rows []jevons.Row, columns []jevons.Column) ([]byte, error) {
	b, err := reply.AppendHead(b, meta, "observations")
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = jevons.AppendJSON(b, &rows[i], columns)
	}
	return append(b, reply.End...), err
}

// SameRow reports whether rows have the same published members.
func SameRow(a, b jevons.Row) bool {
	if *a.Cell != *b.Cell {
		return false
	}
	b.Cell, b.Extra = a.Cell, a.Extra
	return a == b
}
