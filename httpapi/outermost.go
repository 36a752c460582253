package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

type contextKey int

const requestIDKey contextKey = iota

// requestID returns the id that the response bears.
func requestID(r *http.Request) string {
	id, _ := r.Context().Value(requestIDKey).(string)
	return id
}

// outermost gives every request an id, counts and logs it, and turns a panic
// into a 500 without detail. What is logged is the method, the route and the
// outcome: never a query, a header or a body.
func (s *Server) outermost(next http.Handler, routes []*route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.Now()
		id := newRequestID()
		r = r.WithContext(context.WithValue(r.Context(), requestIDKey, id))
		seen := &seenWriter{ResponseWriter: w}
		seen.Header().Set("X-Request-Id", id)
		seen.Header().Set("X-Content-Type-Options", "nosniff")
		seen.Header().Set("Content-Security-Policy", dataPolicy)
		if r.ContentLength != 0 && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			// Nothing here reads the body of a GET. Without this the response
			// would wait until it is there, or the time for reading is over.
			seen.Header().Set("Connection", "close")
		}
		s.metrics.begin()
		defer func() {
			s.metrics.end()
			p := recover()
			if p != nil && p != http.ErrAbortHandler { //nolint:errorlint // it is the value itself
				s.metrics.panicked()
				s.Log.LogAttrs(r.Context(), slog.LevelError, "panic", append(requestAttrs(r, nil), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))...)
				if seen.status == 0 {
					s.fail(seen, r, errInternal)
					p = nil
				}
			}
			switch {
			case p != nil:
				seen.status = 0 // part of a response may be out: cut it off
			case seen.status == 0:
				seen.status = http.StatusOK // net/http says so for a handler that says nothing
			}
			took, name := s.since(start), routeName(r, routes)
			s.metrics.observe(name, seen.status, seen.bytes, took)
			s.Log.LogAttrs(r.Context(), requestLevel(name, seen.status), "request", append(requestAttrs(r, nil), slog.String("route", name),
				slog.Int("status", seen.status), slog.Int64("bytes", seen.bytes), slog.Float64("seconds", took.Seconds()))...)
			if p != nil {
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(seen, r)
	})
}

// routeName returns the route of a request, "other" if it has none: one of a
// fixed set, so that strangers can't make up series or log lines.
func routeName(r *http.Request, routes []*route) string {
	for _, x := range routes {
		if x.takes(r.URL.Path) {
			return x.path
		}
	}
	return "other"
}

// requestLevel is how loud a request is: what monitors ask every few seconds is
// only of interest when it fails.
func requestLevel(route string, status int) slog.Level {
	if (route == "/healthz" || route == "/readyz" || route == "/metrics") && status < http.StatusInternalServerError {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// requestAttrs are what every log line says of a request. The path is not among
// them: its route is logged, where it has one.
func requestAttrs(r *http.Request, err error) []slog.Attr {
	attrs := []slog.Attr{slog.String("id", requestID(r)), slog.String("method", logMethod(r.Method))}
	if err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	return attrs
}

// logMethod returns a method as it is logged: strangers can make up any.
func logMethod(method string) string {
	const longest = len(http.MethodOptions)
	if len(method) > longest {
		return "other"
	}
	return method
}

// levelOf is how loud an error is: a client that went away is none of ours.
func levelOf(err error) slog.Level {
	if errors.Is(err, context.Canceled) {
		return slog.LevelInfo
	}
	return slog.LevelError
}

// seenWriter notes what was answered.
type seenWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *seenWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *seenWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

func (w *seenWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// since is how long ago a request came in.
func (s *Server) since(start time.Time) time.Duration { return max(0, s.Now().Sub(start)) }
