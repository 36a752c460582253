package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/julienschmidt/httprouter"
	"golang.org/x/sync/singleflight"

	"github.com/larder-index/larder/httpapi/bulk"
	"github.com/larder-index/larder/httpapi/figure"
	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
)

// Config configures a server. The first four members are required.
type Config struct {
	Now       func() time.Time    // the clock; nothing here reads another
	Snapshots *prepared.Snapshots // what is served
	State     *state.DB           // opened with Options.Serve
	Log       *slog.Logger

	// BaseURL is the address that readers know the service by, such as
	// "https://prices.example.org". Links in responses start with it. With https,
	// cookies are for https only.
	BaseURL string

	Public           figure.Public  // figures that need no key; default PublicNational
	Trusted          []netip.Prefix // proxies whose X-Forwarded-For is believed
	PublicPerMinute  int            // requests of the public index by one client; default 60
	ShopperPerMinute int            // comparisons by one client; default 30
	ScanCap          int            // shrinkflation events in a range of dates that are looked at; default 100,000
	BulkDir          string         // the folder of the files of releases, made when the first file is; default larder-bulk beside the snapshot
}

// Server answers requests. Make one with New.
type Server struct {
	Config
	routes []*route
	public http.Handler
	admin  http.Handler

	clients  *limit.Buckets[netip.Prefix] // of the public index, by client
	shoppers *limit.Buckets[netip.Prefix] // of comparisons, by client
	searches *limit.Buckets[netip.Prefix] // of searches, by client
	signIns  *limit.Buckets[netip.Prefix] // of sign-ins that failed, by client
	figures  *limit.Buckets[netip.Prefix] // of figures without a key, by client
	keys     *limit.Buckets[int64]        // by key

	cross     *http.CrossOriginProtection
	metrics   *metrics
	pages     *pages.Set
	responses *limit.Outgoing // licensed ones, on their way
	files     *bulk.Folder    // of releases
	once      [64]sync.Mutex  // by key, for calls that count once a day
	drawing   singleflight.Group
	comparing chan struct{} // one element for each comparison that is being made
	pinged    pinged        // the state, by /readyz
	noKeys    atomic.Bool   // the state had no key when it was last pinged
	replaced  atomic.Bool   // the state file was replaced or deleted, and the log says so
	noticed   sync.Map      // of notice: the ends of keys that the log has
	unreached atomic.Bool   // the state's database can't be reached, and the log says so
	stopping  atomic.Bool   // Serve has been told to end
}

// ErrBaseURL is returned by New for a BaseURL that is no origin.
var ErrBaseURL = errors.New("httpapi: BaseURL is not an address such as https://prices.example.org")

// New returns a server. The error names the fault of the configuration.
func New(c Config) (*Server, error) {
	if c.Now == nil || c.Snapshots == nil || c.State == nil || c.Log == nil {
		return nil, errors.New("httpapi: Config needs Now, Snapshots, State and Log")
	}
	var err error
	if c.BaseURL, err = originOf(c.BaseURL); err != nil {
		return nil, err
	}
	c.PublicPerMinute, c.ShopperPerMinute, c.ScanCap = cmp.Or(c.PublicPerMinute, 60), cmp.Or(c.ShopperPerMinute, 30), cmp.Or(c.ScanCap, 100_000)
	s := &Server{
		Config: c, clients: limit.New[netip.Prefix]("address"), shoppers: limit.New[netip.Prefix]("minute"), searches: limit.New[netip.Prefix]("minute"), signIns: limit.New[netip.Prefix]("minute"), figures: limit.New[netip.Prefix]("address"),
		keys: limit.New[int64]("minute"), cross: http.NewCrossOriginProtection(), responses: limit.NewOutgoing(), comparing: make(chan struct{}, maxComparing),
	}
	if err := s.cross.AddTrustedOrigin(c.BaseURL); err != nil {
		return nil, fmt.Errorf("httpapi: BaseURL: %w", err)
	}
	s.files = &bulk.Folder{Dir: cmp.Or(c.BulkDir, filepath.Join(filepath.Dir(c.Snapshots.Status().Path), "larder-bulk"))}
	s.metrics = newMetrics(s)
	reply.ProgramID()
	if s.routes, err = s.publicRoutes(); err != nil {
		return nil, err
	}
	s.public = s.newRouter(s.routes, s.missing)
	s.admin = s.newRouter(s.adminRoutes(), s.notFound)
	return s, nil
}

// Handler answers requests of readers.
func (s *Server) Handler() http.Handler { return s.public }

// AdminHandler answers requests of operators and of their monitors. It asks for
// no key: strangers must not reach its address.
func (s *Server) AdminHandler() http.Handler { return s.admin }

// originOf returns the origin of an address in the form in which browsers send
// it: in small letters, and without the port that the scheme has anyway.
func originOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", ErrBaseURL
	}
	standard := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	if standard == "" {
		return "", ErrBaseURL
	}
	host := strings.ToLower(u.Host)
	if u.Port() == standard {
		host = strings.TrimSuffix(host, ":"+standard)
	}
	return u.Scheme + "://" + strings.TrimSuffix(host, ":"), nil
}

// foreign reports whether a request that could change something comes from a page of
// another site. Under https a page of plain http is another site, even at our own
// name: anybody on the way can write it.
func (s *Server) foreign(r *http.Request) bool {
	return s.cross.Check(r) != nil || s.secure() && strings.HasPrefix(strings.ToLower(r.Header.Get("Origin")), "http:")
}

// secure reports whether the service is reached by https.
func (s *Server) secure() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// newRouter returns the handler of a route table. missing answers what no route
// takes.
func (s *Server) newRouter(routes []*route, missing http.HandlerFunc) http.Handler {
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
				s.fail(w, r, reply.Refuse("method_not_allowed", "this address takes "+allow+"; the method sent is another"))
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
		router.ServeHTTP(w, r)
	}))
}

// handler returns what the router calls for a route.
func (s *Server) handler(x *route) httprouter.Handle {
	return func(w http.ResponseWriter, r *http.Request, _ httprouter.Params) {
		w.(*reply.Writer).Route = x.name()
		if err := x.handle(&call{route: x, w: w, r: r, now: s.Now()}); err != nil {
			s.fail(w, r, err)
		}
	}
}

// notFound answers a program that asks for what is not there.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, reply.Refuse("not_found", "there is nothing at this address; "+s.BaseURL+"/openapi.json lists what there is"))
}

// missing is notFound on the public address, where a person's browser gets a page.
func (s *Server) missing(w http.ResponseWriter, r *http.Request) {
	if !wantsPage(r) || s.troublePage(w, r, http.StatusNotFound, notThere) != nil {
		s.notFound(w, r)
	}
}
