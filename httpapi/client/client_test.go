package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/client"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// roundTrip is a server in memory.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// noting has a client ask f without a network, and notes each status and address. before is
// called ahead of each request.
func noting(f *apitest.Server, before func(n int)) (through *http.Client, noted *[]string) {
	noted = &[]string{}
	n := 0
	return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		n++
		before(n)
		w, got := httptest.NewRecorder(), httptest.NewRequestWithContext(r.Context(), r.Method, r.URL.String(), nil)
		got.Header = r.Header
		f.API.Handler().ServeHTTP(w, got)
		*noted = append(*noted, fmt.Sprint(w.Code, " ", r.URL.RequestURI()))
		return w.Result(), nil
	})}, noted
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

// same compares rows, written as JSON again, with those that the server sends on one large page.
func same[R any](t *testing.T, f *apitest.Server, rows []R, least int, path, member string) {
	t.Helper()
	text, err := json.Marshal(map[string]any{member: rows})
	if err != nil || len(rows) < least {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	want := f.Get(path, f.Key(state.Standard)).JSON(t)[member]
	for _, r := range want.([]any) {
		if row := r.(map[string]any); row["promo_detail"] == nil { // regular_price_source tells null from absent
			delete(row, "promo_detail")
		}
	}
	if diff := cmp.Diff(want, (&apitest.Response{Content: text}).JSON(t)[member]); diff != "" {
		t.Errorf("%s: -server +client\n%.2000s", path, diff)
	}
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
		var body struct{ Observations []json.RawMessage }
		if err := json.Unmarshal(f.Get(x.path, f.Key(state.Standard)).Content, &body); err != nil {
			t.Fatal(err)
		}
		rows, want := list(t, x.rows), body.Observations
		if len(rows) < 200 || len(rows) != len(want) {
			t.Fatalf("%s: %d rows, the server has %d", x.path, len(rows), len(want))
		}
		for i, r := range rows {
			got := table.AppendJSON(nil, &r.Row, x.columns)
			if !bytes.Equal(got, want[i]) || !bytes.Equal(r.JSON, want[i]) || r.Series != x.series || r.Release != "r1" {
				t.Fatalf("%s, row %d of %s, release %s: %s\nwant %s", x.path, i, r.Series, r.Release, got, want[i])
			}
		}
	}
	same(t, f, list(t, c.Prices(ctx, client.Query{"from": "2026-11-14", "to": "2026-11-15", "limit": "400"})), 1500,
		"/api/v1/prices?from=2026-11-14&to=2026-11-15&limit=10000", "observations")
	w := apitest.ServeChanged(t)
	changed := newClient(t, w.HTTP.URL, client.Key(w.Key(state.Standard)), client.Options{})
	rows := list(t, changed.Prices(ctx, client.Query{"changed_since": w.Clock.Now().Add(-time.Hour), "limit": 10_000}))
	if last := rows[len(rows)-1]; len(rows) < 100 || rows[0].Change+rows[0].Rule != "addednew_row" || last.ID == 0 || last.Change+last.Release+last.Rule != "set_asider2listed" {
		t.Errorf("%d rows changed, the first %+v, the last %+v", len(rows), rows[0], last)
	}
	same(t, f, list(t, c.Products(ctx, client.Query{"as_of": "r1"})), 50, "/api/v1/products", "products")
	same(t, f, list(t, c.Shrinkflation(ctx, client.Query{"confidence": "low", "limit": "3"})), 3, "/api/v1/shrinkflation?confidence=low", "events")
	same(t, f, list(t, c.Releases(ctx)), 1, "/api/v1/releases", "releases")
}

