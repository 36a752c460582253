package mcp

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
)

// Config is what a server is made from.
type Config struct {
	Now func() time.Time // the clock; nothing here reads another
	// Projection returns what is compared now; nil while there is no verified
	// snapshot. Every call asks anew, and keeps what it got to its end.
	Projection func() *compare.Projection
	// BaseURL is the origin of the service, such as "https://prices.example.org":
	// links in results start with it, and over HTTP browsers may come from
	// pages of that origin only.
	BaseURL string
	OpenAPI []byte // the document that has the schemas of both tools
	Log     *slog.Logger

	// Admit says whether one more call of compare may be made; nil: it may. Over
	// HTTP the context has the values of the request's. A *Refusal is shown to
	// the agent; any other error is logged, and a fault of this side.
	Admit func(context.Context) error
	// Comparing holds one for each comparison that is being made, here or
	// elsewhere, and has room for as many as may be at once; nil: any number.
	Comparing chan struct{}
	// Panicked is told of every panic that a call came to; nil: nobody is.
	Panicked func()
}

// Server has the two tools. It is safe for concurrent use.
type Server struct {
	Config
	mcp     *sdk.Server
	stream  http.Handler
	catalog atomic.Pointer[catalog] // of the last projection that was asked for
}

// version is that of the program, as clients show it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// Names of the tools.
const (
	toolCatalog = "catalog"
	toolCompare = "compare"
)

const instructions = `Compares the price of a grocery list at the chains of one Canadian city.
Call catalog for item ids, quantities, city slugs and chain keys, then compare.
City and list come from the shopper: never substitute another city, item or list.
Name a cheapest chain only when recommendation.status is "lowest", and cite evaluatedOn.`

// New returns a server, or what is wrong with its configuration.
func New(c Config) (*Server, error) {
	if c.Now == nil || c.Projection == nil || c.Log == nil {
		return nil, errors.New("mcp: Config needs Now, Projection and Log")
	}
	schemas, err := schemasOf(c.OpenAPI)
	if err != nil {
		return nil, err
	}
	s := &Server{Config: c}
	s.mcp = sdk.NewServer(
		&sdk.Implementation{Name: "larder", Title: "Larder grocery comparison", Version: version(), WebsiteURL: c.BaseURL},
		&sdk.ServerOptions{
			Instructions: instructions,
			// The tools never change while the server runs, and it sends no logs
			// to clients.
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
			// No Logger: what the SDK would log can have parts of messages in it.
		})
	s.mcp.AddTool(catalogTool(schemas), s.guard(toolCatalog, s.callCatalog))
	s.mcp.AddTool(compareTool(schemas), s.guard(toolCompare, s.callCompare))
	s.stream = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.mcp }, &sdk.StreamableHTTPOptions{
		Stateless:                    true,
		JSONResponse:                 true,
		PropagateRequestCancellation: true,
		// Behind a proxy on the same machine the name in Host is rightly another
		// one than localhost. See checkOrigin for what takes its place.
		DisableLocalhostProtection: true,
	})
	return s, nil
}
