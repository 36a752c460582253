package figure

import (
	"fmt"
	"html/template"

	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/panel"
)

type pageView struct {
	*chart.Figure
	Picture      *Picture
	Query        template.URL // the figure's address in its one form
	Frozen, Live template.URL // addresses of the figure as it is now, and as it will be; or empty
	Base, Period string
	Citation     string
	Open         bool      // anybody may see it
	EmbedCode    string    // the markup with which another site shows the figure
	Weeks        []weekRow // newest first
	Controls     *Controls
}

// weekRow is a row of the table of values, written for people. Each value, which may be empty, has the
// address of the page that takes it apart.
type weekRow struct {
	Date   panel.Week
	Day    string
	Values []weekValue
}

type weekValue struct {
	Text string
	Y    panel.Fixed
	Why  template.URL
}

// page begins a page with the figure's picture.
func (f *Figure) page() (*pageView, error) {
	picture, err := f.picture()
	return &pageView{
		Figure: f.drawn, Picture: picture, Base: f.BaseURL,
		Query: template.URL(f.Address()), //nolint:gosec // the address is made of checked parts
	}, err
}

// address returns the address of a page as a template takes it. It is made of checked parts.
func address(path, query string) template.URL {
	return template.URL(path + "?" + query) //nolint:gosec // as above
}

// Shown returns what pages show of a figure, for the part of that name among the templates.
func (f *Figure) Shown() (*pageView, error) {
	v, err := f.page()
	if err == nil {
		v.Period, v.Citation = f.period(), f.cite()
		v.Open, v.Weeks, v.Controls = f.Open, f.table(), f.controls()
	}
	return v, err
}

// Page returns the page of a figure, which works without script.
func (f *Figure) Page() ([]byte, error) {
	v, err := f.Shown()
	if err != nil {
		return nil, err
	}
	v.EmbedCode = fmt.Sprintf(`<iframe src="%s%s?%s" title="%s" style="%s" loading="lazy"></iframe>`,
		f.BaseURL, PathEmbed, template.HTMLEscapeString(f.Address()), template.HTMLEscapeString(f.drawn.Name),
		v.Picture.embedStyle())
	live := *f.Query
	live.AsOf = ""
	if f.AsOf != "" {
		v.Live = address(Path, live.Address())
	} else if f.Snapshot.Ref != nil {
		v.Frozen = template.URL(f.frozen()) //nolint:gosec // as above
	}
	return f.Pages.Render("figure", pages.View{
		Lang: f.lang, Base: f.BaseURL, About: f.Snapshot.Words, Data: v, Here: Path + "?" + f.Address(),
		Elsewhere: f.elsewhere(),
	})
}

// Embed returns the page that other sites may frame: the picture, its source and a link.
func (f *Figure) Embed() ([]byte, error) {
	v, err := f.page()
	if err != nil {
		return nil, err
	}
	return f.Pages.Render("embed", pages.View{Lang: f.lang, About: f.Snapshot.Words, Data: v})
}

func (f *Figure) table() []weekRow {
	weeks := make([]weekRow, (f.weeks[1]-f.weeks[0])/7+1)
	for i := range weeks {
		weeks[i].Date = f.weeks[1].Add(-i)
		weeks[i].Day, weeks[i].Values = f.lang.Day(weeks[i].Date.Date()), make([]weekValue, len(f.cells))
	}
	for i, line := range f.drawn.Lines {
		for _, p := range line.Points {
			if p.Value.Valid {
				text := chart.Number(f.lang, f.shown.View, p.Value)
				why := f.WhyOf(f.Names[i], p.Week, f.comparedWith(p.Week))
				weeks[(f.weeks[1]-p.Week)/7].Values[i] = weekValue{text, p.Value, why}
			}
		}
	}
	return weeks
}
