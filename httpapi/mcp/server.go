// Package mcp offers the shopper comparison to agents, as tools of the Model
// Context Protocol (https://modelcontextprotocol.io). The tools only read:
//
//	find_items  what a shopper's words mean
//	catalog     the cities, items, quantities and chains that a request may name
//	compare     the cost of a list at the chains of one city, as of now
//
// compare takes the body of POST /api/shopper/compare, as strictly: unknown members,
// duplicate keys and null are refused. Its structured result has another form than the
// response there, since a model reads it: each item and each chain is in it once.
//
// A refusal is a tool error rather than an error of the protocol, so that the model
// sees it. It has a code, the place, the change to make and an example. Programs
// find the code and the place in the result's _meta too, under ErrorKey.
//
// RunStdio serves the tools on a pair of streams. The Server itself serves them
// over HTTP, without sessions. No list is kept or logged.
package mcp

import (
	"context"
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

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/find"
	"github.com/larder-index/larder/httpapi/internal/panics"
)

// Config configures a server. Now, Projection, Finder, About and Log are required.
type Config struct {
	Now func() time.Time // the only clock
	// Projection returns the projection to compare, nil without a verified
	// snapshot. Every call asks once, and uses the result to its end.
	Projection func() *compare.Projection
	// Finder returns what looks up the words of shoppers, nil without a verified
	// snapshot.
	Finder func() *find.Finder
	// BaseURL is the origin of the service, such as "https://prices.example.org".
	// Links in results start with it. Without it, results have no links. Over HTTP,
	// browsers may come from pages of that origin only.
	BaseURL string
	// About returns what the instructions and the tools say of the snapshot that is
	// served: a notice, which comes first, and the source, which comes last. Both may
	// be empty.
	About func() (notice, source string)
	Log   *slog.Logger

	// Admit reports whether one more call of compare is allowed; nil allows every
	// call. Over HTTP the context has the values of the request's context. The
	// agent sees a *Refusal; any other error is logged and answered as internal.
	Admit func(context.Context) error
	// Comparing holds one element for each running comparison, and its capacity
	// bounds them; nil: no bound.
	Comparing chan struct{}
	// Panicked is called after every panic of a call; nil: not called.
	Panicked func()
}

// Server serves the tools. It is safe for concurrent use.
type Server struct {
	Config
	worded atomic.Pointer[worded] // for the snapshot last asked for
	stream http.Handler
}

// version is the version of the program, as clients show it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

const instructions = `Compares the price of a grocery list at the chains of one Canadian city.
Call find_items with the shopper's words, then compare. The tool catalog lists cities, items and chains.
City and list come from the shopper: never substitute another city, item or list.
Name a cheapest chain only when recommendation.status is "lowest", and cite evaluatedOn.`

// worded is the server of the SDK in the words of one snapshot.
type worded struct {
	notice, source string
	*sdk.Server
}

// server returns the server of the SDK in the words of the snapshot that is served.
func (s *Server) server() *sdk.Server {
	notice, source := s.About()
	if w := s.worded.Load(); w != nil && w.notice == notice && w.source == source {
		return w.Server
	}
	w := &worded{notice, source, sdk.NewServer(
		&sdk.Implementation{Name: "larder", Title: "Larder grocery comparison", Version: version(), WebsiteURL: s.BaseURL},
		&sdk.ServerOptions{
			Instructions: lines(notice, instructions, source),
			// The tools never change, and clients get no logs.
			Capabilities:      &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{}, Completions: &sdk.CompletionCapabilities{}},
			CompletionHandler: s.complete,
			// No Logger: the SDK's logs can contain parts of messages.
		})}
	s.addTools(w.Server, notice)
	s.addResources(w.Server)
	s.worded.Store(w)
	return w.Server
}

// lines joins texts, a line each. It leaves out empty ones.
func lines(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
}

// New returns a server. The error says what its configuration lacks.
func New(c Config) (*Server, error) {
	if c.Now == nil || c.Projection == nil || c.Finder == nil || c.About == nil || c.Log == nil {
		return nil, errors.New("mcp: Config needs Now, Projection, Finder, About and Log")
	}
	s := &Server{Config: c}
	s.stream = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.server() }, &sdk.StreamableHTTPOptions{
		Stateless:                    true,
		JSONResponse:                 true,
		PropagateRequestCancellation: true,
		// Behind a proxy on the same machine, Host rightly differs from localhost.
		// checkOrigin protects instead.
		DisableLocalhostProtection: true,
	})
	return s, nil
}

// guard makes the handler of a tool. A refusal becomes a tool error. A failure of
// the server becomes one without details. A panic is logged by its type and place
// only, since its value may contain the list. A cancelled call is not answered.
func (s *Server) guard(tool string, do work) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (res *sdk.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				if s.Panicked != nil {
					s.Panicked()
				}
				s.Log.LogAttrs(ctx, slog.LevelError, "panic", append(panics.Attrs(p), slog.String("tool", tool))...)
				res, err = refused(errInternal), nil
			}
		}()
		text, body, err := do(ctx, req.Params.Arguments)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: json.RawMessage(body)}, nil
		}
		refusal, ok := asRefusal(err)
		if !ok {
			s.Log.LogAttrs(ctx, slog.LevelError, "tool failed", slog.String("tool", tool), slog.String("error", err.Error()))
			refusal = errInternal
		}
		return refused(refusal), nil
	}
}
