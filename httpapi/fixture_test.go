package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/testlog"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// testNow is a Friday noon in Toronto: the week that was published last is
// named 2026-11-15.
var testNow = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

// demo is the synthetic panel that most tests serve, and its snapshot, made
// once for all of them.
var demo = sync.OnceValues(func() (*synth.Data, string) {
	d, err := synth.Generate(synth.Config{Through: panel.DateIn(testNow, panel.Toronto)})
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "larder-httpapi-*")
	if err != nil {
		panic(err)
	}
	demoDir = dir
	if err := d.WriteDir(filepath.Join(dir, "panel")); err != nil {
		panic(err)
	}
	db := filepath.Join(dir, "panel.db")
	if _, err := sqlite.Import(context.Background(), filepath.Join(dir, "panel"), db, sqlite.ImportOptions{Strict: true}); err != nil {
		panic(err)
	}
	return d, db
})

var demoDir string

func TestMain(m *testing.M) {
	code := checkCoverage(m.Run())
	if demoDir != "" {
		os.RemoveAll(demoDir)
	}
	os.Exit(code)
}

// clock is a clock that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// fixture is a server under test, on a real connection.
type fixture struct {
	t         testing.TB
	clock     *clock
	server    *Server
	http      *httptest.Server
	state     *state.DB
	statePath string
	snapshots *Snapshots
	log       *testlog.Log // all that was logged, as JSON lines
}

// serveDemo starts a server on the demo snapshot. change may alter the
// configuration before.
func serveDemo(t testing.TB, change ...func(*Config)) *fixture {
	t.Helper()
	_, db := demo()
	return serveSnapshot(t, db, change...)
}

func serveSnapshot(t testing.TB, db string, change ...func(*Config)) *fixture {
	t.Helper()
	f := &fixture{t: t, clock: &clock{now: testNow}, log: &testlog.Log{}, statePath: filepath.Join(t.TempDir(), "state.db")}
	var err error
	if f.state, err = state.Open(context.Background(), f.statePath, state.Options{Now: f.clock.Now, Serve: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.state.Close() })
	f.snapshots = NewSnapshots(db, f.clock.Now)
	if err := f.snapshots.Refresh(context.Background()); err != nil && !os.IsNotExist(err) {
		t.Logf("snapshot: %v", err)
	}
	c := Config{
		Now: f.clock.Now, Snapshots: f.snapshots, State: f.state, BaseURL: "https://larder.example",
		Log: slog.New(slog.NewJSONHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, edit := range change {
		edit(&c)
	}
	if f.server, err = New(c); err != nil {
		t.Fatal(err)
	}
	f.http = httptest.NewServer(f.server.Handler())
	t.Cleanup(f.http.Close)
	return f
}

// key makes a key and returns its secret. Its minute is ample unless said
// otherwise.
func (f *fixture) key(tier state.Tier, change ...func(*state.NewKey)) string {
	f.t.Helper()
	n := state.NewKey{Name: "test " + tier.String(), Tier: tier, PerMinute: 1_000_000}
	for _, edit := range change {
		edit(&n)
	}
	_, secret, err := f.state.CreateKey(context.Background(), n)
	if err != nil {
		f.t.Fatal(err)
	}
	return secret
}

// response is one that was received, whole.
type response struct {
	*http.Response
	body []byte
}

// json decodes the body.
func (r *response) json(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(r.body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: not a JSON object: %v", r.Request.URL, err)
	}
	return v
}

// observe is called with every response that a fixture receives.
var observe = func(t testing.TB, r *response) {}

// get asks with a key; an empty one sends none.
func (f *fixture) get(path, key string, change ...func(*http.Request)) *response {
	f.t.Helper()
	return f.do(http.MethodGet, path, key, "", change...)
}

// do sends a request. Redirects are not followed and nothing is unpacked.
func (f *fixture) do(method, path, key, body string, change ...func(*http.Request)) *response {
	f.t.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.http.URL+path, content)
	if err != nil {
		f.t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for _, edit := range change {
		edit(r)
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableCompression: true, DisableKeepAlives: false},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()
	resp, err := client.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	got := &response{resp, all}
	observe(f.t, got)
	return got
}

// header sets a header of a request.
func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}
