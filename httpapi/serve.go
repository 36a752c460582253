package httpapi

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
)

// Timeouts bound how long a client may take. A zero one is its default.
type Timeouts struct {
	Header time.Duration // to send the head of a request; default 5 s
	Read   time.Duration // to send all of a request; default 15 s
	Write  time.Duration // from then on, to receive the response; default 2 min. A client that takes less than 8 kB/s is dropped after 15 s
	Idle   time.Duration // between two requests on a connection; default 2 min
	// DrainDelay is how long the server goes on to accept requests when it is to end,
	// and says on /readyz that it will. Proxies stop sending meanwhile. Default 0.
	DrainDelay time.Duration
	Drain      time.Duration // for what is under way when the server is to end; default 20 s
}

func (t Timeouts) orDefault() Timeouts {
	return Timeouts{
		Header: cmp.Or(t.Header, 5*time.Second), Read: cmp.Or(t.Read, 15*time.Second), Write: cmp.Or(t.Write, 2*time.Minute),
		Idle: cmp.Or(t.Idle, 2*time.Minute), DrainDelay: t.DrainDelay, Drain: cmp.Or(t.Drain, 20*time.Second),
	}
}

// maxHeaderBytes bounds the head of a request, to which net/http adds 4,096 bytes.
const maxHeaderBytes = 16 << 10

// Serve answers readers on one listener and operators on the other until ctx is
// done. Then it is not ready, accepts for Timeouts.DrainDelay, and waits for requests
// under way until Timeouts.Drain has passed or atOnce is done. The error says why
// Serve ended early, or that it cut requests off. admin may be nil.
//
// The timeouts are for the network and run by the machine's clock. net/http answers
// by itself what it can't read as a request.
func (s *Server) Serve(ctx, atOnce context.Context, public, admin net.Listener, t Timeouts) error {
	t = t.orDefault()
	var servers []*http.Server
	ended := make(chan error, 2)
	start := func(h http.Handler, l net.Listener) {
		server := s.newHTTPServer(h, t)
		servers = append(servers, server)
		go func() { ended <- server.Serve(l) }()
	}
	start(s.Handler(), public)
	if admin != nil {
		start(s.AdminHandler(), admin)
	}
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	ticker := time.NewTicker(prepared.WatchEvery)
	defer ticker.Stop()
	go s.watchState(watching, ticker.C)
	var failed error
	running := len(servers)
	select {
	case <-ctx.Done():
	case failed = <-ended: // such as a listener that was closed
		running--
	}
	s.stopping.Store(true)
	s.Log.LogAttrs(ctx, slog.LevelInfo, "stopping", slog.Duration("drain_delay", t.DrainDelay), slog.Duration("drain", t.Drain))
	if failed == nil && t.DrainDelay > 0 {
		delay := time.NewTimer(t.DrainDelay)
		defer delay.Stop()
		select {
		case <-delay.C:
		case <-atOnce.Done():
		case failed = <-ended:
			running--
		}
	}
	drain, cancel := context.WithTimeout(atOnce, t.Drain)
	defer cancel()
	for i, server := range servers {
		// The admin one is last: /readyz and /metrics answer while requests drain.
		if err := server.Shutdown(drain); err != nil {
			server.Close() //nolint:errcheck // its listener is closed already
			if i == 0 {
				failed = errors.Join(failed, errors.New("httpapi: requests under way were cut off: "+context.Cause(drain).Error()))
			}
		}
	}
	for ; running > 0; running-- {
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

func (s *Server) newHTTPServer(h http.Handler, t Timeouts) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: t.Header, ReadTimeout: t.Read, WriteTimeout: t.Write, IdleTimeout: t.Idle,
		MaxHeaderBytes:               maxHeaderBytes,
		DisableGeneralOptionsHandler: true, // its answer would not be ours
		ConnContext:                  func(ctx context.Context, c net.Conn) context.Context { reply.LimitUnsent(c); return ctx },
		ErrorLog:                     slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
}
