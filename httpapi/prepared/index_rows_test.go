package prepared

import (
	"bytes"
	"testing"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// TestSeriesText writes rows of three pieces. Whatever the range and the members, the rows are
// those that AppendJSON writes one by one. Another series shares the pieces that are alike.
func TestSeriesText(t *testing.T) {
	t.Parallel()
	cell := &jevons.Cell{Level: jevons.National}
	series := func(changed int) *Series {
		x := &Series{Rows: make([]jevons.Row, 2*textRows+5)}
		for i := range x.Rows {
			x.Rows[i] = jevons.Row{Week: panel.DefaultBaseWeek.Add(i % 52), Cell: cell, Index: panel.FixedOf(int64(1e6 + i)), YoY: panel.FixedOf(int64(i))}
		}
		x.Rows[changed].Index = panel.Fixed{}
		return x
	}
	old, next := series(1), series(textRows+1)
	old.Rows[1] = next.Rows[1]
	next.textBeside(old) // without text yet
	old.text()
	later := series(textRows + 1)
	later.textBeside(old)
	for k, shared := range []bool{true, false, true} {
		if got := &later.text()[k].text[0] == &old.text()[k].text[0]; got != shared {
			t.Errorf("piece %d is shared: %t", k, got)
		}
		if piece := later.text()[k].text; !bytes.Equal(piece, next.text()[k].text) || cap(piece) > len(piece)+len(piece)/8 {
			t.Errorf("piece %d: %d bytes in %d", k, len(piece), cap(piece))
		}
	}
	for _, found := range [][]Span{
		{{0, 3}}, {{textRows - 1, textRows}}, {{textRows - 1, textRows + 1}}, {{textRows, 2 * textRows}},
		{{5, 2*textRows + 5}}, {{0, 1}, {textRows - 2, textRows + 2}}, nil,
	} {
		for _, columns := range [][]jevons.Column{jevons.PublicColumns(), jevons.Columns()} {
			var want [][]byte
			for _, r := range later.At(found) {
				want = append(want, jevons.AppendJSON(nil, &r, columns))
			}
			if got := later.Append(nil, found, columns, nil); !bytes.Equal(got, bytes.Join(want, []byte{','})) {
				t.Errorf("%v with %d members: %.200s", found, len(columns), got)
			}
			shared := later.Shared(found, columns)
			if possible := len(found) == 1 && len(columns) == len(jevons.PublicColumns()); (shared != nil) != possible {
				t.Errorf("%v with %d members: shared %t", found, len(columns), shared != nil)
			} else if possible && !bytes.Equal(bytes.Join(shared, nil), bytes.Join(want, []byte{','})) {
				t.Errorf("%v: the pieces are other rows", found)
			}
		}
	}
}
