package httpapi_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// TestShopperLimit uses up a minute of comparisons. GET, HEAD and POST at both
// addresses, good and refused alike, take from one bucket; preflights, other
// methods and the catalog take nothing.
func TestShopperLimit(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	good := func() []*apitest.Response {
		return []*apitest.Response{
			f.Get("/api/shopper/compare?city=toronto&items=1", ""), f.Do(http.MethodHead, "/api/shopper/compare?city=toronto&items=1", "", ""), f.Post("/api/shopper/compare", goodList),
			f.Get("/api/shopper/compare?nonsense", ""), f.Post("/api/shopper/compare", "nonsense"), f.Post("/shopper/lines", goodList, apitest.Header("Content-Type", "text/plain")),
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
		apitest.WantStatus(t, f.Get("/api/shopper/compare?city=toronto&items=1", "", apitest.AsClient(n)), http.StatusTooManyRequests)
		apitest.WantStatus(t, f.Get("/api/public/index", "", apitest.AsClient(n)), http.StatusUnauthorized)
	}
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList, apitest.Header("X-Forwarded-For", "2001:db8::1")), http.StatusOK)
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList, apitest.Header("X-Forwarded-For", "2001:db8::ffff:1")), http.StatusTooManyRequests)
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

// TestShopperOrder makes sure of the order in which refusals are looked for: 405,
// 403, 429, 415, 413, 400, 503.
func TestShopperOrder(t *testing.T) {
	t.Parallel()
	big, text := strings.Repeat("x", 9000), apitest.Header("Content-Type", "text/plain")
	for _, path := range []string{"/api/shopper/compare", "/shopper/lines"} {
		f := apitest.ServeFile(t, t.TempDir()+"/none.db", func(c *httpapi.Config) { c.ShopperPerMinute = 12 })
		for _, c := range []struct {
			name   string
			got    *apitest.Response
			status int
			code   string
		}{
			{"type before size", f.Post(path, big, text), 415, "unsupported_media_type"},
			{"type before the query", f.Post(path+"?x", goodList, text), 415, "unsupported_media_type"},
			{"size before JSON", f.Post(path, big), 413, "body_too_large"},
			{"size before the query", f.Post(path+"?x", big), 413, "body_too_large"},
			{"the query before JSON", f.Post(path+"?city=toronto", "{"), 400, "unknown_parameter"},
			{"a query that can't be read", f.Post(path+"?%zz", goodList), 400, "invalid_query"},
			{"JSON before the snapshot", f.Post(path, "{"), 400, "invalid_json"},
			{"shape before the snapshot", f.Post(path, "{}"), 400, "invalid_body"},
			{"quantity before the snapshot", f.Post(path, `{"city":"toronto","items":[{"id":1,"qty":21}]}`), 400, "invalid_quantity"},
			{"no snapshot for a city that may be none", f.Post(path, `{"city":"springfield","items":[{"id":1,"qty":2}]}`), 503, "data_unavailable"},
			{"no snapshot", f.Post(path, goodList), 503, "data_unavailable"},
			{"no snapshot to GET", f.Get("/api/shopper/compare?city=toronto&items=1x2", ""), 503, "data_unavailable"},
			{"the limit before all", f.Post(path, big, text), 429, "rate_limited"},
			{"the method before the limit", f.Do(http.MethodPut, path, "", big, text), 405, "method_not_allowed"},
			{"another site before the limit", f.Post("/shopper/lines", goodList, apitest.Header("Origin", "https://evil.example")), 403, "cross_site"},
			{"no catalog", f.Get("/api/shopper/catalog", ""), 503, "data_unavailable"},
			{"a catalog with a parameter", f.Get("/api/shopper/catalog?city=toronto", ""), 400, "unknown_parameter"},
		} {
			apitest.WantError(t, path+": "+c.name, c.got, c.status, c.code)
		}
	}
}
