package httpapi_test

import (
	"slices"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// indexScenarios hold for both addresses of the index.
func indexScenarios() []scenario {
	is := func(name string, want any) func(map[string]any) bool {
		return func(row map[string]any) bool { return row[name] == want }
	}
	level := func(hasCity, hasBanner bool) func(map[string]any) bool {
		return func(row map[string]any) bool {
			return (row["city"] != nil) == hasCity && (row["retailer"] != nil) == hasBanner
		}
	}
	return slices.Concat(
		refused("level", "National", "province", "all"),
		refused("category", "Dairy", "fruit", "all", "null"),
		refused("city", "toronto", "Montréal", "St Johns", "all", "quebec-city"),
		refused("include", "Quality", "lines", "quality,", ",quality", "quality,,contributions", "quality,quality", "quality, contributions", "all"),
		refused("banner", "Northlarch", "nobody", "broadmoose", "bigfathom", "all"),
		[]scenario{
			{name: "filters are said again", query: "?level=banner&city=Toronto&banner=northlarch&category=dairy", rows: "some", each: level(true, true), has: map[string]string{
				"meta.filters.level": `"banner"`, "meta.filters.city": `"Toronto"`, "meta.filters.banner": `"northlarch"`, "meta.filters.category": `"dairy"`,
			}},
			{name: "level national", query: "?level=national", rows: "some", each: level(false, false)},
			{name: "level city", query: "?level=city", rows: "some", each: level(true, false)},
			{name: "the headline", query: "?category=overall", rows: "some", each: is("category", nil), has: map[string]string{"meta.filters.category": `"overall"`}},
			{name: "a plus is a space", query: "?city=Quebec+City", rows: "some", each: is("city", "Quebec City")},
			{name: "a city has no national rows", query: "?level=national&city=Toronto", rows: "none"},
			{name: "no filter reads all", rows: "some", has: map[string]string{
				"meta.filters.series": `"v2"`, "meta.filters.level": `"all"`, "meta.filters.category": `"all"`, "meta.filters.city": `"all"`, "meta.filters.banner": `"all"`,
			}},
			{name: "another series is v2", query: "?series=v3", rows: "some", has: map[string]string{"meta.series": `"v2"`, "meta.filters.series": `"v2"`}},
			{name: "series in capitals is v2", query: "?series=V1", rows: "some", has: map[string]string{"meta.series": `"v2"`}},
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
			{name: "quality is included", query: "?include=quality&level=national&category=overall&from=2026-07-19", rows: "some", has: map[string]string{"observations.0.contributions": absent, "observations.0.quality.status": `"B"`}},
			{name: "contributions are included", query: "?include=contributions&level=national&category=dairy", rows: "some", has: map[string]string{"observations.0.quality": absent, "observations.0.contributions.0.id": "1"}},
			{name: "nothing is included", query: "?include=", rows: "some", has: map[string]string{"observations.0.quality": absent, "observations.0.contributions": absent}},
			{name: "v1 has nothing to include", query: "?series=v1&include=quality", status: 400, has: map[string]string{"parameter": `"include"`}},
			{name: "the nearest value is named", query: "?city=toronto", status: 400, has: map[string]string{
				"error": `"city: \"toronto\" is not known here; did you mean \"Toronto\"?"`, "accepted.0": `"Calgary"`,
			}},
		},
	)
}

func TestPublicIndexContract(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	publicIndexResource.play(t, f, state.Research, slices.Concat(indexScenarios(), window(5000, 8000), []scenario{
		{name: "the whole history by default", rows: "some", has: map[string]string{"meta.filters.from": `"2026-07-19"`, "observations.0.date": `"2026-07-19"`, "observations.0.pct_change_wow": "null"}},
		{name: "v1 from its first row", query: "?series=v1", rows: "some",
			has: map[string]string{"meta.filters.from": `"2026-03-01"`, "observations.0.date": `"2026-03-01"`}},
		{name: "another version is none", query: "?version=v1", status: 400},
	}))
}

func TestIndexContract(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	indexResource.play(t, f, state.Standard, slices.Concat(indexScenarios(), window(5000, 10_000), []scenario{
		{name: "ninety days by default", rows: "some", has: map[string]string{
			"meta.filters.from": `"2026-08-22"`, "observations.0.date": `"2026-08-23"`, "observations.0.pct_change_yoy": "null",
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

// CityNames are the display names of the demo's cities.
func cityNames() (names []string) {
	d, _ := apitest.Demo()
	for _, c := range d.Cities {
		names = append(names, c.Name)
	}
	return names
}

// bannerKeys are the keys of the demo's banners of a kind.
func bannerKeys(is func(*basket.Banner) bool) (keys []string) {
	d, _ := apitest.Demo()
	for i := range d.Banners {
		if is(&d.Banners[i]) {
			keys = append(keys, d.Banners[i].Key)
		}
	}
	return keys
}
