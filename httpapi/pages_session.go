package httpapi

import (
	"cmp"
	"html/template"
	"net/http"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

type reader struct {
	wire.SignedIn
	Cities      []basket.City   // of the snapshot that is served; some may have no published rows
	Chains      []basket.Banner // likewise
	Annotations []panel.Annotation
	Note, Terms string           // of the index, where the page's language is not that of responses
	Products    []basket.Product // with their names in French, where that is the page's language
	Upgrade     string           // address for a higher tier; or empty
	Due         *time.Time       // when the next release is planned; nil without a release log

	Where, Whole string // what is priced in the newest published week
	Title        string
	Wide, Narrow template.HTML // pictures of the dashboard's chart, which are there before its script; or empty
}

// filling chooses the template of a page and makes its data. The session is nil for a
// stranger.
type filling func(c *call, served *prepared.Snapshot, session *state.Session) (template string, data any)

// subscriberPage fills a template for a signed-in subscriber. A stranger gets the sign-in
// form.
func (s *Server) subscriberPage(template string) filling {
	return func(c *call, served *prepared.Snapshot, session *state.Session) (string, any) {
		if session == nil {
			return "signin", nil
		}
		l, _ := words.Locate(c.path)
		about := served.About()
		l = l.Of(about)
		x := reader{SignedIn: describe(*session), Upgrade: cmp.Or(about.UpgradeURL, about.ContactURL())}
		if l.Code != words.English.Code {
			x.Note, x.Terms = prepared.NoteIn(l, "v2", served.About(), table.IncludeQuality),
				prepared.TermsIn(l, served.About())
		}
		if served == nil {
			return template, x
		}
		x.Cities, x.Chains, x.Annotations = served.Panel.Cities(), served.Panel.Banners(), served.Panel.Annotations()
		if l.Code == words.French.Code {
			x.Products = served.Panel.Products()
		}
		places := served.Places(c.now)
		x.Where, x.Whole = l.In(places), l.Whole(places)
		if s.Snapshots.Releases != nil {
			x.Due = new(served.NextDue(c.now))
		}
		if template == "dashboard" {
			x.Title, x.Wide, x.Narrow = figure.FirstPictures(&figure.Source{Snapshot: served, At: c.now},
				c.r.URL.Query(), l, s.Public)
		}
		return template, x
	}
}

// sessionPage answers with a page that depends on who is signed in. If strangers is not nil,
// it answers them.
func (s *Server) sessionPage(fill filling, strangers func(*call) error) func(*call) error {
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
			if strangers != nil {
				return strangers(c)
			}
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
