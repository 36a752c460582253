// Package figure makes figures: a few series of the index in a view, as a picture, a table, a
// page or a citation. It says which figures anybody may see, and takes a week of a series apart.
package figure

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Source holds the data that a figure is made from.
type Source struct {
	Snapshot *prepared.Snapshot // what is in service, or the one of a release
	At       time.Time          // the instant of the answer
	Releases *prepared.Releases // nil without a release log
	Pages    *pages.Set
	BaseURL  string

	Subscriber bool // who asks may choose any series
}

// view is series of an index, in the form and the language that a query asks for.
type view struct {
	*Source
	*Query
	path      string        // of the page
	Drawn     *chart.Figure // the picture; nil if it would be empty
	index     *prepared.Series
	published *jevons.Table // its rows
	Last      panel.Week    // that may be shown
	over      panel.Week    // the last one that is over; of a frozen figure, when it was released
	cells     []jevons.Cell // in the order of the names
}

// open finds the index and the series of a query. It names the release of a frozen one by its id.
func open(s *Source, q *Query, path string) (v view, err error) {
	if q.AsOf != "" {
		if q.AsOf = s.Snapshot.Ref.ID; q.AsOf == "" {
			return v, reply.Invalid("as_of", nil, "as_of: nothing was released by then")
		}
	}
	v = view{Source: s, Query: q, path: path, Last: s.Snapshot.LastClosed(s.At)}
	v.over = v.Last
	if q.AsOf == "" {
		v.over = s.Snapshot.Words.Calendar().LastClosed(s.At)
	}
	for _, name := range q.Names {
		cell, err := s.Snapshot.Names().Parse(state.Redact(name))
		if err != nil {
			return v, unknownSeries(err)
		}
		v.cells = append(v.cells, cell)
	}
	if v.index, err = s.Snapshot.V2(); err == nil {
		v.published = &jevons.Table{Rows: v.index.Rows, Options: jevons.Options{Base: s.Snapshot.Base}}
	}
	return v, err
}

// places says where a week's prices are from. A release keeps no prices, so for a frozen figure they are
// the cities that have a row.
func (v *view) places(week panel.Week) words.Places {
	if v.AsOf == "" && v.Snapshot.NeedPrices() == nil {
		return words.PlacesOf(v.Snapshot.Panel, week)
	}
	p := words.Places{Place: v.Snapshot.Words.Place, Parts: v.Snapshot.Words.Places}
	for _, row := range v.published.Select(jevons.Filter{Level: jevons.City, From: week.Date(), To: week.Date()}) {
		if !slices.Contains(p.Cities, row.Cell.City) {
			p.Cities = append(p.Cities, row.Cell.City)
		}
	}
	return p
}

// Figure is a figure with its data: the same in every form.
type Figure struct {
	view
	picture *Picture      // nil until a page asks for it
	priced  *jevons.Table // by the prices in service; empty if the levels need none
	column  table.Column  // of the view
	from    panel.Date
	end     panel.Week    // the last one that is asked for and published
	weeks   [2]panel.Week // the first and the last one with a row
	scale   chart.Scale   // from the first day with a value in the view to the last
}

// New finds the rows of a figure in the source's index and lays them out.
func New(s *Source, q *Query) (*Figure, error) {
	v, err := open(s, q, Path)
	if err != nil {
		return nil, err
	}
	f := &Figure{view: v, from: max(q.From, s.Snapshot.Base.Date()), end: v.Last}
	if q.To != 0 {
		f.end = min(v.Last, panel.Week(q.To))
	}
	q.Shown.Name, q.Shown.First = q.Shown.View.String(), s.Snapshot.Base
	names := s.Snapshot.Names()
	if f.column, err = q.Shown.Column(v.index, v.cells, v.Last, names); err != nil {
		return nil, err
	}
	rows, err := f.rows()
	if err != nil {
		return nil, err
	}
	f.Drawn, _, err = chart.Selection{
		Table: v.published, Quality: f.priced, Over: v.over, Cells: v.cells, Rows: rows, View: q.Shown.View,
		Since: q.Shown.Since, Names: names, Banners: s.Snapshot.Banners, Lang: q.lang, About: s.Snapshot.Words,
		Places: f.places(f.weeks[1]),
	}.Figure()
	period := "from " + f.from.String() + " to " + f.end.Date().String()
	switch {
	case errors.Is(err, chart.ErrEmpty):
		return nil, reply.Refuse("not_found", "no published row matches: the series have none "+period)
	case errors.Is(err, chart.ErrYoung):
		text := "no value to show: the series have none with view=" + q.Shown.Name + " " + period
		if first := s.Snapshot.Base.Add(q.Shown.View.Weeks()); first > f.end {
			text += "; the first can be that of the week ending " + first.String()
		}
		return nil, reply.Refuse("not_found", text)
	case err != nil:
		return nil, err
	}
	if err := f.markRevised(); err != nil {
		return nil, err
	}
	f.Drawn.Credit(s.Snapshot.Words)
	f.Drawn.Version = q.version(s.Snapshot)
	f.scale, err = f.Drawn.Scale()
	return f, err
}

