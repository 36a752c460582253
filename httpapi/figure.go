package httpapi

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/chart"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

const (
	pathFigure = "/figure"
	pathEmbed  = "/embed/figure"

	// mostSeries is the largest number of series in a figure.
	mostSeries = 8
)

// figureForm is a form in which figures are answered. The address of a figure ends in it.
type figureForm struct {
	path, contentType string
	person            bool // a page
	make              func(s *Server, c *call, f *figure, b []byte) ([]byte, error)
}

var figureForms = []*figureForm{
	{pathFigure, reply.HTMLType, true, (*Server).figurePage},
	{pathEmbed, reply.HTMLType, true, (*Server).figureEmbed},
	{pathFigure + ".svg", "image/svg+xml; charset=utf-8", false, (*Server).figureSVG},
	{pathFigure + ".png", reply.PNGType, false, (*Server).figurePNG},
	{pathFigure + ".csv", "text/csv; charset=utf-8", false, (*Server).figureCSV},
	{pathFigure + ".json", reply.JSONType, false, (*Server).figureJSON},
	{pathFigure + ".txt", "text/plain; charset=utf-8", false, (*Server).figureText},
	{pathFigure + ".bib", "application/x-bibtex; charset=utf-8", false, (*Server).figureBib},
}

// figureRoutes returns the routes of figures, one for each form.
func (s *Server) figureRoutes() (routes []*route) {
	for _, form := range figureForms {
		params := []string{"s", "view", "since", "from", "to", "lang"}
		if s.Snapshots.Releases != nil {
			params = append(params, "as_of")
		}
		if form.path == pathFigure+".png" {
			params = append(params, "size")
		}
		who := access{}
		if form.person {
			who.by = withBrowser
		}
		routes = append(routes, &route{"GET", form.path, who, params, s.figure(form)})
	}
	return routes
}

// figureQuery holds the parameters of a figure's address.
type figureQuery struct {
	names    []string // of the series
	shown    prepared.ViewQuery
	from, to panel.Date // 0: not given
	lang     *lang.Language
	square   bool
	asOf     string // the id of a release; empty: the figure is live
	open     bool   // anybody may see it
}

// readFigure reads the query of a figure. It fails for whatever is wrong without regard to
// the data, before it matters who asks.
func (s *Server) readFigure(c *call) (*figureQuery, error) {
	values, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		_, err = reply.ReadParams(c.r.URL.RawQuery, c.params)
		return nil, err
	}
	q := &figureQuery{lang: lang.English, open: true}
	for _, name := range values["s"] {
		if name != "" {
			q.names = append(q.names, name)
		}
	}
	delete(values, "s")
	if c.query, err = reply.ReadParams(values.Encode(), c.params); err != nil {
		return nil, err
	}
	p := &c.query
	q.shown = prepared.ReadView(p)
	q.from, q.to = p.Date("from", 0), p.Date("to", 0)
	if p.OneOf("lang", []string{"en", "fr"}) == "fr" {
		q.lang = lang.French
	}
	q.square = p.OneOf("size", []string{"wide", "square"}) == "square"
	q.asOf = p.Value("as_of")
	if p.Err == nil && q.from != 0 && q.to != 0 && q.from > q.to {
		p.Err = reply.Invalid("to", nil, "to: %s is before from, %s", q.to, q.from)
	}
	if p.Err != nil {
		return nil, p.Err
	}
	if len(q.names) == 0 {
		q.names = []string{"national.overall"}
	}
	if len(q.names) > mostSeries {
		return nil, reply.Invalid("s", nil, "s: a figure shows at most %d series; these are %d", mostSeries, len(q.names))
	}
	for i, name := range q.names {
		if slices.Contains(q.names[:i], name) {
			return nil, reply.Invalid("s", nil, "s: %s is there twice; keep one", reply.Quote(name))
		}
		// Names of national series need no snapshot, and those of others are not public.
		cell, err := jevons.NewNames(nil, nil).Parse(name)
		q.open = q.open && err == nil && s.Public.shows(&cell, false)
		if err != nil && c.served != nil && q.asOf == "" {
			if _, err := c.served.Names().Parse(state.Redact(name)); err != nil {
				return nil, unknownSeries(err)
			}
		}
	}
	return q, nil
}

