package httpapi

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/httpapi/internal/accept"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
)

// figureForm is a form in which figures are answered. The address of a figure ends in it.
type figureForm struct {
	path, contentType string
	person            bool // a page
	drawn             bool // a picture
	make              func(f *figure.Figure) ([]byte, error)
}

var figureForms = []*figureForm{
	{figure.Path, reply.HTMLType, true, false, (*figure.Figure).Page},
	{figure.PathEmbed, reply.HTMLType, true, false, (*figure.Figure).Embed},
	{figure.Path + ".svg", "image/svg+xml; charset=utf-8", false, true, (*figure.Figure).SVG},
	{figure.Path + ".png", reply.PNGType, false, true, (*figure.Figure).PNG},
	{figure.Path + ".csv", "text/csv; charset=utf-8", false, false, (*figure.Figure).CSV},
	{figure.Path + ".json", reply.JSONType, false, false, (*figure.Figure).JSON},
	{figure.Path + ".txt", "text/plain; charset=utf-8", false, false, (*figure.Figure).Text},
	{figure.Path + ".bib", "application/x-bibtex; charset=utf-8", false, false, (*figure.Figure).Bib},
}

var errNotPublic = reply.Refuse("not_public", "only public figures can be embedded: those of the national headline and categories, if the publisher shows any without a key; link to this figure instead")

