package httpapi

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Texts of the responses.
const (
	apiVersion = "v1"

	note = "Do not compound pct_change_wow: over more than a week compare index_value. Levels of different series do not compare: headline city and banner series are rebased to 100 in their own entry week; compare places by basket_cost_cad, and categories with each other. Never splice v1 and v2. A missing row is usually a cell below the 60% publication floor."

	noteV1 = "Series v1 is the frozen pilot of March to June 2026: different basis; not recomputed; never splice it with v2. Do not compound pct_change_wow: over more than a week compare index_value. Levels of different series do not compare: compare places by basket_cost_cad where it is given."

	census = "The panel is not a census; prices are online list prices from public retailer sites."

	methodologyV1 = "The frozen pilot of March to June 2026, served as it was published: different basis; not recomputed; never splice it with v2."
	methodology   = "Direct fixed-base matched-model Jevons index against the base week: one estimator for headline and categories, with the top and bottom 10 percent of store-level relatives of each product trimmed."
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

// indexRows are the rows of one series of the index with their JSON, which is made
// once. A page of thousands of rows in the table's own order is then one piece of
// memory, sent as it is.
type indexRows struct {
	rows   []jevons.Row
	full   func() *jsonRows // as /api/v1/index has them
	public func() *jsonRows // as the public index has them
}

func newIndexRows(t *jevons.Table) *indexRows {
	form := func(columns func() []jevons.Column) func() *jsonRows {
		return sync.OnceValue(func() *jsonRows { return newJSONRows(t.Rows, columns()) })
	}
	return &indexRows{t.Rows, form(jevons.Columns), form(jevons.PublicColumns)}
}

// prepare makes both forms at once: a server is not ready before this.
func (x *indexRows) prepare() {
	var wg sync.WaitGroup
	wg.Go(func() { x.full() })
	wg.Go(func() { x.public() })
	wg.Wait()
}

// jsonRows are JSON objects one after the other, a comma after each.
type jsonRows struct {
	text []byte
	ends []int // of each object with its comma
}

func newJSONRows(rows []jevons.Row, columns []jevons.Column) *jsonRows {
	const usual = 256 // bytes of a row
	x := &jsonRows{make([]byte, 0, usual*len(rows)), make([]int, len(rows))}
	for i := range rows {
		x.text = append(jevons.AppendJSON(x.text, &rows[i], columns), ',')
		x.ends[i] = len(x.text)
	}
	return x
}

// span returns the rows from one place up to another.
func (j *jsonRows) span(from, to int) []byte {
	if from == to {
		return nil
	}
	start := 0
	if from > 0 {
		start = j.ends[from-1]
	}
	return j.text[start:j.ends[to-1]]
}

// indexQuery holds the parameters of a request for index rows.
type indexQuery struct {
	wire.IndexFilters
	from, to panel.Date
	page
}

func (s *Server) publicIndex(c *call, b []byte) ([]byte, error) {
	q, x, err := s.readIndex(c, publicIndexPage, publicIndexMost, func(first panel.Date) panel.Date { return first })
	if err != nil {
		return b, err
	}
	m := c.indexMeta(&q)
	rows := c.findIndex(&q, x, x.public(), &m.Page)
	return c.shareRows(b, &m, rows)
}

func (s *Server) index(c *call, b []byte) ([]byte, error) {
	q, x, err := s.readIndex(c, indexPage, indexMost, func(panel.Date) panel.Date { return c.today() - indexDays })
	if err != nil {
		return b, err
	}
	m := wire.IndexMeta{Version: apiVersion, PublicIndexMeta: c.indexMeta(&q), Methodology: methodology, Coverage: c.coverage(&q, x)}
	if q.Series == "v1" {
		m.Methodology = methodologyV1
	}
	rows := c.findIndex(&q, x, x.full(), &m.Page)
	return c.shareRows(b, &m, rows)
}

// readIndex reads the query and finds the series. byDefault returns the first day
// if from is not given, of the first that is published.
func (s *Server) readIndex(c *call, rows, most int, byDefault func(first panel.Date) panel.Date) (q indexQuery, x *indexRows, err error) {
	p := &c.query
	if err := s.asOf(c); err != nil {
		return q, nil, err
	}
	q.Level = p.oneOf("level", []string{"national", "city", "banner"})
	q.Category = p.oneOf("category", categorySlugs)
	q.from, q.to = p.date("from", 0), p.date("to", c.today())
	q.page = p.page(rows, most)
	if err := cmp.Or(p.err, c.needSnapshot()); err != nil {
		return q, nil, err
	}
	q.City = p.oneOf("city", c.vintage.cityNames)
	q.Banner = p.oneOf("banner", c.vintage.indexBanners)
	if p.err != nil {
		return q, nil, p.err
	}
	q.Series = "v2"
	series, first := c.vintage.v2, c.vintage.base.Date()
	if p.value("series") == "v1" {
		q.Series, series, first = "v1", c.vintage.v1, c.today()
	}
	if x, err = series(); err != nil {
		return q, nil, err
	}
	if q.Series == "v1" && len(x.rows) > 0 {
		first = x.rows[0].Week.Date()
	}
	if p.value("from") == "" {
		q.from = byDefault(first)
	}
	if q.Series == "v2" {
		q.from = max(q.from, first)
	}
	return q, x, s.begin(c, q.from, q.to, c.last(&q))
}

// noteOf returns what readers must not do with the numbers of a series, and what the
// prices are: invented, which comes first, or else no census. For v2 it ends with
// what the snapshot leaves out.
func noteOf(series string, about *panel.About) string {
	text := note
	if series == "v1" {
		text = noteV1
	}
	if about.Synthetic {
		text = about.Notice() + " " + text
	} else {
		text += " " + census
	}
	if series == "v2" {
		text += " " + about.CoverageNote
	}
	return strings.TrimSpace(text)
}

func (c *call) indexMeta(q *indexQuery) wire.PublicIndexMeta {
	about := c.vintage.words
	return wire.PublicIndexMeta{
		Source: about.SourceLabel(), Series: q.Series, Endpoint: c.path, License: about.Terms(), Note: noteOf(q.Series, about), GeneratedAt: c.generatedAt(), Release: c.vintage.ref,
		Filters: wire.IndexFilters{
			Series: q.Series, Level: cmp.Or(q.Level, all), Category: cmp.Or(q.Category, all), City: cmp.Or(q.City, all), Banner: cmp.Or(q.Banner, all),
			From: q.from.String(), To: q.to.String(),
		},
	}
}

// findIndex returns the JSON of the page's rows, a comma after each, and notes the
// page in m.
func (c *call) findIndex(q *indexQuery, x *indexRows, text *jsonRows, m *wire.Page) []byte {
	lo, hi := x.between(q.from, c.last(q))
	f := q.filter()
	if f.Level == 0 && f.City == "" && f.Banner == "" && len(f.Categories) == 0 {
		from, to := cut(m, q.page, hi-lo)
		return text.span(lo+from, lo+to)
	}
	var chosen []int
	for i := lo; i < hi; i++ {
		if f.Matches(x.rows[i].Cell) {
			chosen = append(chosen, i)
		}
	}
	from, to := cut(m, q.page, len(chosen))
	var rows []byte
	for _, i := range chosen[from:to] {
		rows = append(rows, text.span(i, i+1)...)
	}
	return rows
}

// shareRows appends a response as far as its rows, and leaves the rows to be sent
// from where they are.
func (c *call) shareRows(b []byte, meta any, rows []byte) ([]byte, error) {
	b, err := appendHead(b, meta)
	c.shared = [][]byte{rows[:max(0, len(rows)-1)], []byte(responseEnd)}
	return b, err
}

// appendHead appends a response as far as its rows; responseEnd follows them.
func appendHead(b []byte, meta any) ([]byte, error) {
	m, err := json.Marshal(meta)
	return append(append(append(b, `{"meta":`...), m...), `,"observations":[`...), err
}

const responseEnd = "]}\n"

// cut returns the places of a page's rows in a result of n, and notes the page.
func cut(m *wire.Page, p page, n int) (from, to int) {
	from = min(p.offset, n)
	to = from + min(p.limit, n-from)
	*m = wire.Page{Limit: p.limit, Offset: p.offset, Count: to - from, HasMore: to < n}
	if m.HasMore {
		m.NextOffset = &to
	}
	return from, to
}

// last returns the last day that the query's rows may have. Rows of v2 are published
// when their weeks have closed.
func (c *call) last(q *indexQuery) panel.Date {
	if q.Series == "v2" {
		return min(q.to, panel.LastClosed(c.at).Date())
	}
	return q.to
}

// between returns the places of the rows of a range of days, both included.
func (x *indexRows) between(from, to panel.Date) (lo, hi int) {
	lo = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() >= from })
	hi = sort.Search(len(x.rows), func(i int) bool { return x.rows[i].Week.Date() > to })
	return lo, max(lo, hi)
}

// filter returns the filter of cells. Its values were checked on reading.
func (q *indexQuery) filter() jevons.Filter {
	f := jevons.Filter{City: q.City, Banner: q.Banner}
	if q.Level != "" {
		f.Level, _ = jevons.ParseLevel(q.Level)
	}
	if q.Category != "" {
		category, _ := basket.ParseCategory(q.Category)
		f.Categories = []basket.Category{category}
	}
	return f
}

// coverage says which cities are in the last week of the range, whatever the
// other filters are.
func (c *call) coverage(q *indexQuery, x *indexRows) wire.Coverage {
	names := c.vintage.cityNames
	v := wire.Coverage{Included: []string{}, Missing: []string{}, Total: len(names)}
	if lo, hi := x.between(q.from, c.last(q)); lo < hi {
		week := x.rows[hi-1].Week
		v.AsOf = wire.Text(week.String())
		for i := hi - 1; i >= lo && x.rows[i].Week == week; i-- {
			if cell := x.rows[i].Cell; cell.Level == jevons.City && cell.Category == basket.Overall {
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