// unknownSeries refuses a name of a series.
func unknownSeries(err error) error {
	return reply.Invalid("s", []string{"national.CATEGORY", "CITY.CATEGORY", "CITY.BANNER.CATEGORY"}, "s: %s", err)
}

// address returns the query of the figure in its one form.
func (q *figureQuery) address() string {
	var b strings.Builder
	add := func(name, value string) {
		if value != "" {
			b.WriteString("&" + name + "=" + url.QueryEscape(value))
		}
	}
	for _, name := range q.names {
		add("s", name)
	}
	if q.shown.View != jevons.ViewIndex {
		add("view", q.shown.View.String())
	}
	if q.shown.Since != 0 {
		add("since", q.shown.Since.String())
	}
	if q.from != 0 {
		add("from", q.from.String())
	}
	if q.to != 0 {
		add("to", q.to.String())
	}
	if q.lang != lang.English {
		add("lang", "fr")
	}
	add("as_of", q.asOf)
	return strings.TrimPrefix(b.String(), "&")
}

// figure returns the handler of a form. A figure of public series is anybody's, as often as
// the address of the client may ask. Any other counts as a request of the public index.
func (s *Server) figure(form *figureForm) func(*call) error {
	return func(c *call) error {
		c.person = form.person && wantsPage(c.r)
		c.served = s.Snapshots.At(c.now)
		q, err := s.readFigure(c)
		admit := s.admitStranger
		switch {
		case err != nil:
		case q.open:
		case form.path == pathEmbed:
			err = errNotPublic
		default:
			keyed := *c.route
			keyed.who = access{withEither, state.Research, false}
			c.route, admit = &keyed, s.admit
		}
		if err != nil {
			admit = func(c *call) error { return cmp.Or(s.admitStranger(c), err) }
		}
		return s.metered(admit, func(c *call, b []byte) ([]byte, error) {
			f, err := s.newFigure(c, q)
			if err != nil {
				return b, err
			}
			if err := s.beginFigure(c, form, f); err != nil {
				return b, err
			}
			return form.make(s, c, f, b)
		})(c)
	}
}

// admitStranger takes a figure out of the address's bucket.
func (s *Server) admitStranger(c *call) error {
	use := s.figures.Take(s.client(c.r), s.PublicPerMinute, c.now)
	use.SetHeaders(c.w.Header(), c.now)
	if !use.OK {
		s.metrics.limited.WithLabelValues(limitClient).Inc()
		return limit.TooMany(use, "this address may ask for about %d figures a minute", s.PublicPerMinute)
	}
	return nil
}

// beginFigure sets the headers of a figure, and fails with errNotModified for a client that
// has it. A frozen figure has a strong tag: two answers with it are equal byte for byte.
func (s *Server) beginFigure(c *call, form *figureForm, f *figure) error {
	h := c.w.Header()
	h.Set("Content-Type", form.contentType)
	h.Set("Link", "<"+s.BaseURL+pathFigure+"?"+f.address()+`>; rel="canonical"`)
	who := "private"
	if f.open {
		who = "public"
		h.Set("Vary", "Accept, Accept-Encoding")
	}
	h.Set("Cache-Control", who+", no-cache")
	if form.person {
		s.setPageHeaders(h)
		if form.path == pathEmbed {
			h.Set("Content-Security-Policy", embedPolicy)
			h.Del("X-Frame-Options")
			h.Set("X-Robots-Tag", "noindex")
		}
	}
	if f.asOf == "" {
		return s.begin(c, f.from, f.end.Date())
	}
	// The data of a frozen form are good for ever. A page names assets of this program.
	if !form.person && c.query.Value("as_of") == f.asOf {
		h.Set("Cache-Control", who+", max-age=31536000, immutable")
	}
	packed := "plain"
	if reply.TakesGzip(c.r.Header) {
		packed = "gzip"
	}
	tag := strings.TrimPrefix(reply.WeakTag([]byte(c.vintage.Tag()), []byte(reply.ProgramID()), []byte(form.path), []byte(f.address()), []byte(c.query.Value("size")), []byte(packed)), "W/")
	h.Set("ETag", tag)
	if reply.TagMatches(c.r.Header, tag) {
		return errNotModified
	}
	return nil
}

// embedPolicy lets any page frame a figure, which loads nothing but this host's styles.
const embedPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"

// words are the texts of the figure's picture.
func (q *figureQuery) words() *chart.Words {
	if q.lang == lang.French {
		return chart.French
	}
	return chart.English
}
