// Package mcp offers what a snapshot has to agents, as tools of the Model Context Protocol
// (https://modelcontextprotocol.io). The tools only read:
//
//	catalog        the cities, items, quantities and chains that a request may name
//	compare        the cost of a list at the chains of one city, as of now
//	index          published rows of the index with their intervals
//	explain        one row with the products behind it
//	shrinkflation  packs that got smaller
//
// The last three are offered to who has the snapshot, not over HTTP, where they need a key.
//
// compare takes the body of POST /api/shopper/compare, as strictly: unknown members, duplicate keys and null are
// refused. Its structured result has another form than the response there, since a model reads it: each item and each
// chain is in it once.
//
// A refusal is a tool error rather than an error of the protocol, so that the model sees it. It has a code, the place,
// the change to make and an example.
//
// No list is kept or logged.
package mcp

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
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

// Config configures a server. All but BaseURL, Index, Admit, Lines and Comparing is required.
type Config struct {
	Snapshots *prepared.Snapshots // every call asks once what is served, and uses it to its end
	Now       func() time.Time    // the only clock
	// BaseURL is the origin of the service, such as "https://prices.example.org".
	// Links in results start with it. Without it, results have no links. Over HTTP,
	// browsers may come from pages of that origin only.
	BaseURL string
	Index   bool // offers the tools of the index too
	Log     *slog.Logger

	// Admit reports whether one more call of compare is allowed. Over HTTP the context has
	// the values of the request's. The agent sees a *reply.Error; any other error is logged
	// and answered as internal. nil: all calls are allowed.
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
	served *prepared.Snapshot
	*sdk.Server
}

// maxMessage bounds a message, in bytes. It far exceeds the bound of a list, so
// that the tool refuses a long list, in words for an agent.
const maxMessage = 64 << 10

// New returns a server.
func New(c Config) *Server {
	s := &Server{Config: c}
	s.stream = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.server() },
		&sdk.StreamableHTTPOptions{
			Stateless: true, JSONResponse: true, PropagateRequestCancellation: true, MaxRequestBodyBytes: maxMessage,
			// Behind a proxy on the same machine, Host rightly differs from localhost. ServeHTTP looks at Origin.
			DisableLocalhostProtection: true,
		})
	return s
}

// ServeHTTP answers one message of the streamable HTTP transport with JSON. There are no sessions, so GET and DELETE
// are 405. Browsers send the page's origin with every POST, and other programs send none. So pages of other sites are
// refused, even of those whose name resolves to this address.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if slices.ContainsFunc(r.Header.Values("Origin"), func(origin string) bool { return origin != s.BaseURL }) {
		http.Error(w, "pages of other sites may not ask here: send no Origin, or "+s.BaseURL, http.StatusForbidden)
		return
	}
	// The protocol wants clients to accept event streams too, which are never sent here.
	r.Header.Set("Accept", "application/json, text/event-stream")
	s.stream.ServeHTTP(w, r)
}

// RunStdio serves one client on a pair of streams, one JSON-RPC message a line,
// until the input ends or the context is done; neither is an error.
func (s *Server) RunStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := s.server().Run(ctx, &sdk.IOTransport{Reader: in, Writer: out})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

//go:embed offers.json
var offersText string

// texts has the descriptions that clients list, and the schema of compare's arguments.
type texts struct {
	Instructions string
	Tools        map[string]struct{ Title, Description string }
	Compare      json.RawMessage

	own func(text string) string // puts a snapshot's own names into a text
}

// textsOf returns the texts in the words of a snapshot, which may be nil. Ids have a bound in the default one alone.
func textsOf(served *prepared.Snapshot) (o texts) {
	about, city, text := served.About(), "", offersText
	if served != nil {
		city = served.Example().City
	}
	o.own = func(text string) string { return prepared.Own(about, city, text) }
	if about.Elsewhere() || served != nil && served.Wide() {
		text = strings.Replace(o.own(text), ",\n              \"maximum\": 50", "", 1)
	}
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		panic("mcp: " + err.Error())
	}
	return o
}

// server returns the server of the SDK in the words of the snapshot that is served.
func (s *Server) server() *sdk.Server {
	served := s.Snapshots.Current()
	if w := s.worded.Load(); w != nil && w.served == served {
		return w.Server
	}
	about, offers := served.About(), textsOf(served)
	program := &sdk.Implementation{Name: "larder", Title: "Larder grocery comparison", Version: version(),
		WebsiteURL: s.BaseURL}
	to := sdk.NewServer(program, &sdk.ServerOptions{ // without a Logger, whose lines can contain parts of messages
		Instructions: lines(about.Notice(), offers.Instructions, about.Credit()),
		// The tools never change, and clients get no logs.
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	to.AddReceivingMiddleware(s.guard)
	s.addTools(to, &offers, about.Notice())
	s.worded.Store(&worded{served, to})
	return to
}

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
				res, err = nil, errors.New(words(errInternal))
				if method == "tools/call" {
					res, err = refused(errInternal), nil
				}
			}
		}()
		return next(ctx, method, req)
	}
}
