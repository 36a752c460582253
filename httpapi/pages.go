package httpapi

import (
	"net/http"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/feeds"
	"github.com/larder-index/larder/httpapi/openapi"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/front"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
)

// pageRoutes returns the pages that people look at, and what they load. The server
// decides by the session what / and /account show, so no page asks who is signed
// in before it shows anything.
func (s *Server) pageRoutes() (routes []*route) {
	s.pages = pages.New()
	row := func(path string, handle handler) {
		routes = append(routes, &route{"GET", path, access{by: withBrowser}, nil, handle})
	}
	// add adds a page in every language. Its routes are those of a publication that is in English first.
	add := func(path string, handler func(l *words.Language) handler) {
		for _, l := range words.All {
			row(l.At(path), handler(l))
		}
	}
	// moved leads a reader who guesses an address to the page's own one.
	moved := func(l *words.Language, from, to string) {
		row(from, func(c *call) error {
			s.setPageHeaders(c.w.Header())
			return c.redirect(http.StatusPermanentRedirect, l.Of(s.Snapshots.Current().About()).At(to))
		})
	}
	// addPage adds a page that is the same for everyone. It is asked for anew each
	// time, since the addresses of its assets change with the release.
	addPage := func(template, path string, data func(l *words.Language) any) {
		add(path, func(l *words.Language) handler {
			current := s.worded(func(w openapi.Words) (*reply.Document, error) {
				body, err := s.pages.Render(template, pages.View{Lang: l, Path: path, Base: s.BaseURL, About: w.About,
					Data: data(l.Of(w.About))})
				return reply.NewDocument(reply.HTMLType, body, "Cache-Control", "no-cache"), err
			})
			return func(c *call) error {
				s.setPageHeaders(c.w.Header())
				s.Snapshots.Current().NameIn(c.w.Header())
				return current.serve(c)
			}
		})
	}
	for _, l := range words.All {
		path, handle := l.At(compare.ShopperPath), s.shopperPage(l)
		row(path, handle)
		routes = append(routes, &route{"POST", path, access{by: withBrowser}, nil, handle})
	}
	add(pages.WorkerPath, s.worker)
	addPage("documents", pages.DocsPath, func(l *words.Language) any { return s.pages.Groups(l) })
	for i, d := range s.pages.Documents(words.English) {
		addPage("document", d.Path, func(l *words.Language) any {
			return shelved{s.pages.Documents(l)[i], s.pages.Groups(l)}
		})
		if alike := pages.DocsPath + "/" + d.Name; alike != d.Path {
			for _, l := range words.All {
				moved(l, l.At(alike), d.Path)
			}
		}
	}
	moved(words.French, words.French.Prefix+"/", pathHome)
	for _, l := range words.All {
		routes = append(routes, &route{"GET", l.At(pathHome), access{by: withBrowser}, homeParams, s.home(l)})
	}
	add(pathAccount, func(*words.Language) handler { return s.sessionPage(s.accountPage) })
	if s.Snapshots.Releases != nil {
		add(feeds.PathPage, func(*words.Language) handler { return s.sessionPage(s.releasesPage) })
	}
	row(pathAssets, s.assets())
	return routes
}

// shelved is a document with all that there are, for the sidebar.
type shelved struct {
	pages.Document
	Groups []pages.Group
}

// assets returns the handler of styles and scripts. An address holds the hash of
// all of them and is good for ever; any other address is of another release.
func (s *Server) assets() handler {
	files := map[string]*reply.Document{}
	for address, a := range s.pages.Assets() {
		files[address] = reply.NewDocument(a.Type, a.Body, "Cache-Control", "public, max-age=31536000, immutable",
			"X-Robots-Tag", "noindex")
	}
	return func(c *call) error {
		file := files[c.r.URL.Path]
		if file == nil {
			return errAssetMissing
		}
		s.setPageHeaders(c.w.Header())
		return file.Serve(c.w, c.r)
	}
}

// worker returns the handler of the shopper page's service worker. The header lets it
// answer for the page too, which is not below the script's address.
func (s *Server) worker(l *words.Language) handler {
	current := s.worded(func(w openapi.Words) (*reply.Document, error) {
		a := s.pages.Worker(l.Of(w.About))
		return reply.NewDocument(a.Type, a.Body, "Cache-Control", "no-cache", "X-Robots-Tag", "noindex",
			"Service-Worker-Allowed", l.Of(w.About).At(compare.ShopperPath)), nil
	})
	return func(c *call) error {
		s.setPageHeaders(c.w.Header())
		return current.serve(c)
	}
}

func (s *Server) front() *front.Maker {
	return &front.Maker{Snapshots: s.Snapshots, Pages: s.pages, BaseURL: s.BaseURL, Public: s.Public}
}

func (s *Server) strangersPage(l *words.Language) handler {
	current := s.front().Page(l)
	return edition(func(c *call) (*reply.Document, error) {
		s.setPageHeaders(c.w.Header())
		return current(c.now, c.r.URL.RawQuery)
	}).serve
}

// setPageHeaders makes browsers keep other sites out of a page, and the page from
// whatever it does not need.
func (s *Server) setPageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", pages.Policy)
	h.Set("Referrer-Policy", "no-referrer") // nor does a link tell where it was
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
}
