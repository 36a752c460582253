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

// TestShopperLimit uses up a minute of comparisons. GET, HEAD, POST and tool calls, good
// and refused alike, take from one bucket of the client. Preflights, other methods, the
// catalog and other tool calls take nothing.
func TestShopperLimit(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.BehindProxy)
	session := agent(f)
	compared := func() []*apitest.Response {
		return []*apitest.Response{
			f.Get("/api/shopper/compare"+goodQuery, ""), f.Do(http.MethodHead, "/api/shopper/compare"+goodQuery, "", ""), f.Post("/api/shopper/compare", goodList),
			f.Get("/api/shopper/compare?nonsense", ""), f.Post("/shopper/lines", goodList, apitest.Header("Content-Type", "text/plain")), message(f, compareCall),
		}
	}
	left := 30
	for range 5 {
		for _, r := range compared() {
			left--
			if got := r.Header.Get("X-RateLimit-Remaining"); got != strconv.Itoa(left) || r.Header.Get("X-RateLimit-Limit") != "30" || r.StatusCode == http.StatusTooManyRequests {
				t.Fatalf("%s: %d, %s left, want %d", r.Request.Method, r.StatusCode, got, left)
			}
		}
		for _, r := range []*apitest.Response{
			f.Get("/api/shopper/catalog", ""), f.Do(http.MethodOptions, "/api/shopper/compare", "", ""), f.Do(http.MethodPut, "/api/shopper/compare", "", goodList),
			f.Do(http.MethodPut, "/shopper/lines", "", goodList), f.Get("/api/shopper/lists", ""), message(f, toolsList),
		} {
			if r.Header.Get("RateLimit") != "" {
				t.Errorf("%s %s: %s", r.Request.Method, r.Request.URL.Path, r.Header.Get("RateLimit"))
			}
		}
		callTool(t, session, "catalog", "{}")
	}
	for _, r := range compared() {
		if r.Header.Get("RateLimit") != `"minute";r=0;t=2` || r.Header.Get("RateLimit-Policy") != `"minute";q=30;w=60` {
			t.Errorf("%s: %d %v", r.Request.Method, r.StatusCode, r.Header)
		}
		if called := r.Request.URL.Path == "/mcp"; !called && (r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "2") ||
			called && (r.StatusCode != http.StatusOK || !strings.Contains(string(r.Content), `"isError":true`)) {
			t.Errorf("%s: %d %s", r.Request.URL.Path, r.StatusCode, r.Content)
		}
	}
	for _, list := range []string{goodList, "{}"} {
		if code, seconds := refusedAs(callTool(t, session, "compare", list)); code != "rate_limited" || seconds != 2 {
			t.Errorf("a tool: %s, %g s", code, seconds)
		}
	}
	if got := f.Metric(`larder_limited_requests_total{limit="shopper_minute"}`); got != "8" {
		t.Errorf("%s requests were counted as refused for the limit", got)
	}
	if r := message(f, compareCall, apitest.AsClient(9)); r.Header.Get("X-RateLimit-Remaining") != "29" {
		t.Errorf("another client: %v", r.Header)
	}
	f.Clock.Advance(2 * time.Second)
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList), http.StatusOK)
	apitest.WantStatus(t, f.Post("/api/shopper/compare", goodList), http.StatusTooManyRequests)
}

// TestShopperOverloaded asks while as many comparisons are being made as there may be.
// All addresses take from the same places, and each comparison gives its place back,
// refused or not.
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
	if code, seconds := refusedAs(callTool(t, session, "compare", goodList)); code != "overloaded" || seconds != 1 {
		t.Errorf("a tool: %s, %g s", code, seconds)
	}
	release(1)
	for range 2 {
		for _, path := range []string{"/api/shopper/compare", "/shopper/lines"} {
			apitest.WantStatus(t, f.Post(path, goodList), http.StatusOK)
			apitest.WantStatus(t, f.Post(path, `{"city":"springfield","items":[{"id":1,"qty":1}]}`), http.StatusBadRequest)
		}
		if res := callTool(t, session, "compare", goodList); res.IsError {
			t.Errorf("%+v", res.Content)
		}
	}
}

// TestShopperOrder sends requests with several faults. They are refused in the order
// 405, 403, 429, 415, 413, 400, 503.
func TestShopperOrder(t *testing.T) {
	t.Parallel()
	big, text := strings.Repeat("x", 9000), apitest.Header("Content-Type", "text/plain")
	for _, path := range []string{"/api/shopper/compare", "/shopper/lines"} {
		f := apitest.ServeFile(t, t.TempDir()+"/none.db", func(c *httpapi.Config) { c.ShopperPerMinute = 10 })
		for _, c := range []struct {
			name   string
			got    *apitest.Response
			status int
			code   string
		}{
			{"type before size and query", f.Post(path+"?x", big, text), 415, "unsupported_media_type"},
			{"size before query and JSON", f.Post(path+"?x", big), 413, "body_too_large"},
			{"query before JSON", f.Post(path+"?city=toronto", "{"), 400, "unknown_parameter"},
			{"a query that can't be read", f.Post(path+"?%zz", goodList), 400, "invalid_query"},
			{"JSON before the snapshot", f.Post(path, "{"), 400, "invalid_json"},
			{"shape before the snapshot", f.Post(path, "{}"), 400, "invalid_body"},
			{"quantity before the snapshot", f.Post(path, oneItem("1", "21")), 400, "invalid_quantity"},
			{"the snapshot before the city", f.Post(path, `{"city":"springfield","items":[{"id":1,"qty":2}]}`), 503, "data_unavailable"},
			{"no snapshot", f.Post(path, goodList), 503, "data_unavailable"},
			{"no snapshot to GET", f.Get("/api/shopper/compare"+goodQuery, ""), 503, "data_unavailable"},
			{"the limit before all", f.Post(path, big, text), 429, "rate_limited"},
			{"the method before the limit", f.Do(http.MethodPut, path, "", big, text), 405, "method_not_allowed"},
			{"another site before the limit", f.Post("/shopper/lines", goodList, apitest.Header("Sec-Fetch-Site", "cross-site")), 403, "cross_site"},
			{"no catalog", f.Get("/api/shopper/catalog", ""), 503, "data_unavailable"},
			{"a catalog with a parameter", f.Get("/api/shopper/catalog?city=toronto", ""), 400, "unknown_parameter"},
		} {
			apitest.WantError(t, path+": "+c.name, c.got, c.status, c.code)
		}
	}
}
