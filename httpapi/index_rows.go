package httpapi

import (
	"sort"
	"sync"

	"github.com/larder-index/larder/internal/jsonstring"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// indexRows are the rows of one series of the index with their JSON, which is
// made once: most responses hold thousands of rows in the table's own order, so
// that a page of all rows is one copy.
type indexRows struct {
	rows   []jevons.Row
	full   jsonRows // as /api/v1/index has them
	public jsonRows // without pct_change_yoy
}

// jsonRows are JSON objects one after the other, a comma after each.
type jsonRows struct {
	text []byte
	ends []int // of each object, its comma included
}

func (j *jsonRows) span(from, to int) []byte {
	if from == to {
		return nil
	}
	start := 0
	if from > 0 {
		start = j.ends[from-1]
	}
	return j.text[start:j.ends[to-1]]
}

// newIndexRows writes both forms side by side: a server is not ready before this.
func newIndexRows(t *jevons.Table) *indexRows {
	x := &indexRows{rows: t.Rows}
	var wg sync.WaitGroup
	wg.Go(func() { x.full = newJSONRows(t.Rows, jevons.Columns()) })
	wg.Go(func() { x.public = newJSONRows(t.Rows, jevons.PublicColumns()) })
	wg.Wait()
	return x
}

func newJSONRows(rows []jevons.Row, columns []jevons.Column) jsonRows {
	const usual = 256 // bytes of a row
	x := jsonRows{make([]byte, 0, usual*len(rows)), make([]int, len(rows))}
	for i := range rows {
		x.text = append(jevons.AppendJSON(x.text, &rows[i], columns), ',')
		x.ends[i] = len(x.text)
	}
	return x
}

// between returns the places of the rows of a range of days, both included.
func (x *indexRows) between(from, to panel.Date) (lo, hi int) {
	lo = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() >= from })
	hi = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() > to })
	return lo, max(lo, hi)
}

// appendText appends a JSON string; the empty text is null.
func appendText(b []byte, s string) []byte { return jsonstring.Append(b, s) }
