package releaselog

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// table returns the table of Next: that of its prices, or that of the last release with the weeks of
// the file Rows in place of its own. The file has whole weeks. Weeks that are open at Now are left out.
func (p *publisher) table(released state) (*jevons.Table, error) {
	through := p.next.Panel.Calendar().LastClosed(p.Now)
	if p.Rows == "" {
		return jevons.Compute(p.next.Panel, jevons.Options{Through: through, Quality: true})
	}
	f, err := os.Open(p.Rows)
	if err != nil {
		return nil, fail(p.Rows, atomicfile.Bare(err), "")
	}
	defer f.Close()
	found, err := readRows(f, p.next.Panel, through)
	if err != nil {
		return nil, fail(p.Rows, err,
			"give what the script of larder sql computes, with the columns of larder index --format csv")
	}
	for _, week := range p.next.Panel.Weeks() {
		if found.has(week) {
			return nil, fail(p.Next, fmt.Errorf("it has prices of the week %s, whose rows are in %s", week, p.Rows),
				"release it without --rows, or import a panel without those prices")
		}
	}
	all := maps.Clone(released)
	maps.Copy(all, found)
	return all.table(p.next.Panel.BaseWeek(), through), nil
}

// readRows reads rows of the index from CSV, up to a week. Their places are those of the panel.
func readRows(from io.Reader, p *panel.Panel, through panel.Week) (state, error) {
	in, found := csv.NewReader(from), state{}
	header, err := in.Read()
	if err != nil {
		return nil, err
	}
	for _, c := range table.Columns(p.About()) {
		if !slices.Contains(header, c.Name) {
			return nil, fmt.Errorf("it has no column %s", c.Name)
		}
	}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		var r jevons.Row
		if err == nil {
			texts := map[string]string{}
			for i, name := range header {
				texts[name] = phrase.Text(cells[i])
			}
			if r, err = table.Read(p.About(), p.Categories(), texts); err == nil {
				err = checkRow(&r, texts["synthetic"] == "true", p, found)
			}
		}
		if err != nil {
			line, _ := in.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if r.Week <= through {
			found.put(&r)
		}
	}
}

// checkRow refuses a row of a place or a week that the panel lacks, or of a cell that was found before.
func checkRow(r *jevons.Row, synthetic bool, p *panel.Panel, found state) error {
	c := r.Cell
	switch {
	case synthetic && !p.About().Synthetic:
		return errors.New("the row is of invented prices, and settings.csv of the snapshot does not say synthetic")
	case c.City != "" && !slices.ContainsFunc(p.Cities(), func(k basket.City) bool { return k.Name == c.City }):
		return fmt.Errorf("the snapshot has no city %q", c.City)
	case c.Banner != "" &&
		!slices.ContainsFunc(p.Banners(), func(k basket.Banner) bool { return k.InIndex && k.Key == c.Banner }):
		return fmt.Errorf("the snapshot has no banner %q in the index", c.Banner)
	case r.Week < p.BaseWeek():
		return fmt.Errorf("the week %s is before the base week %s", r.Week, p.BaseWeek())
	case found[r.Week][*c] != nil:
		return fmt.Errorf("%s has a second row in the week %s", c, r.Week)
	}
	return nil
}
