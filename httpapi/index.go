package httpapi

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

const (
	publicIndexPage, publicIndexMost = 5000, 8000
	indexPage, indexMost             = 5000, 10_000
	indexDays                        = 90 // of /api/v1/index, unless asked for more
)

// indexQuery is what a request for index rows asks for.
type indexQuery struct {
	series   string // v2 or v1
	level    string
	category string
	city     string
	banner   string
	from, to panel.Date
	page
}

func (s *Server) publicIndex(c *call, b []byte) ([]byte, error) {
	q, rows, err := c.readIndex(publicIndexPage, publicIndexMost, func(first panel.Date) panel.Date { return first })
	if err != nil {
		return b, err
	}
	m := c.indexMeta(&q, "/api/public/index")
	return c.writeIndex(b, &q, rows, &rows.public, &m, &m.pageMeta, nil)
}

func (s *Server) index(c *call, b []byte) ([]byte, error) {
	q, rows, err := c.readIndex(indexPage, indexMost, func(panel.Date) panel.Date { return c.today() - indexDays })
	if err != nil {
		return b, err
	}
	m := v1IndexMeta{Version: apiVersion, indexMeta: c.indexMeta(&q, "/api/v1/index"), Methodology: methodology}
	return c.writeIndex(b, &q, rows, &rows.full, &m, &m.pageMeta, func() { m.Coverage = c.coverage(&q, rows) })
}

// readIndex reads the query. byDefault returns the first day where from is not
// given, of the first that is published.
func (c *call) readIndex(rows, most int, byDefault func(first panel.Date) panel.Date) (q indexQuery, x *indexRows, err error) {
	if q.level, err = c.params.oneOf("level", []string{"national", "city", "banner"}); err != nil {
		return q, nil, err
	}
	if q.category, err = c.params.oneOf("category", categorySlugs); err != nil {
		return q, nil, err
	}
	if q.from, err = c.params.date("from", 0); err != nil {
		return q, nil, err
	}
	if q.to, err = c.params.date("to", c.today()); err != nil {
		return q, nil, err
	}
	if q.page, err = c.params.page(rows, most); err != nil {
		return q, nil, err
	}
	if err = c.needSnapshot(); err != nil {
		return q, nil, err
	}
	if q.city, err = c.params.oneOf("city", c.served.cityNames); err != nil {
		return q, nil, err
	}
	if q.banner, err = c.params.oneOf("banner", c.served.indexBanners); err != nil {
		return q, nil, err
	}
	if err = c.begin(); err != nil {
		return q, nil, err
	}
	if q.series = c.params["series"]; q.series == "v1" {
		x, err = c.served.v1()
		if err == nil && c.params["from"] == "" {
			q.from = byDefaultV1(x, byDefault, c.today())
		}
		return q, x, err
	}
	q.series = "v2"
	first := c.served.Panel.BaseWeek().Date()
	if c.params["from"] == "" {
		q.from = byDefault(first)
	}
	q.from = max(q.from, first)
	x, err = c.served.v2()
	return q, x, err
}

// byDefaultV1 is the default of from on the pilot series: its first row, where
// all that is published is the default.
func byDefaultV1(x *indexRows, byDefault func(panel.Date) panel.Date, today panel.Date) panel.Date {
	first := today
	if len(x.rows) > 0 {
		first = x.rows[0].Week.Date()
	}
	return byDefault(first)
}

// writeIndex writes the response: meta, and a page of the rows.
func (c *call) writeIndex(b []byte, q *indexQuery, x *indexRows, text *jsonRows, meta any, pm *pageMeta, more func()) ([]byte, error) {
	lo, hi := c.published(q, x)
	f := q.filter()
	if f.Level == 0 && f.City == "" && f.Banner == "" && len(f.Categories) == 0 {
		from, to := pm.cut(q.page, hi-lo)
		if more != nil {
			more()
		}
		c.share(text.span(lo+from, lo+to))
		return appendHead(b, meta, "observations")
	}
	var chosen []int32
	for i := lo; i < hi; i++ {
		if f.Matches(x.rows[i].Cell) {
			chosen = append(chosen, int32(i))
		}
	}
	from, to := pm.cut(q.page, len(chosen))
	if more != nil {
		more()
	}
	return appendResponse(b, meta, "observations", func(b []byte) []byte {
		for _, i := range chosen[from:to] {
			b = append(b, text.span(int(i), int(i)+1)...)
		}
		return b
	})
}

// published returns the places of the rows of the query's range of days whose
// weeks have closed.
func (c *call) published(q *indexQuery, x *indexRows) (lo, hi int) {
	to := q.to
	if q.series == "v2" {
		to = min(to, panel.LastClosed(c.now).Date())
	}
	return x.between(q.from, to)
}

func (q *indexQuery) filter() jevons.Filter {
	f := jevons.Filter{City: q.city, Banner: q.banner}
	if q.level != "" {
		f.Level, _ = jevons.ParseLevel(q.level) // checked on reading
	}
	if q.category != "" {
		category, _ := basket.ParseCategory(q.category) // checked on reading
		f.Categories = []basket.Category{category}
	}
	return f
}

// categorySlugs are the accepted values of category, the headline first.
var categorySlugs = func() (slugs []string) {
	for _, c := range basket.Slices() {
		slugs = append(slugs, c.String())
	}
	return slugs
}()

// coverage says which cities are in the last week of the range, whatever the
// other filters are.
func (c *call) coverage(q *indexQuery, x *indexRows) coverage {
	all := c.served.cityNames
	v := coverage{Included: []string{}, Missing: []string{}, Total: len(all)}
	lo, hi := c.published(q, x)
	if lo < hi {
		week := x.rows[hi-1].Week
		asOf := week.String()
		v.AsOf = &asOf
		for i := hi - 1; i >= lo && x.rows[i].Week == week; i-- {
			if cell := x.rows[i].Cell; cell.Level == jevons.City && cell.Category == basket.Overall {
				v.Included = append(v.Included, cell.City)
			}
		}
	}
	slices.SortFunc(v.Included, cmp.Compare[string])
	for _, name := range all {
		if !slices.Contains(v.Included, name) {
			v.Missing = append(v.Missing, name)
		}
	}
	return v
}
