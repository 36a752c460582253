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

// Controls lead from a figure to others: links, and forms that browsers send without script.
type Controls struct {
	Page                           string // that shows the figure
	Units, Periods, Series, Groups []Choice
	Categories                     []Option
	From, To, Since                string // days of the query; or empty
	First, Last                    panel.Week
	Full                           bool // no room for another series
	query                          *Query
}

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

// Fields are the parameters of the page that a form has to keep: all but those that it has itself.
func (c *Controls) Fields(own ...string) (fields []Option) { return c.query.Fields(own...) }

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

// View is the unit of the figure.
func (q *Query) View() table.View { return q.shown.View }

// Levels returns the query of the page with the levels of the same series.
func (q *Query) Levels() *Query {
	other := *q
	other.shown = prepared.ViewQuery{}
	return &other
}

// Value returns the value of a row of a table in that unit, or null.
func (q *Query) Value(about *panel.About, t *jevons.Table, r *jevons.Row) (v panel.Fixed) {
	column, err := table.ViewColumn(about, t, q.shown.View, q.shown.Since, []jevons.Cell{*r.Cell})
	if err == nil {
		v = column.Number(r)
	}
	return v
}

// Full reports whether the figure has no room for another series.
func (q *Query) Full() bool { return len(q.Names) >= mostSeries }

func (f *Figure) controls() *Controls {
	c := &Controls{
		Page: f.PagePath, Full: f.Full(), query: f.Query, First: f.Snapshot.Base, Last: f.last,
		From: given(f.Query.from), To: given(f.Query.to), Since: given(f.shown.Since.Date()),
	}
	for i, text := range []string{
		words.Key("Index"), words.Key("52 weeks"), words.Key("Since…"), words.Key("4 weeks"), words.Key("Basket"),
	} {
		c.Units = append(c.Units, f.unit(table.View(i), f.lang.T(text)))
	}
	c.Periods = f.periods()
	for i, name := range f.Names {
		one := Choice{Text: f.drawn.Lines[i].Name, Hue: f.drawn.Hue(i)}
		if len(f.Names) > 1 {
			without, _ := f.Showing(name)
			one.Address = without.At()
		}
		c.Series = append(c.Series, one)
	}
	for _, category := range f.Snapshot.Categories().Slices() {
		c.Categories = append(c.Categories, Option{category.String(),
			chart.Category(f.lang, f.Snapshot.Categories(), category), category == f.cells[0].Category})
	}
	c.Groups = f.groups()
	return c
}

func given(day panel.Date) string {
	if day == 0 {
		return ""
	}
	return day.String()
}

// unit leads to the same series in another view, if one of them is old enough to have a value there.
func (f *Figure) unit(v table.View, text string) Choice {
	oldest, youngest := f.last, f.Snapshot.Base
	for _, cell := range f.cells {
		base := cmp.Or(f.published.Base(cell), f.Snapshot.Base)
		oldest, youngest = min(oldest, base), max(youngest, base)
	}
	other, first := *f.Query, oldest.Add(v.Weeks())
	if first > f.last {
		return Choice{Text: text, Note: f.lang.T(words.Key("from the week ending {week}"), f.lang.Day(first.Date()))}
	}
	if first > f.end {
		other.from, other.to = 0, 0
	}
	other.shown.View = v
	if v != table.ViewSince {
		other.shown.Since = 0
	} else if f.shown.Since == 0 {
		other.shown.Since = youngest
	}
	return Choice{Text: text, Address: other.At(), Here: f.shown.View == v}
}

// periods are the newest weeks, as many as people ask for, and all.
func (f *Figure) periods() (all []Choice) {
	add := func(text string, from panel.Date) {
		other := *f.Query
		other.from, other.to = from, 0
		all = append(all, Choice{Text: text, Address: other.At(), Here: f.Query.from == from && f.Query.to == 0})
	}
	for _, weeks := range []int{13, 52} {
		if first := f.last.Add(1 - weeks); first > f.Snapshot.Base {
			add(f.lang.T(words.Key("{n} weeks"), weeks), first.Date())
		}
	}
	add(f.lang.T(words.Key("All")), 0)
	return all
}

// groups are the places that may be chosen: all of the newest year, city by city, for a subscriber, and the
// whole country for strangers.
func (f *Figure) groups() (groups []Choice) {
	whole := Option{jevons.National.String(), f.lang.Whole(f.places(f.weeks[1])), f.cells[0].Level == jevons.National}
	groups = append(groups, Choice{Options: []Option{whole}})
	if !f.Subscriber {
		return groups
	}
	newest := jevons.Filter{Categories: []string{basket.Overall.String()}, From: f.last.Add(-51).Date()}
	newest.To = f.last.Date()
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
