package prepared

import (
	"bytes"
	"testing"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// TestSeriesText compares prepared rows with those that AppendJSON writes one by one, whatever
// the places and the members.
func TestSeriesText(t *testing.T) {
	t.Parallel()
	x := &Series{Rows: make([]jevons.Row, 20), About: &panel.About{}}
	for i := range x.Rows {
		x.Rows[i] = jevons.Row{Week: panel.DefaultBaseWeek.Add(i), Cell: &jevons.Cell{Level: jevons.National},
			Index: panel.FixedOf(int64(1e6 + i)), YoY: panel.FixedOf(int64(i))}
	}
	for _, found := range [][]int{{0, 1, 2}, {19}, {0, 5, 6, 7, 8}, nil} {
		for _, columns := range [][]table.Column{table.PublicColumns(x.About), table.Columns(x.About)} {
			var want [][]byte
			for _, i := range found {
				want = append(want, table.AppendJSON(nil, &x.Rows[i], columns))
			}
			if got := x.Append(nil, found, columns, nil); !bytes.Equal(got, bytes.Join(want, []byte{','})) {
				t.Errorf("%v with %d members: %.200s", found, len(columns), got)
			}
		}
	}
}
