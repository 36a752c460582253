package httpapi

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/desk"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
	releaselog "github.com/larder-index/larder/jevons/release/log"
)

type reader struct {
	wire.SignedIn
	Upgrade string // address for a higher tier; or empty
}

// filling chooses the template of a page and makes its data. The session is nil for a
// stranger.
type filling func(c *call, served *prepared.Snapshot, session *state.Session) (template string, data any)

// accountPage is for a signed-in subscriber. A stranger gets the sign-in form.
func (s *Server) accountPage(_ *call, served *prepared.Snapshot, session *state.Session) (string, any) {
	if session == nil {
		return "signin", nil
	}
	about := served.About()
	return "account", reader{describe(*session), cmp.Or(about.UpgradeURL, about.ContactURL())}
}

// home answers a subscriber with the page of a figure and what is beside it, as a request of the public index,
// and strangers with theirs.
func (s *Server) home(l *words.Language) handler {
	strangers := s.strangersPage(l)
	return func(c *call) error {
		session, err := s.session(c.r)
		if err != nil && s.told(err) == nil {
			return err
		}
		if served := s.Snapshots.Current(); err != nil || served == nil {
			served.NameIn(c.w.Header())
			return strangers(c)
		}
		q, err := s.readHome(c, l)
		if err == nil && q.Sent {
			return c.redirect(http.StatusSeeOther, string(q.At()))
		}
		admit := func(c *call) error { return cmp.Or(s.admit(deskAccess)(c), err) }
		return s.respondFigure(c, q, admit, func(c *call, x *figure.Source) ([]byte, error) {
			x.Subscriber = true
			page, err := desk.Page(x, q, l, session.Key.Tier, c.r.URL.RawQuery)
			if err == nil {
				s.setPersonal(c.w.Header(), reply.HTMLType, pages.FormPolicy)
				c.w.Header().Del("X-Robots-Tag")
			}
			return page, err
		})
	}
}

var deskAccess = &access{withSession, state.Research, false}

// homeParams are those of the page's figure and of what is beside it.
var homeParams = append([]string{"s", "view", "since", "from", "to", "place", "category"}, desk.Params...)

// readHome reads the query of the page, which has a grade for each box that is ticked.
func (s *Server) readHome(c *call, l *words.Language) (*figure.Query, error) {
	query, served := c.r.URL.RawQuery, s.Snapshots.Current()
	given, err := url.ParseQuery(query)
	grades := given["grade"]
	if err == nil {
		delete(given, "grade")
		query = given.Encode()
	}
	q, err := figure.Read(query, c.params, s.Public, served)
	if err != nil {
		return nil, err
	}
	q.In(l.Of(served.About()), pathHome)
	given["grade"] = grades
	for _, name := range desk.Params {
		if given.Get(name) != "" {
			q.Rest[name] = given[name]
		}
	}
	return q, nil
}

// sessionPage answers with a page that depends on who is signed in.
func (s *Server) sessionPage(fill filling) handler {
	return func(c *call) error {
		session, err := s.session(c.r)
		if err != nil && s.told(err) == nil {
			return err
		}
		served := s.Snapshots.Current()
		served.NameIn(c.w.Header())
		signedIn := &session
		if err != nil {
			signedIn = nil
		}
		name, data := fill(c, served, signedIn)
		l, path := words.Locate(c.path)
		body, err := s.pages.Render(name, pages.View{Lang: l, Path: path, Query: c.r.URL.RawQuery, Base: s.BaseURL,
			About: served.About(), Data: data})
		if err != nil {
			return err
		}
		if path == pathAccount {
			c.w.Header().Set("X-Robots-Tag", "noindex")
		}
		s.setPageHeaders(c.w.Header())
		c.w.Header().Set("Cache-Control", "no-store")
		c.w.Header().Set("Vary", "Accept-Encoding, Cookie")
		reply.Respond(c.w, c.r, http.StatusOK, reply.HTMLType, body)
		return nil
	}
}

type releaseList struct {
	SignedIn bool // strangers see no count of cells, no note and no figure
	Due      *time.Time
	Releases []releaselog.Release // newest first
	Older    int                  // releases that are not in the list
}

func (s *Server) releasesPage(c *call, served *prepared.Snapshot, session *state.Session) (string, any) {
	x := releaseList{SignedIn: session != nil}
	if served != nil {
		x.Due = new(served.NextDue(c.now))
		all := s.Snapshots.Releases.UpTo(served)
		x.Older = max(0, len(all)-releaseRows.page)
		x.Releases = slices.Clone(all[x.Older:])
		slices.Reverse(x.Releases)
	}
	return "releases", x
}
