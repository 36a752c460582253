package httpapi

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
)

// indexScenarios hold for both index endpoints.
func indexScenarios() []scenario {
	is := func(name string, want any) func(map[string]any) bool {
		return func(row map[string]any) bool { return row[name] == want }
	}
	level := func(hasCity, hasBanner bool) func(map[string]any) bool {
		return func(row map[string]any) bool {
			return (row["city"] != nil) == hasCity && (row["retailer"] != nil) == hasBanner
		}
	}
	list := slices.Concat(
		refused("level", "National", "province", "all"),
		refused("category", "Dairy", "fruit", "all", "null"),
		refused("city", "toronto", "Montréal", "St Johns", "all", "quebec-city"),
		refused("banner", "Northlarch", "nobody", "broadmoose", "bigfathom", "all"),
		[]scenario{
			{name: "level national", query: "?level=national", rows: "some", each: level(false, false), has: map[string]string{"meta.filters.level": `"national"`}},
			{name: "level city", query: "?level=city", rows: "some", each: level(true, false)},
			{name: "level banner", query: "?level=banner", rows: "some", each: level(true, true)},
			{name: "the headline", query: "?category=overall", rows: "some", each: is("category", nil), has: map[string]string{"meta.filters.category": `"overall"`}},
			{name: "St. John's", query: "?city=St.%20John%27s", rows: "some", each: is("city", "St. John's"), has: map[string]string{"meta.filters.city": `"St. John's"`}},
			{name: "Quebec City", query: "?city=Quebec+City", rows: "some", each: is("city", "Quebec City")},
			{name: "one banner", query: "?banner=northlarch", rows: "some", each: is("retailer", "northlarch"), has: map[string]string{"meta.filters.banner": `"northlarch"`}},
			{name: "a city has no national rows", query: "?level=national&city=Toronto", rows: "none"},
			{name: "a banner has no rows of cities", query: "?level=city&banner=northlarch", rows: "none"},
			{name: "a banner that is not there", query: "?city=Toronto&banner=grangelys", rows: "none"},
			{name: "no filter reads all", rows: "some", has: map[string]string{
				"meta.filters.series": `"v2"`, "meta.filters.level": `"all"`, "meta.filters.category": `"all"`, "meta.filters.city": `"all"`, "meta.filters.banner": `"all"`,
			}},
			{name: "series v2", query: "?series=v2", rows: "some", has: map[string]string{"meta.series": `"v2"`, "meta.filters.series": `"v2"`}},
			{name: "another series is v2", query: "?series=v3", rows: "some", has: map[string]string{"meta.series": `"v2"`, "meta.filters.series": `"v2"`}},
			{name: "series in capitals is v2", query: "?series=V1", rows: "some", has: map[string]string{"meta.series": `"v2"`}},
			{name: "no series is v2", query: "?series=", rows: "some", has: map[string]string{"meta.series": `"v2"`}},
			{name: "an early from is floored", query: "?from=2026-03-01", rows: "some", has: map[string]string{"meta.filters.from": `"2026-07-19"`, "observations.0.date": `"2026-07-19"`},
				each: func(row map[string]any) bool { return row["date"].(string) >= "2026-07-19" }},
			{name: "to is inclusive", query: "?from=2026-08-09&to=2026-08-09", rows: "some", each: is("date", "2026-08-09")},
			{name: "between two Sundays", query: "?from=2026-08-10&to=2026-08-15", rows: "none"},
			{name: "the open week is not published", query: "?from=2026-11-16&to=2027-01-31", rows: "none", has: map[string]string{"meta.filters.to": `"2027-01-31"`}},
			{name: "v1 is not floored", query: "?series=v1&from=2025-01-01&to=2026-12-31", rows: "some",
				has:  map[string]string{"meta.series": `"v1"`, "meta.filters.series": `"v1"`, "meta.filters.from": `"2025-01-01"`, "observations.0.date": `"2026-03-01"`},
				each: func(row map[string]any) bool { return row["date"].(string) < "2026-07-01" }},
			{name: "v1 has nothing after June", query: "?series=v1&from=2026-07-19", rows: "none"},
			{name: "v2 has nothing before July", query: "?to=2026-07-18", rows: "none"},
			{name: "the nearest value is named", query: "?city=toronto", status: 400, has: map[string]string{
				"error": `"city: \"toronto\" is not known here; did you mean \"Toronto\"?"`, "accepted.0": `"Calgary"`,
			}},
		},
	)
	for _, c := range basket.Categories() {
		list = append(list, scenario{name: "category " + c.String(), query: "?category=" + c.String(), rows: "some", each: is("category", c.String())})
	}
	return list
}