// markRevised marks the values that are not as they were first published.
func (f *Figure) markRevised() error {
	first, err := f.Snapshot.Revised()
	for i, cell := range f.cells {
		for k := range f.Drawn.Lines[i].Points {
			p := &f.Drawn.Lines[i].Points[k]
			if row := first[prepared.Published{Week: p.Week, Cell: cell}]; row != nil {
				was := f.column.Number(row)
				p.Revised = was.Valid && was != p.Value
			}
		}
	}
	return err
}

// Finding says in a language what the headline shows, over a year if it can, and the notes on it. It is empty unless
// anybody may see it.
func Finding(s *Source, l *words.Language, public Public) (title, notes string) {
	for _, view := range []string{"&view=yoy", ""} {
		q, err := Read("lang="+l.Code+view, []string{"lang", "view"}, public, s.Snapshot)
		if err != nil || !q.Open {
			return "", ""
		}
		q.AsOf = s.Snapshot.Ref.ID
		if f, err := New(s, q); err == nil {
			return f.Drawn.Title, ". " + strings.Join(f.Drawn.Notes, " ")
		}
	}
	return "", ""
}

// rows finds the rows of each series. Levels have their intervals: those that were released with
// them, or in a live figure those by the prices in service.
func (f *Figure) rows() (rows []jevons.Row, err error) {
	f.priced = &jevons.Table{}
	if f.AsOf == "" && len(f.members()) > 1 {
		if f.priced, err = f.Snapshot.Quality(); err != nil {
			return nil, err
		}
	}
	for _, cell := range f.cells {
		for week := f.from.Week(); week <= f.end; week = week.Add(1) {
			if r := f.published.Find(week, cell); r != nil {
				f.weeks = [2]panel.Week{min(cmp.Or(f.weeks[0], week), week), max(f.weeks[1], week)}
				rows = append(rows, *r)
				if r.Extra == nil {
					rows[len(rows)-1].Extra = &jevons.Extra{Quality: new(f.priced.QualityOf(r))}
				}
			}
		}
	}
	return rows, err
}

// Days returns the days that a live figure depends on: the first and the last that it shows, and the last of a week
// that is over.
func (f *Figure) Days() []panel.Date { return []panel.Date{f.from, f.end.Date(), f.over.Date()} }

// SVG returns the picture as a file: for articles, or one of those for pages.
func (v *view) SVG() ([]byte, error) { return v.draw(v.size(), (*chart.Figure).SVG) }

// PNG returns the picture as a PNG image.
func (v *view) PNG() ([]byte, error) { return v.draw(chart.Wide, (*chart.Figure).PNG) }

func (v *view) draw(size chart.Size, draw func(*chart.Figure, chart.Size) ([]byte, error)) ([]byte, error) {
	if v.Drawn == nil {
		return nil, errNoSteps
	}
	return draw(v.Drawn, size)
}

// size is that of the picture that the query asks for.
func (q *Query) size() chart.Size {
	if i := slices.Index(pictureWidths, q.Width); i >= 0 {
		return chart.Layouts[i]
	}
	return chart.Wide
}

// CSV returns a line for each row of each series. The third column has the name of the
// view's member, so that nobody takes one unit for another. Those with intervals have the ends
// of these besides. Every line names the source, so that a line that is copied keeps its
// attribution.
func (f *Figure) CSV() ([]byte, error) {
	lines, source := [][]string{slices.Concat([]string{"date", "series"}, f.members(), []string{"source"})}, f.source()
	for i, line := range f.Drawn.Lines {
		for _, p := range line.Points {
			fields := []string{p.Week.String(), phrase.Cell(f.Names[i])}
			for _, number := range f.numbers(p) {
				fields = append(fields, strings.TrimPrefix(number, "null"))
			}
			lines = append(lines, append(fields, source))
		}
	}
	return csvOf(lines)
}

