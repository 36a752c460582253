package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/julienschmidt/httprouter"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

type route struct {
	method string // GET also answers HEAD
	path   string // "*" and a name at its end take all that is below
	who    access
	params []string // names that the query may hold
	handle handler
}

// access says who may call a route, and what a call counts against.
type access struct {
	by   caller
	tier state.Tier // the lowest that may; 0 where no key is asked for
	free bool       // does not count against the key's month
}

type caller int

const (
	anyone      caller = iota // anybody
	withBrowser               // anybody, with a page or what a page loads: not in the OpenAPI document
	withKey                   // a bearer key
	withSession               // a session, and no key
	withEither                // a key or a session, after the client's own limit
)

// name is the route's path without what takes the addresses below it, and with the parts of
// an address that are parameters in braces.
func (x *route) name() string { return pathNames.Replace(x.path) }

var pathNames = strings.NewReplacer("*file", "", "*path", "{path}", ":id", "{id}")

func (x *route) takes(path string) bool {
	fixed := strings.IndexAny(x.path, "*:")
	return path == x.path || fixed >= 0 && strings.HasPrefix(path, x.path[:fixed])
}

// methodsOf lists the methods of a path, as the header Allow does.
func methodsOf(path string, routes []*route) string {
	var methods []string
	for _, x := range routes {
		if x.path == path {
			methods = append(methods, x.method)
		}
	}
	return strings.Replace(strings.Join(methods, ", "), "GET", "GET, HEAD", 1)
}

const (
	pathCompare = "/api/shopper/compare"
	pathCatalog = compare.CatalogPath
	// pathSearch looks up what a shopper writes, for the page of the comparison. It is
	// no part of the interface for agents and changes with the page.
	pathSearch    = compare.ShopperPath + "/search"
	pathMCP       = "/mcp"
	pathOpenAPI   = "/openapi.json"
	pathHome      = "/"
	pathAccount   = "/account"
	pathAssets    = pages.AssetPrefix + "*file"
	pathSession   = "/account/session"
	shopperPrefix = "/api/shopper/" // begins the addresses of the comparison
)

// publicRoutes returns all routes of the public address. A new endpoint is a row
// here, a handler, and a struct in package wire. Tests ask for its description too:
// openapi.yaml and llms.txt in the folder openapi, and docs/api.md.
func (s *Server) publicRoutes() []*route {
	var (
		anybody  = access{}
		window   = []string{"from", "to", "limit", "offset"}
		index    = append([]string{"series", "level", "category", "city", "banner"}, window...)
		included = slices.Concat(index, []string{"include", table.Against, "view", "since"})
		grid     = slices.Concat(index, []string{"missing"})
		prices   = append([]string{"product_id", "city", "banner"}, window...)
		events   = append([]string{"confidence", "banner"}, window...)
		list     = []string{"city", "items", "stores"}
		paging   = []string{"limit", "offset"}
		revised  = append([]string{"release", "since", "level", "category", "city", "banner"}, window...)
		months   = []string{"month"}
		then     []string
		research = state.Research
		standard = state.Standard
	)
	if s.Snapshots.Releases != nil {
		included, then = append(included, "as_of"), []string{"as_of"}
	}
	routes := []*route{
		{"GET", "/api/public/index", access{withEither, research, false}, included,
			s.licensed(s.index("", publicIndexRows))},
		{"GET", "/api/v1/index", access{withKey, standard, false}, included, s.licensed(s.index("", indexRows))},
		{"GET", "/api/v1/coverage", access{withKey, standard, false}, grid, s.licensed(s.cells)},
		{"GET", "/api/v1/companions/regular", access{withKey, standard, false}, index,
			s.licensed(s.index(jevons.RegularSeries, indexRows))},
		{"GET", "/api/v1/prices", access{withKey, standard, false}, prices, s.licensed(s.prices)},
		{"GET", "/api/v1/products", access{withKey, research, false}, then, s.licensed(s.products)},
		{"GET", "/api/v1/shrinkflation", access{withKey, standard, false}, events, s.licensed(s.shrinkflation)},
		{"GET", filesPrefix + "*path", access{withKey, standard, false}, nil, s.publishedFile},
		{"GET", "/api/v1/releases", access{withKey, research, false}, paging, s.licensed(s.listReleases)},
		{"GET", pathLeaf, access{withKey, standard, false}, nil, s.licensed(s.leaf)},
		{"GET", "/api/v1/revisions", access{withKey, standard, false}, revised, s.licensed(s.revisions)},
		{"GET", "/api/v1/usage", access{withKey, research, true}, months, s.licensed(s.usage)},

		{"GET", pathCatalog, anybody, nil, edition(s.catalog).serve},
		{"OPTIONS", pathCatalog, anybody, nil, s.preflight},
		{"GET", pathCompare, anybody, list, s.compare(listOfQuery)},
		{"POST", pathCompare, anybody, nil, s.compare(listOfBody)},
		{"OPTIONS", pathCompare, anybody, nil, s.preflight},
		{"POST", pathSearch, anybody, nil, s.search},
		{"POST", pathMCP, anybody, nil, s.tools()},

		{"GET", pathSession, anybody, nil, s.ownSite(s.signedIn)},
		{"POST", pathSession, anybody, nil, s.ownSite(s.signIn)},
		{"DELETE", pathSession, anybody, nil, s.ownSite(s.signOut)},
		{"POST", "/account/key/rotate", anybody, nil, s.ownSite(s.rotate)},
		{"GET", "/account/usage", access{withSession, research, true}, months, s.licensed(s.usage)},
		{"GET", "/account/shrinkflation", access{withSession, standard, false}, events, s.licensed(s.shrinkflation)},

		{"GET", "/healthz", anybody, nil, s.healthz},
		{"GET", "/readyz", anybody, nil, s.readyz(false)},
	}
	return slices.Concat(routes, s.documentRoutes(), s.feedRoutes(), s.figureRoutes(), s.pageRoutes())
}

