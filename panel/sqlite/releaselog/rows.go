package releaselog

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// computedTable returns the table of the last release with the weeks of the file Rows in place of
// its own. The file has whole weeks. Weeks that are open at Now are left out.
func (p *publisher) computedTable() (*jevons.Table, error) {
	f, err := os.Open(p.Rows)
	if err != nil {
		return nil, fail(p.Rows, atomicfile.Bare(err), "")
	}
	defer f.Close()
	x := rowsReader{panel: p.next.Panel, cells: map[jevons.Cell]*jevons.Cell{}, found: state{}, through: panel.LastClosed(p.Now)}
	if err := x.read(f); err != nil {
		return nil, fail(p.Rows, err, "give what the script of larder sql computes, with the columns of larder index --format csv")
	}
	s, err := p.log.replay(len(p.log.releases), nil)
	if err != nil {
		return nil, err
	}
	for _, week := range p.next.Panel.Weeks() {
		if x.found.has(week) {
			return nil, fail(p.Next, fmt.Errorf("it has prices of the week %s, whose rows are in %s", week, p.Rows), "release it without --rows, or import a panel without those prices")
		}
	}
	maps.Copy(s, x.found)
	base := p.next.Panel.BaseWeek()
	return &jevons.Table{
		Rows: s.rows(base), Options: jevons.Options{Base: base, Through: x.through, Trim: jevons.Percent(10), Floor: jevons.Percent(60)},
	}, nil
}

// rowsReader reads rows of the index from CSV.
type rowsReader struct {
	panel   *panel.Panel
	cells   map[jevons.Cell]*jevons.Cell
	found   state
	through panel.Week
}

func (x *rowsReader) read(from io.Reader) error {
	in := csv.NewReader(from)
	header, err := in.Read()
	if err != nil {
		return err
	}
	columns := table.Columns()
	at := make([]int, len(columns))
	for i, c := range columns {
		if at[i] = slices.Index(header, c.Name); at[i] < 0 {
			return fmt.Errorf("it has no column %s", c.Name)
		}
	}
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			members := map[string]any{}
			for i, c := range columns {
				switch text := record[at[i]]; {
				case text == "":
				case c.Number != nil:
					members[c.Name] = json.Number(text)
				default:
					members[c.Name] = text
				}
			}
			err = x.add(members)
		}
		if err != nil {
			line, _ := in.FieldPos(0)
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// add takes a row.
func (x *rowsReader) add(members map[string]any) error {
	text, err := json.Marshal(members)
	if err != nil {
		return err
	}
	r, err := table.ReadJSON(text)
	if err != nil {
		return err
	}
	c := *r.Cell
	if c.City != "" && !slices.ContainsFunc(x.panel.Cities(), func(k basket.City) bool { return k.Name == c.City }) {
		return fmt.Errorf("the snapshot has no city %q", c.City)
	}
	if c.Banner != "" && !slices.ContainsFunc(x.panel.Banners(), func(k basket.Banner) bool { return k.InIndex && k.Key == c.Banner }) {
		return fmt.Errorf("the snapshot has no banner %q in the index", c.Banner)
	}
	if x.cells[c] == nil {
		x.cells[c] = r.Cell
	}
	r.Cell = x.cells[c]
	switch {
	case r.Week > x.through:
		return nil
	case r.Week < x.panel.BaseWeek():
		return fmt.Errorf("the week %s is before the base week %s", r.Week, x.panel.BaseWeek())
	case x.found[r.Week] == nil:
		x.found[r.Week] = map[jevons.Cell]*jevons.Row{}
	case x.found[r.Week][c] != nil:
		return fmt.Errorf("%s has a second row in the week %s", c, r.Week)
	}
	x.found[r.Week][c] = &r
	return nil
}
