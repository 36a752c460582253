package prepared

import (
	"bytes"
	"slices"
	"sort"
	"sync"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Series are the rows of one series of the index with their JSON, which is made once: to copy
// a page of 5,000 rows takes a thirtieth of the time of writing it.
type Series struct {
	Rows    []jevons.Row
	About   *panel.About // whose rows they are
	once    sync.Once
	columns []table.Column // the members of the JSON that is made once; others may follow them
	text    []byte         // of the rows, a comma after each
	ends    []int          // of each row with its comma, after a 0
}

// onceSeries makes a series when it is first asked for.
func onceSeries(about *panel.About, compute func() (*jevons.Table, error)) func() (*Series, error) {
	return sync.OnceValues(func() (*Series, error) {
		table, err := compute()
		if err != nil {
			return nil, err
		}
		return &Series{Rows: table.Rows, About: about}, nil
	})
}

// write makes the JSON of the rows, unless it is there.
func (x *Series) write() {
	x.once.Do(func() {
		x.columns = table.PublicColumns(x.About)
		x.ends = make([]int, 1, len(x.Rows)+1)
		for i := range x.Rows {
			x.text = append(table.AppendJSON(x.text, &x.Rows[i], x.columns), ',')
			x.ends = append(x.ends, len(x.text))
		}
		x.text = bytes.Clone(x.text) // without room to spare
	})
}

// Append appends the rows at places with the members, which begin with those of the public index, commas
// between. It takes the further ones from included, which has the same rows, or from the rows
// themselves if that is nil.
func (x *Series) Append(b []byte, places []int, members []table.Column, included []jevons.Row) []byte {
	x.write()
	further := members[len(x.columns):]
	for k, i := range places {
		text := x.text[x.ends[i]:x.ends[i+1]]
		if len(further) == 0 {
			b = append(b, text...)
			continue
		}
		row := &x.Rows[i]
		if included != nil {
			row = &included[k]
		}
		b = append(b, text[:len(text)-len("},")]...)
		b = append(table.ExtendJSON(b, row, further), ',')
	}
	return bytes.TrimSuffix(b, []byte{','})
}

// Between returns the places of the rows of a range of days, both included.
func (x *Series) Between(from, to panel.Date) (lo, hi int) {
	lo = sort.Search(len(x.Rows), func(i int) bool { return x.Rows[i].Week.Date() >= from })
	hi = sort.Search(len(x.Rows), func(i int) bool { return x.Rows[i].Week.Date() > to })
	return lo, max(lo, hi)
}

// Cells returns the cells that have rows for a filter.
func (x *Series) Cells(f *jevons.Filter) []jevons.Cell {
	lo, hi := x.Between(f.From, f.To)
	return slices.DeleteFunc(table.CellsOf(x.Rows[lo:hi]), func(cell jevons.Cell) bool { return !f.Matches(&cell) })
}

// Find returns the places of the rows for a page of a filter, and notes the page in m.
func (x *Series) Find(f *jevons.Filter, p reply.Page, m *wire.Page) (places []int) {
	lo, hi := x.Between(f.From, f.To)
	if f.Level == 0 && f.City == "" && f.Banner == "" && len(f.Categories) == 0 {
		from, to := reply.Cut(m, p, hi-lo)
		places = make([]int, 0, to-from)
		for i := from; i < to; i++ {
			places = append(places, lo+i)
		}
		return places
	}
	places, n := reply.Take(p, func(yield func(int) bool) {
		for i := lo; i < hi; i++ {
			if f.Matches(x.Rows[i].Cell) && !yield(i) {
				return
			}
		}
	})
	reply.Cut(m, p, n)
	return places
}
