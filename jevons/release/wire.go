package release

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/internal/jsontext"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Wire writes changes with the columns of a publication: those of a row that name its cell, and its figures.
type Wire struct{ keys, figures []table.Column }

// NewWire returns the writer of changes of a publication.
func NewWire(about *panel.About) *Wire {
	return &Wire{
		keys:    slices.DeleteFunc(table.Columns(about), func(c table.Column) bool { return c.Number != nil }),
		figures: slices.DeleteFunc(table.Columns(about), func(c table.Column) bool { return c.Number == nil }),
	}
}

// key returns a row that has only the cell and the week of the change.
func (c *Change) key() *jevons.Row { return &jevons.Row{Week: c.Week, Cell: &c.Cell} }

// AppendJSON appends a change as a row of /api/v1/revisions: the date and cell as in a
// row of the index; the id and the time of the release; the causes; and the figures of
// the old and the new row, each null where there is no row. Both members of the release
// are null for an empty id, as in a comparison of two snapshots.
func (w *Wire) AppendJSON(b []byte, c *Change, id string, at time.Time) []byte {
	released := "null"
	if id != "" {
		released = at.UTC().Format(`"` + time.RFC3339Nano + `"`)
	}
	b = table.AppendJSON(b, c.key(), w.keys)
	b = jsontext.AppendOrNull(append(b[:len(b)-1], `,"release":`...), id)
	b = fmt.Appendf(b, `,"released_at":%s,"causes":["%s"],"old":`, released, c.CauseText(`","`))
	b = append(w.appendFigures(b, c.Old), `,"new":`...)
	return append(w.appendFigures(b, c.New), '}')
}

func (w *Wire) appendFigures(b []byte, r *jevons.Row) []byte {
	if r == nil {
		return append(b, "null"...)
	}
	return table.AppendJSON(b, r, w.figures)
}

// CSV returns the columns and the cells of a change in a list as CSV: the members of AppendJSON but for the release,
// with the figures as old_index_value and so on. Several causes have a vertical bar between them. Null and a row that
// is not there are empty.
func (w *Wire) CSV(c *Change) (columns, cells []string) {
	add := func(prefix string, r *jevons.Row, list []table.Column) {
		for i := range list {
			text := ""
			if r != nil {
				text = string(list[i].AppendText(nil, r))
			}
			columns, cells = append(columns, prefix+list[i].Name), append(cells, text)
		}
	}
	add("", c.key(), w.keys)
	columns, cells = append(columns, "causes"), append(cells, c.CauseText("|"))
	add("old_", c.Old, w.figures)
	add("new_", c.New, w.figures)
	return columns, cells
}

// CauseText returns the causes in one text.
func (c *Change) CauseText(between string) string {
	names := make([]string, len(c.Causes))
	for i, cause := range c.Causes {
		names[i] = string(cause)
	}
	return strings.Join(names, between)
}
