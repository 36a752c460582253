package httpapi

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

const (
	publicIndexPage, publicIndexMost = 5000, 8000
	indexPage, indexMost             = 5000, 10_000
	indexDays                        = 90 // of /api/v1/index, unless asked for more
)

// categorySlugs are the accepted values of category, the headline first.
var categorySlugs = func() (slugs []string) {
	for _, c := range basket.Slices() {
		slugs = append(slugs, c.String())
	}
	return slugs
}()

type indexQuery struct {
	wire.Filters
	from, to panel.Date
	reply.Page
	include []string // further members of the rows
	shown   prepared.ViewQuery
}

// readFilters reads what chooses rows of any series. from is 0 if it is not given.
func (c *call) readFilters(rows, most int) (q indexQuery, err error) {
	p := &c.query
	q.Level = p.OneOf("level", []string{"national", "city", "banner"})
	q.Category = p.OneOf("category", categorySlugs)
	q.from, q.to = p.Date("from", 0), p.Date("to", c.today())
	q.Page = p.Page(rows, most)
	if err := cmp.Or(p.Err, c.needSnapshot()); err != nil {
		return q, err
	}
	q.City = p.OneOf("city", c.vintage.CityNames)
	q.Banner = p.OneOf("banner", c.vintage.IndexBanners)
	return q, p.Err
}

// readIndex reads the query and finds the series: the companion of that name, or v2 or v1
// if it is empty. Without from the rows are those of so many days; 0: all that are published.
func (s *Server) readIndex(c *call, companion string, rows, most int, days panel.Date) (q indexQuery, x *prepared.Series, err error) {
	p := &c.query
	include, shown := readInclude(p), prepared.ReadView(p)
	if err := cmp.Or(p.Err, s.asOf(c)); err != nil {
		return q, nil, err
	}
	if q, err = c.readFilters(rows, most); err != nil {
		return q, nil, err
	}
	q.Series, q.include, q.shown = "v2", include, shown
	series := c.vintage.V2
	switch {
	case companion != "":
		p.OneOf("series", []string{companion})
		q.Series, series = companion, c.served.Companions[companion]
	case p.Value("series") == "v1":
		q.Series, series = "v1", c.vintage.V1
	}
	if p.Err != nil {
		return q, nil, p.Err
	}
	if x, err = series(); err != nil {
		return q, nil, err
	}
	q.shown.First = c.vintage.Base
	first := c.vintage.Base.Date()
	if q.Series == "v1" {
		if q.shown.First, first = 0, c.today(); len(x.Rows) > 0 {
			q.shown.First = x.Rows[0].Week
			first = q.shown.First.Date()
		}
	}
	if p.Value("from") == "" {
		if q.from = c.today() - days; days == 0 {
			q.from = first
		}
	}
	if q.Series != "v1" {
		q.from = max(q.from, first)
	}
	return q, x, s.begin(c, q.from, q.to, c.last(&q))
}

func (c *call) indexMeta(q *indexQuery) wire.PublicIndexMeta {
	about := c.vintage.Words
	return wire.PublicIndexMeta{
		Meta: wire.Meta{Source: about.SourceLabel(), Series: q.Series, Endpoint: c.path, License: about.Terms(), Note: prepared.Note(q.Series, about, q.include...), Filters: &wire.Filters{
			Series: q.Series, Level: cmp.Or(q.Level, reply.All), Category: cmp.Or(q.Category, reply.All), City: cmp.Or(q.City, reply.All), Banner: cmp.Or(q.Banner, reply.All),
			From: q.from.String(), To: q.to.String(),
		}},
		Made: c.made(), View: q.shown.Meta(),
	}
}

// last returns the last day that the query's rows may have. Rows are published when
// their weeks have closed, but those of the pilot series have been.
func (c *call) last(q *indexQuery) panel.Date {
	if q.Series == "v1" {
		return q.to
	}
	return min(q.to, c.lastClosed().Date())
}

// cellFilter returns the filter of cells for the values of parameters, which were checked on
// reading. An empty value chooses all.
func cellFilter(level, category, city, banner string, from, to panel.Date) *jevons.Filter {
	f := &jevons.Filter{City: city, Banner: banner, From: from, To: to}
	if level != "" {
		f.Level, _ = jevons.ParseLevel(level)
	}
	if category != "" {
		category, _ := basket.ParseCategory(category)
		f.Categories = []basket.Category{category}
	}
	return f
}

// filter returns the filter of the query's rows, which are published.
func (c *call) filter(q *indexQuery) *jevons.Filter {
	return cellFilter(q.Level, q.Category, q.City, q.Banner, q.from, c.last(q))
}

// coverage says which cities are in the last week of the range, whatever the
// other filters are.
func (c *call) coverage(q *indexQuery, x *prepared.Series) wire.Coverage {
	names := c.vintage.CityNames
	v := wire.Coverage{Included: []string{}, Missing: []string{}, Total: len(names)}
	if lo, hi := x.Between(q.from, c.last(q)); lo < hi {
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

// appendRows appends an answer with rows, each of which ends in a comma.
func appendRows(b []byte, meta any, name string, rows []byte) ([]byte, error) {
	b, err := reply.AppendHead(b, meta, name)
	return append(append(b, bytes.TrimSuffix(rows, []byte{','})...), reply.End...), err
}
