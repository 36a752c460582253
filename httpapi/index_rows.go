package httpapi

import (
	"slices"
	"sort"
	"sync"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// indexRows are the rows of one series of the index with their JSON, which is made
// once. A page of thousands of rows in the table's own order is then one piece of
// memory, sent as it is.
type indexRows struct {
	rows   []jevons.Row
	full   func() *jsonRows // as /api/v1/index has them
	public func() *jsonRows // as the public index has them
}

func newIndexRows(t *jevons.Table) *indexRows {
	form := func(columns func() []jevons.Column) func() *jsonRows {
		return sync.OnceValue(func() *jsonRows { return newJSONRows(t.Rows, columns()) })
	}
	return &indexRows{t.Rows, form(jevons.Columns), form(jevons.PublicColumns)}
}

// prepare makes both forms at once: a server is not ready before this.
func (x *indexRows) prepare() {
	var wg sync.WaitGroup
	wg.Go(func() { x.full() })
	wg.Go(func() { x.public() })
	wg.Wait()
}

// jsonRows are JSON objects one after the other, a comma after each.
type jsonRows struct {
	columns []jevons.Column
	text    []byte
	ends    []int // of each object with its comma
}

func newJSONRows(rows []jevons.Row, columns []jevons.Column) *jsonRows {
	const usual = 256 // bytes of a row
	x := &jsonRows{columns, make([]byte, 0, usual*len(rows)), make([]int, len(rows))}
	for i := range rows {
		x.text = append(jevons.AppendJSON(x.text, &rows[i], columns), ',')
		x.ends[i] = len(x.text)
	}
	return x
}

// span is a range of places of rows.
type span struct{ from, to int }

// join returns the rows of the ranges. Those of one range are not copied.
func (j *jsonRows) join(found []span) []byte {
	var rows []byte
	for _, x := range found {
		start := 0
		if x.from > 0 {
			start = j.ends[x.from-1]
		}
		next := j.text[start:j.ends[x.to-1]]
		if len(found) == 1 {
			return next
		}
		rows = append(rows, next...)
	}
	return rows
}

// between returns the places of the rows of a range of days, both included.
func (x *indexRows) between(from, to panel.Date) (lo, hi int) {
	lo = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() >= from })
	hi = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() > to })
	return lo, max(lo, hi)
}

// at returns the rows of the ranges.
func (x *indexRows) at(found []span) (rows []jevons.Row) {
	for _, s := range found {
		rows = append(rows, x.rows[s.from:s.to]...)
	}
	return rows
}

// cellsOf returns the cells that the query has rows of, on all its pages.
func (c *call) cellsOf(q *indexQuery, x *indexRows) []jevons.Cell {
	lo, hi := x.between(q.from, c.last(q))
	f := cellFilter(q.Level, q.Category, q.City, q.Banner)
	return slices.DeleteFunc(jevons.CellsOf(x.rows[lo:hi]), func(cell jevons.Cell) bool { return !f.Matches(&cell) })
}

// findIndex returns the places of the page's rows, and notes the page in m.
func (c *call) findIndex(q *indexQuery, x *indexRows, m *wire.Page) (found []span) {
	lo, hi := x.between(q.from, c.last(q))
	f := cellFilter(q.Level, q.Category, q.City, q.Banner)
	if f.Level == 0 && f.City == "" && f.Banner == "" && len(f.Categories) == 0 {
		if from, to := reply.Cut(m, q.Page, hi-lo); from < to {
			found = []span{{lo + from, lo + to}}
		}
		return found
	}
	var chosen []int
	for i := lo; i < hi; i++ {
		if f.Matches(x.rows[i].Cell) {
			chosen = append(chosen, i)
		}
	}
	from, to := reply.Cut(m, q.Page, len(chosen))
	for _, i := range chosen[from:to] {
		if n := len(found); n > 0 && found[n-1].to == i {
			found[n-1].to++
		} else {
			found = append(found, span{i, i + 1})
		}
	}
	return found
}

// appendRows appends an answer whose rows are written for it alone.
func appendRows(b []byte, meta any, rows []jevons.Row, columns []jevons.Column) ([]byte, error) {
	b, err := reply.AppendHead(b, meta, "observations")
	for i := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = jevons.AppendJSON(b, &rows[i], columns)
	}
	return append(b, reply.End...), err
}
