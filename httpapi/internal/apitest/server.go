package apitest

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest/testlog"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/site/figure"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// Clock is a clock that tests set.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the time that was set.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance puts the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Set sets the clock.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Server is a server under test on a real connection, and the test that asks it.
type Server struct {
	T         testing.TB
	Clock     *Clock
	API       *httpapi.Server
	HTTP      *httptest.Server
	State     *state.DB
	StatePath string
	Snapshots *prepared.Snapshots
	Log       *testlog.Log // what the server logged, as JSON lines
	Document  *openapi3.T  // what responses are checked against; nil: OpenAPI
}

// demoSnapshots serve the demo. Tests share them, since loading takes longer than most tests.
var demoSnapshots = sync.OnceValue(func() *prepared.Snapshots {
	_, db := Demo()
	s := prepared.NewSnapshots(db, func() time.Time { return Now })
	must(s.Refresh(context.Background()))
	return s
})

// Serve starts a server on the demo snapshot. change may alter the configuration.
func Serve(t testing.TB, change ...func(*httpapi.Config)) *Server {
	t.Helper()
	return start(t, "", change, func(func() time.Time) *prepared.Snapshots { return demoSnapshots() })
}

// ServeState starts a server on the demo snapshot, with the state at a path or an address.
func ServeState(t testing.TB, path string, change ...func(*httpapi.Config)) *Server {
	t.Helper()
	return start(t, path, change, func(func() time.Time) *prepared.Snapshots { return demoSnapshots() })
}

// ServeFile starts a server on a snapshot of its own. There may be no such file.
func ServeFile(t testing.TB, db string, change ...func(*httpapi.Config)) *Server {
	t.Helper()
	return start(t, "", change, func(now func() time.Time) *prepared.Snapshots {
		s := prepared.NewSnapshots(db, now)
		if err := s.Refresh(context.Background()); err != nil && !os.IsNotExist(err) {
			t.Logf("snapshot: %v", err)
		}
		return s
	})
}

// ServeCopy serves a copy of the demo snapshot at a path where tests may replace it.
func ServeCopy(t testing.TB, change ...func(*httpapi.Config)) (f *Server, path string) {
	t.Helper()
	_, db := Demo()
	path = filepath.Join(t.TempDir(), "panel.db")
	Replace(t, path, Read(db))
	return ServeFile(t, path, change...), path
}

