package httpapi_test

import (
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

func TestCompanionContract(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	for x, name := range map[resource]string{regularResource: "regular", linkedResource: "linked"} {
		t.Run(name, func(t *testing.T) {
			x.play(t, f.For(t), state.Standard, slices.Concat(window(5000, 10_000),
				refused("series", "v1", "v2", "Linked"), refused("include", "quality"), refused("city", "toronto"), refused("missing", "1"),
				[]scenario{
					{name: "ninety days by default", rows: "some", has: map[string]string{
						"meta.series": strconv.Quote(name), "meta.filters.series": strconv.Quote(name), "meta.filters.from": `"2026-08-22"`,
						"observations.0.base_week": `"2026-07-19"`, "observations.0.quality": absent, "meta.coverage.as_of": `"2026-11-15"`,
					}},
					{name: "the series is its own", query: "?series=" + name, rows: "some"},
					{name: "an early from is floored", query: "?from=2026-03-01", rows: "some", has: map[string]string{"meta.filters.from": `"2026-07-19"`}},
					{name: "the open week is not published", query: "?from=2026-11-16&to=2027-01-31", rows: "none"},
					{name: "a city", query: "?city=Toronto&level=city&category=overall", rows: "some", each: func(row map[string]any) bool {
						return row["city"] == "Toronto" && row["retailer"] == nil && row["category"] == nil
					}},
				}))
		})
	}
	key := f.Key(state.Standard)
	for _, name := range []string{"", "/v2", "/Linked", "/linked/", "/chained"} {
		apitest.WantError(t, name, f.Get("/api/v1/companions"+name, key), http.StatusNotFound, "not_found")
	}
}

func TestCoverageContract(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	coverageResource.play(t, f, state.Standard, slices.Concat(window(5000, 10_000),
		refused("series", "v1", "v3"), refused("missing", "0", "true"), refused("city", "toronto"), refused("banner", "bigfathom"), refused("include", "quality"),
		[]scenario{
			{name: "ninety days by default", rows: "some", has: map[string]string{
				"meta.filters.from": `"2026-08-22"`, "meta.filters.missing": `"all"`, "meta.series": `"v2"`, "cells.0.date": `"2026-08-23"`,
				"meta.attrition.weeks.0.week": `"2026-08-23"`, "meta.attrition.weeks.12.week": `"2026-11-15"`, "meta.attrition.weeks.13": absent,
			}},
			{name: "the open week is not there", query: "?from=2026-11-16&to=2027-01-31", rows: "none", has: map[string]string{"meta.attrition.weeks": "[]"}},
			{name: "what is missing", query: "?from=2026-07-19&to=2026-07-25&missing=1&level=city&category=overall", has: map[string]string{
				"meta.filters.missing": `"1"`, "meta.count": "1", "cells.0.city": `"Charlottetown"`, "cells.0.published": "false", "meta.attrition.weeks.1": absent,
			}},
			{name: "the epoch", query: "?to=1970-01-01", rows: "none"},
		}))
}
