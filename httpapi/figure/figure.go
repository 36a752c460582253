// Package figure makes figures: a few series of the index in a view, as a picture, a table, a
// page or a citation. It says which figures anybody may see, and takes a week of a series apart.
package figure

import (
	"errors"
	"fmt"
	"time"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Source holds the data that a figure is made from.
type Source struct {
	Served   *prepared.Served
	Vintage  *prepared.Vintage  // the index in service, or the one of a release
	At       time.Time          // the instant of the answer
	Releases *prepared.Releases // nil without a release log
	Pages    *pages.Set
	BaseURL  string
	Aside    func(work func() error) error // does work that takes long, so that others are answered meanwhile; nil: nobody waits
}

// beside does work that takes long.
func (s *Source) beside(work func() error) error {
	if s.Aside == nil {
		return work()
	}
	return s.Aside(work)
}

// Figure is a figure with its data: the same in every form.
type Figure struct {
	*Source
	*Query
	drawn     *chart.Figure
	cells     []jevons.Cell // in the order of the names
	rows      [][]jevons.Row
	column    table.Column // of the view
	from      panel.Date
	end       panel.Week    // the last one that is asked for and published
	weeks     [2]panel.Week // the first and the last one with a row
	shownDays [2]panel.Date // the first and the last one with a value in the view
}

// New finds the rows of a figure in the source's index and lays them out.
func New(s *Source, q *Query) (*Figure, error) {
	last := s.Vintage.LastClosed(s.At)
	f := &Figure{Source: s, Query: q, from: max(q.from, s.Vintage.Base.Date()), end: last}
	q.shown.Name, q.shown.First = q.shown.View.String(), s.Vintage.Base
	if q.AsOf != "" {
		if f.AsOf = s.Vintage.Ref.ID; f.AsOf == "" {
			return nil, reply.Invalid("as_of", nil, "as_of: nothing was released by then")
		}
	}
	names := s.Vintage.Names()
	for _, name := range q.Names {
		cell, err := names.Parse(state.Redact(name))
		if err != nil {
			return nil, unknownSeries(err)
		}
		f.cells = append(f.cells, cell)
	}
	x, err := s.Vintage.V2()
	if err != nil {
		return nil, err
	}
	if f.column, err = q.shown.Column(x, f.cells, last, names); err != nil {
		return nil, err
	}
	if q.to != 0 {
		f.end = min(f.end, panel.Week(q.to))
	}
	published := &jevons.Table{Rows: x.Rows, Options: jevons.Options{Base: s.Vintage.Base}}
	all, err := f.findRows(published)
	if err != nil {
		return nil, err
	}
	f.drawn, _, err = chart.Selection{
		Table: published, Rows: all, View: q.shown.View, Since: q.shown.Since, Names: names, Banners: s.Vintage.Banners, Words: q.words(),
	}.Figure()
	period := "from " + f.from.String() + " to " + f.end.Date().String()
	switch {
	case errors.Is(err, chart.ErrEmpty):
		return nil, reply.Refuse("not_found", "no published row matches: the series have none "+period)
	case errors.Is(err, chart.ErrYoung):
		text := "no value to show: the series have none with view=" + q.shown.Name + " " + period
		if first := s.Vintage.Base.Add(q.shown.View.Weeks()); first > f.end {
			text += "; the first can be that of the week ending " + first.String()
		}
		return nil, reply.Refuse("not_found", text)
	case err != nil:
		return nil, err
	}
	f.describe()
	f.shownDays[0], f.shownDays[1], err = f.drawn.Period()
	return f, err
}

// findRows finds the rows of the figure's series, and returns them one series after the other.
// The first levels of a live figure have their intervals, as larder plot draws them. A release
// log keeps none, so a frozen figure has none either.
func (f *Figure) findRows(published *jevons.Table) (all []jevons.Row, err error) {
	var quality *jevons.Table
	if f.AsOf == "" && f.shown.View == table.ViewIndex && len(f.cells) <= chart.MostBands {
		if quality, err = f.quality(); err != nil {
			return nil, err
		}
	}
	for _, cell := range f.cells {
		var rows []jevons.Row
		for week := published.Options.Base; week <= f.end; week = week.Add(1) {
			r := published.Find(week, cell)
			if r == nil || week.Date() < f.from {
				continue
			}
			if f.weeks[0] == 0 || week < f.weeks[0] {
				f.weeks[0] = week
			}
			f.weeks[1] = max(f.weeks[1], week)
			rows = append(rows, *r)
			if quality == nil {
				continue
			}
			if same := quality.Find(week, cell); same != nil && r.Same(same) {
				rows[len(rows)-1].Extra = same.Extra
			}
		}
		f.rows, all = append(f.rows, rows), append(all, rows...)
	}
	return all, nil
}

// quality returns the rows of the index with their quality.
func (f *Figure) quality() (quality *jevons.Table, err error) {
	return quality, f.beside(func() (err error) {
		quality, err = f.Served.Quality()
		return err
	})
}

// describe sets the texts of the picture that are the snapshot's or the release's own.
func (f *Figure) describe() {
	f.drawn.Credit(f.Vintage.Words, "")
	if ref := f.Vintage.Ref; ref != nil {
		f.drawn.Release = f.lang.T(lang.Key("Release {id} of {day}"), ref.ID, f.words().Date(panel.DateIn(ref.ReleasedAt, panel.Toronto)))
	}
	f.drawn.Annotations = f.Vintage.Annotations
}

// AppendSVG appends the picture as a file.
func (f *Figure) AppendSVG(b []byte) ([]byte, error) {
	drawn, err := f.drawn.SVG(chart.Wide, chart.File)
	return append(b, drawn...), err
}

// AppendPNG appends the picture in the size that is asked for.
func (f *Figure) AppendPNG(b []byte) ([]byte, error) {
	size := chart.Wide
	if f.square {
		size = chart.Square
	}
	drawn, err := f.drawn.PNG(size)
	return append(b, drawn...), err
}

// ID differs between figures of the same form.
func (f *Figure) ID() string { return fmt.Sprint(f.Vintage.Tag(), f.Address(), f.square, f.end) }

// Days returns the first and the last day that the figure shows.
func (f *Figure) Days() []panel.Date { return []panel.Date{f.from, f.end.Date()} }
