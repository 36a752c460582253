package httpapi_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

func TestViewContract(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	const since = "?view=since&since="
	refuse := func(name, query, parameter, message string) scenario {
		return scenario{name: name, query: query, status: 400, has: map[string]string{
			"code": `"invalid_parameter"`, "parameter": strconv.Quote(parameter), "error": strconv.Quote(message),
		}}
	}
	for _, x := range []resource{publicIndexResource, indexResource} {
		x.play(t, f, state.Standard, slices.Concat(refused("view", "levels", "Index", "index,yoy", "wow"), refused("since", "2026-07-19"), []scenario{
			{name: "no view", rows: "some", lacks: []string{"meta.view", "observations.0.pct_change_since"}},
			{name: "since without a week", query: "?view=since", status: 400, has: map[string]string{"parameter": `"since"`}},
			refuse("no Sunday", since+"2026-07-20", "since", `since: "2026-07-20" is no Sunday written YYYY-MM-DD, such as 2026-07-19`),
			refuse("the open week", since+"2026-11-22", "since", "since: the week ending 2026-11-22 is not published; the last one is the week ending 2026-11-15"),
			refuse("no level", since+"2026-07-19&city=Charlottetown&category=overall&level=city", "since",
				"since: charlottetown.overall has no level in the week ending 2026-07-19"),
			refuse("no level, on a later page", since+"2026-07-19&level=city&category=overall&limit=1", "since",
				"since: charlottetown.overall has no level in the week ending 2026-07-19"),
			refuse("a year of the pilot", "?view=yoy&series=v1", "view", "view: series v1 is of four months and has no change of a year; choose another view"),
			{name: "the pilot since", query: since + "2026-04-05&series=v1&level=national&category=overall&from=2026-04-05&to=2026-04-05", rows: "some", has: map[string]string{
				"observations.0.pct_change_since": "0.0000", "meta.view.since": `"2026-04-05"`,
			}},
			{name: "before since", query: since + "2026-11-15&level=national&from=2026-07-19&to=2026-08-01", rows: "some"},
			{name: "with include", query: since + "2026-07-19&level=national&include=quality", rows: "some", each: func(row map[string]any) bool {
				return row["pct_change_since"] != nil && row["quality"] != nil
			}},
			{name: "a year is not over", query: "?view=yoy&level=national", rows: "some", has: map[string]string{"meta.view.first_week": `"2027-07-18"`},
				each: func(row map[string]any) bool { return row["pct_change_yoy"] == nil }},
		}))
	}
}
