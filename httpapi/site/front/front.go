// Package front makes what strangers see: the page at / with its figures, and what search
// engines read, the sitemap and the description of the data set.
package front

import (
	"errors"
	"html/template"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Path is the address of the page in English.
const Path = "/"

type pageData struct {
	Items, Priced int    // products: all, and those priced; 0 without a snapshot
	Where, Whole  string // the prices are from; empty without a snapshot
	Weights       string // source and reference period
	Releases      bool
	Due           string  // when the next release is planned; empty without a release log
	Answer        *answer // nil if nothing may be shown
	Headline      *figure.Figure
	Dataset       linked // nil without a snapshot
	lang          *words.Language
	about         *panel.About
}

// Figure returns the address of the figure of a national category in a form, such as ".csv", and in the unit of the
// sentence.
func (x *pageData) Figure(category, form string) template.URL {
	address := figure.AddressOf(x.lang, "national."+category, form, x.Answer.view)
	return template.URL(address) //nolint:gosec // all parts are ours
}

// smallSize is the size of the categories' pictures, of which two are beside each other on a screen of 320 pixels.
var smallSize = chart.Size{Width: 170, Height: 80, Text: 15}

// Maker makes pages for strangers.
type Maker struct {
	Snapshots *prepared.Snapshots
	Pages     *pages.Set
	BaseURL   string
	Public    figure.Public
}

// Headline returns what the newest national headline says, for the part of that name among the templates.
// It is nil without a headline.
func Headline(l *words.Language, v *prepared.Snapshot, published, quality *jevons.Table, at time.Time) *answer {
	x := newAnswer(l, figure.PublicNational, published, quality, nil, v.Categories(), v.LastClosed(at),
		func(week panel.Week) words.Places { return words.PlacesOf(v.Panel, week) })
	if x != nil {
		x.Ended = int(v.Words.Calendar().LastClosed(at)-x.newest) / 7
	}
	return x
}

// edition tells when the page must be made anew: for another snapshot or release, when a week is over, and when
// another release is planned.
type edition struct {
	*prepared.Snapshot
	over, closed panel.Week // the last ones that are over, and that may be shown
	due          time.Time
}

// Page returns a function that makes the page in a language, for an instant and the query of its address.
func (m *Maker) Page(l *words.Language) func(at time.Time, query string) (*reply.Document, error) {
	data := reply.Remember(func(now edition) (*pageData, error) { return m.data(l, now) })
	render := func(x *pageData, query string) (*reply.Document, error) {
		body, err := m.Pages.Render("front", pages.View{
			Lang: l, Path: Path, Query: query, Base: m.BaseURL, About: x.about, Data: x,
		})
		return reply.NewDocument(reply.HTMLType, body, "Cache-Control", "no-cache", "Vary",
			"Accept-Encoding, Cookie"), err
	}
	plain := reply.Remember(func(x *pageData) (*reply.Document, error) { return render(x, "") })
	return func(at time.Time, query string) (*reply.Document, error) {
		now := edition{Snapshot: m.Snapshots.Current()}
		if now.Snapshot != nil {
			now.over, now.closed = now.Words.Calendar().LastClosed(at), now.LastClosed(at)
			if m.Snapshots.Releases != nil {
				now.due = now.NextDue(at)
			}
		}
		x, err := data(now)
		if err != nil {
			return nil, err
		}
		if query != "" { // the link to the other language has it
			return render(x, query)
		}
		return plain(x)
	}
}

func (m *Maker) data(l *words.Language, now edition) (*pageData, error) {
	l = l.Of(now.About())
	x := &pageData{Releases: m.Snapshots.Releases != nil, lang: l, about: now.About()}
	served, closed := now.Snapshot, now.closed
	if served == nil {
		return x, nil
	}
	if !now.due.IsZero() {
		x.Due = l.Moment(now.due, x.about.Calendar())
	}
	places := words.PlacesOf(served.Panel, min(closed, prepared.LastWeek(served.Panel)))
	x.Items, x.Priced, x.Weights = len(served.Catalog()), places.Products, weights(l, served.Words)
	rows, err := served.V2()
	if err != nil {
		return nil, err
	}
	published := &jevons.Table{Rows: rows.Rows, Options: jevons.Options{Base: served.Base}}
	quality, err := served.Quality()
	if err != nil {
		return nil, err
	}
	if x.Answer = newAnswer(l, m.Public.Of(served.About()), published, quality, served.CityNames,
		served.Categories(), closed,
		func(week panel.Week) words.Places { return words.PlacesOf(served.Panel, week) }); x.Answer != nil {
		places = x.Answer.places
		x.Answer.Ended = int(now.over-x.Answer.newest) / 7
		err = x.draw(served, published, quality, now.over)
	}
	x.Where, x.Whole = l.In(places), l.Whole(places)
	x.Dataset = m.dataset(l, served, x, places, closed)
	return x, err
}

// draw draws what the sentence is about: the headline with its intervals, and the categories, up to the week of
// the headline.
func (x *pageData) draw(v *prepared.Snapshot, published, quality *jevons.Table, over panel.Week) error {
	at := v.Words.Calendar().Start(over.Date() + 1)
	headline, err := figure.Of(&figure.Source{Snapshot: v, At: at}, x.lang, "national.overall", x.Answer.view)
	if err != nil {
		return err
	}
	x.Headline, x.Answer.Sentence = headline, headline.Drawn.Title
	all := chart.Selection{Table: published, Quality: quality, Over: x.Answer.newest, View: x.Answer.view,
		Names: v.Names(), Lang: x.lang, About: v.Words, Places: x.Answer.places, Apart: true}
	for _, row := range published.Select(jevons.Filter{Level: jevons.National, To: x.Answer.head.Week.Date()}) {
		if row.Cell.Category != basket.Overall {
			all.Rows = append(all.Rows, row)
		}
	}
	for _, c := range v.Slices()[1:] {
		all.Cells = append(all.Cells, nationalCell(c))
		x.Answer.Categories = append(x.Answer.Categories, x.Answer.category(c))
	}
	f, _, err := all.Figure()
	if errors.Is(err, chart.ErrEmpty) || errors.Is(err, chart.ErrYoung) {
		return nil // no category is published
	} else if err != nil {
		return err
	}
	for i := range f.Lines {
		f.Lines[i].Strong = true
	}
	small, err := f.Small(smallSize)
	for i, picture := range small {
		x.Answer.Categories[i].Small = template.HTML(picture) //nolint:gosec // package chart escapes texts
	}
	return err
}
