package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/mcp"
)

const pathMCP = "/mcp"

// NewMCP returns the tools of the shopper comparison, for programs that offer
// them without a server of their own. What is compared is the snapshot served at
// the moment of the call; the schemas of the tools are those of the OpenAPI
// document. An address that is no origin is the error.
func NewMCP(snapshots *Snapshots, now func() time.Time, baseURL string, log *slog.Logger) (*mcp.Server, error) {
	baseURL, err := originOf(baseURL)
	if err != nil {
		return nil, err
	}
	s := &Server{Config: Config{Snapshots: snapshots, Now: now, BaseURL: baseURL, Log: log}}
	return mcp.New(s.mcpConfig())
}

func (s *Server) mcpConfig() mcp.Config {
	return mcp.Config{
		Now: s.Now, BaseURL: s.BaseURL, OpenAPI: s.openAPI(), Log: s.Log,
		Projection: func() *compare.Projection {
			if served := s.Snapshots.Current(); served != nil {
				return served.shopper().Projection
			}
			return nil
		},
	}
}

// addMCP registers the address of the tools. Calls of compare come out of the
// same minute as comparisons at the other addresses, and count among those that
// are made at once; all else is free, as the catalog is there. It panics where
// the OpenAPI document lacks what the tools need, which tests would find.
func (s *Server) addMCP() {
	c := s.mcpConfig()
	c.Admit, c.Comparing, c.Panicked = s.admitTool, s.comparing, s.metrics.panicked
	server, err := mcp.New(c)
	mustOpenAPI(err)
	s.add(&route{path: pathMCP, methods: methodsPost, handle: func(w http.ResponseWriter, r *http.Request) error {
		return s.serveMCP(w, r, server)
	}})
}

// mcpUse is what a call of compare took out of its client's minute. The call may
// still be under way when its request has ended.
type mcpUse struct {
	client *http.Request
	mu     sync.Mutex
	taken  *taken
}

type mcpUseKey struct{}

// admitTool takes one comparison out of the minute of the request's client.
func (s *Server) admitTool(ctx context.Context) error {
	use := ctx.Value(mcpUseKey{}).(*mcpUse)
	t := s.shoppers.take(s.client(use.client), bucketLimit{perMinute: s.ShopperPerMinute}, s.Now())
	use.mu.Lock()
	use.taken = &t
	use.mu.Unlock()
	if t.ok {
		return nil
	}
	s.metrics.limited.WithLabelValues(limitShopper).Inc()
	return &mcp.Refusal{
		Code: "rate_limited", RetryAfter: t.retry,
		Message: "this client may make " + strconv.Itoa(s.ShopperPerMinute) + " comparisons a minute, over all addresses and tools",
	}
}

// serveMCP answers one message. Other than elsewhere under this server errors
// are those of JSON-RPC, since that is what the programs that ask here read.
func (s *Server) serveMCP(w http.ResponseWriter, r *http.Request, server *mcp.Server) error {
	use := &mcpUse{client: r}
	status, body := server.Respond(w, r.WithContext(context.WithValue(r.Context(), mcpUseKey{}, use)))
	if status == 0 {
		panic(http.ErrAbortHandler) // the client went away
	}
	use.mu.Lock()
	if use.taken != nil {
		use.taken.setHeaders(w.Header(), s.Now())
	}
	use.mu.Unlock()
	w.Header().Set("Vary", "Accept-Encoding")
	if packed, free := compress(w.Header(), r.Header, body); packed != nil {
		defer free()
		body = packed
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(status)
	w.Write(body) //nolint:errcheck // the client is gone then
	return nil
}
