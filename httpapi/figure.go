package httpapi

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/larder-index/larder/httpapi/internal/accept"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/state"
)

// figureForm is a form in which figures are answered. The address of a figure ends in it.
type figureForm struct {
	path, contentType string
	person            bool // a page
	make              func(f *figure.Figure) ([]byte, error)
}

const (
	svgType = "image/svg+xml; charset=utf-8"
	csvType = "text/csv; charset=utf-8"
)

var figureForms = []*figureForm{
	{figure.Path, reply.HTMLType, true, (*figure.Figure).Page},
	{figure.PathEmbed, reply.HTMLType, true, (*figure.Figure).Embed},
	{figure.Path + ".svg", svgType, false, (*figure.Figure).SVG},
	{figure.Path + ".png", reply.PNGType, false, (*figure.Figure).PNG},
	{figure.Path + ".csv", csvType, false, (*figure.Figure).CSV},
	{figure.Path + ".json", reply.JSONType, false, (*figure.Figure).JSON},
	{figure.Path + ".txt", "text/plain; charset=utf-8", false, (*figure.Figure).Text},
}

// whyForm is a form in which a change is taken apart.
type whyForm struct {
	path, contentType string
	policy            string
	make              func(x *figure.Why) ([]byte, error)
}

// whyForms are those in which a change is taken apart.
var whyForms = []whyForm{
	{figure.PathWhy, reply.HTMLType, pages.FormPolicy, (*figure.Why).Page},
	{figure.PathWhy + ".svg", svgType, svgPolicy, (*figure.Why).SVG},
	{figure.PathWhy + ".png", reply.PNGType, dataPolicy, (*figure.Why).PNG},
	{figure.PathWhy + ".csv", csvType, dataPolicy, (*figure.Why).CSV},
	{figure.PathWhy + ".json", reply.JSONType, dataPolicy, (*figure.Why).JSON},
}

var errNotPublic = reply.Refuse("not_public",
	"only figures that need no key can be embedded: those of the national headline and categories, if the publisher "+
		"makes these public; link to this figure instead")

// figureRoutes returns the routes of figures, one for each form, and of the page that takes a
// week of a series apart.
func (s *Server) figureRoutes() (routes []*route) {
	var asOf []string
	if s.Snapshots.Releases != nil {
		asOf = []string{"as_of"}
	}
	add := func(path, contentType string, h handler, params ...string) {
		who := access{}
		switch contentType {
		case reply.HTMLType:
			who.by = withBrowser
		case svgType:
			params = append(params, "width")
		}
		routes = append(routes, &route{"GET", path, who, params, h})
	}
	for _, form := range figureForms {
		params := append([]string{"s", "view", "since", "from", "to", "lang"}, asOf...)
		if form.path == figure.Path {
			params = append(params, "place", "category")
		}
		add(form.path, form.contentType, s.figure(form), params...)
	}
	for _, form := range whyForms {
		add(form.path, form.contentType, s.why(form), append([]string{"s", "week", "from", "lang"}, asOf...)...)
	}
	return routes
}

// figure returns the handler of a form. A figure of public series is anybody's, as often as
// the address of the client may ask, and pages of any site may read its data. Any other counts as a
// request of the public index.
func (s *Server) figure(form *figureForm) handler {
	return func(c *call) error {
		q, err := s.readFigure(c)
		page := form.path == figure.Path
		if page && err == nil && q.Sent {
			return c.redirect(http.StatusSeeOther, string(q.At()))
		}
		admit := s.stranger(q, err)
		switch {
		case err != nil || q.Open:
			if !form.person {
				c.w.Header().Set("Access-Control-Allow-Origin", "*")
			}
		case form.path == figure.PathEmbed:
			admit = s.stranger(q, errNotPublic)
		default:
			admit = s.admit(paidFigure)
		}
		return s.respondFigure(c, q, admit, func(c *call, x *figure.Source) ([]byte, error) {
			if page {
				_, none := s.session(c.r)
				x.Subscriber = !q.Open || none == nil
			}
			f, err := figure.New(x, q)
			if err != nil {
				return nil, err
			}
			if err := s.beginFigure(c, form, f); err != nil {
				return nil, err
			}
			return form.make(f)
		})
	}
}

