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
	x := &indexRows{rows: t.Rows}
	for _, form := range []struct {
		to  *jsonRows
		add func([]byte, *jevons.Row) []byte
	}{{&x.full, AppendObservation}, {&x.public, AppendPublicObservation}} {
		const usual = 256 // bytes of a row
		form.to.text = make([]byte, 0, usual*len(t.Rows))
		form.to.ends = make([]int, len(t.Rows))
		for i := range t.Rows {
			form.to.text = append(form.add(form.to.text, &t.Rows[i]), ',')
			form.to.ends[i] = len(form.to.text)
		}
	}
	return x
}

// between returns the places of the rows of a range of days, both included.
func (x *indexRows) between(from, to panel.Date) (lo, hi int) {
	lo = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() >= from })
	hi = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() > to })
	return lo, max(lo, hi)
}
