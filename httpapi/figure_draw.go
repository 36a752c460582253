package httpapi

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// figure is a figure with its data: the same in every form.
type figure struct {
	*figureQuery
	drawn  *chart.Figure
	cells  []jevons.Cell // in the order of the names
	rows   [][]jevons.Row
	column jevons.Column // of the view
	from   panel.Date
	end    panel.Week    // the last one that is asked for and published
	weeks  [2]panel.Week // the first and the last one with a row
	days   [2]panel.Date // the first and the last one with a value in the view
}

var errNotPublic = reply.Refuse("not_public", "only public figures can be embedded: those of the national headline and categories, if the publisher shows any without a key; link to this figure instead")

// newFigure finds the rows of a figure in the index, or in the release that as_of names, and
// lays them out.
func (s *Server) newFigure(c *call, q *figureQuery) (*figure, error) {
	if err := s.asOf(c); err != nil {
		return nil, err
	}
	if err := c.needSnapshot(); err != nil {
		return nil, err
	}
	last := c.lastClosed()
	f := &figure{figureQuery: q, from: max(q.from, c.vintage.Base.Date()), end: last}
	q.shown.Name, q.shown.First = q.shown.View.String(), c.vintage.Base
	if q.asOf != "" {
		if f.asOf = c.vintage.Ref.ID; f.asOf == "" {
			return nil, reply.Invalid("as_of", nil, "as_of: nothing was released by then")
		}
	}
	names := c.vintage.Names()
	for _, name := range q.names {
		cell, err := names.Parse(state.Redact(name))
		if err != nil {
			return nil, unknownSeries(err)
		}
		f.cells = append(f.cells, cell)
	}
	x, err := c.vintage.V2()
	if err != nil {
		return nil, err
	}
	if f.column, err = q.shown.Column(x, f.cells, last, names); err != nil {
		return nil, err
	}
	if q.to != 0 {
		f.end = min(f.end, panel.Week(q.to))
	}
	table := &jevons.Table{Rows: x.Rows, Options: jevons.Options{Base: c.vintage.Base}}
	all, err := s.findRows(c, f, table)
	if err != nil {
		return nil, err
	}
	f.drawn, _, err = chart.Selection{
		Table: table, Rows: all, View: q.shown.View, Since: q.shown.Since, Names: names, Banners: c.vintage.Banners, Words: q.words(),
	}.Figure()
	period := "from " + f.from.String() + " to " + f.end.Date().String()
	switch {
	case errors.Is(err, chart.ErrEmpty):
		return nil, reply.Refuse("not_found", "no published row matches: the series have none "+period)
	case errors.Is(err, chart.ErrYoung):
		text := "no value to show: the series have none with view=" + q.shown.Name + " " + period
		if first := c.vintage.Base.Add(q.shown.View.Weeks()); first > f.end {
			text += "; the first can be that of the week ending " + first.String()
		}
		return nil, reply.Refuse("not_found", text)
	case err != nil:
		return nil, err
	}
	f.describe(c)
	f.days[0], f.days[1], err = f.drawn.Period()
	return f, err
}

// findRows finds the rows of the figure's series, and returns them one series after the other.
// The first levels of a live figure have their intervals, as larder plot draws them. A release
// log keeps none, so a frozen figure has none either.
func (s *Server) findRows(c *call, f *figure, table *jevons.Table) (all []jevons.Row, err error) {
	var quality *jevons.Table
	if f.asOf == "" && f.shown.View == jevons.ViewIndex && len(f.cells) <= chart.MostBands {
		if quality, err = s.qualityOf(c, f); err != nil {
			return nil, err
		}
	}
	for _, cell := range f.cells {
		var rows []jevons.Row
		for week := table.Options.Base; week <= f.end; week = week.Add(1) {
			r := table.Find(week, cell)
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
			if same := quality.Find(week, cell); same != nil && prepared.SameRow(*r, *same) {
				rows[len(rows)-1].Extra = same.Extra
			}
		}
		f.rows, all = append(f.rows, rows), append(all, rows...)
	}
	return all, nil
}

// qualityOf returns the quality of the figure's rows. What a stranger makes the server
// compute and keep is that of the national rows alone.
func (s *Server) qualityOf(c *call, f *figure) (quality *jevons.Table, err error) {
	find := c.served.Quality
	if f.open {
		find = c.served.NationalQuality
	}
	s.giveTurn(c) // others are answered while it is computed
	quality, err = find()
	return quality, cmp.Or(err, s.takeTurn(c))
}

// describe sets the texts of the picture that are the snapshot's or the release's own.
func (f *figure) describe(c *call) {
	f.drawn.Credit(c.vintage.Words, "")
	if ref := c.vintage.Ref; ref != nil {
		f.drawn.Release = f.lang.T(lang.Key("Release {id} of {day}"), ref.ID, f.words().Date(panel.DateIn(ref.ReleasedAt, panel.Toronto)))
	}
	f.drawn.Annotations = c.vintage.Annotations
}

func (s *Server) figureSVG(c *call, f *figure, b []byte) ([]byte, error) {
	return s.picture(c, f, b, func() ([]byte, error) { return f.drawn.SVG(chart.Wide, chart.File) })
}

func (s *Server) figurePNG(c *call, f *figure, b []byte) ([]byte, error) {
	size := chart.Wide
	if f.square {
		size = chart.Square
	}
	return s.picture(c, f, b, func() ([]byte, error) { return f.drawn.PNG(size) })
}

// picture appends a picture. Clients that ask for the same one at the same time get one
// drawing: a link that is shared is opened by many at once.
func (s *Server) picture(c *call, f *figure, b []byte, draw func() ([]byte, error)) ([]byte, error) {
	key := fmt.Sprint(c.vintage.Tag(), c.path, f.address(), f.square, f.end)
	drawn, err, _ := s.drawing.Do(key, func() (any, error) { return draw() })
	if err != nil {
		return b, err
	}
	return append(b, drawn.([]byte)...), nil
}
