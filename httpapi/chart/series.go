package chart

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Selection chooses what a figure shows.
type Selection struct {
	Table   *jevons.Table
	Rows    []jevons.Row // of the table: one line for each series
	View    table.View
	Since   panel.Week      // of table.ViewSince
	Names   *table.Names    // nil: lines have no addresses
	Banners []basket.Banner // display names; a banner that is not among them keeps its key
	Words   *Words          // nil: English
}

// Figure lays out the rows, with title, unit and notes. Few lines of index levels
// with Quality have their intervals as bands. mixed reports whether the levels do not
// compare, since the series have different entry weeks. The errors are ErrEmpty,
// ErrYoung, a TooManyError and a *table.NoLevelError.
func (s Selection) Figure() (f *Figure, mixed bool, err error) {
	groups := seriesOf(s.Rows)
	switch {
	case len(groups) == 0:
		return nil, false, ErrEmpty
	case len(groups) > MaxLines:
		return nil, false, TooManyError(len(groups))
	}
	values, err := table.Values(s.Table, s.View, s.Since, s.Rows)
	if err != nil {
		return nil, false, err
	}
	if !slices.ContainsFunc(values, func(v panel.Fixed) bool { return v.Valid }) {
		return nil, false, ErrYoung
	}
	f = &Figure{View: s.View, Words: s.Words}
	w := f.words()
	cells := make([]jevons.Cell, len(groups))
	for k, g := range groups {
		cells[k] = *s.Rows[g[0]].Cell
	}
	n := newNamer(w, s.Banners, cells)
	bases := map[panel.Week]bool{}
	banded := false
	for k, g := range groups {
		cell := cells[k]
		l := Line{Name: n.line(cell), Strong: cell.Category == basket.Overall && !n.category}
		if s.Names != nil {
			l.Series = s.Names.Name(cell)
		}
		for _, i := range g {
			p := Point{Week: s.Rows[i].Week, Value: values[i]}
			if extra := s.Rows[i].Extra; extra != nil && s.View == table.ViewIndex && len(groups) <= MostBands {
				p.Low, p.High = extra.Quality.Low, extra.Quality.High
				banded = banded || p.Low.Valid
			}
			l.Points = append(l.Points, p)
		}
		f.Lines = append(f.Lines, l)
		bases[s.Table.Base(cell)] = true
	}
	if banded {
		f.Notes = append(f.Notes, w.Bands)
	}
	if method := s.Table.Options.Method(); method != "" {
		f.Notes = append(f.Notes, fmt.Sprintf(w.Method, method))
	}
	f.Title, f.Unit = w.titles[s.View], w.units[s.View]
	base := s.Table.Base(n.first)
	switch {
	case s.View == table.ViewSince:
		f.Title, f.Unit = fmt.Sprintf(f.Title, w.Date(s.Since.Date())), fmt.Sprintf(f.Unit, w.Date(s.Since.Date()))
		f.Base = s.Since
	case s.View != table.ViewIndex:
	case base == 0:
		f.Unit = w.pilot[1]
	case len(bases) > 1:
		f.Unit, mixed = w.mixed, true
	default:
		f.Unit, f.Base = fmt.Sprintf(f.Unit, w.Date(base.Date())), base
	}
	f.Title += w.colon + n.title()
	if base == 0 {
		f.Title += w.pilot[0]
	}
	return f, mixed, nil
}

// Credit says whose prices the figure shows: those of source or, if it is empty, of the
// snapshot. It says that invented prices are invented.
func (f *Figure) Credit(about *panel.About, source string) {
	w := f.words()
	f.Source = cmp.Or(source, about.Attribution, about.Source, about.Publisher, w.DefaultSource)
	if about.Synthetic {
		f.Source += w.Mark
		f.Notice = w.Notice
	}
}

// seriesOf groups rows by cell, in the order in which the cells first appear. A group
// has the numbers of its rows.
func seriesOf(rows []jevons.Row) (groups [][]int) {
	at := map[jevons.Cell]int{}
	for i, r := range rows {
		k, ok := at[*r.Cell]
		if !ok {
			k = len(groups)
			at[*r.Cell] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	return groups
}
