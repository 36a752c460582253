package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest/testlog"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
	"github.com/larder-index/larder/shrink"
)

// testNow is a Friday noon in Toronto; the demo snapshot ends on that day.
var testNow = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

// snapshots serve a short demo snapshot, made once.
var snapshots = sync.OnceValue(func() *prepared.Snapshots {
	d, err := synth.Generate(synth.Config{Through: panel.Calendar{}.DateIn(testNow), Weeks: 3, Seed: 1})
	dir, err2 := os.MkdirTemp("", "larder-mcp-*")
	if err := errors.Join(err, err2); err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	db := filepath.Join(dir, "panel.db")
	err = d.WriteDir(filepath.Join(dir, "panel"))
	_, err2 = sqlite.Import(context.Background(), filepath.Join(dir, "panel"), db, sqlite.ImportOptions{Strict: true, Detect: shrink.Detect})
	list := prepared.NewSnapshots(db, now)
	if err := errors.Join(err, err2, list.Refresh(context.Background())); err != nil {
		panic(err)
	}
	return list
})

func now() time.Time { return testNow }

func demo() *compare.Projection { return snapshots().Current().Projection() }

// newServer makes a server on the demo, and returns what it logs.
func newServer(change ...func(*Config)) (*Server, *testlog.Log) {
	log := &testlog.Log{}
	c := Config{
		Snapshots: snapshots(), Now: now, BaseURL: "https://larder.example", Log: slog.New(slog.NewJSONHandler(log, nil)),
		Admit: func(context.Context) error { return nil }, Panicked: func() {},
	}
	for _, edit := range change {
		edit(&c)
	}
	return New(c), log
}

// connect opens a session of a real client until the test ends.
func connect(t testing.TB, transport sdk.Transport, o *sdk.ClientSessionOptions) *sdk.ClientSession {
	t.Helper()
	session := must(sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, o))
	t.Cleanup(func() { session.Close() })
	return session
}

// overHTTP serves s over HTTP until the test ends.
func overHTTP(t testing.TB, s *Server) *sdk.StreamableClientTransport {
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return &sdk.StreamableClientTransport{Endpoint: h.URL, HTTPClient: h.Client()}
}

// overStdio serves on pipes. The server must end without an error when the client leaves.
func overStdio(t testing.TB, s *Server) sdk.Transport {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- s.RunStdio(t.Context(), in, out)
		out.Close()
	}()
	t.Cleanup(func() {
		toServer.Close()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return &sdk.IOTransport{Reader: fromServer, Writer: toServer}
}

// call calls a tool with arguments in JSON, and returns the result with its one text. It
// validates a structured result.
func call(t testing.TB, session *sdk.ClientSession, tool, arguments string) (*sdk.CallToolResult, string) {
	t.Helper()
	params := &sdk.CallToolParams{Name: tool}
	if arguments != "" {
		params.Arguments = json.RawMessage(arguments)
	}
	res, err := session.CallTool(t.Context(), params)
	if err != nil || len(res.Content) != 1 {
		t.Fatalf("%s %s: %+v, %v", tool, arguments, res, err)
	}
	schemas := map[string]*jsonschema.Schema{"catalog": schemaOf[catalogBody](), "compare": schemaOf[comparison]()}
	if schema, ok := schemas[tool]; ok && !res.IsError {
		text := must(json.Marshal(schema))
		accepts(t, text, res.StructuredContent, true)
	}
	return res, res.Content[0].(*sdk.TextContent).Text
}

// accepts fails unless a schema takes a value, or refuses it.
func accepts(t testing.TB, schema json.RawMessage, value any, want bool) {
	t.Helper()
	var form jsonschema.Schema
	err := json.Unmarshal(schema, &form)
	resolved, err2 := form.Resolve(nil)
	check(errors.Join(err, err2))
	if err := resolved.Validate(value); (err == nil) != want {
		t.Errorf("%v: %v", value, err)
	}
}

// list is a list that the demo has prices of.
const list = `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5}]}`

// must returns the result of a call that works, or panics.
func must[T any](x T, err error) T {
	check(err)
	return x
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
