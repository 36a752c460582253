package figure

import (
	"fmt"
	"html/template"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// pageView is the data of the pages of a figure.
type pageView struct {
	*chart.Figure
	Wide, Narrow template.HTML // pictures
	Query        template.URL  // the figure's address in its one form
	Frozen, Live template.URL  // addresses of the figure as it is now, and as it will be; or empty
	Base, Period string
	Version      string // release or snapshot
	Citation     string
	Open         bool // anybody may see it
	Height       int  // of an embedded figure, in pixels
	Revised      *revision
	RevisedOn    string
	RevisedBy    string
	Weeks        []weekRow // newest first
}

// weekRow is a row of the table of values, written for people. A missing value is empty.
type weekRow struct {
	Date   panel.Week
	Day    string
	Values []shownValue
}

// shownValue is a value with the address of the page that takes it apart.
type shownValue struct {
	Text string
	Why  template.URL
}

// Pictures of a page: one for most windows, and one with text that can be read on a phone.
var (
	pageSize   = chart.Size{Width: 960, Height: 480, Text: 14}
	phoneSize  = chart.Size{Width: 360, Height: 320, Text: 12}
	embedSize  = chart.Size{Width: 700, Height: 420, Text: 13}
	embedPhone = chart.Size{Width: 320, Height: 400, Text: 11}
)

// embedHeight is the height of an embedded figure, in pixels, that fits both its pictures.
const embedHeight = 480

func (f *Figure) view(form chart.Form, wide, narrow chart.Size) (*pageView, error) {
	v := &pageView{
		Figure: f.drawn, Query: template.URL(f.Address()), Base: f.BaseURL, Period: f.period(), //nolint:gosec // the address is made of checked parts
		Version: f.version(f.Vintage), Citation: f.cite(), Open: f.Open, Height: embedHeight,
	}
	for size, to := range map[chart.Size]*template.HTML{wide: &v.Wide, narrow: &v.Narrow} {
		drawn, err := f.drawn.SVG(size, form)
		if err != nil {
			return nil, err
		}
		*to = template.HTML(drawn) //nolint:gosec // package chart escapes every text
	}
	other := *f.Query
	if f.AsOf != "" {
		other.AsOf = ""
		v.Live = template.URL(Path + "?" + other.Address()) //nolint:gosec // as above
	} else if f.Vintage.Ref != nil {
		other.AsOf = f.Vintage.Ref.ID
		v.Frozen = template.URL(Path + "?" + other.Address()) //nolint:gosec // as above
	}
	return v, nil
}

// AppendPage appends the page of a figure, which works without script.
func (f *Figure) AppendPage(b []byte) ([]byte, error) {
	v, err := f.view(chart.Bare, pageSize, phoneSize)
	if err != nil {
		return b, err
	}
	if v.Revised, err = f.lastRevision(); err != nil {
		return b, err
	}
	if r := v.Revised; r != nil {
		v.RevisedOn = f.words().Date(panel.DateIn(r.Release.ReleasedAt, panel.Toronto))
		if v.RevisedBy = f.lang.Number(r.Largest); r.Largest.Valid && f.shown.View == table.ViewCost {
			v.RevisedBy = f.lang.Money(r.Largest)
		}
	}
	v.Weeks = f.table()
	other := *f.Query
	other.lang = f.lang.Other()
	page, err := f.Pages.Render("figure", pages.View{
		Lang: f.lang, Base: f.BaseURL, About: f.Vintage.Words, Data: v,
		Here: Path + "?" + f.Address(), Elsewhere: Path + "?" + other.Address(),
	})
	return append(b, page...), err
}

// AppendEmbed appends the page that other sites may frame: the picture, its source and a link.
func (f *Figure) AppendEmbed(b []byte) ([]byte, error) {
	v, err := f.view(chart.Inline, embedSize, embedPhone)
	if err != nil {
		return b, err
	}
	page, err := f.Pages.Render("embed", pages.View{Lang: f.lang, About: f.Vintage.Words, Data: v})
	return append(b, page...), err
}

// table returns the values by week.
func (f *Figure) table() (weeks []weekRow) {
	at := map[panel.Week]int{}
	for week := f.weeks[1]; week >= f.weeks[0]; week = week.Add(-1) {
		at[week] = len(weeks)
		weeks = append(weeks, weekRow{week, f.words().Date(week.Date()), make([]shownValue, len(f.cells))})
	}
	for i, rows := range f.rows {
		for k := range rows {
			if value := f.column.Number(&rows[k]); value.Valid {
				weeks[at[rows[k].Week]].Values[i] = shownValue{f.words().Number(f.shown.View, value), template.URL(f.why(f.Names[i], rows[k].Week, f.lang))} //nolint:gosec // the address is made of checked parts
			}
		}
	}
	return weeks
}

// EmbedCode is the markup with which another site shows the figure.
func (v *pageView) EmbedCode() string {
	return fmt.Sprintf(`<iframe src="%s%s?%s" title="%s" width="100%%" height="%d" loading="lazy"></iframe>`,
		v.Base, PathEmbed, template.HTMLEscapeString(string(v.Query)), template.HTMLEscapeString(v.Title), v.Height)
}