func (s *Server) adminRoutes() []*route {
	return []*route{
		{"GET", "/healthz", access{}, nil, s.healthz},
		{"GET", "/readyz", access{}, nil, s.readyz(true)},
		{"GET", "/metrics", access{}, nil, s.scrape},
	}
}

// newRouter returns the handler of a route table. People who ask for what no route takes get a page.
func (s *Server) newRouter(routes []*route, people bool) http.Handler {
	missing := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := reply.Refuse("not_found", "there is nothing at this address; "+s.BaseURL+"/openapi.json lists what "+
			"there is")
		x := &route{}
		if people {
			x.who.by = withBrowser
		}
		s.fail(&call{route: x, w: w, r: r, payer: &payer{}}, err)
	})
	router := httprouter.New()
	router.RedirectTrailingSlash, router.RedirectFixedPath, router.HandleOPTIONS = false, false, false
	for _, x := range routes {
		router.Handle(x.method, x.path, s.handler(x))
		if x.method == http.MethodGet {
			router.Handle(http.MethodHead, x.path, s.handler(x))
		}
	}
	router.NotFound = missing
	router.MethodNotAllowed = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Del("Allow") // the router adds OPTIONS, which only some routes take
		for _, x := range routes {
			if x.takes(r.URL.Path) {
				w.(*reply.Writer).Route = x.name()
				allow := methodsOf(x.path, routes)
				w.Header().Set("Allow", allow)
				s.fail(&call{route: &route{}, w: w, r: r, payer: &payer{}},
					reply.Refuse("method_not_allowed", "this address takes "+allow+"; the method sent is another"))
				return
			}
		}
		missing(w, r) // "OPTIONS *"
	})
	return s.outermost(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The router reads an escaped slash as a slash. No address has one.
		if strings.Contains(strings.ToLower(r.URL.RawPath), "%2f") {
			missing(w, r)
			return
		}
		path, moved := s.routed(router, r.URL.Path)
		if moved {
			s.setPageHeaders(w.Header())
			to := url.URL{Path: path, RawQuery: r.URL.RawQuery}
			http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
		} else if path == r.URL.Path {
			router.ServeHTTP(w, r)
		} else if handle, params, _ := router.Lookup(r.Method, path); handle != nil {
			handle(w, r, params)
		} else {
			missing(w, r)
		}
	}))
}

// routed returns the path in the router of an address; "" if it has none. Routes of pages have the addresses of a
// publication that is in English first. One that is in French first has moved its French pages: to a path without
// a prefix.
func (s *Server) routed(router *httprouter.Router, address string) (path string, moved bool) {
	languages := words.Of(s.Snapshots.Current().About())
	if languages[0].Code == words.All[0].Code {
		return address, false
	}
	l, path := words.Locate(address, languages...)
	_, other := words.Locate(address)
	if page, _, _ := router.Lookup(http.MethodGet, words.French.At(path)); page != nil {
		return l.Of(&panel.About{}).At(path), false
	} else if l != languages[0] {
		return "", false
	} else if other == address {
		return address, false
	}
	if page, _, _ := router.Lookup(http.MethodGet, address); page != nil {
		return other, true
	}
	return "", false
}

func (s *Server) handler(x *route) httprouter.Handle {
	return func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		w.(*reply.Writer).Route = x.name()
		c := &call{route: x, w: w, r: r, now: s.Now(), payer: &payer{}}
		if err := x.handle(c); err != nil {
			s.fail(c, err)
		}
	}
}
