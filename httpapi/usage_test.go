package httpapi_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	check := func(key string, want map[string]string) {
		t.Helper()
		r := f.Get("/api/v1/usage", key)
		apitest.WantStatus(t, r, http.StatusOK)
		v := r.JSON(t)
		for path, text := range want {
			if got := at(v, path); got != text {
				t.Errorf("%s is %s, want %s", path, got, text)
			}
		}
	}
	for tier, limits := range map[state.Tier][2]string{
		state.Research: {"60", "5000"}, state.Standard: {"120", "50000"}, state.Professional: {"600", "500000"}, state.Enterprise: {"3000", "null"},
	} {
		check(f.Key(tier, func(n *state.NewKey) { n.PerMinute = 0 }), map[string]string{
			"key.tier": strconv.Quote(tier.String()), "key.name": strconv.Quote("test " + tier.String()), "key.expires_at": "null",
			"limits.per_minute": limits[0], "limits.per_month": limits[1],
			"month.month": `"2026-11"`, "month.used": "0", "month.remaining": limits[1], "month.resets_at": `"2026-12-01T00:00:00Z"`, "endpoints": "[]",
		})
	}
	key := f.Key(state.Standard, func(n *state.NewKey) {
		n.Expires, n.PerMonth = time.Date(2027, 1, 1, 5, 0, 0, 0, time.UTC), 3
	})
	f.Get("/api/v1/products", key)
	f.Get("/api/v1/products?x=1", key)
	f.Get("/api/v1/prices?limit=1", key)
	f.Get("/api/v1/usage", key)
	check(key, map[string]string{
		"key.prefix": strconv.Quote(key[:len("larder_live_Ab3x")]), "key.expires_at": `"2027-01-01T05:00:00Z"`, "limits.per_month": "3", "month.used": "2", "month.remaining": "1",
		"endpoints.0.endpoint": `"/api/v1/prices"`, "endpoints.0.status_class": "2", "endpoints.0.requests": "1", "endpoints.0.counted": "1",
		"endpoints.1.endpoint": `"/api/v1/products"`, "endpoints.1.counted": "1",
		"endpoints.2.endpoint": `"/api/v1/products"`, "endpoints.2.status_class": "4", "endpoints.2.requests": "1", "endpoints.2.counted": "0",
		"endpoints.3.endpoint": `"/api/v1/usage"`, "endpoints.3.requests": "1", "endpoints.3.counted": "0",
	})
	// A spent month does not keep a subscriber from seeing that it is spent.
	f.Get("/api/v1/products", key)
	apitest.WantStatus(t, f.Get("/api/v1/products", key), http.StatusTooManyRequests)
	check(key, map[string]string{"month.used": "3", "month.remaining": "0"})
	f.Clock.Set(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	check(key, map[string]string{"month.month": `"2026-12"`, "month.used": "0", "month.remaining": "3", "endpoints": "[]"})
	// November is over: what it used, by day.
	r := f.Get("/api/v1/usage?month=2026-11", key)
	apitest.WantStatus(t, r, http.StatusOK)
	for path, want := range map[string]string{
		"month.month": `"2026-11"`, "month.used": "3", "month.remaining": "null", "month.resets_at": `"2026-12-01T00:00:00Z"`,
		"endpoints.0.endpoint": `"/api/v1/prices"`,
		"days.0.date":          strconv.Quote(apitest.Now.Format(time.DateOnly)), "days.0.requests": "8", "days.0.counted": "3",
	} {
		if got := at(r.JSON(t), path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	for _, month := range []string{"2027-01", "2026-13", "november"} {
		apitest.WantError(t, month, f.Get("/api/v1/usage?month="+month, key), http.StatusBadRequest, "invalid_parameter")
	}
	if r := f.Get("/api/v1/usage?month=2026-10", key); at(r.JSON(t), "days") != "[]" || at(r.JSON(t), "month.used") != "0" {
		t.Errorf("%s", r.Content)
	}
}
