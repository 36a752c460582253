package httpapi

import (
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/feeds"
	"github.com/larder-index/larder/httpapi/openapi"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/words"
	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel"
)

// edition returns the document that answers a call.
type edition func(c *call) (*reply.Document, error)

func (e edition) serve(c *call) error {
	d, err := e(c)
	if err != nil {
		return err
	}
	return d.Serve(c.w, c.r)
}

// worded returns a document in the words of the snapshot that is served.
func (s *Server) worded(make func(w openapi.Words) (*reply.Document, error)) edition {
	type worded struct {
		panel.About
		where, cities string
		wide          bool
	}
	current := reply.Remember(func(w worded) (*reply.Document, error) {
		return make(openapi.Words{BaseURL: s.BaseURL, Cookie: s.sessionCookie(), Where: w.where, About: &w.About,
			Cities: strings.Fields(w.cities), Wide: w.wide})
	})
	return func(*call) (*reply.Document, error) {
		served, where, cities := s.Snapshots.Current(), "", ""
		if served != nil {
			cities = served.Example().City
			for _, c := range served.Panel.Cities() {
				if c.Slug != served.Example().City {
					cities += " " + c.Slug
				}
			}
			where = " " + words.English.In(served.Places(s.Now()))
		}
		return current(worded{*served.About(), where, cities, served != nil && served.Wide()})
	}
}

const (
	pathRobots  = "/robots.txt"
	pathSitemap = "/sitemap.xml"

	textType = "text/plain; charset=utf-8"
)

// documentRoutes returns the documents by which programs find their way, and what search
// engines read.
func (s *Server) documentRoutes() []*route {
	row := func(path, contentType string, by caller, fill func(openapi.Words) ([]byte, error),
		headers ...string) *route {
		headers = append(headers, "Cache-Control", reply.DocumentAge)
		current := s.worded(func(w openapi.Words) (*reply.Document, error) {
			body, err := fill(w)
			return reply.NewDocument(contentType, body, headers...), err
		})
		return &route{"GET", path, access{by: by}, nil, current.serve}
	}
	// Search engines are asked not to list what is for programs. Pages of any site may read it.
	forPrograms := func(path, contentType string, fill func(openapi.Words) []byte) *route {
		return row(path, contentType, anyone, func(w openapi.Words) ([]byte, error) { return fill(w), nil },
			"X-Robots-Tag", "noindex", "Access-Control-Allow-Origin", "*")
	}
	return []*route{
		forPrograms(pathOpenAPI, reply.JSONType, openapi.Words.JSON),
		forPrograms("/llms.txt", textType, openapi.Words.LLMs),
		row(pathRobots, textType, withBrowser, func(w openapi.Words) ([]byte, error) { return w.Robots(), nil }),
		row(pathSitemap, "application/xml; charset=utf-8", withBrowser,
			func(openapi.Words) ([]byte, error) { return s.front().Sitemap(feeds.PathPage), nil }),
	}
}

// feedAge is the Cache-Control of what announces releases: a new one is known within
// minutes.
const feedAge = "public, max-age=300"

const atomType = "application/atom+xml; charset=utf-8"

// feedRoutes returns the routes that announce releases. Pages of any site may read them.
func (s *Server) feedRoutes() []*route {
	row := func(l *words.Language, path, contentType string, fill func(*feeds.Announcement) ([]byte, error)) *route {
		type of struct {
			tag string
			due time.Time
		}
		current := reply.Remember(func(x of) (*reply.Document, error) {
			served := s.Snapshots.Current()
			l := l.Of(served.Words)
			news := feeds.New(served, s.Snapshots.Releases, l, s.BaseURL, x.due.Add(-1))
			news.Say = func(r *releaselog.Release) (title, notes string) {
				past, err := s.Snapshots.Releases.Past(served, r)
				if err != nil {
					return "", ""
				}
				return figure.Finding(&figure.Source{Snapshot: past, At: r.At}, l, s.Public)
			}
			body, err := fill(news)
			return reply.NewDocument(contentType, body, "Cache-Control", feedAge, "X-Robots-Tag", "noindex",
				"Access-Control-Allow-Origin", "*"), err
		})
		who := access{}
		if l != words.English {
			who.by = withBrowser // it is linked to from pages
		}
		return &route{"GET", l.At(path), who, nil, edition(func(c *call) (*reply.Document, error) {
			served := s.Snapshots.Current()
			switch {
			case s.Snapshots.Releases == nil:
				return nil, errNoLog
			case served == nil:
				return nil, errNothingReleased
			}
			return current(of{served.Tag(), served.NextDue(c.now)})
		}).serve}
	}
	return []*route{
		row(words.English, feeds.PathJSON, reply.JSONType, (*feeds.Announcement).JSON),
		row(words.English, feeds.PathAtom, atomType, (*feeds.Announcement).Atom),
		row(words.French, feeds.PathAtom, atomType, (*feeds.Announcement).Atom),
		row(words.English, feeds.PathCheckpoint, textType, (*feeds.Announcement).Checkpoint),
	}
}
