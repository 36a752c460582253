package httpapi_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// TestShopperLimit uses up a minute of comparisons: GET, HEAD and POST, good and
// refused alike, take from one bucket; preflights, other methods and the catalog
// take nothing.
func TestShopperLimit(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	good := func() []*apitest.Response {
		return []*apitest.Response{
			f.Get("/api/shopper/compare"+"?city=toronto&items=1", ""), f.Do(http.MethodHead, "/api/shopper/compare"+"?city=toronto&items=1", "", ""), f.Post("/api/shopper/compare", goodList),
			f.Get("/api/shopper/compare"+"?nonsense", ""), f.Post("/api/shopper/compare", "nonsense"), f.Post("/api/shopper/compare", goodList, apitest.Header("Content-Type", "text/plain")),
		}
	}
	left := 30
	for range 5 {
		for _, r := range good() {
			left--
			if got := r.Header.Get("X-RateLimit-Remaining"); got != strconv.Itoa(left) || r.Header.Get("X-RateLimit-Limit") != "30" || r.StatusCode == http.StatusTooManyRequests {
				t.Fatalf("%s: %d, %s left, want %d", r.Request.Method, r.StatusCode, got, left)
			}
		}
		for _, r := range []*apitest.Response{
			f.Get("/api/shopper/catalog", ""), f.Do(http.MethodOptions, "/api/shopper/compare", "", ""), f.Do(http.MethodPut, "/api/shopper/compare", "", goodList), f.Get("/api/shopper/lists", ""),
		} {
			if r.Header.Get("RateLimit") != "" {
				t.Errorf("%s %s: %s", r.Request.Method, r.Request.URL.Path, r.Header.Get("RateLimit"))
			}
		}
	}
	for _, r := range good() {
		if r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "2" || r.Header.Get("RateLimit") != `"minute";r=0;t=2` ||
			r.Header.Get("RateLimit-Policy") != `"minute";q=30;w=60` {
			t.Errorf("%s: %d %v", r.Request.Method, r.StatusCode, r.Header)
		}
	}
	apitest.WantError(t, "used up", f.Post("/api/shopper/compare", goodList), http.StatusTooManyRequests, "rate_limited")
	if r := f.Get("/api/shopper/catalog", ""); r.StatusCode != http.StatusOK {
		t.Errorf("the catalog is refused: %d", r.StatusCode)
	}
	if got := f.Metric(`larder_limited_requests_total{limit="shopper_minute"}`); got != "7" {
		t.Errorf("%s requests were counted as refused for the limit", got)
	}
	f.Clock.Advance(2 * time.Second)
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList), http.StatusOK)
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList), http.StatusTooManyRequests)
	f.Clock.Advance(time.Minute)
	if r := f.Post("/api/shopper/compare", goodList); r.Header.Get("X-RateLimit-Remaining") != "29" {
		t.Errorf("after a minute %s are left", r.Header.Get("X-RateLimit-Remaining"))
	}
}

// TestShopperLimitByClient makes sure that each client has a minute of its own,
// beside that of the public index.
func TestShopperLimitByClient(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.BehindProxy, func(c *httpapi.Config) { c.ShopperPerMinute, c.PublicPerMinute = 1, 1 })
	for n := range 3 {
		apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList, apitest.AsClient(n)), http.StatusOK)
		apitest.WantStatus(t, f.Get("/api/shopper/compare"+"?city=toronto&items=1", "", apitest.AsClient(n)), http.StatusTooManyRequests)
		apitest.WantStatus(t, f.Get("/api/public/index", "", apitest.AsClient(n)), http.StatusUnauthorized)
	}
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList, apitest.Header("X-Forwarded-For", "2001:db8::1")), http.StatusOK)
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList, apitest.Header("X-Forwarded-For", "2001:db8::ffff:1")), http.StatusTooManyRequests)
}

