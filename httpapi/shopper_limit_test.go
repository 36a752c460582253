package httpapi

import (
	"net/http"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestShopperLimit uses up a minute of comparisons: GET, HEAD and POST, good and
// refused alike, take from one bucket; preflights, other methods and the catalog
// take nothing.
func TestShopperLimit(t *testing.T) {
	f := serveDemo(t)
	good := func() []*response {
		return []*response{
			f.get(pathCompare+"?city=toronto&items=1", ""), f.do(http.MethodHead, pathCompare+"?city=toronto&items=1", "", ""), f.post(pathCompare, goodList),
			f.get(pathCompare+"?nonsense", ""), f.post(pathCompare, "nonsense"), f.post(pathCompare, goodList, header("Content-Type", "text/plain")),
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
		for _, r := range []*response{
			f.get(pathCatalog, ""), f.do(http.MethodOptions, pathCompare, "", ""), f.do(http.MethodPut, pathCompare, "", goodList), f.get("/api/shopper/lists", ""),
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
	wantShopperError(t, "used up", f.post(pathCompare, goodList), http.StatusTooManyRequests, "rate_limited")
	if r := f.get(pathCatalog, ""); r.StatusCode != http.StatusOK {
		t.Errorf("the catalog is refused: %d", r.StatusCode)
	}
	if got := f.metric(`larder_limited_requests_total{limit="shopper_minute"}`); got != "7" {
		t.Errorf("%s requests were counted as refused for the limit", got)
	}
	f.clock.Advance(2 * time.Second)
	wantStatus(t, f.post(pathCompare, goodList), http.StatusOK)
	wantStatus(t, f.post(pathCompare, goodList), http.StatusTooManyRequests)
	f.clock.Advance(time.Minute)
	if r := f.post(pathCompare, goodList); r.Header.Get("X-RateLimit-Remaining") != "29" {
		t.Errorf("after a minute %s are left", r.Header.Get("X-RateLimit-Remaining"))
	}
}

// TestShopperLimitByClient makes sure that each client has a minute of its own,
// beside that of the public index.
func TestShopperLimitByClient(t *testing.T) {
	f := serveDemo(t, func(c *Config) {
		c.ShopperPerMinute, c.PublicPerMinute = 1, 1
		c.Trusted = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	for n := range 3 {
		wantStatus(t, f.post(pathCompare, goodList, asClient(n)), http.StatusOK)
		wantStatus(t, f.get(pathCompare+"?city=toronto&items=1", "", asClient(n)), http.StatusTooManyRequests)
		wantStatus(t, f.get("/api/public/index", "", asClient(n)), http.StatusUnauthorized)
	}
	wantStatus(t, f.post(pathCompare, goodList, header("X-Forwarded-For", "2001:db8::1")), http.StatusOK)
	wantStatus(t, f.post(pathCompare, goodList, header("X-Forwarded-For", "2001:db8::ffff:1")), http.StatusTooManyRequests)
}

// TestShopperLimitUnderLoad asks over 64 connections at once: no more get
// through than the bucket holds, and no fewer.
func TestShopperLimitUnderLoad(t *testing.T) {
	f := serveDemo(t)
	var mu sync.Mutex
	got := map[int]int{}
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for n := range 3 {
				var r *response
				if (i+n)%2 == 0 {
					r = f.post(pathCompare, goodList)
				} else {
					r = f.get(pathCompare+"?city=toronto&items=1x2,7x0.5", "")
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
	if n := f.server.shoppers.len(); n != 1 {
		t.Errorf("%d buckets", n)
	}
}

// TestShopperOrder makes sure of the order in which refusals are looked for:
// 405, 429, 415, 413, 400, 503.
func TestShopperOrder(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.db")
	f := serveSnapshot(t, none, func(c *Config) { c.ShopperPerMinute = 12 })
	big, text := strings.Repeat("x", 9000), header("Content-Type", "text/plain")
	for _, c := range []struct {
		name   string
		got    *response
		status int
		code   string
	}{
		{"type before size", f.post(pathCompare, big, text), 415, "unsupported_media_type"},
		{"type before the query", f.post(pathCompare+"?x", goodList, text), 415, "unsupported_media_type"},
		{"size before JSON", f.post(pathCompare, big), 413, "body_too_large"},
		{"size before the query", f.post(pathCompare+"?x", big), 413, "body_too_large"},
		{"the query before JSON", f.post(pathCompare+"?city=toronto", "{"), 400, "unknown_parameter"},
		{"a query that can't be read", f.post(pathCompare+"?%zz", goodList), 400, "invalid_query"},
		{"JSON before the snapshot", f.post(pathCompare, "{"), 400, "invalid_json"},
		{"shape before the snapshot", f.post(pathCompare, "{}"), 400, "invalid_body"},
		{"quantity before the snapshot", f.get(pathCompare+"?city=toronto&items=1x21", ""), 400, "invalid_quantity"},
		{"no snapshot", f.get(pathCompare+"?city=toronto&items=1x2", ""), 503, "data_unavailable"},
		{"no snapshot for a city that may be none", f.get(pathCompare+"?city=springfield&items=1x2", ""), 503, "data_unavailable"},
		{"no snapshot to POST", f.post(pathCompare, goodList), 503, "data_unavailable"},
		{"the limit before all", f.post(pathCompare, big, text), 429, "rate_limited"},
		{"the limit before the query", f.get(pathCompare+"?x=1", ""), 429, "rate_limited"},
		{"the method before the limit", f.do(http.MethodPut, pathCompare, "", big, text), 405, "method_not_allowed"},
		{"no catalog", f.get(pathCatalog, ""), 503, "data_unavailable"},
		{"a catalog with a parameter", f.get(pathCatalog+"?city=toronto", ""), 400, "unknown_parameter"},
	} {
		wantShopperError(t, c.name, c.got, c.status, c.code)
	}
}

// TestShopperOverloaded asks while as many comparisons are being made as may be.
func TestShopperOverloaded(t *testing.T) {
	f := serveDemo(t)
	for range maxComparing {
		f.server.comparing <- struct{}{}
	}
	r := f.post(pathCompare, goodList)
	wantShopperError(t, "overloaded", r, http.StatusServiceUnavailable, "overloaded")
	wantShopperError(t, "overloaded, and refused", f.post(pathCompare, "{}"), http.StatusBadRequest, "invalid_body")
	if r.Header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %s", r.Header.Get("Retry-After"))
	}
	<-f.server.comparing
	for range 3 { // each gives its place back, refused or not
		wantStatus(t, f.post(pathCompare, goodList), http.StatusOK)
		wantStatus(t, f.get(pathCompare+"?city=springfield&items=1", ""), http.StatusBadRequest)
	}
}
