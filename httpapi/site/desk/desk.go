// Package desk makes the first page of a signed-in subscriber: a figure, the newest headline, categories and
// places beside each other, and packs that got smaller.
package desk

import (
	"cmp"
	"errors"
	"time"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/chart"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/front"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Params are the parameters of the page beside those of its figure.
var Params = []string{"tab", "in", "against", "days", "grade"}

// desk is the data of the page. Without a published week it has no Figure.
type desk struct {
	*figure.Source
	Figure            *figure.Figure
	Young             bool // it is of levels, since the unit that was asked for has no value
	Headline          any
	Compared          *compared
	Packs             *packs // nil if the reader's tier has none
	Tier              string
	First             string // the week that is published first
	Shown             string // says which release this is
	Due               *time.Time
	Note, Terms, Cite string

	q                  *figure.Query
	l                  *words.Language
	published, quality *jevons.Table
	week               panel.Week // the newest one with a row
}

// Page returns the page of a subscriber of a tier. query is of the address whose path in English is Home.
func Page(s *figure.Source, q *figure.Query, l *words.Language, tier state.Tier, query string) ([]byte, error) {
	about := s.Snapshot.Words
	d := &desk{Source: s, q: q, l: l.Of(about), Tier: tier.String(), quality: &jevons.Table{}}
	rows, err := s.Snapshot.V2()
	if err != nil {
		return nil, err
	}
	d.published = &jevons.Table{Rows: rows.Rows, Options: jevons.Options{Base: s.Snapshot.Base}}
	d.Note = prepared.NoteIn(d.l, "v2", about, table.IncludeQuality)
	d.Terms, d.Cite = prepared.TermsIn(d.l, about), d.l.Source(about)+", "+s.BaseURL+"/"
	d.First = d.l.Day(s.Snapshot.Base.Date())
	d.release()
	if closed := d.published.Select(jevons.Filter{To: s.Snapshot.LastClosed(s.At).Date()}); len(closed) > 0 {
		d.week = closed[len(closed)-1].Week
		if err := d.fill(tier); err != nil {
			return nil, err
		}
	}
	return s.Pages.Render("desk", pages.View{
		Lang: l, Path: front.Path, Query: query, Base: s.BaseURL, About: about, Data: d,
	})
}

func (d *desk) fill(tier state.Tier) error {
	f, err := figure.New(d.Source, d.q)
	refused, ok := errors.AsType[*reply.Error](err)
	if ok && refused.Code == "not_found" && d.q.Shown.View != table.ViewIndex {
		d.q, d.Young = d.q.Levels(), true
		f, err = figure.New(d.Source, d.q)
	}
	if err != nil {
		return err
	}
	d.Figure = f
	if d.Snapshot.NeedPrices() == nil {
		if d.quality, err = d.Snapshot.Quality(); err != nil {
			return err
		}
	}
	d.Headline = front.Headline(d.l, d.Snapshot, d.published, d.quality, d.At)
	d.Cite = d.l.T(words.Key("{source}, week to {week}, {address}"), d.l.Source(d.Snapshot.Words),
		d.l.Day(d.week.Date()), d.BaseURL+"/")
	if d.Compared, err = d.compare(); err == nil && tier >= state.Standard {
		d.Packs = d.packs()
	}
	return cmp.Or(err, d.q.Params.Err)
}

func (d *desk) release() {
	if d.Releases == nil {
		return
	}
	d.Due = new(d.Snapshot.NextDue(d.At))
	if ref := d.Snapshot.Ref; ref != nil {
		d.Shown = d.l.T(words.Key("This is release {release}, published {moment}."), ref.ID,
			d.l.Moment(ref.ReleasedAt, d.Snapshot.Words.Calendar()))
	}
}

// number writes a value of a view.
func (d *desk) number(v table.View, value panel.Fixed) string { return chart.Number(d.l, v, value) }

// percent writes a change to one decimal.
func (d *desk) percent(v panel.Fixed) string { return d.number(table.ViewYoY, v) }