// TestShopperLimitUnderLoad asks over 64 connections at once: no more get
// through than the bucket holds, and no fewer.
func TestShopperLimitUnderLoad(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	var mu sync.Mutex
	got := map[int]int{}
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for n := range 3 {
				var r *apitest.Response
				if (i+n)%2 == 0 {
					r = f.Post("/api/shopper/compare", goodList)
				} else {
					r = f.Get("/api/shopper/compare"+"?city=toronto&items=1x2,7x0.5", "")
				}
				mu.Lock()
				got[r.StatusCode]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if got[200] != 30 || got[429] != 3*64-30 {
		t.Errorf("statuses: %v", got)
	}
}

// TestShopperOrder makes sure of the order in which refusals are looked for:
// 405, 429, 415, 413, 400, 503.
func TestShopperOrder(t *testing.T) {
	t.Parallel()
	none := filepath.Join(t.TempDir(), "none.db")
	f := apitest.ServeFile(t, none, func(c *httpapi.Config) { c.ShopperPerMinute = 12 })
	big, text := strings.Repeat("x", 9000), apitest.Header("Content-Type", "text/plain")
	for _, c := range []struct {
		name   string
		got    *apitest.Response
		status int
		code   string
	}{
		{"type before size", f.Post("/api/shopper/compare", big, text), 415, "unsupported_media_type"},
		{"type before the query", f.Post("/api/shopper/compare"+"?x", goodList, text), 415, "unsupported_media_type"},
		{"size before JSON", f.Post("/api/shopper/compare", big), 413, "body_too_large"},
		{"size before the query", f.Post("/api/shopper/compare"+"?x", big), 413, "body_too_large"},
		{"the query before JSON", f.Post("/api/shopper/compare"+"?city=toronto", "{"), 400, "unknown_parameter"},
		{"a query that can't be read", f.Post("/api/shopper/compare"+"?%zz", goodList), 400, "invalid_query"},
		{"JSON before the snapshot", f.Post("/api/shopper/compare", "{"), 400, "invalid_json"},
		{"shape before the snapshot", f.Post("/api/shopper/compare", "{}"), 400, "invalid_body"},
		{"quantity before the snapshot", f.Get("/api/shopper/compare"+"?city=toronto&items=1x21", ""), 400, "invalid_quantity"},
		{"no snapshot", f.Get("/api/shopper/compare"+"?city=toronto&items=1x2", ""), 503, "data_unavailable"},
		{"no snapshot for a city that may be none", f.Get("/api/shopper/compare"+"?city=springfield&items=1x2", ""), 503, "data_unavailable"},
		{"no snapshot to POST", f.Post("/api/shopper/compare", goodList), 503, "data_unavailable"},
		{"the limit before all", f.Post("/api/shopper/compare", big, text), 429, "rate_limited"},
		{"the limit before the query", f.Get("/api/shopper/compare"+"?x=1", ""), 429, "rate_limited"},
		{"the method before the limit", f.Do(http.MethodPut, "/api/shopper/compare", "", big, text), 405, "method_not_allowed"},
		{"no catalog", f.Get("/api/shopper/catalog", ""), 503, "data_unavailable"},
		{"a catalog with a parameter", f.Get("/api/shopper/catalog"+"?city=toronto", ""), 400, "unknown_parameter"},
	} {
		apitest.WantError(t, c.name, c.got, c.status, c.code)
	}
}

// TestShopperLinesLimit uses up one minute at both addresses.
func TestShopperLinesLimit(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, func(c *httpapi.Config) { c.ShopperPerMinute = 8 })
	for n, r := range []*apitest.Response{
		f.Post("/shopper/lines", goodList), f.Post("/api/shopper/compare", goodList), f.Post("/shopper/lines", "nonsense"), f.Get("/api/shopper/compare"+"?city=toronto&items=1", ""),
		f.Post("/shopper/lines"+"?x", goodList), f.Post("/shopper/lines", goodList, apitest.Header("Content-Type", "text/plain")), f.Post("/shopper/lines", padded(8193)), f.Post("/shopper/lines", goodList),
	} {
		if got, want := r.Header.Get("RateLimit"), fmt.Sprintf(`"minute";r=%d;`, 7-n); !strings.HasPrefix(got, want) || r.Header.Get("X-RateLimit-Limit") != "8" {
			t.Errorf("request %d: %s, want %s", n, got, want)
		}
	}
	lines, compared := f.Post("/shopper/lines", goodList), f.Post("/api/shopper/compare", goodList)
	apitest.WantError(t, "used up", lines, http.StatusTooManyRequests, "rate_limited")
	wantSameAnswer(t, lines, compared)
	if got := f.Metric(`larder_limited_requests_total{limit="shopper_minute"}`); got != "2" {
		t.Errorf("%s requests were counted as refused for the limit", got)
	}
	f.Clock.Advance(8 * time.Second)
	apitest.WantStatus(t, f.Post("/shopper/lines", goodList), http.StatusOK)
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList), http.StatusTooManyRequests)
}