var paidFigure = &access{withEither, state.Research, false}

func (s *Server) readFigure(c *call) (*figure.Query, error) {
	return figure.Read(c.r.URL.RawQuery, c.params, s.Public, s.Snapshots.Current())
}

// stranger returns the step before a figure that anybody may see, unless its query was wrong. The picture of a page
// has a limit of its own, so that a visit is one request of the page's.
func (s *Server) stranger(q *figure.Query, wrong error) step {
	of := s.limits.figures
	if wrong == nil && q.Width != "" {
		of = s.limits.pictures
	}
	return func(c *call) error { return cmp.Or(s.takeClient(c, of), wrong) }
}

// respondFigure answers with what is made of the index that the query names.
func (s *Server) respondFigure(c *call, q *figure.Query, admit step, make func(c *call, x *figure.Source) ([]byte,
	error)) error {
	read := func(c *call) error {
		c.query = q.Params
		return nil
	}
	return s.logged(func(c *call, b []byte) ([]byte, error) {
		if err := c.needSnapshot(); err != nil {
			return b, err
		}
		body, err := make(c, &figure.Source{
			Snapshot: c.Snapshot, At: c.at, Releases: s.Snapshots.Releases, Pages: s.pages, BaseURL: s.BaseURL,
		})
		return append(b, body...), err
	}, admit, read, s.readAsOf)(c)
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
	if form.contentType == svgType {
		h.Set("Content-Security-Policy", svgPolicy)
	}
	if form.person {
		s.setPageHeaders(h)
		h.Set("Content-Security-Policy", pages.FormPolicy)
		if f.Open {
			h.Set("Vary", "Accept, Accept-Encoding, Cookie")
		}
		if form.path == figure.PathEmbed {
			h.Set("Content-Security-Policy", embedPolicy)
			h.Del("X-Frame-Options")
			h.Set("X-Robots-Tag", "noindex")
		}
	}
	if f.Open && f.Subscriber {
		h.Set("Cache-Control", "no-store")
		return nil
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
	tag := reply.WeakTag([]byte(c.Tag()), []byte(reply.ProgramID()), []byte(form.path), []byte(f.Address()),
		[]byte(c.query.Value("width")), []byte(packed))
	return c.tagged(strings.TrimPrefix(tag, "W/"))
}

// svgPolicy lets a picture have its own colours of dark screens.
const svgPolicy = dataPolicy + "; style-src 'unsafe-inline'"

// embedPolicy lets any page frame a figure, which loads nothing but this host's styles and picture.
const embedPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors *"

// setPersonal sets the headers of an answer for one reader: a page, or its data.
func (s *Server) setPersonal(h http.Header, contentType, policy string) {
	if contentType == reply.HTMLType {
		s.setPageHeaders(h)
	}
	h.Set("Content-Type", contentType)
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept, Accept-Encoding, Authorization, Cookie")
	h.Set("X-Robots-Tag", "noindex") // there are as many of these as rows
}

// why returns the handler of a form of a week of a series that is taken apart. Anybody may see a public series with
// its categories. Products need a key or a session, and what is known of their prices needs the
// tier that single prices need. For those it counts as a request of the public index.
func (s *Server) why(form whyForm) handler {
	return func(c *call) error {
		q, err := s.readFigure(c)
		if err == nil && len(q.Names) > 1 {
			err = reply.Invalid("s", nil, "s: one series is taken apart at a time; these are %d", len(q.Names))
		}
		admit := func(c *call) error {
			known := s.token(c.r) != "" || len(c.r.Header.Values("Authorization")) > 0
			if err == nil && (known || !q.Open) {
				if refused := s.admit(paidFigure)(c); refused == nil || !q.Open {
					return refused
				}
				*c.payer = payer{} // whoever is refused is answered as a stranger
			}
			return s.stranger(q, err)(c)
		}
		return s.respondFigure(c, q, admit, func(c *call, x *figure.Source) ([]byte, error) {
			change, err := figure.NewWhy(x, q, c.payer.key)
			if err != nil {
				return nil, err
			}
			body, err := form.make(change)
			if err == nil {
				s.setPersonal(c.w.Header(), form.contentType, form.policy)
			}
			return body, err
		})
	}
}