// TestDownload meets a null, a 429, a rotation in the middle, and 304s.
func TestDownload(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	k, first := f.Created(state.NewKey{Tier: state.Standard, PerMinute: 6})
	secret, reads := first, 0
	through, noted := noting(f, func(n int) {
		if n == 4 {
			var err error
			if _, secret, err = f.State.RotateKey(context.Background(), k.ID, 0); err != nil {
				t.Error(err)
			}
		}
	})
	var told []string
	c := newClient(t, "http://larder.example", func() string { reads++; return secret + "\n" }, client.Options{
		HTTP: through, Waiting: func(d time.Duration, e *client.Error) { told = append(told, fmt.Sprint(d, " ", e.Status, " ", e.Code)) },
	})
	c.SetAfter(func(d time.Duration) <-chan time.Time {
		f.Clock.Advance(d)
		now := make(chan time.Time)
		close(now)
		return now
	})
	var downloads [2][]wire.Price
	for i, want := range []string{"200 200 200 401 200 200 200 429 200 429 200", "304 304 304 304 304 304 429 304 429 304"} {
		*noted = nil
		downloads[i] = list(t, c.Prices(t.Context(), client.Query{"from": "2026-11-09", "to": "2026-11-15", "limit": "800"}))
		var statuses []string
		for _, x := range *noted {
			statuses = append(statuses, x[:3])
		}
		if got := strings.Join(statuses, " "); got != want {
			t.Errorf("download %d: %s", i, got)
		}
		f.Clock.Advance(time.Minute)
	}
	nulls := 0
	for _, r := range downloads[0] {
		if r.Sale == "" && r.Effective != "" {
			nulls++
		}
	}
	if diff := cmp.Diff(slices.Repeat([]string{"10s 429 rate_limited"}, 4), told); diff != "" || reads != 2 || secret == first || len(downloads[0]) < 4500 || nulls < 1000 {
		t.Errorf("%d rows, %d nulls, the key was read %d times, told: %s", len(downloads[0]), nulls, reads, diff)
	}
	if diff := cmp.Diff(downloads[0], downloads[1]); diff != "" {
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
		c.SetAfter(atOnce)
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

// atOnce takes the place of time.After.
func atOnce(time.Duration) <-chan time.Time {
	now := make(chan time.Time)
	close(now)
	return now
}

// TestRestart stops and starts the server between two pages, behind a proxy. The download goes on.
func TestRestart(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	through, noted := noting(f, func(int) {})
	n, down, dead := 0, errors.New("connection refused"), false
	flaky := roundTrip(func(r *http.Request) (*http.Response, error) {
		n++
		switch {
		case n == 2 || dead:
			return nil, down
		case n == 3:
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))}, nil
		case n == 4:
			return &http.Response{StatusCode: http.StatusBadGateway, Body: http.NoBody}, nil
		}
		return through.Transport.RoundTrip(r)
	})
	var waits []string
	c := newClient(t, "http://larder.example", client.Key(f.Key(state.Standard)), client.Options{
		HTTP: &http.Client{Transport: flaky}, Waiting: func(d time.Duration, why *client.Error) { waits = append(waits, fmt.Sprint(d, " ", why.Status)) },
	})
	c.SetAfter(atOnce)
	if rows := list(t, c.Index(t.Context(), client.Query{"city": "Toronto", "limit": 500})); len(rows) < 1000 || len(*noted) != 3 {
		t.Errorf("%d rows, %s", len(rows), *noted)
	}
	if diff := cmp.Diff([]string{"1s 0", "2s 0", "4s 502"}, waits); diff != "" {
		t.Errorf("it waits %s", diff)
	}
	dead, waits = true, nil
	if err := failure(c.Releases(t.Context())); !errors.Is(err, down) || !slices.Equal(waits, []string{"1s 0", "2s 0", "4s 0", "8s 0", "16s 0"}) {
		t.Errorf("after %q: %v", waits, err)
	}
}

// TestQueryValues gives days and moments as the language has them.
func TestQueryValues(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t)
	through, noted := noting(f, func(int) {})
	c := newClient(t, "http://larder.example", client.Key(f.Key(state.Standard)), client.Options{HTTP: through})
	evening := time.Date(2026, time.November, 14, 23, 30, 0, 5000, time.FixedZone("", -5*60*60))
	list(t, c.AsOf(t.Context(), evening, client.Query{"from": evening, "to": panel.Week(panel.DateOf(2026, time.November, 15)), "limit": 7000, "level": jevons.National}))
	want := "200 /api/v1/index?as_of=2026-11-14T23%3A30%3A00.000005-05%3A00&from=2026-11-14&level=national&limit=7000&to=2026-11-15"
	if !slices.Equal(*noted, []string{want}) {
		t.Errorf("it asks %s, want %s", *noted, want)
	}
	if err := failure(c.Prices(t.Context(), client.Query{"city": []string{"Toronto", "Calgary"}})); err == nil || !strings.Contains(err.Error(), "city: [Toronto Calgary] is a []string") || len(*noted) != 1 {
		t.Errorf("two values: %v", err)
	}
}

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
	through, noted := noting(f, func(n int) {
		if n == 2 {
			f.Swap(apitest.Other(), path)
		}
	})
	c := newClient(t, "http://larder.example", client.Key(f.Key(state.Standard)), client.Options{HTTP: through})
	if err := failure(c.Index(t.Context(), client.Query{"limit": "100"})); !errors.Is(err, client.ErrChanged) || len(*noted) != 2 {
		t.Errorf("%v after %s", err, *noted)
	}
	n := 0
	rereleased := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		n++
		w := httptest.NewRecorder()
		w.Header().Set("X-Snapshot", "5eed")
		w.Header().Set("X-Release", fmt.Sprint("r", n))
		fmt.Fprintf(w, `{"meta":{"next_offset":%d},"observations":[]}`, n)
		return w.Result(), nil
	})}
	c = newClient(t, "http://larder.example", client.Key("k"), client.Options{HTTP: rereleased})
	if err := failure(c.AsOf(t.Context(), "2026-11-20T12:00:00Z", nil)); !errors.Is(err, client.ErrChanged) || n != 2 {
		t.Errorf("another release of the snapshot: %v after %d pages", err, n)
	}
	g := apitest.Serve(t)
	through, noted = noting(g, func(int) { g.Clock.Advance(12 * time.Hour) })
	c = newClient(t, "http://larder.example", client.Key(g.Key(state.Standard)), client.Options{HTTP: through})
	list(t, c.Index(t.Context(), client.Query{"city": "Toronto", "limit": "500"}))
	pinned := "200 /api/v1/index?city=Toronto&from=2026-08-23&limit=500&offset=%d&to=2026-11-21"
	if diff := cmp.Diff([]string{"200 /api/v1/index?city=Toronto&limit=500", fmt.Sprintf(pinned, 500), fmt.Sprintf(pinned, 1000)}, *noted); diff != "" {
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
		c.SetAfter(atOnce)
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