// TestShopperLinesOrder makes sure of the order in which refusals are looked for:
// 405, 403, 429, 415, 413, 400, 503.
func TestShopperLinesOrder(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, filepath.Join(t.TempDir(), "none.db"), func(c *httpapi.Config) { c.ShopperPerMinute = 9 })
	big, text, other := strings.Repeat("x", 9000), apitest.Header("Content-Type", "text/plain"), apitest.Header("Origin", "https://evil.example")
	for _, c := range []struct {
		name   string
		got    *apitest.Response
		status int
		code   string
	}{
		{"another site before type", f.Post("/shopper/lines", big, text, other), 403, "cross_site"},
		{"type before size", f.Post("/shopper/lines", big, text), 415, "unsupported_media_type"},
		{"type before the query", f.Post("/shopper/lines"+"?x", goodList, text), 415, "unsupported_media_type"},
		{"size before JSON", f.Post("/shopper/lines", big), 413, "body_too_large"},
		{"size before the query", f.Post("/shopper/lines"+"?x", big), 413, "body_too_large"},
		{"the query before JSON", f.Post("/shopper/lines"+"?city=toronto", "{"), 400, "unknown_parameter"},
		{"JSON before the snapshot", f.Post("/shopper/lines", "{"), 400, "invalid_json"},
		{"quantity before the snapshot", f.Post("/shopper/lines", `{"city":"toronto","items":[{"id":1,"qty":21}]}`), 400, "invalid_quantity"},
		{"no snapshot for a city that may be none", f.Post("/shopper/lines", `{"city":"springfield","items":[{"id":1,"qty":2}]}`), 503, "data_unavailable"},
		{"no snapshot", f.Post("/shopper/lines", goodList), 503, "data_unavailable"},
		{"the limit before all", f.Post("/shopper/lines", big, text), 429, "rate_limited"},
		{"another site before the limit", f.Post("/shopper/lines", goodList, other), 403, "cross_site"},
		{"the method before the limit", f.Do(http.MethodPut, "/shopper/lines", "", big, text, other), 405, "method_not_allowed"},
	} {
		apitest.WantError(t, c.name, c.got, c.status, c.code)
	}
}

// TestShopperOverloaded asks while as many comparisons are being made as may be.
// Both addresses take from the same places.
func TestShopperOverloaded(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	release := f.API.CompareAll()
	for _, path := range []string{"/api/shopper/compare", "/shopper/lines"} {
		r := f.Post(path, goodList)
		apitest.WantError(t, path, r, http.StatusServiceUnavailable, "overloaded")
		if r.Header.Get("Retry-After") != "1" {
			t.Errorf("%s: Retry-After is %s", path, r.Header.Get("Retry-After"))
		}
		apitest.WantError(t, path+", and refused", f.Post(path, "{}"), http.StatusBadRequest, "invalid_body")
	}
	session := agent(f)
	if code, seconds := refusedAs(callTool(t, session, "compare", agentList)); code != "overloaded" || seconds != 1 {
		t.Errorf("a tool: %s, %g s", code, seconds)
	}
	release(1)
	for range 2 { // each gives its place back, refused or not
		for _, path := range []string{"/api/shopper/compare", "/shopper/lines"} {
			apitest.WantStatus(t, f.Post(path, goodList), http.StatusOK)
			apitest.WantStatus(t, f.Post(path, `{"city":"springfield","items":[{"id":1,"qty":1}]}`), http.StatusBadRequest)
		}
		if res := callTool(t, session, "compare", agentList); res.IsError {
			t.Errorf("%+v", res.Content)
		}
	}
}
