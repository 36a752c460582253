package httpapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/mcp"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
)

// NewMCP returns the tools for programs that offer them without a server, those of the index too. A
// call compares the snapshot that is served at its moment. Without an address, results have no links.
// The error is ErrBaseURL if the address is no origin.
func NewMCP(snapshots *prepared.Snapshots, now func() time.Time, baseURL string, log *slog.Logger) (
	*mcp.Server, error,
) {
	if baseURL != "" {
		var err error
		if baseURL, err = originOf(baseURL); err != nil {
			return nil, err
		}
	}
	return mcp.New(mcp.Config{
		Snapshots: snapshots, Now: now, BaseURL: baseURL, Index: true, Log: log, Panicked: func() {},
	}), nil
}

// mcpUse notes what a call of compare took out of its client's minute. The call
// may still be under way when its request has ended.
type mcpUse struct {
	request *http.Request
	mu      sync.Mutex
	taken   *limit.Use
}

type mcpUseKey struct{}

func (s *Server) admitTool(ctx context.Context) error {
	use := ctx.Value(mcpUseKey{}).(*mcpUse)
	t := s.take(use.request, s.limits.comparisons, s.Now())
	use.mu.Lock()
	use.taken = &t
	use.mu.Unlock()
	if t.OK {
		return nil
	}
	return s.refusal(use.request, t.TooMany())
}

func (s *Server) admitLines(ctx context.Context, n int) error {
	r := ctx.Value(mcpUseKey{}).(*mcpUse).request
	if err := s.takeLines(r, n); err != nil {
		return s.refusal(r, err)
	}
	return nil
}

// tools returns the handler of /mcp, which answers one message. Calls of compare come out of the
// same minute as comparisons at the other addresses, and count among those that are made at
// once. Everything else is free, as the catalog is there.
func (s *Server) tools() func(*call) error {
	tools := mcp.New(mcp.Config{
		Snapshots: s.Snapshots, Now: s.Now, BaseURL: s.BaseURL, Log: s.Log,
		Admit: s.admitTool, Lines: s.admitLines, Comparing: s.comparing, Panicked: s.metrics.panics.Inc,
	})
	return func(c *call) error {
		use, served, answer := &mcpUse{request: c.r}, s.Snapshots.Current(), &held{ResponseWriter: c.w}
		tools.ServeHTTP(answer, c.r.WithContext(context.WithValue(c.r.Context(), mcpUseKey{}, use)))
		if answer.status == 0 {
			panic(http.ErrAbortHandler) // the client went away
		}
		use.mu.Lock()
		if use.taken != nil {
			use.taken.SetHeaders(c.w.Header(), s.Now())
		}
		use.mu.Unlock()
		if answer.status == http.StatusOK && served == s.Snapshots.Current() { // else it may have been either
			served.NameIn(c.w.Header())
		}
		if c.w.Header().Get("Content-Type") == "application/json" {
			c.w.Header().Set("Content-Type", "application/json; charset=utf-8")
		}
		c.w.Header().Set("Cache-Control", "no-store")
		c.w.Header().Set("Vary", "Accept-Encoding")
		reply.SendPacked(c.w, c.r, answer.status, answer.body)
		return nil
	}
}

// held holds an answer back until its headers are complete.
type held struct {
	http.ResponseWriter
	status int
	body   []byte
}

func (h *held) WriteHeader(status int) { h.status = cmp.Or(h.status, status) }

func (h *held) Write(p []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	h.body = append(h.body, p...)
	return len(p), nil
}
