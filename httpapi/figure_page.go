package httpapi

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// figureView is the data of the pages of a figure.
type figureView struct {
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
	Weeks        []figureWeek // newest first
}

// figureWeek is a row of the table of values, written for people. A missing value is empty.
type figureWeek struct {
	Date   panel.Week
	Day    string
	Values []figureValue
}

// figureValue is a value with the address of the page that takes it apart.
type figureValue struct {
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

func (s *Server) viewFigure(c *call, f *figure, form chart.Form, wide, narrow chart.Size) (*figureView, error) {
	v := &figureView{
		Figure: f.drawn, Query: template.URL(f.address()), Base: s.BaseURL, Period: f.period(), //nolint:gosec // the address is made of checked parts
		Version: f.version(c.vintage), Citation: s.cite(c, f), Open: f.open, Height: embedHeight,
	}
	for size, to := range map[chart.Size]*template.HTML{wide: &v.Wide, narrow: &v.Narrow} {
		drawn, err := f.drawn.SVG(size, form)
		if err != nil {
			return nil, err
		}
		*to = template.HTML(drawn) //nolint:gosec // package chart escapes every text
	}
	other := *f.figureQuery
	if f.asOf != "" {
		other.asOf = ""
		v.Live = template.URL(pathFigure + "?" + other.address()) //nolint:gosec // as above
	} else if c.vintage.Ref != nil {
		other.asOf = c.vintage.Ref.ID
		v.Frozen = template.URL(pathFigure + "?" + other.address()) //nolint:gosec // as above
	}
	return v, nil
}

// figurePage appends the page of a figure, which works without script.
func (s *Server) figurePage(c *call, f *figure, b []byte) ([]byte, error) {
	v, err := s.viewFigure(c, f, chart.Bare, pageSize, phoneSize)
	if err != nil {
		return b, err
	}
	if v.Revised, err = s.lastRevision(c, f); err != nil {
		return b, err
	}
	if r := v.Revised; r != nil {
		v.RevisedOn = f.words().Date(panel.DateIn(r.Release.ReleasedAt, panel.Toronto))
		if v.RevisedBy = f.lang.Number(r.Largest); r.Largest.Valid && f.shown.View == jevons.ViewCost {
			v.RevisedBy = f.lang.Money(r.Largest)
		}
	}
	v.Weeks = f.table()
	other := *f.figureQuery
	other.lang = f.lang.Other()
	page, err := s.pages.Render("figure", pages.View{
		Lang: f.lang, Base: s.BaseURL, About: c.vintage.Words, Data: v,
		Here: pathFigure + "?" + f.address(), Elsewhere: pathFigure + "?" + other.address(),
	})
	return append(b, page...), err
}

// figureEmbed appends the page that other sites may frame: the picture, its source and a link.
func (s *Server) figureEmbed(c *call, f *figure, b []byte) ([]byte, error) {
	v, err := s.viewFigure(c, f, chart.Inline, embedSize, embedPhone)
	if err != nil {
		return b, err
	}
	page, err := s.pages.Render("embed", pages.View{Lang: f.lang, About: c.vintage.Words, Data: v})
	return append(b, page...), err
}

// table returns the values by week.
func (f *figure) table() (weeks []figureWeek) {
	at := map[panel.Week]int{}
	for week := f.weeks[1]; week >= f.weeks[0]; week = week.Add(-1) {
		at[week] = len(weeks)
		weeks = append(weeks, figureWeek{week, f.words().Date(week.Date()), make([]figureValue, len(f.cells))})
	}
	for i, rows := range f.rows {
		for k := range rows {
			if value := f.column.Number(&rows[k]); value.Valid {
				weeks[at[rows[k].Week]].Values[i] = figureValue{f.words().Number(f.shown.View, value), template.URL(f.why(f.names[i], rows[k].Week, f.lang))} //nolint:gosec // the address is made of checked parts
			}
		}
	}
	return weeks
}

// refusedFigure returns the page that a person gets in place of a refused figure, and sets its
// headers. If there is no page, it is the refusal for programs.
func (s *Server) refusedFigure(c *call, refused *reply.Error, body [][]byte) [][]byte {
	x := trouble{
		Title: lang.Key("This figure can't be shown"), Message: lang.Key("The server said why:"), Detail: refused.Refusal.Error,
	}
	switch refused.Status() {
	case http.StatusUnauthorized:
		x.Message = lang.Key(`This figure is for subscribers: <a href="/account">sign in</a>, then load it again. The national headline and categories need no key, if the publisher shows them.`)
	case http.StatusInternalServerError:
		x.RequestID = requestID(c.r)
	}
	l, _ := lang.Locate(c.path)
	if slices.Contains(c.r.URL.Query()["lang"], "fr") {
		l = lang.French
	}
	page, err := s.pages.Render("trouble", pages.View{Lang: l, About: s.Snapshots.Current().About(), Data: x})
	if err != nil {
		return body
	}
	h := c.w.Header()
	s.setPageHeaders(h)
	h.Set("Content-Type", reply.HTMLType)
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Vary", "Accept, Accept-Encoding, Authorization, Cookie")
	return [][]byte{page}
}

// EmbedCode is the markup with which another site shows the figure.
func (v *figureView) EmbedCode() string {
	return fmt.Sprintf(`<iframe src="%s%s?%s" title="%s" width="100%%" height="%d" loading="lazy"></iframe>`,
		v.Base, pathEmbed, template.HTMLEscapeString(string(v.Query)), template.HTMLEscapeString(v.Title), v.Height)
}