// source names the source of a line of a file, and what it was made from.
func (v *view) source() string {
	return phrase.Cell(v.Snapshot.Words.SourceLabel() + ", " + v.version(v.Snapshot))
}

func csvOf(lines [][]string) ([]byte, error) {
	var out bytes.Buffer
	err := csv.NewWriter(&out).WriteAll(lines)
	return out.Bytes(), err
}

// members names the numbers of a point. A level has an interval, and so has its change since its base.
func (f *Figure) members() []string {
	switch f.Shown.View {
	case table.ViewIndex:
		return []string{f.column.Name, "ci95_low", "ci95_high"}
	case table.ViewSince:
		return []string{f.column.Name, "since_ci95_low", "since_ci95_high"}
	}
	return []string{f.column.Name}
}

// numbers returns the numbers of a point as rows of the index have them, or "null".
func (f *Figure) numbers(p chart.Point) (texts []string) {
	for _, v := range []panel.Fixed{p.Value, p.Low, p.High}[:len(f.members())] {
		texts = append(texts, string(v.Append(nil, f.column.Decimals)))
	}
	return texts
}

// JSON returns the figure as a program wants it.
func (f *Figure) JSON() ([]byte, error) {
	body := wire.Figure{
		Origin: f.origin(f.Cite()), View: *f.Shown.Meta(f.Snapshot.Words),
		From: f.weeks[0].String(), To: f.weeks[1].String(),
	}
	for i, cell := range f.cells {
		line := wire.FigureSeries{
			Name: f.Names[i], City: wire.Text(cell.City), Retailer: wire.Text(cell.Banner),
			Category: wire.Text(cell.Category.Slug()), Rows: []json.RawMessage{},
		}
		for _, p := range f.Drawn.Lines[i].Points {
			row := fmt.Appendf(nil, `{"date":%q`, p.Week)
			for k, number := range f.numbers(p) {
				row = fmt.Appendf(row, `,%q:%s`, f.members()[k], number)
			}
			line.Rows = append(line.Rows, append(row, '}'))
		}
		body.Series = append(body.Series, line)
	}
	return reply.AppendJSON(nil, body)
}

// origin says what the data are and where they are from.
func (v *view) origin(citation string) wire.Origin {
	about := v.Snapshot.Words
	return wire.Origin{
		Title: v.Drawn.Name, Address: v.BaseURL + string(v.Form("")), Source: about.SourceLabel(),
		License: about.Terms(), Note: prepared.Note("v2", about), Citation: citation,
		Snapshot: v.Snapshot.Hash, Release: v.Snapshot.Ref,
	}
}

// Frozen returns the address of the page as it is now, which never changes. Without a
// release log it is the page's own.
func (v *view) Frozen() template.URL {
	q := *v.Query
	if v.Snapshot.Ref != nil {
		q.AsOf = v.Snapshot.Ref.ID
	}
	return address(v.path, q.Address())
}

// elsewhere returns the address of the page in the other language.
func (v *view) elsewhere() string {
	q := *v.Query
	q.lang = q.lang.Other()
	return v.path + "?" + q.Address()
}

// version names what the figure was made from: a release, or else a snapshot.
func (q *Query) version(v *prepared.Snapshot) string {
	if v.Ref != nil {
		return q.lang.T(words.Key("release {id} of {day}"), v.Ref.ID, q.released(v))
	}
	return chart.Snapshot(q.lang, v.Hash)
}

func (q *Query) released(v *prepared.Snapshot) string {
	return q.lang.Day(v.Words.Calendar().DateIn(v.Ref.ReleasedAt))
}

// Period says which weeks are shown.
func (f *Figure) Period() string {
	return f.lang.T(words.Key("Weeks ending {first} to {last}"), f.lang.Day(f.scale.First), f.lang.Day(f.scale.Last))
}

// Cite says what the figure was made from. It says that invented prices are invented.
func (f *Figure) Cite() string { return f.citeAs(f.Drawn.Name+". "+f.Period(), f.scale.Last) }

// citeAs cites what shows something up to a day.
func (v *view) citeAs(what string, last panel.Date) string {
	text := fmt.Sprintf("%s (%d). %s, %s. %s%s", cmp.Or(v.Snapshot.Words.Publisher, "Larder"),
		last.Time(time.UTC).Year(), what, v.version(v.Snapshot), v.BaseURL, v.Frozen())
	if v.Drawn.Notice != "" {
		text += ". " + v.Drawn.Notice
	}
	return text
}

// Text returns the citation.
func (f *Figure) Text() ([]byte, error) { return []byte(f.Cite() + "\n"), nil }
