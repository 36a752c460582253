package httpapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

func TestShrinkflationContract(t *testing.T) {
	t.Parallel()
	_, after := apitest.SmallSnapshots()
	f := apitest.ServeFile(t, after)
	graded := func(grades ...string) func(map[string]any) bool {
		return func(row map[string]any) bool {
			return slices.Contains(grades, row["confidence"].(string)) && (row["flag"] == "ok") == (row["confidence"] != "low")
		}
	}
	shrinkflationResource.play(t, f, state.Standard, slices.Concat(
		refused("confidence", "High", "HIGH", "all", "none", "ok", "0"),
		refused("banner", "Northlarch", "nobody", "broadmoose", "bigfathom", "all"),
		refused("city", "Toronto"), refused("product_id", "7"), refused("category", "dairy"), refused("flag", "ok"),
		window(1000, 10_000),
		[]scenario{
			{name: "ninety days of high confidence by default", rows: "some", each: graded("high"), lacks: []string{"meta.scan_truncated"}, has: map[string]string{
				"meta.filters.confidence": `"high"`, "meta.filters.banner": `"all"`, "meta.filters.from": `"2026-08-22"`, "meta.filters.to": `"2026-11-20"`,
			}},
			{name: "an empty confidence is high", query: "?confidence=", rows: "some", each: graded("high"), has: map[string]string{"meta.filters.confidence": `"high"`}},
			{name: "filters are said again", query: "?banner=northlarch&confidence=low", rows: "some", has: map[string]string{"meta.filters.banner": `"northlarch"`, "meta.filters.confidence": `"low"`}},
			{name: "the nearest grade is named", query: "?confidence=mediun", status: 400, has: map[string]string{
				"error": `"confidence: \"mediun\" is not known here; did you mean \"medium\"?"`, "accepted": `["high","medium","low"]`,
			}},
		},
	))
}

// eventJSON holds the members of an event that tests read.
type eventJSON struct {
	ID         int64
	New        string    `json:"new_package_size"`
	DetectedAt time.Time `json:"detected_at"`
	Confidence string
	Flag       string
}

func TestScanCap(t *testing.T) {
	t.Parallel()
	_, after := apitest.SmallSnapshots()
	inRange := func(scanCap int) (truncated, total string, rows int) {
		f := apitest.ServeFile(t, after, func(c *httpapi.Config) { c.ScanCap = scanCap })
		v := f.Get("/api/v1/shrinkflation?confidence=low&from=2026-10-01&to=2026-10-20&limit=10000", f.Key(state.Standard)).JSON(t)
		return at(v, "meta.scan_truncated"), at(v, "meta.total_matched"), len(v["events"].([]any))
	}
	truncated, total, all := inRange(0)
	if truncated != absent || all < 100 || total != fmt.Sprint(all) {
		t.Fatalf("without a cap: scan_truncated %s, total_matched %s, %d events", truncated, total, all)
	}
	for _, c := range []struct {
		scanCap int
		want    string
		rows    int
	}{{all + 1, absent, all}, {all, absent, all}, {all - 1, "true", all - 1}, {1, "true", 1}} {
		truncated, total, rows := inRange(c.scanCap)
		if truncated != c.want || rows != c.rows || total != fmt.Sprint(c.rows) {
			t.Errorf("with a cap of %d: scan_truncated %s, total_matched %s, %d events", c.scanCap, truncated, total, rows)
		}
	}

	// The cap counts events in the range, whether they match or not.
	f := apitest.ServeFile(t, after, func(c *httpapi.Config) { c.ScanCap = all - 1 })
	v := f.Get("/api/v1/shrinkflation?confidence=high&banner=northlarch&from=2026-10-01&to=2026-10-20", f.Key(state.Standard)).JSON(t)
	if at(v, "meta.scan_truncated") != "true" {
		t.Error("few events match of more than may be looked at: no scan_truncated")
	}
}

func TestNewEvent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		event   panel.ShrinkEvent
		listing panel.Listing
		want    string
	}{
		{
			"every member given",
			panel.ShrinkEvent{
				ID: 7, Listing: 3, OldPackageSize: "750 g", NewPackageSize: "0.65 kg <new>", OldSize: 750, NewSize: 650.5, SizeUnit: "g",
				PctSizeChange: panel.FixedOf(-13_3333), OldUnitPrice: 0.00995, NewUnitPrice: 0.0102922666,
				PctUnitPriceChange: panel.FixedOf(15_5000), ShelfPrice: 63900,
				DetectedAt: time.Date(2026, 8, 30, 22, 23, 0, 5e8, panel.Toronto),
			},
			panel.Listing{ID: 3, Name: "Crème \"fraîche\"", Brand: "Moo"},
			`{"id":7,"old_package_size":"750 g","new_package_size":"0.65 kg \u003cnew\u003e","old_size_numeric":750,"new_size_numeric":650.5,` +
				`"size_unit":"g","pct_size_change":-13.3333,"old_unit_price":0.01,"new_unit_price":0.0103,` +
				`"pct_unit_price_change":15.5,"shelf_price_at_change":6.39,"detected_at":"2026-08-31T02:23:00.5Z",` +
				`"confidence":"high","flag":"ok","retailer_products":{"retailer":"Shop Inc.","banner":"shop",` +
				`"retailer_name":"Crème \"fraîche\"","brand":"Moo","products":{"id":1,"name":"Cream","category":"dairy"}}}`,
		},
		{
			"nothing known",
			panel.ShrinkEvent{ID: 8, DetectedAt: time.Date(2026, 8, 30, 0, 0, 0, 0, time.UTC)},
			panel.Listing{ID: 3, Name: "Cream"},
			`{"id":8,"old_package_size":"","new_package_size":"","old_size_numeric":null,"new_size_numeric":null,` +
				`"size_unit":null,"pct_size_change":null,"old_unit_price":null,"new_unit_price":null,` +
				`"pct_unit_price_change":null,"shelf_price_at_change":null,"detected_at":"2026-08-30T00:00:00Z",` +
				`"confidence":"low","flag":"suspect_unit_mismatch","retailer_products":{"retailer":"Shop Inc.","banner":"shop",` +
				`"retailer_name":"Cream","brand":null,"products":{"id":1,"name":"Cream","category":"dairy"}}}`,
		},
		{
			"a change of 0 is no null",
			panel.ShrinkEvent{ID: 9, PctSizeChange: panel.FixedOf(0), PctUnitPriceChange: panel.FixedOf(-20_0000)},
			panel.Listing{ID: 3, Name: "Cream"},
			`{"id":9,"old_package_size":"","new_package_size":"","old_size_numeric":null,"new_size_numeric":null,` +
				`"size_unit":null,"pct_size_change":0,"old_unit_price":null,"new_unit_price":null,` +
				`"pct_unit_price_change":-20,"shelf_price_at_change":null,"detected_at":"0001-01-01T00:00:00Z",` +
				`"confidence":"low","flag":"suspect_tiny","retailer_products":{"retailer":"Shop Inc.","banner":"shop",` +
				`"retailer_name":"Cream","brand":null,"products":{"id":1,"name":"Cream","category":"dairy"}}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := basket.Product{ID: 1, Name: "Cream", Category: basket.Dairy}
			n := basket.Banner{Key: "shop", Name: "The Shop", Retailer: "Shop Inc."}
			got, err := json.Marshal(prepared.NewEvent(&c.event, &c.listing, &p, &n))
			if diff := gocmp.Diff(c.want, string(got)); err != nil || diff != "" {
				t.Errorf("%v, -want +got:\n%s", err, diff)
			}
		})
	}
}
