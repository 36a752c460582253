package chart

import (
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Selection chooses what a figure shows.
type Selection struct {
	Table   *jevons.Table
	Quality *jevons.Table // by the prices in service; nil: these are not known
	Over    panel.Week    // the last week that is over; 0: that of the table
	Cells   []jevons.Cell // one line for each; nil: those of the rows, in the order in which they first appear
	Rows    []jevons.Row  // of the table
	View    table.View
	Since   panel.Week // of table.ViewSince
	Names   *table.Names
	Banners []basket.Banner // display names; a banner that is not among them keeps its key
	Lang    *words.Language
	About   *panel.About // of the rows
	Places  words.Places // of the prices
	Apart   bool         // each line has a picture of its own, and so there may be more than MaxLines
}

// Figure lays out the rows, with title, unit and notes. Few lines of index levels
// with Quality have their intervals as bands, see MostBands. mixed reports whether the levels do not
// compare, since the series have different entry weeks. The errors are ErrEmpty,
// ErrYoung, a TooManyError and a *table.NoLevelError.
func (s Selection) Figure() (f *Figure, mixed bool, err error) {
	cells, lines := s.Cells, map[jevons.Cell]*Line{}
	for _, cell := range cells {
		lines[cell] = &Line{}
	}
	for i := range s.Rows {
		if cell := *s.Rows[i].Cell; lines[cell] == nil {
			lines[cell], cells = &Line{}, append(cells, cell)
		}
	}
	switch {
	case len(s.Rows) == 0:
		return nil, false, ErrEmpty
	case len(cells) > MaxLines && !s.Apart:
		return nil, false, TooManyError(len(cells))
	}
	column, err := table.ViewColumn(s.About, s.Table, s.View, s.Since, table.CellsOf(s.Rows))
	if err != nil {
		return nil, false, err
	}
	f = &Figure{View: s.View, Lang: s.Lang}
	old := false
	for _, r := range s.Rows {
		p := Point{Week: r.Week, Value: column.Number(&r)}
		old = old || p.Value.Valid
		if r.Extra != nil && s.sinceBase(*r.Cell) {
			p.Low, p.High = r.Extra.Quality.Low, r.Extra.Quality.High
			if s.View == table.ViewSince {
				p.Low, p.High = jevons.AboveBase(p.Low), jevons.AboveBase(p.High)
			}
		}
		lines[*r.Cell].Points = append(lines[*r.Cell].Points, p)
	}
	if !old {
		return nil, false, ErrYoung
	}
	n := newNaming(s.Lang, s.Names.Categories(), s.Banners, s.Places, cells...)
	base := s.Table.Base(*s.Rows[0].Cell)
	for _, cell := range cells {
		l := lines[cell]
		l.Name, l.Series, l.Strong = n.line(cell), s.Names.Name(cell), cell.Category == basket.Overall && !n.category
		f.Lines = append(f.Lines, *l)
		mixed = mixed || s.View == table.ViewIndex && base != 0 && l.Points != nil && s.Table.Base(cell) != base
	}
	switch {
	case s.View == table.ViewSince:
		f.Base = s.Since
	case s.View == table.ViewIndex && !mixed:
		f.Base = base
	}
	day := s.Lang.Day(f.Base.Date())
	f.Name, f.Unit = s.Lang.T(views[s.View].title, day), s.Lang.T(views[s.View].unit, day)
	if s.View == table.ViewCost && s.Lang.Currency != "CAD" {
		f.Unit = s.Lang.T(words.Key("in {currency}"), s.Lang.Currency)
	}
	if mixed {
		f.Unit = s.Lang.T(words.Key("Index, each series' entry week = 100 (levels do not compare)"))
	}
	f.Name = s.Lang.T(words.Key("{name}: {value}"), f.Name, n.title())
	if s.conclude(f, n, cells); base == 0 {
		f.Name = s.Lang.T(words.Key("{title} (pilot series v1)"), f.Name)
		f.Title = f.Name
		if s.View == table.ViewIndex {
			f.Unit = s.Lang.T(words.Key("Index, pilot basis"))
		}
	}
	return f, mixed, nil
}

// endedWeeks is how long no week is published until all series count as ended.
const endedWeeks = 5

// conclude makes the title and the notes on what the figure can't say.
func (s Selection) conclude(f *Figure, n *naming, cells []jevons.Cell) {
	newest := s.Table.Rows[len(s.Table.Rows)-1].Week
	if s.Over >= newest.Add(endedWeeks) {
		newest = s.Over // every series has ended
	} else if s.Over != 0 {
		newest = min(newest, s.Over)
	}
	var last, young panel.Week
	bare := true
	for i, cell := range cells {
		line, end := f.Lines[i], s.Table.Before(newest.Add(1), cell)
		last = max(last, line.last().Week)
		bare = bare && !slices.ContainsFunc(line.Points, func(p Point) bool { return p.Low.Valid })
		if end != nil && end.Week < newest {
			f.Notes = append(f.Notes, s.Lang.T(words.Key("{series}: the last week is the one ending {week}."),
				line.Name, s.Lang.Day(end.Week.Date())))
		} else if end != nil && end.Base != 0 && end.Week < end.Base.Add(table.ViewYoY.Weeks()) {
			young = max(young, end.Base.Add(table.ViewYoY.Weeks()))
		}
	}
	if f.Banded() {
		f.Notes = append(f.Notes,
			s.Lang.T(words.Key("Bands: 95% intervals over the choice of products; not over stores, and not seasons.")))
	} else if bare {
		f.Notes = append(f.Notes, s.Lang.T(words.Key("These values have no interval: small differences mean little.")))
	}
	if young != 0 && s.View != table.ViewCost {
		f.Notes = append(f.Notes, s.Lang.T(
			words.Key("The first change in 52 weeks can be that of the week ending {week}."), s.Lang.Day(young.Date())))
	}
	f.Title = n.finding(f, newest, s.pairs(last, cells))
}

// pairs returns the rows of headlines of cities in a week, each with its difference to each other one. It returns
// none if these are not known.
func (s Selection) pairs(week panel.Week, cells []jevons.Cell) (pairs []jevons.Row) {
	var rows []jevons.Row
	for _, cell := range cells {
		row, same := s.Table.Find(week, cell), s.Quality.Find(week, cell)
		if cell.Level != jevons.City || cell.Category != basket.Overall || same == nil || row == nil ||
			!row.Same(same) || !s.sinceBase(cell) {
			return nil
		}
		rows = append(rows, *same)
	}
	for _, cell := range cells {
		compared, err := s.Quality.WithDifferences(rows, cell.City)
		if err != nil || len(cells) == 1 {
			return nil
		}
		pairs = append(pairs,
			slices.DeleteFunc(compared, func(r jevons.Row) bool { return r.Cell.City == cell.City })...)
	}
	return pairs
}

// sinceBase reports whether the values of a series are its levels, or changes since its base: those have intervals.
func (s Selection) sinceBase(cell jevons.Cell) bool {
	return s.View == table.ViewIndex || s.View == table.ViewSince && s.Table.Base(cell) == s.Since
}
