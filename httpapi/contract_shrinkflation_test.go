package httpapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel/synth"
)

func TestShrinkflationContract(t *testing.T) {
	_, after := smallSnapshots()
	f := serveSnapshot(t, after)
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
				"meta.version": `"v1"`, "meta.endpoint": `"/api/v1/shrinkflation"`, "meta.generated_at": `"2026-11-20T17:00:00Z"`,
				"meta.filters.confidence": `"high"`, "meta.filters.banner": `"all"`, "meta.filters.from": `"2026-08-22"`, "meta.filters.to": `"2026-11-20"`,
			}},
			{name: "an empty confidence is high", query: "?confidence=", rows: "some", each: graded("high"), has: map[string]string{"meta.filters.confidence": `"high"`}},
			{name: "high", query: "?confidence=high", rows: "some", each: graded("high")},
			{name: "medium has high too", query: "?confidence=medium", rows: "some", each: graded("high", "medium"), has: map[string]string{"meta.filters.confidence": `"medium"`}},
			{name: "low has all", query: "?confidence=low", rows: "some", each: graded("high", "medium", "low"), has: map[string]string{"meta.filters.confidence": `"low"`}},
			{name: "one banner", query: "?banner=northlarch&confidence=low", rows: "some", has: map[string]string{"meta.filters.banner": `"northlarch"`}, each: func(row map[string]any) bool {
				return at(row, "retailer_products.banner") == `"northlarch"`
			}},
			{name: "one day, all of it", query: "?from=2026-11-01&to=2026-11-01&confidence=low", rows: "some", each: func(row map[string]any) bool {
				at := row["detected_at"].(string) // the clocks go back that day in Toronto
				return at >= "2026-11-01T04:00:00Z" && at < "2026-11-02T05:00:00Z"
			}},
			{name: "the nearest grade is named", query: "?confidence=mediun", status: 400, has: map[string]string{
				"error": `"confidence: \"mediun\" is not known here; did you mean \"medium\"?"`, "accepted": `["high","medium","low"]`,
			}},
		},
	))
}

func TestShrinkflationMembers(t *testing.T) {
	f := serveDemo(t)
	v := f.get("/api/v1/shrinkflation?confidence=low", f.key(state.Standard)).json(t)
	members(t, "shrinkflation", v, "meta events")
	meta := v["meta"].(map[string]any)
	members(t, "meta", meta, "version endpoint filters limit offset count total_matched has_more next_offset generated_at")
	members(t, "filters", meta["filters"], "confidence banner from to")
	for _, x := range v["events"].([]any) {
		members(t, "event", x, `id old_package_size new_package_size old_size_numeric new_size_numeric size_unit pct_size_change old_unit_price
			new_unit_price pct_unit_price_change shelf_price_at_change detected_at confidence flag retailer_products`)
		m := x.(map[string]any)["retailer_products"].(map[string]any)
		members(t, "retailer_products", m, "retailer banner retailer_name brand products")
		members(t, "products", m["products"], "id name category")
	}
}

func TestShrinkflationAdmission(t *testing.T) {
	admission(t, serveDemo(t), shrinkflationResource, state.Standard)
}

// TestShrinkflationFindsWhatWasPlanted compares the events with the plants.
func TestShrinkflationFindsWhatWasPlanted(t *testing.T) {
	f := serveDemo(t)
	d, _ := demo()
	v := f.get("/api/v1/shrinkflation?confidence=low", f.key(state.Standard)).json(t)
	var got, want []string
	for _, e := range v["events"].([]any) {
		e := e.(map[string]any)
		got = append(got, fmt.Sprint(at(e, "retailer_products.products.id"), at(e, "retailer_products.banner"), e["old_package_size"], e["new_package_size"], e["confidence"], e["flag"]))
	}
	for _, p := range d.Planted(synth.Shrink) {
		confidence, flag, _ := strings.Cut(p.Expect, " ")
		want = append(want, fmt.Sprint(p.Product, fmt.Sprintf("%q", p.Banner), p.OldPack, p.NewPack, confidence, flag))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) < 5 {
		t.Errorf("got %q, want %q", got, want)
	}
}
