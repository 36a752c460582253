package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/larder-index/larder/compare"
)

// TestShopperCatalog reads the catalog and compares it with that of package
// compare and with what the specification says of a list.
func TestShopperCatalog(t *testing.T) {
	f := serveDemo(t)
	r := f.get(pathCatalog, "")
	if r.StatusCode != http.StatusOK || r.Header.Get("Cache-Control") != "public, max-age=3600" || r.Header.Get("ETag") == "" || r.Header.Get("RateLimit") != "" {
		t.Fatalf("%d %v", r.StatusCode, r.Header)
	}
	var got compare.CatalogBody
	if err := json.Unmarshal(r.body, &struct {
		*compare.CatalogBody
		Rules any `json:"rules"` // its amount has no way back
	}{CatalogBody: &got}); err != nil {
		t.Fatal(err)
	}
	want := compare.Catalog(reference())
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
	if !slices.Equal(got.QuantityUnits, want.QuantityUnits) || !slices.Equal(got.Chains, want.Chains) || !slices.Equal(got.Cities, want.Cities) || len(got.Items) != len(want.Items) {
		t.Errorf("another catalog than package compare has")
	}
	for path, number := range map[string]string{"rules.maxItems": "50", "rules.maxStores": "40", "rules.maxBodyBytes": "8192", "rules.maxPriceAgeDays": "8", "rules.closeCallMinimumCad": "0.05"} {
		if at(r.json(t), path) != number {
			t.Errorf("%s is %s, want %s", path, at(r.json(t), path), number)
		}
	}
	// Each item can be asked for with the quantities that it says it has.
	f.server.ShopperPerMinute = 1_000_000
	for _, it := range got.Items {
		for q, code := range map[compare.Quantity]string{
			it.MinQuantity: "", it.MaxQuantity: "", it.MinQuantity + it.QuantityStep: "", it.MaxQuantity + it.QuantityStep: "invalid_quantity",
			it.MinQuantity - it.QuantityStep: "invalid_quantity", it.MinQuantity + it.QuantityStep/5: "invalid_quantity",
		} {
			list := compare.Request{City: "toronto", Items: []compare.Item{{ID: it.ID, Qty: q}}}
			if r := f.get(pathCompare+queryOf(list), ""); (code == "") != (r.StatusCode == http.StatusOK) || code != "" && at(r.json(t), "error.code") != `"`+code+`"` {
				t.Errorf("%s: %d %s", queryOf(list), r.StatusCode, r.body)
			}
		}
	}
}

// TestShopperCatalogTag asks for a catalog that the client has.
func TestShopperCatalogTag(t *testing.T) {
	f := serveDemo(t)
	plain := f.get(pathCatalog, "")
	tag := plain.Header.Get("ETag")
	if r := f.get(pathCatalog, "", header("If-None-Match", tag)); r.StatusCode != http.StatusNotModified || len(r.body) > 0 || r.Header.Get("ETag") != tag {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	if r := f.get(pathCatalog, "", header("If-None-Match", `"another"`)); r.StatusCode != http.StatusOK {
		t.Errorf("%d", r.StatusCode)
	}
	if r := f.do(http.MethodHead, pathCatalog, "", ""); r.ContentLength != int64(len(plain.body)) || r.Header.Get("ETag") != tag {
		t.Errorf("HEAD: %d bytes, %v", r.ContentLength, r.Header)
	}
	packed := f.get(pathCatalog, "", header("Accept-Encoding", "gzip"))
	if body, err := plainBody(packed); err != nil || !bytes.Equal(body, plain.body) || len(packed.body) >= len(plain.body) {
		t.Errorf("packed it is another: %v", err)
	}
	f.clock.Set(testNow.AddDate(1, 0, 0)) // it is no current availability
	if r := f.get(pathCatalog, ""); r.Header.Get("ETag") != tag || !bytes.Equal(r.body, plain.body) {
		t.Errorf("the catalog changes with the clock")
	}
	for _, query := range []string{"city=toronto", "x", "a=1&a=1", "="} {
		wantShopperError(t, query, f.get(pathCatalog+"?"+query, ""), http.StatusBadRequest, "unknown_parameter")
	}
	wantShopperError(t, "no query", f.get(pathCatalog+"?%", ""), http.StatusBadRequest, "invalid_query")
}

// TestShopperSwap makes sure that the projection is made once for each snapshot
// and let go with it, and that under load each answer is wholly of one of them.
func TestShopperSwap(t *testing.T) {
	before, after := smallSnapshots()
	path := filepath.Join(t.TempDir(), "panel.db")
	if err := copyFile(before, path); err != nil {
		t.Fatal(err)
	}
	f := serveSnapshot(t, path, manyComparisons)
	lists := []compare.Request{
		listFrom(t, "toronto", "25,4,13,9x0.25"), listFrom(t, "edmonton", "43,38,45,8x0.25"), listFrom(t, "halifax", "1x2,7x0.5,12,3,40"),
	}
	old, now := referenceOf(before), referenceOf(after)
	want := func(p *compare.Projection, i int) string { return string(expected(t, p, lists[i], testNow)) }
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range 30 {
				k := (i + n) % len(lists)
				got := f.post(pathCompare, bodyOf(t, lists[k]))
				if body := string(got.body); got.StatusCode != http.StatusOK || body != want(old, k) && body != want(now, k) {
					t.Errorf("%d: neither of one snapshot nor of the other: %.300s", got.StatusCode, body)
				}
			}
		})
	}
	for n := range 6 {
		f.swap([]string{before, after}[n%2], path)
	}
	wg.Wait()
	differ := 0
	for i, list := range lists { // the last one was after
		got := string(f.post(pathCompare, bodyOf(t, list)).body)
		if got != want(now, i) {
			t.Errorf("%s: not of the snapshot that is served", queryOf(list))
		}
		if want(old, i) != want(now, i) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the snapshots do not differ in these lists")
	}
	data := f.snapshots.Current().shopper()
	if again := f.snapshots.Current().shopper(); again != data {
		t.Error("the projection is made twice")
	}
	held := weak.Make(data)
	data = nil
	f.swap(before, path)
	if err := f.snapshots.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool {
		runtime.GC()
		return held.Value() == nil
	}) {
		t.Error("the projection outlives its snapshot")
	}
}
