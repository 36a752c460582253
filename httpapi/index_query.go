package httpapi

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// listing is a list that is answered page by page.
type listing struct {
	page, most int        // rows of a page: unless asked for, and at most
	days       panel.Date // of the list, unless asked for more; 0: all
}

var (
	publicIndexRows = listing{5000, 8000, 0}
	indexRows       = listing{5000, 10_000, 90}
	priceRows       = listing{5000, 10_000, 30}
	eventRows       = listing{1000, 10_000, 90}
	releaseRows     = listing{100, 1000, 0}
	revisionRows    = listing{1000, 10_000, 0}
)

type indexQuery struct {
	prepared.Query
	cells   *jevons.Filter // with the last day that rows may have
	include []string       // further members of the rows
	against string         // the city that rows are compared with
	shown   prepared.ViewQuery
}

// readRows reads what chooses rows of a list. Without from, the first day of a list of all is 0.
func (c *call) readRows(l listing) (q prepared.Query, err error) {
	p, since := &c.query, panel.Date(0)
	if l.days > 0 {
		since = c.today() - l.days
	}
	q.Level = p.OneOf("level", []string{"national", "city", "banner"})
	q.Category = p.OneOf("category", c.Categories().Words())
	q.First, q.Last = p.Date("from", since), p.Date("to", c.today())
	q.Page = p.Page(l.page, l.most)
	if err := cmp.Or(p.Err, c.needSnapshot()); err != nil {
		return q, err
	}
	banners := c.IndexBanners
	if l == priceRows {
		banners = c.PriceBanners
	}
	q.City, q.Banner = p.OneOf("city", c.CityNames), p.OneOf("banner", banners)
	return q, p.Err
}

// readIndex reads the query and finds the series: the companion of that name, or v2 or v1
// if it is empty.
func (s *Server) readIndex(c *call, companion string, l listing) (q indexQuery, x *prepared.Series, err error) {
	p := &c.query
	q.include, q.shown = readInclude(p), prepared.ReadView(p)
	if p.Err != nil {
		return q, nil, p.Err
	}
	if q.Query, err = c.readRows(l); err != nil {
		return q, nil, err
	}
	q.against = p.OneOf(table.Against, c.CityNames)
	q.Against = q.against
	series := c.V2
	switch q.Series = "v2"; {
	case companion != "":
		p.OneOf("series", []string{companion})
		q.Series, series = companion, c.Regular
	case p.Value("series") == "v1":
		q.Series, series = "v1", c.V1
	}
	if p.Err != nil {
		return q, nil, p.Err
	}
	if x, err = series(); err != nil {
		return q, nil, err
	}
	q.shown.First = c.Base
	first := c.Base.Date()
	if q.Series == "v1" {
		q.shown.First, first = 0, c.today()
		if len(x.Rows) > 0 {
			q.shown.First = x.Rows[0].Week
			first = q.shown.First.Date()
		}
	}
	if p.Value("from") == "" && l.days == 0 {
		q.First = first
	}
	if q.Series != "v1" {
		q.First = max(q.First, first)
	}
	q.cells = cellsOf(&q.Query)
	if q.Series != "v1" { // rows are published when their weeks have closed; those of the pilot series have been
		q.cells.To = min(q.Last, c.lastClosed().Date())
	}
	return q, x, s.begin(c, q.First, q.Last, q.cells.To)
}

// inEffect returns the filters of a query. One of those named that is not set is "all".
func inEffect(q *prepared.Query, filters ...*string) *wire.Filters {
	for _, f := range filters {
		*f = cmp.Or(*f, reply.All)
	}
	q.From, q.To = cmp.Or(q.From, q.First.String()), cmp.Or(q.To, q.Last.String())
	return &q.Filters
}

func (c *call) meta(f *wire.Filters) wire.Meta {
	return wire.Meta{Version: apiVersion, Endpoint: c.path, Note: c.Words.Notice(), Filters: f}
}

func (c *call) indexMeta(q *indexQuery) wire.PublicIndexMeta {
	about := c.Words
	return wire.PublicIndexMeta{
		Meta: wire.Meta{
			Source: about.SourceLabel(), Series: q.Series, Endpoint: c.path, License: about.Terms(),
			Note:    prepared.Note(q.Series, about, q.include...),
			Filters: inEffect(&q.Query, &q.Level, &q.Category, &q.City, &q.Banner),
		},
		Made: c.made(), View: q.shown.Meta(about),
	}
}

// publicationOf leaves out what is as in the default publication.
func publicationOf(about *panel.About) (x wire.Publication) {
	if !about.Elsewhere() {
		return x
	}
	x.Place = about.Place
	if code := about.Currency(); code != "CAD" {
		x.Currency = code
	}
	if about.Calendar() != (panel.Calendar{}) {
		x.TimeZone = about.Calendar().Zone().String()
	}
	return x
}

func cellsOf(q *prepared.Query) *jevons.Filter {
	f := &jevons.Filter{City: q.City, Banner: q.Banner, From: q.First, To: q.Last}
	if q.Level != "" {
		f.Level, _ = jevons.ParseLevel(q.Level) // checked
	}
	if q.Category != "" {
		f.Categories = []string{q.Category}
	}
	return f
}

// coverage says which cities are in the last week of the range, whatever the
// other filters are.
func (c *call) coverage(q *indexQuery, x *prepared.Series) wire.Coverage {
	names := c.CityNames
	v := wire.Coverage{Included: []string{}, Missing: []string{}, Total: len(names)}
	if lo, hi := x.Between(q.First, q.cells.To); lo < hi {
		week := x.Rows[hi-1].Week
		v.AsOf = wire.Text(week.String())
		for i := hi - 1; i >= lo && x.Rows[i].Week == week; i-- {
			if cell := x.Rows[i].Cell; cell.Level == jevons.City && cell.Category == basket.Overall {
				v.Included = append(v.Included, cell.City)
			}
		}
	}
	slices.Sort(v.Included)
	for _, name := range names {
		if !slices.Contains(v.Included, name) {
			v.Missing = append(v.Missing, name)
		}
	}
	return v
}
