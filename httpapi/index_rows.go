package httpapi

import (
	"sort"

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

func newIndexRows(t *jevons.Table) *indexRows {
	const usual = 256 // bytes of a row
	n := len(t.Rows)
	x := &indexRows{
		rows:   t.Rows,
		full:   jsonRows{make([]byte, 0, usual*n), make([]int, n)},
		public: jsonRows{make([]byte, 0, usual*n), make([]int, n)},
	}
	// What both forms have is written once: a server is not ready before this.
	full, public := x.full.text, x.public.text
	for i := range t.Rows {
		r := &t.Rows[i]
		start := len(full)
		full = appendIndexRow(full, r)
		public = append(append(public, full[start:]...), "},"...)
		full = append(appendYoY(full, r), "},"...)
		x.full.ends[i], x.public.ends[i] = len(full), len(public)
	}
	x.full.text, x.public.text = full, public
	return x
}

// between returns the places of the rows of a range of days, both included.
func (x *indexRows) between(from, to panel.Date) (lo, hi int) {
	lo = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() >= from })
	hi = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() > to })
	return lo, max(lo, hi)
}
