package httpapi_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// TestShopperCatalog reads the catalog and compares it with that of package
// compare and with what the specification says of a list.
func TestShopperCatalog(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	r := f.Get("/api/shopper/catalog", "")
	if r.StatusCode != http.StatusOK || r.Header.Get("Cache-Control") != "public, max-age=3600" || r.Header.Get("ETag") == "" || r.Header.Get("RateLimit") != "" {
		t.Fatalf("%d %v", r.StatusCode, r.Header)
	}
	got := compare.Catalog(apitest.Reference())
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(got); err != nil || !bytes.Equal(r.Content, want.Bytes()) {
		t.Errorf("another catalog than package compare has: %v", err)
	}
	var cities, keys []string
	for _, c := range got.Cities {
		cities = append(cities, c.Slug)
	}
	for _, c := range got.Chains {
		keys = append(keys, c.Key)
	}
	slices.Sort(cities)
	if list := sorted(strings.Fields("vancouver calgary edmonton saskatoon winnipeg toronto ottawa montreal quebec-city moncton halifax charlottetown st-johns")); !slices.Equal(cities, list) {
		t.Errorf("cities %v, want %v", cities, list)
	}
	if len(keys) != 26 || !slices.IsSorted(keys) || strings.ToLower(strings.Join(keys, "")) != strings.Join(keys, "") {
		t.Errorf("chains %v", keys)
	}
	for path, number := range map[string]string{"rules.maxItems": "50", "rules.maxStores": "40", "rules.maxBodyBytes": "8192", "rules.maxPriceAgeDays": "8", "rules.closeCallMinimumCad": "0.05"} {
		if at(r.JSON(t), path) != number {
			t.Errorf("%s is %s, want %s", path, at(r.JSON(t), path), number)
		}
	}
	f.Clock.Set(apitest.Now.AddDate(1, 0, 0)) // it is no current availability
	if again := f.Get("/api/shopper/catalog", ""); again.Header.Get("ETag") != r.Header.Get("ETag") || !bytes.Equal(again.Content, r.Content) {
		t.Error("the catalog changes with the clock")
	}
	f.Clock.Set(apitest.Now)
	for _, path := range []string{"/api/shopper/", "/api/shopper/lists", "/api/shopper/compare/", "/api/shopper/Compare", "/api/shopper/../shopper/lists", "/api/shopper/compare%00"} {
		apitest.WantError(t, path, f.Get(path, ""), http.StatusNotFound, "not_found")
	}
	// Each item can be asked for with the quantities that it says it has.
	for _, it := range got.Items {
		for q, code := range map[compare.Quantity]string{
			it.MinQuantity: "", it.MaxQuantity: "", it.MinQuantity + it.QuantityStep: "", it.MaxQuantity + it.QuantityStep: "invalid_quantity",
			it.MinQuantity - it.QuantityStep: "invalid_quantity", it.MinQuantity + it.QuantityStep/5: "invalid_quantity",
		} {
			list := compare.Request{City: "toronto", Items: []compare.Item{{ID: it.ID, Qty: q}}}
			if r := f.Get("/api/shopper/compare"+apitest.Query(list), ""); (code == "") != (r.StatusCode == http.StatusOK) || code != "" && at(r.JSON(t), "error.code") != `"`+code+`"` {
				t.Errorf("%s: %d %s", apitest.Query(list), r.StatusCode, r.Content)
			}
		}
	}
}

// TestProjectionIsLetGo makes sure that the projection of a snapshot is made once
// and goes with the snapshot.
func TestProjectionIsLetGo(t *testing.T) {
	t.Parallel()
	f, path := apitest.ServeCopy(t)
	data := f.Snapshots.Current().Projection()
	if again := f.Snapshots.Current().Projection(); again != data {
		t.Error("the projection is made twice")
	}
	held := weak.Make(data)
	data = nil
	f.Swap(apitest.Other(), path)
	if err := f.Snapshots.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool {
		runtime.GC()
		return held.Value() == nil
	}) {
		t.Error("the projection outlives its snapshot")
	}
}

// TestShopperCORS does what a browser does for a page of another site.
func TestShopperCORS(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	origin := apitest.Header("Origin", "https://agent.example")
	for _, c := range []struct{ path, methods string }{{"/api/shopper/compare", "GET, HEAD, POST, OPTIONS"}, {"/api/shopper/catalog", "GET, HEAD, OPTIONS"}} {
		for _, change := range [][]apitest.Change{
			{origin, apitest.Header("Access-Control-Request-Method", "POST"), apitest.Header("Access-Control-Request-Headers", "content-type")}, {origin}, nil,
		} {
			r := f.Do(http.MethodOptions, c.path, "", "", change...)
			h := r.Header
			if r.StatusCode != http.StatusNoContent || len(r.Content) > 0 || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Methods") != c.methods ||
				h.Get("Allow") != c.methods || h.Get("Access-Control-Allow-Headers") != "Content-Type, If-None-Match" || h.Get("RateLimit") != "" {
				t.Errorf("OPTIONS %s: %d %v", c.path, r.StatusCode, h)
			}
		}
	}
	answers := map[string]*apitest.Response{
		"200": f.Post("/api/shopper/compare", goodList, origin), "HEAD": f.Do(http.MethodHead, "/api/shopper/catalog", "", "", origin), "400": f.Post("/api/shopper/compare", "x", origin),
		"404": f.Get("/api/shopper/nothing", "", origin), "405": f.Do(http.MethodDelete, "/api/shopper/compare", "", "", origin), "415": f.Do(http.MethodPost, "/api/shopper/compare", "", "x", origin),
		"OPTIONS 404": f.Do(http.MethodOptions, "/api/shopper/nothing", "", "", origin), "catalog": f.Get("/api/shopper/catalog", "", origin),
		"304": f.Get("/api/shopper/catalog", "", origin, apitest.Header("If-None-Match", "*")), "without an origin": f.Get("/api/shopper/catalog", ""),
	}
	for name, r := range answers {
		exposed := r.Header.Get("Access-Control-Expose-Headers")
		for _, want := range []string{"Retry-After", "RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
			if !strings.Contains(", "+exposed+",", ", "+want+",") {
				t.Errorf("%s: %s is not exposed: %q", name, want, exposed)
			}
		}
		if r.Header.Get("Access-Control-Allow-Origin") != "*" || r.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %v", name, r.Header)
		}
	}
	for _, path := range []string{"/api/shopper", "/api/shopperx/compare", "/api/v1/index", "/account/session", "/shopper"} {
		if r := f.Get(path, "", origin); r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s is open to all sites", path)
		}
	}
}
