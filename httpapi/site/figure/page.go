package figure

import (
	"fmt"
	"html/template"

	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/panel"
)

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

// address returns the address of a page as a template takes it. It is made of checked parts.
func address(path, query string) template.URL {
	return template.URL(path + "?" + query) //nolint:gosec // as above
}

// Form is the address of another form of the page, such as ".svg".
func (v *view) Form(name string) template.URL { return address(v.path+name, v.Address()) }

// Page returns the page of a figure, which works without script.
func (f *Figure) Page() ([]byte, error) {
	return f.Pages.Render("figure", pages.View{
		Lang: f.lang, Base: f.BaseURL, About: f.Snapshot.Words, Data: f, Here: string(f.Form("")),
		Elsewhere: f.elsewhere(),
	})
}

// Embed returns the page that other sites may frame: the picture, its source and a link.
func (f *Figure) Embed() ([]byte, error) {
	return f.Pages.Render("embed", pages.View{Lang: f.lang, About: f.Snapshot.Words, Data: f})
}

// EmbedCode is the markup with which another site shows the figure.
func (f *Figure) EmbedCode() (string, error) {
	picture, err := f.Picture()
	return fmt.Sprintf(`<iframe src="%s%s?%s" title="%s" style="%s" loading="lazy"></iframe>`, f.BaseURL, PathEmbed,
		template.HTMLEscapeString(f.Address()), template.HTMLEscapeString(f.Drawn.Name), picture.embedStyle()), err
}

// Live is the address of a frozen figure as it will be.
func (f *Figure) Live() template.URL {
	live := *f.Query
	live.AsOf = ""
	return address(Path, live.Address())
}

// Weeks returns the rows of the table of values, newest first.
func (f *Figure) Weeks() []weekRow {
	weeks := make([]weekRow, (f.weeks[1]-f.weeks[0])/7+1)
	for i := range weeks {
		weeks[i].Date = f.weeks[1].Add(-i)
		weeks[i].Day, weeks[i].Values = f.lang.Day(weeks[i].Date.Date()), make([]weekValue, len(f.cells))
	}
	for i, line := range f.Drawn.Lines {
		for _, p := range line.Points {
			if p.Value.Valid {
				text := chart.Number(f.lang, f.Shown.View, p.Value)
				why := f.WhyOf(f.Names[i], p.Week, f.comparedWith(p.Week))
				weeks[(f.weeks[1]-p.Week)/7].Values[i] = weekValue{text, p.Value, why}
			}
		}
	}
	return weeks
}
