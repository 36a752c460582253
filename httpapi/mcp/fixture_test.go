package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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
)

// testNow is a Friday noon in Toronto; the demo snapshot ends on that day.
var testNow = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

// snapshots serve a short demo snapshot, made once.
var snapshots = sync.OnceValue(func() *prepared.Snapshots {
	d, err := synth.Generate(synth.Config{Through: panel.DateIn(testNow, panel.Toronto), Weeks: 3, Seed: 1})
	dir, err2 := os.MkdirTemp("", "larder-mcp-*")
	if err := errors.Join(err, err2); err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	db := filepath.Join(dir, "panel.db")
	err = d.WriteDir(filepath.Join(dir, "panel"))
	_, err2 = sqlite.Import(context.Background(), filepath.Join(dir, "panel"), db, sqlite.ImportOptions{Strict: true})
	list := prepared.NewSnapshots(db, now)
	if err := errors.Join(err, err2, list.Refresh(context.Background())); err != nil {
		panic(err)
	}
	return list
})

func now() time.Time { return testNow }

func demo() *compare.Projection { return snapshots().Current().Projection() }

// newServer makes a server on the demo, and returns what it logs.
func newServer(t testing.TB, change ...func(*Config)) (*Server, *testlog.Log) {
	t.Helper()
	log := &testlog.Log{}
	c := Config{Snapshots: snapshots(), Now: now, BaseURL: "https://larder.example", Log: slog.New(slog.NewJSONHandler(log, nil))}
	for _, edit := range change {
		edit(&c)
	}
	return New(c), log
}

// serve serves s over HTTP until the test ends.
func serve(t testing.TB, s *Server) *httptest.Server {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body := s.Respond(w, r)
		if status == 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(status)
		w.Write(body) //nolint:errcheck // the client is gone then
	}))
	t.Cleanup(h.Close)
	return h
}

// connect opens a session of a real client until the test ends.
func connect(t testing.TB, transport sdk.Transport) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// call calls a tool with arguments in JSON. It validates every structured result.
func call(t testing.TB, session *sdk.ClientSession, tool, arguments string) *sdk.CallToolResult {
	t.Helper()
	params := &sdk.CallToolParams{Name: tool}
	if arguments != "" {
		params.Arguments = json.RawMessage(arguments)
	}
	res, err := session.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	if !res.IsError {
		var form jsonschema.Schema
		err := json.Unmarshal(tools[tool].result, &form)
		schema, err2 := form.Resolve(nil)
		if err := errors.Join(err, err2, schema.Validate(res.StructuredContent)); err != nil {
			t.Errorf("%s %s: %v", tool, arguments, err)
		}
	}
	return res
}

// textOf returns the one text of a result.
func textOf(t testing.TB, res *sdk.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("%d contents", len(res.Content))
	}
	text, ok := res.Content[0].(*sdk.TextContent)
	if !ok {
		t.Fatalf("content is %T", res.Content[0])
	}
	return text.Text
}

// list is a list that the demo has prices of.
const list = `{"city":"toronto","items":[{"id":1,"qty":2},{"id":7,"qty":0.5}]}`

// noGoroutinesLeft fails a test that leaves goroutines. Call it first, so that it checks
// after all other cleanups.
func noGoroutinesLeft(t testing.TB) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		var stacks []byte
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for deadline := time.After(10 * time.Second); ; {
			if runtime.NumGoroutine() <= before {
				return
			}
			select {
			case <-tick.C:
			case <-deadline:
				stacks = make([]byte, 1<<20)
				stacks = stacks[:runtime.Stack(stacks, true)]
				t.Errorf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, stacks)
				return
			}
		}
	})
}

// has fails unless a text has all the parts.
func has(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("no %q in\n%s", p, text)
		}
	}
}

// overBoth runs a test with a real client over each transport.
func overBoth(t *testing.T, s *Server, test func(t *testing.T, session *sdk.ClientSession)) {
	t.Helper()
	t.Run("http", func(t *testing.T) {
		noGoroutinesLeft(t)
		test(t, connect(t, overHTTP(t, s)))
	})
	t.Run("stdio", func(t *testing.T) {
		noGoroutinesLeft(t)
		test(t, connect(t, overStdio(t, s)))
	})
}

func overHTTP(t testing.TB, s *Server) sdk.Transport {
	t.Helper()
	h := serve(t, s)
	return &sdk.StreamableClientTransport{Endpoint: h.URL, HTTPClient: h.Client()}
}

// overStdio serves on pipes. The server must end without an error when the client leaves.
func overStdio(t testing.TB, s *Server) sdk.Transport {
	t.Helper()
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
