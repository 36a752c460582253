package httpapi

import (
	"errors"
	"html/template"
	"sync/atomic"
	"time"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// frontData is the data of the page for strangers.
type frontData struct {
	Items, Cities int // of the served snapshot; 0 without one
	Releases      bool
	Due           string  // when the next release is planned; empty without a release log
	Answer        *answer // nil if nothing may be shown
	Chart         template.HTML
	Small         []template.HTML // of the categories
	Dataset       linked          // nil without a snapshot
	lang          *lang.Language
}

// Figure returns the address of the figure of a national category in a form, such as ".csv".
func (x *frontData) Figure(category, form string) template.URL {
	return template.URL(figureAddress(x.lang, "national."+category, form)) //nolint:gosec // all parts are ours
}

// figureAddress returns the address of the figure of a series in a language.
func figureAddress(l *lang.Language, series, form string) string {
	address := pathFigure + form + "?s=" + series
	if l != lang.English {
		address += "&lang=" + l.Tag[:2]
	}
	return address
}

// The sizes of the pictures, in units of their own coordinates. A style sheet scales them.
var (
	headlineSize = chart.Size{Width: 420, Height: 260, Text: 13}
	smallSize    = chart.Size{Width: 200, Height: 100, Text: 12}
)

// front answers strangers at /.
func (s *Server) front() func(*call) error {
	current := map[*lang.Language]func(*call) (*reply.Document, error){}
	for _, l := range lang.All {
		current[l] = s.frontPage(l)
	}
	return func(c *call) error {
		l, _ := lang.Locate(c.path)
		d, err := current[l](c)
		if err != nil {
			return err
		}
		s.setPageHeaders(c.w.Header())
		return d.Serve(c.w, c.r)
	}
}

// frontPage returns the page for strangers in a language. It is made anew for another
// snapshot or release, when a week is over, and for another planned release.
func (s *Server) frontPage(l *lang.Language) func(*call) (*reply.Document, error) {
	type edition struct {
		*prepared.Vintage
		over panel.Week // the last one that is over, released or not
		due  time.Time
		data *frontData
		*reply.Document
	}
	var last atomic.Pointer[edition]
	render := func(x *frontData, about *panel.About, query string) (*reply.Document, error) {
		body, err := s.pages.Render("front", pages.View{Lang: l, Path: pathHome, Query: query, Base: s.BaseURL, About: about, Data: x})
		return reply.NewDocument(reply.HTMLType, body, "Cache-Control", "no-cache", "Vary", "Accept-Encoding, Cookie"), err
	}
	return func(c *call) (*reply.Document, error) {
		served, now := s.Snapshots.At(c.now), &edition{}
		if served != nil {
			now.Vintage, now.over = served.Vintage, panel.LastClosed(c.now)
			if s.Snapshots.Releases != nil {
				now.due = served.Words.NextRelease(c.now)
			}
		}
		if e := last.Load(); e != nil && e.Vintage == now.Vintage && e.over == now.over && e.due.Equal(now.due) {
			now = e
		} else {
			var err error
			if now.data, err = s.newFront(l, served, c.now, now.due); err != nil {
				return nil, err
			}
			if now.Document, err = render(now.data, served.About(), ""); err != nil {
				return nil, err
			}
			last.Store(now)
		}
		if query := c.r.URL.RawQuery; query != "" { // the link to the other language has it
			return render(now.data, served.About(), query)
		}
		return now.Document, nil
	}
}

func (s *Server) newFront(l *lang.Language, served *prepared.Served, now, due time.Time) (*frontData, error) {
	x := &frontData{Releases: s.Snapshots.Releases != nil, lang: l}
	if served == nil {
		return x, nil
	}
	if !due.IsZero() {
		x.Due = l.Moment(due)
	}
	x.Items, x.Cities = len(served.Catalog()), len(served.Cities)
	rows, err := served.V2()
	if err != nil {
		return nil, err
	}
	table := &jevons.Table{Rows: rows.Rows}
	quality, err := served.NationalQuality()
	if err != nil {
		return nil, err
	}
	closed := served.Vintage.LastClosed(now)
	if x.Answer, err = newAnswer(l, s.Public, table, quality, served.CityNames, closed); err != nil {
		return nil, err
	}
	if x.Answer != nil {
		x.Answer.Ended = int(panel.LastClosed(now)-x.Answer.newest) / 7
		err = x.draw(l, served.Vintage)
	}
	x.Dataset = s.newDataset(l, served, x.Answer, closed)
	return x, err
}

// draw makes the pictures.
func (x *frontData) draw(l *lang.Language, v *prepared.Vintage) error {
	f := chart.Figure{
		Title: x.Answer.Sentence, Unit: l.T("Index, week ending {week} = 100", x.Answer.Base), Source: l.Source(v.Words), Notice: v.Words.Notice(),
		View: jevons.ViewIndex, Base: x.Answer.base, Lines: x.Answer.lines[:1],
		Annotations: v.Annotations, Words: chart.WordsOf(l.Tag[:2]),
	}
	picture, err := f.SVG(headlineSize, chart.Bare)
	if err != nil {
		return err
	}
	x.Chart = template.HTML(picture) //nolint:gosec // package chart escapes texts
	f.Lines, f.Annotations = x.Answer.lines[1:], nil
	x.Small = make([]template.HTML, len(f.Lines))
	small, err := f.Small(smallSize, chart.Silent)
	if errors.Is(err, chart.ErrEmpty) {
		return nil // no category is published
	}
	for i, picture := range small {
		x.Small[i] = template.HTML(picture) //nolint:gosec // package chart escapes texts
	}
	return err
}
