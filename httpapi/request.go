package httpapi

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/internal/panics"
	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/reply"
)

// dataPolicy is the Content-Security-Policy of everything but pages: a browser
// that takes it for a page runs and loads nothing in it.
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

type requestIDKey struct{}

func requestID(r *http.Request) string {
	id, _ := r.Context().Value(requestIDKey{}).(string)
	return id
}

func newRequestID() string {
	raw := make([]byte, 12)
	rand.Read(raw) //nolint:errcheck // it never fails
	return hex.EncodeToString(raw)
}

// outermost gives every request an id, counts and logs it, and turns a panic
// into a 500 without detail. It logs the method, the route and the outcome, and
// never a query, a header or a body.
func (s *Server) outermost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.Now()
		id := newRequestID()
		r = r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id))
		seen := &reply.Writer{ResponseWriter: w, Route: "other"}
		h := seen.Header()
		h.Set("X-Request-Id", id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", dataPolicy)
		if s.secure() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if forAnySite(r) {
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Expose-Headers", corsExposedHeaders)
		}
		// Nobody reads the body of a GET: without this header the response would wait for it until
		// the time for reading is over. And a chunked request with a Content-Length too may mean
		// another body to the proxy before us; net/http takes that header away.
		if r.ContentLength != 0 && (r.Method == http.MethodGet || r.Method == http.MethodHead) ||
			len(r.TransferEncoding) > 0 {
			h.Set("Connection", "close")
		}
		s.metrics.inFlight.Inc()
		defer func() {
			s.metrics.inFlight.Dec()
			p := recover()
			if p != nil && p != http.ErrAbortHandler { //nolint:errorlint // net/http compares it like that
				if s.notePanic(r, p); seen.Status == 0 {
					s.fail(&call{route: &route{}, w: seen, r: r, payer: &payer{}}, errInternal)
					p = nil
				}
			}
			if p != nil {
				seen.Status = 0 // part of a response may be out: cut it off
			} else {
				seen.Status = cmp.Or(seen.Status, http.StatusOK) // net/http sends it for a handler that is silent
			}
			took := s.since(start)
			s.metrics.observe(seen, took)
			attrs := []slog.Attr{
				slog.String("route", seen.Route), slog.Int("status", seen.Status), slog.Int64("bytes", seen.Bytes),
				slog.Float64("seconds", took.Seconds()),
			}
			if snapshot := h.Get("X-Snapshot"); snapshot != "" {
				attrs = append(attrs, slog.String("snapshot", snapshot))
			}
			level := slog.LevelInfo
			if monitors := []string{"/healthz", "/readyz", "/metrics"}; slices.Contains(monitors, seen.Route) &&
				seen.Status < http.StatusInternalServerError {
				level = slog.LevelDebug // they ask every few seconds
			}
			s.note(r, level, "request", nil, attrs...)
			if p != nil {
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(seen, r)
	})
}

// notePanic counts and logs a panic in the function that recovered it. Its value may be made of a
// shopper's list and is not logged.
func (s *Server) notePanic(r *http.Request, p any) {
	s.metrics.panics.Inc()
	s.note(r, slog.LevelError, "panic", nil, panics.Attrs(p)...)
}

// note logs what came of a request. It leaves out the path, which a client can make up.
func (s *Server) note(r *http.Request, level slog.Level, what string, err error, more ...slog.Attr) {
	method := r.Method
	if len(method) > len(http.MethodOptions) {
		method = "other"
	}
	attrs := []slog.Attr{slog.String("id", requestID(r)), slog.String("method", method)}
	if err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	s.Log.LogAttrs(r.Context(), level, what, append(attrs, more...)...)
}

// levelOf is the level at which an error is logged: a client that went away is
// no fault of the server.
func levelOf(err error) slog.Level {
	if errors.Is(err, context.Canceled) {
		return slog.LevelInfo
	}
	return slog.LevelError
}

func (s *Server) since(start time.Time) time.Duration { return max(0, s.Now().Sub(start)) }

// client returns whom the requests of an address are counted for: an IPv4
// address, or the /64 of an IPv6 address, since a subscriber's line has a whole
// one.
func (s *Server) client(r *http.Request) limit.Reader {
	addr := s.address(r)
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	p, _ := addr.Prefix(bits)
	return limit.Reader{Client: p}
}

// address returns the address that a request comes from. X-Forwarded-For is believed
// as far as trusted proxies wrote it: from the right, up to the first address that is
// not one of theirs.
func (s *Server) address(r *http.Request) netip.Addr {
	addr, _ := parseHop(r.RemoteAddr)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(hops) {
		if !slices.ContainsFunc(s.Trusted, func(p netip.Prefix) bool { return p.Contains(addr) }) {
			break
		}
		hop, ok := parseHop(strings.TrimSpace(text))
		if !ok {
			break // nothing to its left can be believed
		}
		addr = hop
	}
	return addr
}

// parseHop reads an address as proxies write it, with a port or without.
func parseHop(s string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		var with netip.AddrPort
		with, err = netip.ParseAddrPort(s)
		a = with.Addr()
	}
	return a.Unmap().WithZone(""), err == nil
}
