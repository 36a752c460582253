package releaselog

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// The figures of a row, by their place in canonical bytes and in stored changes.
const (
	figIndex = iota
	figCost
	figWoW
	figMoM
	figYoY
	figItems
	figTotal
	numFigures
)

// figureOf returns one figure of a row. A count is a Fixed of that many units; a count
// below 0 is null.
func figureOf(r *jevons.Row, k int) panel.Fixed {
	switch k {
	case figIndex:
		return r.Index
	case figCost:
		return r.BasketCost
	case figWoW:
		return r.WoW
	case figMoM:
		return r.MoM
	case figYoY:
		return r.YoY
	case figItems:
		return panel.Fixed{Units: int64(r.ItemCount), Valid: r.ItemCount >= 0}
	}
	return panel.Fixed{Units: int64(r.TotalItems), Valid: r.TotalItems >= 0}
}

// setFigure sets a figure that figureOf returned.
func setFigure(r *jevons.Row, k int, v panel.Fixed) {
	count := int32(-1)
	if v.Valid {
		count = int32(v.Units)
	} else {
		v.Units = 0
	}
	switch k {
	case figIndex:
		r.Index = v
	case figCost:
		r.BasketCost = v
	case figWoW:
		r.WoW = v
	case figMoM:
		r.MoM = v
	case figYoY:
		r.YoY = v
	case figItems:
		r.ItemCount = count
	case figTotal:
		r.TotalItems = count
	}
}

// sameFigures reports whether two rows of one cell say the same.
func sameFigures(a, b *jevons.Row) bool {
	for k := range numFigures {
		x, y := figureOf(a, k), figureOf(b, k)
		if x.Valid != y.Valid || x.Valid && x.Units != y.Units {
			return false
		}
	}
	return true
}

// leafBytes returns the canonical bytes of a release; see the package doc. The changes
// are by week, then in published order.
func leafBytes(r *Release, changes []release.Change) []byte {
	head, err := json.Marshal(struct {
		ID        string     `json:"id"`
		At        string     `json:"released_at"`
		Snapshot  string     `json:"snapshot"`
		Gate      string     `json:"gate_version"`
		Method    string     `json:"method_version"`
		Note      string     `json:"note"`
		Accepted  []Accepted `json:"accepted"`
		Base      panel.Week `json:"base_week"`
		Through   panel.Week `json:"through"`
		Context   string     `json:"context"`
		Weeks     int        `json:"weeks_added"`
		Added     int        `json:"cells_added"`
		Revised   int        `json:"cells_revised"`
		Withdrawn int        `json:"cells_withdrawn"`
		Largest   *int64     `json:"largest_revision"`
	}{
		r.ID(), r.At.UTC().Format(time.RFC3339Nano), r.Snapshot, r.Gate, r.Method, r.Note, append([]Accepted{}, r.Accepted...),
		r.Base, r.Through, r.Context.hash(),
		r.WeeksAdded, r.CellsAdded, r.CellsRevised, r.CellsWithdrawn, unitsOrNil(r.LargestRevision),
	})
	if err != nil {
		panic("releaselog: " + err.Error()) // texts and numbers always have a JSON form
	}
	const usual = 128 // bytes of a line
	b := slices.Grow([]byte("larder-release/1\n"), len(head)+usual*len(changes))
	b = append(append(b, head...), '\n')
	for i := range changes {
		c := &changes[i]
		b = append(appendCell(b, c.Week, &c.Cell), ",["...)
		for k, cause := range c.Causes {
			if k > 0 {
				b = append(b, ',')
			}
			b = appendText(b, string(cause))
		}
		b = append(appendRow(append(b, "],"...), c.Old), ',')
		b = append(appendRow(b, c.New), "]\n"...)
	}
	return b
}

func unitsOrNil(f panel.Fixed) *int64 {
	if !f.Valid {
		return nil
	}
	return &f.Units
}

// appendCell begins an array with a week and a cell.
func appendCell(b []byte, w panel.Week, c *jevons.Cell) []byte {
	b = appendText(append(b, '['), w.String())
	for _, text := range [...]string{c.Level.String(), c.City, c.Banner, c.Category.String()} {
		b = appendText(append(b, ','), text)
	}
	return b
}

// appendText appends a JSON text. The empty text is "".
func appendText(b []byte, s string) []byte {
	if s == "" {
		return append(b, `""`...)
	}
	return panel.AppendJSONText(b, s)
}

// appendRow appends the figures of a row as an array, or null.
func appendRow(b []byte, r *jevons.Row) []byte {
	if r == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for k := range numFigures {
		if k > 0 {
			b = append(b, ',')
		}
		if v := figureOf(r, k); v.Valid {
			b = strconv.AppendInt(b, v.Units, 10)
		} else {
			b = append(b, "null"...)
		}
	}
	return append(b, ']')
}
