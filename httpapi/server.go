package httpapi

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"github.com/julienschmidt/httprouter"

	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/state"
)

// Config is what a server is made from.
type Config struct {
	Now       func() time.Time // the clock; nothing here reads another
	Snapshots *Snapshots       // what is served
	State     *state.DB        // opened with Options.Serve
	Log       *slog.Logger

	// BaseURL is the address that readers know the service by, such as
	// "https://prices.example.org": links in responses start with it, and with
	// https cookies are for https only.
	BaseURL string
	// Trusted are the proxies whose X-Forwarded-For is believed.
	Trusted []netip.Prefix
	// PublicPerMinute is how many requests a minute one client may make of the
	// public index. The default is 60.
	PublicPerMinute int
	// ShopperPerMinute is how many comparisons of shopping lists one client may
	// ask for in a minute. The default is 30.
	ShopperPerMinute int
	// ScanCap is how many shrinkflation events in the range of dates are looked
	// at. The default is 100,000.
	ScanCap int
}

const (
	defaultPublicPerMinute = 60
	defaultScanCap         = 100_000
)

// Server answers requests. Make one with New.
type Server struct {
	Config
	router   *httprouter.Router
	routes   []*route
	clients  *buckets[netip.Prefix] // of the public index, by client
	shoppers *buckets[netip.Prefix] // of comparisons, by client
	keys     *buckets[int64]        // by key
	cross    *http.CrossOriginProtection
	metrics  *metrics
	pages    *pages.Set

	responses *outgoing     // of the data, on their way
	comparing chan struct{} // holds one for each comparison that is being made

	pinged   pinged      // the state, by /readyz
	stopping atomic.Bool // Serve has been told to end
}

// New returns a server, or what is wrong with its configuration.
func New(c Config) (*Server, error) {
	if c.Now == nil || c.Snapshots == nil || c.State == nil || c.Log == nil {
		return nil, errors.New("httpapi: Config needs Now, Snapshots, State and Log")
	}
	var err error
	if c.BaseURL, err = originOf(c.BaseURL); err != nil {
		return nil, err
	}
	if c.PublicPerMinute == 0 {
		c.PublicPerMinute = defaultPublicPerMinute
	}
	if c.ShopperPerMinute == 0 {
		c.ShopperPerMinute = defaultShopperPerMinute
	}
	if c.ScanCap == 0 {
		c.ScanCap = defaultScanCap
	}
	s := &Server{
		Config: c, clients: newBuckets[netip.Prefix](), shoppers: newBuckets[netip.Prefix](), keys: newBuckets[int64](),
		cross: http.NewCrossOriginProtection(), metrics: newMetrics(), responses: newOutgoing(), comparing: make(chan struct{}, maxComparing),
	}
	if err := s.cross.AddTrustedOrigin(c.BaseURL); err != nil {
		return nil, fmt.Errorf("httpapi: BaseURL: %w", err)
	}
	s.metrics.register(s)
	buildVersion()
	if s.router, err = s.newRouter(); err != nil {
		return nil, err
	}
	return s, nil
}

// newRouter registers every route. Whatever the router answers by itself would
// be text, so it answers nothing by itself.
func (s *Server) newRouter() (*httprouter.Router, error) {
	r := httprouter.New()
	r.RedirectTrailingSlash, r.RedirectFixedPath, r.HandleOPTIONS = false, false, false
	r.HandleMethodNotAllowed = false // see notFound
	r.NotFound = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !s.missingPage(w, req) {
			s.notFound(w, req, s.routes)
		}
	})
	s.addLicensed()
	s.addShopper()
	s.addMCP()
	s.addAccount()
	s.addOpen()
	if err := s.addPages(); err != nil {
		return nil, err
	}
	for _, x := range s.routes {
		path := x.path
		if x.under {
			path += "*rest"
		}
		for _, method := range x.methods {
			r.Handle(method, path, func(w http.ResponseWriter, req *http.Request, _ httprouter.Params) { s.serve(w, req, x) })
		}
	}
	return r, nil
}

// Handler answers requests of readers.
func (s *Server) Handler() http.Handler { return s.outermost(openToSites(s.router), s.routes) }

// notFound answers what no route takes: 405 where another method would do.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request, routes []*route) {
	for _, x := range routes {
		if x.takes(r.URL.Path) {
			w.Header().Set("Allow", strings.Join(x.methods, ", "))
			s.fail(w, r, &apiError{
				Status: http.StatusMethodNotAllowed, Code: "method_not_allowed",
				Message: "this address takes " + strings.Join(x.methods, ", ") + "; the method sent is another",
			})
			return
		}
	}
	s.fail(w, r, &apiError{
		Status: http.StatusNotFound, Code: "not_found",
		Message: "there is nothing at this address; " + s.BaseURL + "/openapi.json lists what there is",
	})
}
