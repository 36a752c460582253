package httpapi_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
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