// figureRoutes returns the routes of figures, one for each form.
func (s *Server) figureRoutes() (routes []*route) {
	for _, form := range figureForms {
		params := []string{"s", "view", "since", "from", "to", "lang"}
		if s.Snapshots.Releases != nil {
			params = append(params, "as_of")
		}
		if form.path == figure.Path+".png" {
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

// figure returns the handler of a form. A figure of public series is anybody's, as often as
// the address of the client may ask. Any other counts as a request of the public index.
func (s *Server) figure(form *figureForm) func(*call) error {
	return func(c *call) error {
		c.person = form.person && wantsPage(c.r)
		c.served = s.Snapshots.Current()
		q, err := s.readFigure(c)
		admit := s.admitStranger
		switch {
		case err != nil:
		case q.Open:
		case form.path == figure.PathEmbed:
			err = errNotPublic
		default:
			c.who, admit = access{withEither, state.Research, false}, s.admit
		}
		if err != nil {
			admit = func(c *call) error { return cmp.Or(s.admitStranger(c), err) }
		}
		return s.metered(admit, func(c *call, b []byte) ([]byte, error) {
			if err := cmp.Or(s.asOf(c), c.needSnapshot()); err != nil {
				return b, err
			}
			f, err := figure.New(s.figureSource(c), q)
			if err != nil {
				return b, err
			}
			if err := s.beginFigure(c, form, f); err != nil {
				return b, err
			}
			body, err := s.makeFigure(form, f)
			return append(b, body...), err
		})(c)
	}
}

// readFigure reads the query of a figure and notes its parameters in the call.
func (s *Server) readFigure(c *call) (*figure.Query, error) {
	q, err := figure.Read(c.r.URL.RawQuery, c.params, s.Public, c.served)
	if err == nil {
		c.query = q.Params
	}
	return q, err
}

// figureSource returns what the call's figure is made from.
func (s *Server) figureSource(c *call) *figure.Source {
	return &figure.Source{
		Served: c.served, Vintage: c.vintage, At: c.at, Releases: s.Snapshots.Releases, Pages: s.pages, BaseURL: s.BaseURL,
		Aside: c.turn.Aside,
	}
}

// makeFigure makes a form of a figure. Clients that ask for the same picture at the same time get
// one drawing: a link that is shared is opened by many at once.
func (s *Server) makeFigure(form *figureForm, f *figure.Figure) ([]byte, error) {
	if !form.drawn {
		return form.make(f)
	}
	drawn, err, _ := s.drawing.Do(form.path+" "+f.ID(), func() (any, error) { return form.make(f) })
	body, _ := drawn.([]byte)
	return body, err
}

// admitStranger takes a figure out of the address's bucket.
func (s *Server) admitStranger(c *call) error {
	return s.take(c, s.figures, s.PublicPerMinute, limitClient, "this address may ask for about %d figures a minute")
}

// beginFigure sets the headers of a figure, and fails with errNotModified for a client that
// has it. A frozen figure has a strong tag: two answers with it are equal byte for byte.
func (s *Server) beginFigure(c *call, form *figureForm, f *figure.Figure) error {
	h := c.w.Header()
	h.Set("Content-Type", form.contentType)
	h.Set("Link", "<"+s.BaseURL+figure.Path+"?"+f.Address()+`>; rel="canonical"`)
	who := "private"
	if f.Open {
		who = "public"
		h.Set("Vary", "Accept, Accept-Encoding")
	}
	h.Set("Cache-Control", who+", no-cache")
	if form.person {
		s.setPageHeaders(h)
		if form.path == figure.PathEmbed {
			h.Set("Content-Security-Policy", embedPolicy)
			h.Del("X-Frame-Options")
			h.Set("X-Robots-Tag", "noindex")
		}
	}
	if f.AsOf == "" {
		return s.begin(c, f.Days()...)
	}
	// The data of a frozen form are good for ever. A page names assets of this program.
	if !form.person && c.query.Value("as_of") == f.AsOf {
		h.Set("Cache-Control", who+", max-age=31536000, immutable")
	}
	packed := "plain"
	if accept.Gzip(c.r.Header) {
		packed = "gzip"
	}
	tag := strings.TrimPrefix(reply.WeakTag([]byte(c.vintage.Tag()), []byte(reply.ProgramID()), []byte(form.path), []byte(f.Address()), []byte(c.query.Value("size")), []byte(packed)), "W/")
	h.Set("ETag", tag)
	if reply.TagMatches(c.r.Header, tag) {
		return errNotModified
	}
	return nil
}

// embedPolicy lets any page frame a figure, which loads nothing but this host's styles.
const embedPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"

// refusedFigure returns the page that a person gets in place of a refused figure, and sets its
// headers. If there is no page, it is the refusal for programs.
func (s *Server) refusedFigure(c *call, refused *reply.Error, body []byte) []byte {
	x := trouble{
		Title: lang.Key("This figure can't be shown"), Message: lang.Key("The server said why:"), Detail: refused.Refusal.Error,
	}
	switch refused.Status() {
	case http.StatusUnauthorized:
		x.Message = lang.Key(`This figure is for subscribers: <a href="/account">sign in</a>, then load it again. The national headline and categories need no key, if the publisher shows them.`)
	case http.StatusInternalServerError:
		x.RequestID = requestID(c.r)
	}
	l, _ := lang.Locate(c.path)
	if slices.Contains(c.r.URL.Query()["lang"], "fr") {
		l = lang.French
	}
	page, err := s.pages.Render("trouble", pages.View{Lang: l, About: s.Snapshots.Current().About(), Data: x})
	if err != nil {
		return body
	}
	h := c.w.Header()
	s.setPageHeaders(h)
	h.Set("Content-Type", reply.HTMLType)
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Vary", "Accept, Accept-Encoding, Authorization, Cookie")
	return page
}

// whyRoute returns the route of the page that takes a week of a series apart.
func (s *Server) whyRoute() *route {
	params := []string{"s", "week", "lang"}
	if s.Snapshots.Releases != nil {
		params = append(params, "as_of")
	}
	return &route{"GET", figure.PathWhy, access{by: withBrowser}, params, s.why}
}

// why answers with the page of a week of a series. Anybody may see a public series with its
// categories. Products need a key or a session, and what is known of their prices needs the
// tier that single prices need. For those the page counts as a request of the public index.
func (s *Server) why(c *call) error {
	c.person, c.served = wantsPage(c.r), s.Snapshots.Current()
	q, err := s.readFigure(c)
	if err == nil && len(q.Names) > 1 {
		err = reply.Invalid("s", nil, "s: one series is taken apart at a time; these are %d", len(q.Names))
	}
	day := c.query.Date("week", 0)
	err = cmp.Or(err, c.query.Err)
	admit := func(c *call) error {
		_, signedIn := s.token(c.r)
		known := signedIn || len(c.r.Header.Values("Authorization")) > 0
		if err == nil && (known || !q.Open) {
			c.who = access{withEither, state.Research, false}
			refused := s.admit(c)
			if refused == nil || !q.Open {
				return refused
			}
			c.key = state.Key{} // who is refused sees what anybody may see
		}
		return cmp.Or(s.admitStranger(c), err)
	}
	return s.metered(admit, func(c *call, b []byte) ([]byte, error) {
		if err := cmp.Or(s.asOf(c), c.needSnapshot()); err != nil {
			return b, err
		}
		page, err := figure.Why(s.figureSource(c), q, day, c.key)
		if err != nil {
			return b, err
		}
		h := c.w.Header()
		s.setPageHeaders(h)
		h.Set("Content-Type", reply.HTMLType)
		h.Set("Cache-Control", "no-store")
		h.Set("Vary", "Accept, Accept-Encoding, Authorization, Cookie")
		h.Set("X-Robots-Tag", "noindex") // there are as many of these pages as rows
		return append(b, page...), nil
	})(c)
}
