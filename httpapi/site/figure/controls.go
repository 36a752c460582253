package figure

import (
	"cmp"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Choice is a link. Here marks the one that the page shows. Note says why there is no Address.
type Choice struct {
	Hue     int // of the class of its line, if it is a series
	Text    string
	Address template.URL
	Here    bool
	Note    string
	Options []Option // of a group of them
}

// Option is a value that a form sends, and the text that stands for it.
type Option struct {
	Value, Text string
	Here        bool
}

// Fields are the parameters of the page's address but for those named.
func (q *Query) Fields(but ...string) (fields []Option) {
	_, query, _ := strings.Cut(string(q.At()), "?")
	values, _ := url.ParseQuery(query) // it is ours
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			if !slices.Contains(but, name) {
				fields = append(fields, Option{Value: name, Text: value})
			}
		}
	}
	return fields
}

// At returns the address of the page that shows the figure, in its one form.
func (q *Query) At() template.URL {
	own := *q
	if q.PagePath != Path && q.lang.Prefix != "" {
		own.lang = q.lang.Other() // the path says the language
	}
	query := own.Address()
	if len(q.Rest) > 0 {
		query += "&" + q.Rest.Encode()
	}
	return address(q.PagePath, query)
}

// In makes the page that shows the figure one in a language, of the address in English.
func (q *Query) In(l *words.Language, path string) { q.lang, q.PagePath = l, l.At(path) }

// With returns the query of the page with another value of one of its other parameters.
func (q *Query) With(name, value string) *Query {
	other := *q
	other.Rest = maps.Clone(q.Rest)
	other.Rest.Set(name, value)
	return &other
}

// Showing returns the query of the page with another figure: of the series besides, or without it.
func (q *Query) Showing(series string) (other *Query, shown bool) {
	changed := *q
	changed.Names = slices.DeleteFunc(slices.Clone(q.Names), func(name string) bool { return name == series })
	if shown = len(changed.Names) < len(q.Names); !shown {
		changed.Names = append(changed.Names, series)
	}
	return &changed, shown
}

// Levels returns the query of the page with the levels of the same series.
func (q *Query) Levels() *Query {
	other := *q
	other.Shown = prepared.ViewQuery{}
	return &other
}

// Value returns the value of a row of a table in that unit, or null.
func (q *Query) Value(about *panel.About, t *jevons.Table, r *jevons.Row) (v panel.Fixed) {
	column, err := table.ViewColumn(about, t, q.Shown.View, q.Shown.Since, []jevons.Cell{*r.Cell})
	if err == nil {
		v = column.Number(r)
	}
	return v
}

// Full reports whether the figure has no room for another series.
func (q *Query) Full() bool { return len(q.Names) >= mostSeries }

// Units lead to the same series in other views.
func (f *Figure) Units() (units []Choice) {
	for i, text := range []string{
		words.Key("Index"), words.Key("52 weeks"), words.Key("Since…"), words.Key("4 weeks"), words.Key("Basket"),
	} {
		units = append(units, f.unit(table.View(i), f.lang.T(text)))
	}
	return units
}

// Series lead to the figure without one of them.
func (f *Figure) Series() (series []Choice) {
	for i, name := range f.Names {
		one := Choice{Text: f.Drawn.Lines[i].Name, Hue: f.Drawn.Hue(i)}
		if len(f.Names) > 1 {
			without, _ := f.Showing(name)
			one.Address = without.At()
		}
		series = append(series, one)
	}
	return series
}

// Categories are those of a series that may be added.
func (f *Figure) Categories() (categories []Option) {
	list := f.Snapshot.Categories()
	for _, category := range f.Snapshot.Slices() {
		categories = append(categories,
			Option{category.String(), chart.Category(f.lang, list, category), category == f.cells[0].Category})
	}
	return categories
}

// unit leads to the same series in another view, if one of them is old enough to have a value there.
func (f *Figure) unit(v table.View, text string) Choice {
	oldest, youngest := f.Last, f.Snapshot.Base
	for _, cell := range f.cells {
		base := cmp.Or(f.published.Base(cell), f.Snapshot.Base)
		oldest, youngest = min(oldest, base), max(youngest, base)
	}
	other, first := *f.Query, oldest.Add(v.Weeks())
	if first > f.Last {
		return Choice{Text: text, Note: f.lang.T(words.Key("from the week ending {week}"), f.lang.Day(first.Date()))}
	}
	if first > f.end {
		other.From, other.To = 0, 0
	}
	other.Shown.View = v
	if v != table.ViewSince {
		other.Shown.Since = 0
	} else if f.Shown.Since == 0 {
		other.Shown.Since = youngest
	}
	return Choice{Text: text, Address: other.At(), Here: f.Shown.View == v}
}

// Periods are the newest weeks, as many as people ask for, and all.
func (f *Figure) Periods() (all []Choice) {
	add := func(text string, from panel.Date) {
		other := *f.Query
		other.From, other.To = from, 0
		all = append(all, Choice{Text: text, Address: other.At(), Here: f.Query.From == from && f.Query.To == 0})
	}
	for _, weeks := range []int{13, 52} {
		if first := f.Last.Add(1 - weeks); first > f.Snapshot.Base {
			add(f.lang.T(words.Key("{n} weeks"), weeks), first.Date())
		}
	}
	add(f.lang.T(words.Key("All")), 0)
	return all
}

// Groups are the places that may be chosen: all of the newest year, city by city, for a subscriber, and the
// whole country for strangers.
func (f *Figure) Groups() (groups []Choice) {
	whole := Option{jevons.National.String(), f.lang.Whole(f.places(f.weeks[1])), f.cells[0].Level == jevons.National}
	groups = append(groups, Choice{Options: []Option{whole}})
	if !f.Subscriber {
		return groups
	}
	newest := jevons.Filter{Categories: []string{basket.Overall.String()}, From: f.Last.Add(-51).Date()}
	newest.To = f.Last.Date()
	for _, cell := range f.index.Cells(&newest) {
		if cell.Level == jevons.National {
			continue
		}
		city := f.lang.T(cell.City)
		i := slices.IndexFunc(groups, func(g Choice) bool { return g.Text == city })
		if i < 0 {
			i, groups = len(groups), append(groups, Choice{Text: city})
		}
		groups[i].Options = append(groups[i].Options, Option{
			strings.TrimSuffix(f.Snapshot.Names().Name(cell), "."+basket.Overall.String()),
			f.PlaceName(f.lang, cell), cell.City == f.cells[0].City && cell.Banner == f.cells[0].Banner,
		})
	}
	return groups
}

// PlaceName names the city of a cell, or its chain there.
func (s *Source) PlaceName(l *words.Language, cell jevons.Cell) string {
	if cell.Banner == "" {
		return l.T(cell.City)
	}
	name := cell.Banner
	for _, b := range s.Snapshot.Banners {
		if b.Key == cell.Banner {
			name = b.Name
		}
	}
	return l.T(words.Key("{banner} in {city}"), name, l.T(cell.City))
}