func start(t testing.TB, path string, change []func(*httpapi.Config), snapshots func(now func() time.Time) *prepared.Snapshots) *Server {
	t.Helper()
	f := &Server{T: t, Clock: &Clock{now: Now}, Log: &testlog.Log{}, StatePath: path}
	if server := os.Getenv(pgtest.Environment); path == "" && server != "" {
		f.StatePath = pgtest.Database(t, server)
	} else if path == "" {
		f.StatePath = filepath.Join(t.TempDir(), "state.db")
	}
	var err error
	if f.State, err = state.Open(context.Background(), f.StatePath, state.Options{Now: f.Clock.Now, Serve: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.State.Close() })
	f.Snapshots = snapshots(f.Clock.Now)
	c := httpapi.Config{
		Now: f.Clock.Now, Snapshots: f.Snapshots, State: f.State, BaseURL: "https://larder.example", Public: figure.PublicNational,
		Log: slog.New(slog.NewJSONHandler(f.Log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, edit := range change {
		edit(&c)
	}
	if f.API, err = httpapi.New(c); err != nil {
		t.Fatal(err)
	}
	f.HTTP = httptest.NewServer(f.API.Handler())
	t.Cleanup(func() { f.HTTP.Close() })
	return f
}

// Ample lifts the limits of clients, for tests that ask often.
func Ample(c *httpapi.Config) {
	c.PublicPerMinute, c.ShopperPerMinute, c.LinesPerDay = 1_000_000, 1_000_000, 1_000_000
}

// BehindProxy makes the server trust X-Forwarded-For, so that one test can be many clients.
func BehindProxy(c *httpapi.Config) {
	c.Trusted = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// For returns the server for a subtest.
func (f *Server) For(t testing.TB) *Server {
	g := *f
	g.T = t
	return &g
}

// Key makes a key of a tier and returns its secret. Its minute is ample unless
// change says otherwise.
func (f *Server) Key(tier state.Tier, change ...func(*state.NewKey)) string {
	f.T.Helper()
	n := state.NewKey{Name: "test " + tier.String(), Tier: tier, PerMinute: 1_000_000}
	for _, edit := range change {
		edit(&n)
	}
	_, secret := f.create(n)
	return secret
}

// Created makes a key and returns it with its secret. Its minute is ample unless
// the key has one.
func (f *Server) Created(n state.NewKey) (state.Key, string) {
	f.T.Helper()
	n.Name = cmp.Or(n.Name, "Reader")
	n.PerMinute = cmp.Or(n.PerMinute, 1_000_000)
	return f.create(n)
}

func (f *Server) create(n state.NewKey) (state.Key, string) {
	f.T.Helper()
	k, secret, err := f.State.CreateKey(context.Background(), n)
	if err != nil {
		f.T.Fatal(err)
	}
	return k, secret
}

// Disable disables the key of a secret.
func (f *Server) Disable(secret string) {
	f.T.Helper()
	k, err := f.State.Lookup(context.Background(), secret)
	if err != nil {
		f.T.Fatal(err)
	}
	if _, err := f.State.DisableKey(context.Background(), k.ID); err != nil {
		f.T.Fatal(err)
	}
}

// SignIn starts a session and returns its cookie.
func (f *Server) SignIn(key string, change ...Change) *http.Cookie {
	f.T.Helper()
	r := f.Post("/account/session", `{"key": "`+key+`"}`, change...)
	WantStatus(f.T, r, http.StatusOK)
	if len(r.Cookies()) != 1 {
		f.T.Fatalf("cookies %v, want one", r.Cookies())
	}
	c := r.Cookies()[0]
	return &http.Cookie{Name: c.Name, Value: c.Value}
}

// Look has the server look at its snapshot's file.
func (f *Server) Look(reload bool) {
	f.Snapshots.Look(context.Background(), f.API.Log, reload)
}

// Admin asks the admin handler.
func (f *Server) Admin(method, path string) *Response {
	w := httptest.NewRecorder()
	f.API.AdminHandler().ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), method, path, nil))
	return &Response{w.Result(), w.Body.Bytes()} //nolint:bodyclose // it is in memory
}

// Metric returns the value of a series, or "".
func (f *Server) Metric(series string) string {
	for line := range strings.Lines(string(f.Admin("GET", "/metrics").Content)) {
		if value, ok := strings.CutPrefix(line, series+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Column reads a column of the state file, as another program would.
func (f *Server) Column(query string) (all []string) {
	f.T.Helper()
	db, err := sql.Open("sqlite3", "file:"+f.StatePath+"?mode=ro")
	if state.OnPostgreSQL(f.StatePath) {
		db, err = pgtest.Open(f.StatePath)
	}
	if err != nil {
		f.T.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(f.T.Context(), query)
	if err != nil {
		f.T.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			f.T.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		f.T.Fatal(err)
	}
	return all
}

// Written returns everything that the server wrote, by place: log, state and metrics.
func (f *Server) Written() map[string][]byte {
	f.T.Helper()
	places := map[string][]byte{"the log": []byte(f.Log.String()), "the metrics": f.Admin("GET", "/metrics").Content}
	for _, end := range []string{"", "-wal", "-shm"} {
		content, err := os.ReadFile(f.StatePath + end)
		if err != nil && !os.IsNotExist(err) {
			f.T.Fatal(err)
		}
		places["the state"+end] = content
	}
	if len(places["the state"])+len(places["the state-wal"]) < 10_000 || len(places["the metrics"]) < 1000 {
		f.T.Fatal("the state file or the metrics were not read")
	}
	return places
}

// Change alters a request.
type Change = func(*http.Request)

// Header sets a header of a request.
func Header(name, value string) Change {
	return func(r *http.Request) {
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
	}
}

// WithCookie sends a cookie.
func WithCookie(c *http.Cookie) Change { return func(r *http.Request) { r.AddCookie(c) } }

// AsClient makes a request one of the n-th client, for BehindProxy.
func AsClient(n int) Change { return Header("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", n)) }

// Chunked sends a body without its length.
func Chunked(body string) Change {
	return func(r *http.Request) {
		r.Body, r.ContentLength, r.GetBody = io.NopCloser(strings.NewReader(body)), -1, nil
	}
}

// Response is a response with its whole body.
type Response struct {
	*http.Response
	Content []byte
}

// JSON decodes the body.
func (r *Response) JSON(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(r.Content))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: not a JSON object: %v", r.Request.URL, err)
	}
	return v
}

// Get asks with a key. An empty key is not sent.
func (f *Server) Get(path, key string, change ...Change) *Response {
	f.T.Helper()
	return f.Do(http.MethodGet, path, key, "", change...)
}

// Post sends a JSON body.
func (f *Server) Post(path, body string, change ...Change) *Response {
	f.T.Helper()
	return f.Do(http.MethodPost, path, "", body, append([]Change{Header("Content-Type", "application/json")}, change...)...)
}

// PostForm sends a form.
func (f *Server) PostForm(path string, form url.Values, change ...Change) *Response {
	f.T.Helper()
	return f.Do(http.MethodPost, path, "", form.Encode(), append([]Change{Header("Content-Type", "application/x-www-form-urlencoded")}, change...)...)
}

// Do sends a request and checks the response against the OpenAPI document. It follows no
// redirect and unpacks nothing.
func (f *Server) Do(method, path, key, body string, change ...Change) *Response {
	f.T.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	path = strings.NewReplacer("{release}", "r1", "{file}", "prices.parquet").Replace(path) // as the document has it
	r, err := http.NewRequestWithContext(f.T.Context(), method, f.HTTP.URL+path, content)
	if err != nil {
		f.T.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for _, edit := range change {
		edit(r)
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()
	resp, err := client.Do(r)
	if err != nil {
		f.T.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		f.T.Fatal(err)
	}
	got := &Response{resp, all}
	if err := fits(cmp.Or(f.Document, OpenAPI()), got); err != nil {
		f.T.Errorf("%s %s: %d: not as /openapi.json says: %v\n%.600s", method, path, got.StatusCode, err, got.Content)
	}
	return got
}

// WantStatus checks a response's status.
func WantStatus(t testing.TB, r *Response, status int) {
	t.Helper()
	if r.StatusCode != status {
		t.Fatalf("%s %s: status %d, want %d: %.500s", r.Request.Method, r.Request.URL, r.StatusCode, status, r.Content)
	}
}

// WantError checks that a response is a refusal with a status and a code, in
// either of the two documented shapes, that is not cached and sets no cookie.
func WantError(t testing.TB, what string, r *Response, status int, code string) {
	t.Helper()
	var plain struct{ Error, Code, RequestID string }
	var shopper struct {
		Error      struct{ Code, Message string }
		CatalogURL string
	}
	id := r.Header.Get("X-Request-Id")
	if json.Unmarshal(r.Content, &shopper) == nil && shopper.CatalogURL != "" {
		plain.Error, plain.Code, plain.RequestID = shopper.Error.Message, shopper.Error.Code, id
	} else if err := json.Unmarshal(r.Content, &plain); err != nil {
		t.Errorf("%s: %d %q: %v", what, r.StatusCode, r.Content, err)
		return
	}
	h := r.Header
	if r.StatusCode != status || plain.Code != code || plain.Error == "" || plain.RequestID != id || len(id) != 24 ||
		h.Get("Content-Type") != "application/json; charset=utf-8" || h.Get("Cache-Control") != "no-store" || h.Get("Set-Cookie") != "" {
		t.Errorf("%s: %d %s, want %d %s: %v", what, r.StatusCode, r.Content, status, code, h)
	}
}

// UnknownKey is a well-formed key that no server made.
const UnknownKey = "larder_live_" + "00000000000000000000000000000000" + "0xJoHK"
