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
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/site/pages"
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

	Public           figure.Public  // figures that need no key; default PublicInvented
	Trusted          []netip.Prefix // proxies whose X-Forwarded-For is believed
	PublicPerMinute  int            // requests of the public index by one client; default 60
	ShopperPerMinute int            // comparisons by one client; default 30
	LinesPerDay      int            // lines of comparisons that one client gets without a key; default 2,000
	ScanCap          int            // shrinkflation events in a range of dates that are looked at; default 100,000
	Publish          string         // the folder that releases are published into; empty: files of releases are not served
}

// Server answers requests. Make one with New.
type Server struct {
	Config
	routes []*route
	public http.Handler
	admin  http.Handler

	clients  *limit.Buckets[netip.Prefix] // of the public index, by client
	shoppers *limit.Buckets[netip.Prefix] // of comparisons, by client
	lined    *limit.Buckets[netip.Prefix] // of lines of comparisons, by client
	searches *limit.Buckets[netip.Prefix] // of searches, by client
	signIns  *limit.Buckets[netip.Prefix] // of sign-ins that failed, by client
	figures  *limit.Buckets[netip.Prefix] // of figures without a key, by client
	keys     *limit.Buckets[int64]        // by key

	cross     *http.CrossOriginProtection
	metrics   *metrics
	pages     *pages.Set
	responses *limit.Outgoing // licensed ones, on their way
	comparing chan struct{}   // one element for each comparison that is being made
	pinged    pinged          // the state, by /readyz
	noKeys    atomic.Bool     // the state had no key when it was last pinged
	lost      atomic.Value    // the line for the log when the state is back; empty while it is there
	stopping  atomic.Bool     // Serve has been told to end
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
	c.PublicPerMinute, c.ShopperPerMinute, c.ScanCap = cmp.Or(c.PublicPerMinute, 60), cmp.Or(c.ShopperPerMinute, 30), cmp.Or(c.ScanCap, 100_000)
	of := limit.New[netip.Prefix]
	s := &Server{
		Config: c, clients: of("address", limitClient), shoppers: of("minute", limitShopper), lined: limit.NewDaily[netip.Prefix]("lines", limitShopper), searches: of("minute", limitShopper), signIns: of("minute", ""),
		figures: of("address", limitClient), keys: limit.New[int64]("minute", limitKey), cross: http.NewCrossOriginProtection(), responses: limit.NewOutgoing(), comparing: make(chan struct{}, maxComparing),
	}
	if err := s.cross.AddTrustedOrigin(c.BaseURL); err != nil {
		return nil, fmt.Errorf("httpapi: BaseURL: %w", err)
	}
	s.metrics = newMetrics(s)
	if s.routes, err = s.publicRoutes(); err != nil {
		return nil, err
	}
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

func (s *Server) secure() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// Timeouts bound how long a client may take. A zero one is its default.
type Timeouts struct {
	Header time.Duration // to send the head of a request; default 5 s
	Read   time.Duration // to send all of a request; default 15 s
	Write  time.Duration // from then on, to receive the response; default 2 min. Files of releases have one second more for every 8,000 bytes
	Idle   time.Duration // between two requests on a connection; default 2 min
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
// by itself what it can't read as a request; that it does so in JSON is the listeners' work.
func (s *Server) Serve(ctx, atOnce context.Context, public, admin net.Listener, t Timeouts) error {
	server := s.newHTTPServer(s.Handler(), t)
	server.ConnState = newCrowd(descriptors()).note
	servers := []*http.Server{server}
	ended := make(chan error, 2)
	go func() { ended <- server.Serve(listener{public}) }()
	if admin != nil {
		server := s.newHTTPServer(s.AdminHandler(), t)
		servers = append(servers, server)
		go func() { ended <- server.Serve(listener{admin}) }()
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
	s.Log.LogAttrs(ctx, slog.LevelInfo, "stopping", slog.Duration("drain_delay", t.DrainDelay), slog.Duration("drain", drain))
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

// listener accepts connections that refuse in JSON what is no request.
type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		c = conn{tcp}
	}
	return c, err
}

type conn struct{ *net.TCPConn }

// Write implements net.Conn. It writes net/http's own refusals as JSON. No handler sees them, and each
// comes in one Write.
func (c conn) Write(b []byte) (int, error) {
	const plain = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	status, said, own := strings.Cut(string(b[:min(len(b), 300)]), plain) // a refusal is shorter than 300 bytes
	if !own || !strings.HasPrefix(status, "HTTP/1.1 ") || strings.Contains(status, "\r") {
		return c.TCPConn.Write(b)
	}
	refusal := reply.Refuse("bad_request", "what was sent is no HTTP/1.1 request that can be read ("+said+
		"); a request begins with a line such as GET /api/v1/index HTTP/1.1").Refusal
	refusal.RequestID = newRequestID()
	body, _ := reply.AppendJSON(nil, refusal) // texts have a JSON form
	_, err := fmt.Fprintf(c.TCPConn, "%s\r\nContent-Type: %s\r\nContent-Length: %d\r\nCache-Control: no-store\r\n"+
		"X-Request-Id: %s\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: %s\r\nConnection: close\r\n\r\n%s",
		status, reply.JSONType, len(body), refusal.RequestID, dataPolicy, body)
	return len(b), err
}