func TestPublicIndexContract(t *testing.T) {
	f := serveDemo(t, ample)
	publicIndexResource.play(t, f, state.Research, slices.Concat(indexScenarios(), window(5000, 8000), []scenario{
		{name: "the whole history by default", rows: "some", lacks: []string{"meta.version", "meta.coverage", "meta.methodology", "observations.0.pct_change_yoy"},
			has: map[string]string{"meta.endpoint": `"/api/public/index"`, "meta.filters.from": `"2026-07-19"`, "observations.0.date": `"2026-07-19"`, "observations.0.pct_change_wow": "null"}},
		{name: "v1 from its first row", query: "?series=v1", rows: "some",
			has: map[string]string{"meta.filters.from": `"2026-03-01"`, "observations.0.date": `"2026-03-01"`}},
		{name: "another version is none", query: "?version=v1", status: 400},
	}))
}

func TestIndexContract(t *testing.T) {
	f := serveDemo(t, ample)
	indexResource.play(t, f, state.Standard, slices.Concat(indexScenarios(), window(5000, 10_000), []scenario{
		{name: "ninety days by default", rows: "some", has: map[string]string{
			"meta.version": `"v1"`, "meta.endpoint": `"/api/v1/index"`, "meta.filters.from": `"2026-08-22"`, "observations.0.date": `"2026-08-23"`, "observations.0.pct_change_yoy": "null",
			"meta.coverage.as_of": `"2026-11-15"`, "meta.coverage.cities_total": "13", "meta.coverage.cities_missing": "[]",
		}},
		{name: "v1 has nothing in the last ninety days", query: "?series=v1", rows: "none", has: map[string]string{"meta.filters.from": `"2026-08-22"`}},
		{name: "coverage is of all cities, whatever the filters", query: "?city=Toronto&category=dairy&to=2026-08-30&limit=1", rows: "some", has: map[string]string{
			"meta.coverage.as_of": `"2026-08-30"`, "meta.coverage.cities_total": "13",
		}},
		{name: "a city that came late is missing before", query: "?from=2026-07-19&to=2026-07-25", has: map[string]string{
			"meta.coverage.as_of": `"2026-07-19"`, "meta.coverage.cities_missing": `["Charlottetown"]`, "meta.coverage.cities_included.0": `"Calgary"`, "meta.coverage.cities_included.12": absent,
		}},
		{name: "no week, no coverage", query: "?from=2026-11-01&to=2026-10-01", has: map[string]string{
			"meta.coverage.as_of": "null", "meta.coverage.cities_included": "[]", "meta.coverage.cities_missing.12": `"Winnipeg"`, "meta.coverage.cities_total": "13",
		}},
	}))
}

func TestIndexMembers(t *testing.T) {
	f := serveDemo(t, ample)
	key := f.key(state.Standard)
	const meta = "source series endpoint license note filters limit offset count has_more next_offset generated_at "
	for _, c := range []struct {
		path, meta string
		columns    []jevons.Column
	}{
		{"/api/public/index", meta, jevons.PublicColumns()},
		{"/api/v1/index", meta + "version methodology coverage", jevons.Columns()},
	} {
		v := f.get(c.path, key).json(t)
		var row []string
		for _, column := range c.columns {
			row = append(row, column.Name)
		}
		members(t, c.path, v, "meta observations")
		members(t, "meta", v["meta"], c.meta)
		members(t, "filters", v["meta"].(map[string]any)["filters"], "series level category city banner from to")
		for _, x := range v["observations"].([]any) {
			members(t, "observation", x, strings.Join(row, " "))
		}
		if got := at(v, "meta.generated_at"); got != `"2026-11-20T17:00:00Z"` {
			t.Errorf("generated_at is %s", got)
		}
	}
	v := f.get("/api/v1/index", key).json(t)
	members(t, "coverage", v["meta"].(map[string]any)["coverage"], "as_of cities_included cities_missing cities_total")
}

func TestIndexAdmission(t *testing.T) {
	f := serveDemo(t, ample)
	admission(t, f, publicIndexResource, state.Research)
	admission(t, f, indexResource, state.Standard)
}

func TestWeekIsPublishedWhenItHasEnded(t *testing.T) {
	f := serveDemo(t, ample)
	key := f.key(state.Standard)
	last := func(now string) string {
		moment, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		f.clock.Set(moment)
		var v struct {
			Observations []struct{ Date string }
		}
		r := f.get("/api/v1/index?level=national&category=overall&to=2027-06-30", key)
		if err := json.Unmarshal(r.body, &v); err != nil {
			t.Fatal(err)
		}
		return v.Observations[len(v.Observations)-1].Date
	}
	for now, want := range map[string]string{
		"2026-11-16T04:59:59Z": "2026-11-08", // Sunday, a second to midnight in Toronto
		"2026-11-16T05:00:00Z": "2026-11-15",
		"2026-11-23T04:59:59Z": "2026-11-15",
		"2026-11-23T05:00:00Z": "2026-11-22",
	} {
		if got := last(now); got != want {
			t.Errorf("at %s the last week is %s, want %s", now, got, want)
		}
	}
}
