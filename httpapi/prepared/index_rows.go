package prepared

import (
	"bytes"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Series are the rows of one series of the index with their JSON, which is made
// once. A page of thousands of rows in the table's own order is then sent as it is.
type Series struct {
	Rows   []jevons.Row
	once   sync.Once
	pieces []jsonRows // of textRows each
}

// columns are the members of the JSON that is made once. Others may follow them.
var columns = jevons.PublicColumns()

// textRows is how many rows are written as one piece of memory.
const textRows = 4096

// jsonRows are JSON objects one after the other, a comma after each.
type jsonRows struct {
	text []byte
	ends []int32 // of each object with its comma
}

// text returns the JSON of the rows.
func (x *Series) text() []jsonRows { return x.textBeside(nil) }

// textBeside returns the JSON of the rows. Pieces that another series has too take no memory
// of their own.
func (x *Series) textBeside(other *Series) []jsonRows {
	x.once.Do(func() {
		var pieces []jsonRows
		if other != nil {
			pieces = other.pieces
		}
		x.pieces = newJSONRows(x.Rows, pieces)
	})
	return x.pieces
}

// newJSONRows writes rows on all processors.
func newJSONRows(rows []jevons.Row, others []jsonRows) []jsonRows {
	list := make([]jsonRows, (len(rows)+textRows-1)/textRows)
	copy(list, others)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var b []byte
			for k := int(next.Add(1)) - 1; k < len(list); k = int(next.Add(1)) - 1 {
				b = list[k].write(b[:0], rows[k*textRows:min((k+1)*textRows, len(rows))])
			}
		})
	}
	wg.Wait()
	return list
}

// write writes the rows into b, which it returns. It keeps a copy without room to spare,
// unless it has the same text already.
func (j *jsonRows) write(b []byte, rows []jevons.Row) []byte {
	ends := make([]int32, len(rows))
	for i := range rows {
		b = append(jevons.AppendJSON(b, &rows[i], columns), ',')
		ends[i] = int32(len(b))
	}
	if !bytes.Equal(b, j.text) {
		j.text, j.ends = bytes.Clone(b), ends
	}
	return b
}

// part returns the objects from one place to another, a comma after each.
func (j *jsonRows) part(from, to int) []byte {
	start := int32(0)
	if from > 0 {
		start = j.ends[from-1]
	}
	return j.text[start:j.ends[to-1]]
}

// Span is a range of places of rows.
type Span struct{ From, To int }

// Shared returns the JSON of the rows with the members, commas between, as pieces of what was
// made once. It returns nil if there is no such JSON, or not in one stretch.
func (x *Series) Shared(found []Span, members []jevons.Column) (parts [][]byte) {
	if len(found) != 1 || len(members) > len(columns) {
		return nil
	}
	for k := found[0].From / textRows; k*textRows < found[0].To; k++ {
		first := k * textRows
		parts = append(parts, x.text()[k].part(max(found[0].From-first, 0), min(found[0].To-first, textRows)))
	}
	last := &parts[len(parts)-1]
	*last = bytes.TrimSuffix(*last, []byte{','})
	return parts
}

// Append appends the rows with the members, which begin with those of the public index, commas
// between. It takes the further ones from included, which has the same rows, or from the rows
// themselves if that is nil.
func (x *Series) Append(b []byte, found []Span, members []jevons.Column, included []jevons.Row) []byte {
	const usual = 256 // bytes of a row
	all, further, n := x.text(), members[len(columns):], 0
	for _, s := range found {
		n += s.To - s.From
	}
	b, n = slices.Grow(b, n*usual), 0
	for _, s := range found {
		for i := s.From; i < s.To; i++ {
			text := all[i/textRows].part(i%textRows, i%textRows+1)
			if len(further) == 0 {
				b = append(b, text...)
				continue
			}
			row := &x.Rows[i]
			if included != nil {
				row = &included[n]
				n++
			}
			b = append(b, text[:len(text)-len("},")]...)
			b = append(jevons.ExtendJSON(b, row, further), ',')
		}
	}
	return bytes.TrimSuffix(b, []byte{','})
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
