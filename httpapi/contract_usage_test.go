package httpapi

import (
	"strconv"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

func TestUsage(t *testing.T) {
	f := serveDemo(t)
	ask := func(key string) map[string]any {
		t.Helper()
		r := f.get("/api/v1/usage", key)
		if r.StatusCode != 200 || r.Header.Get("Cache-Control") != "no-store" || r.Header.Get("ETag") != "" {
			t.Fatalf("%d, Cache-Control %q, ETag %q: %s", r.StatusCode, r.Header.Get("Cache-Control"), r.Header.Get("ETag"), r.body)
		}
		return r.json(t)
	}
	check := func(v map[string]any, want map[string]string) {
		t.Helper()
		for path, text := range want {
			if got := at(v, path); got != text {
				t.Errorf("%s is %s, want %s", path, got, text)
			}
		}
	}
	for tier, limits := range map[state.Tier][2]string{
		state.Research: {"60", "5000"}, state.Standard: {"120", "50000"}, state.Professional: {"600", "500000"}, state.Enterprise: {"3000", "null"},
	} {
		v := ask(f.key(tier, func(n *state.NewKey) { n.PerMinute = 0 }))
		members(t, "usage", v, "meta key limits month endpoints")
		members(t, "meta", v["meta"], "version endpoint generated_at")
		members(t, "key", v["key"], "id name prefix tier expires_at")
		members(t, "limits", v["limits"], "per_minute per_month")
		members(t, "month", v["month"], "month used remaining resets_at")
		check(v, map[string]string{
			"meta.version": `"v1"`, "meta.endpoint": `"/api/v1/usage"`, "meta.generated_at": `"2026-11-20T17:00:00Z"`,
			"key.tier": strconv.Quote(tier.String()), "key.name": strconv.Quote("test " + tier.String()), "key.expires_at": "null",
			"limits.per_minute": limits[0], "limits.per_month": limits[1],
			"month.month": `"2026-11"`, "month.used": "0", "month.remaining": limits[1], "month.resets_at": `"2026-12-01T00:00:00Z"`, "endpoints": "[]",
		})
	}

	key := f.key(state.Standard, func(n *state.NewKey) {
		n.Expires, n.PerMonth = time.Date(2027, 1, 1, 5, 0, 0, 0, time.UTC), 3
	})
	f.get("/api/v1/products", key)
	f.get("/api/v1/products?x=1", key)
	f.get("/api/v1/prices?limit=1", key)
	ask(key)
	v := ask(key)
	check(v, map[string]string{
		"key.expires_at": `"2027-01-01T05:00:00Z"`, "limits.per_month": "3", "month.used": "2", "month.remaining": "1",
		"endpoints.0.endpoint": `"/api/v1/prices"`, "endpoints.0.status_class": "2", "endpoints.0.requests": "1", "endpoints.0.counted": "1",
		"endpoints.1.endpoint": `"/api/v1/products"`, "endpoints.1.counted": "1",
		"endpoints.2.endpoint": `"/api/v1/products"`, "endpoints.2.status_class": "4", "endpoints.2.requests": "1", "endpoints.2.counted": "0",
		"endpoints.3.endpoint": `"/api/v1/usage"`, "endpoints.3.requests": "1", "endpoints.3.counted": "0",
	})
	members(t, "endpoints", v["endpoints"].([]any)[0], "endpoint status_class requests counted bytes")

	// A spent month does not keep a subscriber from seeing that it is spent.
	f.get("/api/v1/products", key)
	if r := f.get("/api/v1/products", key); r.StatusCode != 429 {
		t.Errorf("a fourth request: %d", r.StatusCode)
	}
	check(ask(key), map[string]string{"month.used": "3", "month.remaining": "0"})
	f.clock.Set(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	check(ask(key), map[string]string{"month.month": `"2026-12"`, "month.used": "0", "month.remaining": "3", "endpoints": "[]"})
	if r := f.get("/api/v1/usage?month=2026-11", key); r.StatusCode != 400 {
		t.Errorf("a parameter: %d", r.StatusCode)
	}
	if r := f.get("/api/v1/usage", ""); r.StatusCode != 401 {
		t.Errorf("without a key: %d", r.StatusCode)
	}
}

func TestUsageNeedsNoSnapshot(t *testing.T) {
	f := serveSnapshot(t, t.TempDir()+"/missing.db")
	key := f.key(state.Standard)
	if r := f.get("/api/v1/usage", key); r.StatusCode != 200 {
		t.Errorf("usage: %d %s", r.StatusCode, r.body)
	}
	for _, path := range []string{"/api/public/index", "/api/v1/index", "/api/v1/prices", "/api/v1/products", "/api/v1/shrinkflation"} {
		if r := f.get(path, key); r.StatusCode != 500 || r.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
		if r := f.get(path+"?limit=0", key); r.StatusCode != 400 {
			t.Errorf("%s with a bad limit: %d", path, r.StatusCode)
		}
	}
}
