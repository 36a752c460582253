// Package mcp offers the shopper comparison to agents, as tools of the Model
// Context Protocol (https://modelcontextprotocol.io). The tools only read:
//
//	catalog  the cities, items, quantities and chains that a request may name
//	compare  the cost of a list at the chains of one city, as of now
//
// compare takes the body of POST /api/shopper/compare, as strictly: unknown members,
// duplicate keys and null are refused. Its structured result has another form than the
// response there, since a model reads it: each item and each chain is in it once.
//
// A refusal is a tool error rather than an error of the protocol, so that the model
// sees it. It has a code, the place, the change to make and an example.
//
// No list is kept or logged.
package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/httpapi/internal/panics"
	"github.com/larder-index/larder/httpapi/prepared"
)

// Config configures a server. All but BaseURL and Comparing is required.
type Config struct {
	Snapshots *prepared.Snapshots // every call asks once what is served, and uses it to its end
	Now       func() time.Time    // the only clock
	// BaseURL is the origin of the service, such as "https://prices.example.org".
	// Links in results start with it. Without it, results have no links. Over HTTP,
	// browsers may come from pages of that origin only.
	BaseURL string
	Log     *slog.Logger

	// Admit reports whether one more call of compare is allowed. Over HTTP the context has
	// the values of the request's. The agent sees a *reply.Error; any other error is logged
	// and answered as internal.
	Admit func(context.Context) error
	// Lines reports, as Admit does, whether so many lines may be told. nil: any number may.
	Lines     func(ctx context.Context, n int) error
	Comparing chan struct{} // has an element for each running comparison; nil: they are not bounded
	Panicked  func()        // called after every panic of a call
}

// Server serves the tools. It is safe for concurrent use.
type Server struct {
	Config
	worded atomic.Pointer[worded] // for the snapshot last asked for
	stream http.Handler
}

// worded is the server of the SDK in the words of one snapshot.
type worded struct {
	instructions string
	*sdk.Server
}

// New returns a server.
func New(c Config) *Server {
	s := &Server{Config: c}
	s.stream = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.server() }, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxMessage,
		// Behind a proxy on the same machine, Host rightly differs from localhost. Respond looks at Origin instead.
		DisableLocalhostProtection: true,
	})
	return s
}

//go:embed offers.json
var offersText []byte

// offers has the texts that clients list, and the forms of arguments. The tools check
// arguments by themselves, so that a refusal is in words for an agent.
var offers = func() (o struct {
	Instructions string
	Tools        []struct {
		sdk.Tool
		InputSchema json.RawMessage `json:"inputSchema"`
	}
}) {
	if err := json.Unmarshal(offersText, &o); err != nil {
		panic("mcp: " + err.Error())
	}
	return o
}()

// server returns the server of the SDK in the words of the snapshot that is served.
func (s *Server) server() *sdk.Server {
	about := s.Snapshots.Current().About()
	instructions := lines(about.Notice(), offers.Instructions, about.Credit())
	if w := s.worded.Load(); w != nil && w.instructions == instructions {
		return w.Server
	}
	program := &sdk.Implementation{Name: "larder", Title: title, Version: version(), WebsiteURL: s.BaseURL}
	to := sdk.NewServer(program, &sdk.ServerOptions{ // without a Logger, whose lines can contain parts of messages
		Instructions: instructions,
		// The tools never change, and clients get no logs.
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	to.AddReceivingMiddleware(s.guard)
	for _, t := range offers.Tools {
		tool := t.Tool
		tool.Description = lines(about.Notice(), t.Description)
		tool.InputSchema, tool.OutputSchema = t.InputSchema, tools[t.Name].result
		tool.Annotations = &sdk.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(false), OpenWorldHint: new(false),
		}
		to.AddTool(&tool, s.handler(t.Name))
	}
	s.worded.Store(&worded{instructions, to})
	return to
}

const title = "Larder grocery comparison"

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// lines joins texts, a line each. It leaves out empty ones.
func lines(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
}

// guard answers a panic as a failure of the server. It logs its type and place only, since its
// value may contain the list.
func (s *Server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.Panicked()
				s.Log.LogAttrs(ctx, slog.LevelError, "panic", append(panics.Attrs(p), slog.String("method", method))...)
				if res, err = nil, errors.New(words(errInternal)); method == "tools/call" {
					res, err = refused(errInternal), nil
				}
			}
		}()
		return next(ctx, method, req)
	}
}
