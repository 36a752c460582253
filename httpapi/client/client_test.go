package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/client"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons/table"
)

// line stands before a server and notes what it answers. before is called with each request.
type line struct {
	*httptest.Server
	before func(n int)

	mu       sync.Mutex
	n        int      // requests so far
	asked    []string // with their queries
	statuses []int
}

func before(t *testing.T, f *apitest.Server, call func(n int)) *line {
	l := &line{before: call}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.asked = append(l.asked, r.URL.RequestURI())
		l.n++
		l.before(l.n)
		n := &noted{w, http.StatusOK}
		f.API.Handler().ServeHTTP(n, r)
		l.statuses = append(l.statuses, n.status)
	}))
	t.Cleanup(l.Close)
	return l
}

// took returns the addresses and statuses since the last call.
func (l *line) took() (asked []string, statuses []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked, statuses, l.asked, l.statuses = l.asked, l.statuses, nil, nil
	return asked, statuses
}

type noted struct {
	http.ResponseWriter
	status int
}

func (n *noted) WriteHeader(status int) {
	n.status = status
	n.ResponseWriter.WriteHeader(status)
}

func TestMain(m *testing.M) { os.Exit(apitest.Run(m, false)) }

func newClient(t *testing.T, address string, key func() string, o client.Options) *client.Client {
	t.Helper()
	c, err := client.New(address, key, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// list returns all rows.
func list[R any](t *testing.T, rows iter.Seq2[R, error]) (all []R) {
	t.Helper()
	for r, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// sent returns the rows of one large page as the server sends them.
func sent(t *testing.T, f *apitest.Server, path, member string) (all []string) {
	t.Helper()
	var body map[string]json.RawMessage
	var rows []json.RawMessage
	if err := errors.Join(json.Unmarshal(f.Get(path, f.Key(state.Standard)).Content, &body), json.Unmarshal(body[member], &rows)); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		all = append(all, string(r))
	}
	return all
}

// same compares rows, written as JSON again, with what the server sends.
func same[R any](t *testing.T, what string, rows []R, least int, want []string) {
	t.Helper()
	if len(rows) < least || len(rows) != len(want) {
		t.Fatalf("%s: %d rows, the server has %d", what, len(rows), len(want))
	}
	for i, r := range rows {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		a, b := text, []byte(strings.Replace(want[i], `,"promo_detail":null`, "", 1)) // regular_price_source tells those from absent ones
		if diff := cmp.Diff(decoded(t, b), decoded(t, a)); diff != "" {
			t.Fatalf("%s, row %d: -server +client\n%s", what, i, diff)
		}
	}
}

func decoded(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRows downloads everything page by page. No digit and no null is lost on the way.
func TestRows(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t, apitest.Ample)
	ctx := t.Context()
	c := newClient(t, f.HTTP.URL, client.Key(f.Key(state.Standard)), client.Options{})
	for _, x := range []struct {
		path    string
		rows    iter.Seq2[client.Row, error]
		columns []table.Column
		series  string
	}{
		{"/api/v1/index?limit=10000", c.Index(ctx, client.Query{"limit": "700"}), table.Columns(), "v2"},
		{"/api/public/index?city=Toronto&limit=8000", c.PublicIndex(ctx, client.Query{"city": "Toronto", "limit": "900"}), table.PublicColumns(), "v2"},
		{"/api/public/index?series=v1", c.PublicIndex(ctx, client.Query{"series": "v1", "limit": "100"}), table.PublicColumns(), "v1"},
		{"/api/v1/index?as_of=r1&city=Toronto", c.AsOf(ctx, "r1", client.Query{"city": "Toronto", "limit": "300"}), table.Columns(), "v2"},
	} {
		rows, want := list(t, x.rows), sent(t, f, x.path, "observations")
		if len(rows) < 200 || len(rows) != len(want) {
			t.Fatalf("%s: %d rows, the server has %d", x.path, len(rows), len(want))
		}
		for i, r := range rows {
			if got := string(table.AppendJSON(nil, &r.Row, x.columns)); got != want[i] || string(r.JSON) != want[i] || r.Series != x.series || r.Release != "r1" {
				t.Fatalf("%s, row %d of %s, release %s: %s\nwant %s", x.path, i, r.Series, r.Release, got, want[i])
			}
		}
	}
	same(t, "prices", list(t, c.Prices(ctx, client.Query{"from": "2026-11-14", "to": "2026-11-15", "limit": "400"})), 1500,
		sent(t, f, "/api/v1/prices?from=2026-11-14&to=2026-11-15&limit=10000", "observations"))
	same(t, "products", list(t, c.Products(ctx)), 50, sent(t, f, "/api/v1/products", "products"))
	same(t, "events", list(t, c.Shrinkflation(ctx, client.Query{"confidence": "low", "limit": "3"})), 3,
		sent(t, f, "/api/v1/shrinkflation?confidence=low", "events"))
	same(t, "releases", list(t, c.Releases(ctx)), 1, sent(t, f, "/api/v1/releases", "releases"))
}

// TestDownload meets a null, a 429, a rotation in the middle, and 304s.
func TestDownload(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	k, first := f.Created(state.NewKey{Tier: state.Standard, PerMinute: 6})
	secret, reads := first, 0
	l := before(t, f, func(n int) {
		if n == 4 {
			var err error
			if _, secret, err = f.State.RotateKey(context.Background(), k.ID, 0); err != nil {
				t.Error(err)
			}
		}
	})
	var told []string
	key := func() string {
		l.mu.Lock()
		defer l.mu.Unlock()
		reads++
		return secret + "\n"
	}
	c := newClient(t, l.URL, key, client.Options{
		Waiting: func(d time.Duration, e *client.Error) { told = append(told, fmt.Sprint(d, " ", e.Status, " ", e.Code)) },
	})
	c.SetAfter(func(d time.Duration) <-chan time.Time {
		f.Clock.Advance(d)
		now := make(chan time.Time, 1)
		now <- f.Clock.Now()
		return now
	})
	query := client.Query{"from": "2026-11-09", "to": "2026-11-15", "limit": "800"}
	rows := list(t, c.Prices(t.Context(), query))
	nulls := 0
	for _, r := range rows {
		if r.Sale == "" && r.Effective != "" {
			nulls++
		}
	}
	_, statuses := l.took()
	if diff := cmp.Diff([]int{200, 200, 200, 401, 200, 200, 200, 429, 200, 429, 200}, statuses); diff != "" {
		t.Errorf("statuses: %s", diff)
	}
	if diff := cmp.Diff([]string{"10s 429 rate_limited", "10s 429 rate_limited"}, told); diff != "" || reads != 2 || secret == first || len(rows) < 4500 || nulls < 1000 {
		t.Errorf("%d rows, %d nulls, the key was read %d times, told: %s", len(rows), nulls, reads, diff)
	}
	f.Clock.Advance(time.Minute)
	again := list(t, c.Prices(t.Context(), query))
	_, statuses = l.took()
	if diff := cmp.Diff([]int{304, 304, 304, 304, 304, 304, 429, 304, 429, 304}, statuses); diff != "" {
		t.Errorf("again: statuses: %s", diff)
	}
	if diff := cmp.Diff(rows, again); diff != "" {
		t.Errorf("the kept rows differ: %.500s", diff)
	}
}

// failure returns the error of an iterator.
func failure[R any](rows iter.Seq2[R, error]) error {
	for _, err := range rows {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestErrors compares errors with the server's own words.
func TestErrors(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	reads := 0
	for _, x := range []struct {
		key    func() string
		query  client.Query
		status int
		code   string
		text   string
		reads  int
	}{
		{client.Key(f.Key(state.Standard)), client.Query{"city": "Torono"}, 400, "invalid_parameter", `did you mean "Toronto"?`, 0},
		{client.Key(f.Key(state.Standard)), client.Query{"product_id": "1"}, 400, "invalid_parameter", "product_id", 0},
		{client.Key(f.Key(state.Research)), nil, 402, "tier_required", "standard", 0},
		{func() string { reads++; return apitest.UnknownKey }, nil, 401, "unauthorized", "key", 2},
		{client.Key(""), nil, 401, "unauthorized", "key", 0},
	} {
		reads = 0
		err := failure(newClient(t, f.HTTP.URL, x.key, client.Options{}).Index(t.Context(), x.query))
		e, ok := errors.AsType[*client.Error](err)
		if !ok || e.Status != x.status || e.Code != x.code || len(e.RequestID) != 24 || reads != x.reads ||
			!strings.Contains(e.Refusal.Error, x.text) || !strings.Contains(e.Error(), e.Refusal.Error) || !strings.Contains(e.Error(), e.RequestID) ||
			!strings.HasPrefix(e.Error(), fmt.Sprintf("/api/v1/index: %d %s: ", x.status, x.code)) {
			t.Errorf("%v: %v; the key was read %d times", x.query, err, reads)
		}
	}
	for _, address := range []string{"", "prices.example.org", "ftp://prices.example.org", "https://key@prices.example.org", "https://prices.example.org?key=1", "https://"} {
		if _, err := client.New(address, client.Key("k"), client.Options{}); err == nil {
			t.Errorf("%q is taken as an address", address)
		}
	}
	c := newClient(t, f.HTTP.URL, client.Key(f.Key(state.Standard)), client.Options{})
	if err := failure(c.Index(t.Context(), client.Query{"series": "v3"})); err == nil || !strings.Contains(err.Error(), `"v2" instead of "v3"`) {
		t.Errorf("series v3: %v", err)
	}
}

// answers serves the same to every request.
func answers(t *testing.T, status int, body string, header ...string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestWaits bounds the waits by the longest one and by the context.
func TestWaits(t *testing.T) {
	t.Parallel()
	address := answers(t, http.StatusServiceUnavailable, `{"error":"wait","code":"state_unavailable","requestId":"1"}`, "Retry-After", "20")
	for _, x := range []struct {
		most  time.Duration
		waits int
	}{{19 * time.Second, 0}, {20 * time.Second, 1}, {59 * time.Second, 2}, {time.Minute, 3}, {0, 30}} {
		waits := 0
		c := newClient(t, address, client.Key("k"), client.Options{MaxWait: x.most, Waiting: func(d time.Duration, _ *client.Error) {
			if waits++; d != 20*time.Second {
				t.Errorf("it waits %v", d)
			}
		}})
		c.SetAfter(func(time.Duration) <-chan time.Time { now := make(chan time.Time); close(now); return now })
		if e, ok := errors.AsType[*client.Error](failure(c.Releases(t.Context()))); !ok || e.Status != 503 || waits != x.waits {
			t.Errorf("at most %v: %d waits, want %d: %v", x.most, waits, x.waits, e)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	c := newClient(t, address, client.Key("k"), client.Options{Waiting: func(time.Duration, *client.Error) { cancel() }})
	if err := failure(c.Releases(ctx)); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "state_unavailable") {
		t.Errorf("canceled: %v", err)
	}
	for header, want := range map[string]time.Duration{"0": time.Second, "7": 7 * time.Second, "-1": 0, "soon": 0, "": 0, "9999999999": 1 << 30 * time.Second} {
		c := newClient(t, answers(t, http.StatusTooManyRequests, "", "Retry-After", header), client.Key("k"), client.Options{MaxWait: 1})
		if e, ok := errors.AsType[*client.Error](failure(c.Releases(t.Context()))); !ok || e.RetryAfter != want || e.Error() != "/api/v1/releases: 429 Too Many Requests" {
			t.Errorf("Retry-After %q: %v", header, e)
		}
	}
}

// roundTrip is a server in memory.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestStalls asks a server that never answers.
func TestStalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newClient(t, "http://127.0.0.1:1", client.Key("k"), client.Options{HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, context.Cause(r.Context())
		})}})
		start := time.Now()
		if err := failure(c.Releases(t.Context())); err == nil || !strings.Contains(err.Error(), "no whole answer came within 2m0s") || time.Since(start) != 2*time.Minute {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

// TestChanged swaps the snapshot between two pages, and lets a day begin.
func TestChanged(t *testing.T) {
	t.Parallel()
	f, path := apitest.ServeCopy(t)
	l := before(t, f, func(n int) {
		if n == 2 {
			f.Swap(apitest.Other(), path)
		}
	})
	c := newClient(t, l.URL, client.Key(f.Key(state.Standard)), client.Options{})
	err := failure(c.Index(t.Context(), client.Query{"limit": "100"}))
	if asked, _ := l.took(); !errors.Is(err, client.ErrChanged) || len(asked) != 2 {
		t.Errorf("%v after %d pages", err, len(asked))
	}
	for _, query := range []client.Query{nil, {"as_of": "2026-11-20T12:00:00Z"}} {
		n := 0
		rereleased := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			n++
			w.Header().Set("X-Snapshot", "5eed")
			w.Header().Set("X-Release", fmt.Sprintf("r%d", n))
			fmt.Fprintf(w, `{"meta":{"next_offset":%d},"observations":[]}`, n)
		}))
		t.Cleanup(rereleased.Close)
		if err := failure(newClient(t, rereleased.URL, client.Key("k"), client.Options{}).Index(t.Context(), query)); !errors.Is(err, client.ErrChanged) || n != 2 {
			t.Errorf("%v: another release of the snapshot: %v after %d pages", query, err, n)
		}
	}
	g := apitest.Serve(t)
	l = before(t, g, func(int) { g.Clock.Advance(12 * time.Hour) })
	list(t, newClient(t, l.URL, client.Key(g.Key(state.Standard)), client.Options{}).Index(t.Context(), client.Query{"city": "Toronto", "limit": "500"}))
	asked, _ := l.took()
	pinned := "/api/v1/index?city=Toronto&from=2026-08-23&limit=500&offset=%d&to=2026-11-21"
	if diff := cmp.Diff([]string{"/api/v1/index?city=Toronto&limit=500", fmt.Sprintf(pinned, 500), fmt.Sprintf(pinned, 1000)}, asked); diff != "" {
		t.Errorf("the first page fixes the days: %s", diff)
	}
}

// TestKeyIsNotTold looks for the key in everything that is printed.
func TestKeyIsNotTold(t *testing.T) {
	t.Parallel()
	const secret = "larder_live_0123456789"
	for what, address := range map[string]string{
		"an echo":        answers(t, http.StatusBadRequest, `{"error":"`+secret+` is wrong","code":"x","requestId":"1"}`),
		"a redirect":     answers(t, http.StatusFound, secret, "Location", "http://127.0.0.1:1/"),
		"a page":         answers(t, http.StatusBadGateway, "<p>"+secret),
		"no server":      "http://127.0.0.1:1",
		"another answer": answers(t, http.StatusOK, `["`+secret+`"]`),
	} {
		c := newClient(t, address, client.Key(secret), client.Options{})
		err := failure(c.Releases(t.Context()))
		if text := fmt.Sprintf("%v %+v %#v %v", c, c, c, err); err == nil || strings.Contains(text, "0123456789") {
			t.Errorf("%s: %s", what, text)
		}
	}
	c := newClient(t, "http://127.0.0.1:1", client.Key(secret+"\nX"), client.Options{})
	if err := failure(c.Releases(t.Context())); err == nil || strings.Contains(err.Error(), "0123456789") {
		t.Errorf("a key with a line break: %v", err)
	}
}
