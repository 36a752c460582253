package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/pages"
	"github.com/larder-index/larder/httpapi/state"
	"golang.org/x/sync/semaphore"
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

	Public           figure.Public  // figures that need no key; default PublicInvented
	Trusted          []netip.Prefix // proxies whose X-Forwarded-For is believed
	PublicPerMinute  int            // requests of the public index by one client; default 60
	ShopperPerMinute int            // comparisons by one client; default 30
	LinesPerDay      int            // lines of comparisons that one client gets without a key; default 2,000
	ScanCap          int            // shrinkflation events in a range of dates that are looked at; default 100,000
	// the folder that releases are published into; empty: files of releases are not served
	Publish string
}

// Server answers requests. Make one with New.
type Server struct {
	Config
	routes []*route
	public http.Handler
	admin  http.Handler

	cross     *http.CrossOriginProtection
	metrics   *metrics
	pages     *pages.Set
	limits    limits
	making    *semaphore.Weighted // of answers that are logged
	room      limit.Room          // of those on their way
	comparing chan struct{}       // one element for each comparison that is being made
	pinged    pinged              // the state, by /readyz
	noKeys    atomic.Bool         // the state had no key when it was last pinged
	lost      atomic.Value        // the line for the log when the state is back; empty while it is there
	stopping  atomic.Bool         // Serve has been told to end
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
	c.LinesPerDay = cmp.Or(c.LinesPerDay, 2000)
	c.PublicPerMinute, c.ShopperPerMinute = cmp.Or(c.PublicPerMinute, 60), cmp.Or(c.ShopperPerMinute, 30)
	c.ScanCap = cmp.Or(c.ScanCap, 100_000)
	s := &Server{
		Config: c, limits: newLimits(&c), making: semaphore.NewWeighted(limit.MaxMaking),
		cross: http.NewCrossOriginProtection(), comparing: make(chan struct{}, maxComparing),
	}
	if err := s.cross.AddTrustedOrigin(c.BaseURL); err != nil {
		return nil, fmt.Errorf("httpapi: BaseURL: %w", err)
	}
	s.metrics = newMetrics(s)
	s.routes = s.publicRoutes()
	s.public = s.newRouter(s.routes, true)
	s.admin = s.newRouter(s.adminRoutes(), false)
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
	if err != nil || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" ||
		u.Fragment != "" {
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

func (s *Server) secure() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// Timeouts bound how long a client may take. A zero one is its default.
type Timeouts struct {
	Header time.Duration // to send the head of a request; default 5 s
	Read   time.Duration // to send all of a request; default 15 s
	// from then on, to receive the response; default 2 min. Files of releases have one second more for every 8,000
	// bytes
	Write time.Duration
	Idle  time.Duration // between two requests on a connection; default 2 min
	// DrainDelay is how long the server goes on to accept requests when it is to end,
	// and says on /readyz that it will. Proxies stop sending meanwhile. Default 0.
	DrainDelay time.Duration
	Drain      time.Duration // for what is under way when the server is to end; default 20 s
}

// maxHeaderBytes bounds the head of a request, to which net/http adds 4,096 bytes.
const maxHeaderBytes = 16 << 10

// Serve answers readers on one listener and operators on the other until ctx is
// done. Then it is not ready, accepts for Timeouts.DrainDelay, and waits for requests
// under way until Timeouts.Drain has passed or atOnce is done. The error says why
// Serve ended early, or that it cut requests off. admin may be nil.
//
// The timeouts are for the network and run by the machine's clock. net/http refuses
// by itself what it can't read as a request.
func (s *Server) Serve(ctx, atOnce context.Context, public, admin net.Listener, t Timeouts) error {
	server := s.newHTTPServer(s.Handler(), t)
	server.ConnState = newCrowd(descriptors()).note
	servers := []*http.Server{server}
	ended := make(chan error, 2)
	go func() { ended <- server.Serve(public) }()
	if admin != nil {
		server := s.newHTTPServer(s.AdminHandler(), t)
		servers = append(servers, server)
		go func() { ended <- server.Serve(admin) }()
	}
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	ticker := time.NewTicker(prepared.WatchEvery)
	defer ticker.Stop()
	go s.watchState(watching, ticker.C)
	delay := t.DrainDelay
	select {
	case <-ctx.Done():
	case err := <-ended: // such as a listener that was closed
		ended <- err
		delay = 0
	}
	s.stopping.Store(true)
	drain := cmp.Or(t.Drain, 20*time.Second)
	s.Log.LogAttrs(ctx, slog.LevelInfo, "stopping", slog.Duration("drain_delay", t.DrainDelay),
		slog.Duration("drain", drain))
	if delay > 0 {
		select {
		case <-atOnce.Done():
		case <-time.After(delay):
		case err := <-ended:
			ended <- err
		}
	}
	draining, cancel := context.WithTimeout(atOnce, drain)
	defer cancel()
	var failed error
	for i, server := range servers {
		// The admin one is last: /readyz and /metrics answer while requests drain.
		if err := server.Shutdown(draining); err != nil {
			server.Close() //nolint:errcheck // its listener is closed already
			if i == 0 {
				failed = errors.New("httpapi: requests under way were cut off: " + context.Cause(draining).Error())
			}
		}
	}
	for range servers {
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

func (s *Server) newHTTPServer(h http.Handler, t Timeouts) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: cmp.Or(t.Header, 5*time.Second), ReadTimeout: cmp.Or(t.Read, 15*time.Second),
		WriteTimeout: cmp.Or(t.Write, 2*time.Minute), IdleTimeout: cmp.Or(t.Idle, 2*time.Minute),
		MaxHeaderBytes:               maxHeaderBytes,
		DisableGeneralOptionsHandler: true, // its answer would not be ours
		ErrorLog:                     slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
}
