package httpapi_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// Rows with a view are those of the library with the view's column, page by page.
func TestViewRows(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, apitest.Long(), apitest.Ample)
	p := f.Snapshots.Current().Panel
	index, err := jevons.Compute(p, jevons.Options{Through: panel.LastClosed(apitest.Now)})
	if err != nil {
		t.Fatal(err)
	}
	since := p.BaseWeek().Add(3)
	want := index.Select(jevons.Filter{Categories: []basket.Category{basket.Meat}})
	want = slices.DeleteFunc(want, func(r jevons.Row) bool { return r.Cell.Level == jevons.Banner })
	years := 0
	for i := range want {
		if want[i].YoY.Valid {
			years++
		}
	}
	if years == 0 {
		t.Error("no row has a change of a year")
	}
	for _, x := range []resource{publicIndexResource, indexResource} {
		for _, view := range table.ViewNames() {
			t.Run(x.path+" "+view, func(t *testing.T) {
				t.Parallel()
				f := f.For(t)
				v, err := table.ParseView(view)
				if err != nil {
					t.Fatal(err)
				}
				query, week, then := "from=2020-01-01&category=meat&view="+view, panel.Week(0), "null"
				if v == table.ViewSince {
					week = since
					query, then = query+"&since="+since.String(), strconv.Quote(since.String())
				}
				columns := x.columns()
				column, err := table.ViewColumn(index, v, week, table.CellsOf(want))
				if err != nil {
					t.Fatal(err)
				}
				if v == table.ViewSince || v == table.ViewYoY && x == publicIndexResource {
					columns = append(columns, column)
				}
				key := f.Key(state.Standard)
				for _, level := range []jevons.Level{jevons.National, jevons.City} {
					rows := slices.DeleteFunc(slices.Clone(want), func(r jevons.Row) bool { return r.Cell.Level != level })
					wantRows(t, query, x.walk(f, key, query+"&level="+level.String(), func() int { return 300 }, nil), rows, columns)
				}
				meta := f.Get(x.path+"?limit=1&level=national&"+query, key).JSON(t)
				for path, text := range map[string]string{
					"meta.view.name": strconv.Quote(view), "meta.view.member": strconv.Quote(column.Name), "meta.view.since": then,
					"meta.view.unit": strconv.Quote(v.Unit(week)), "meta.view.first_week": strconv.Quote(p.BaseWeek().Add(v.Weeks()).String()),
				} {
					if got := at(meta, path); got != text {
						t.Errorf("%s is %s, want %s", path, got, text)
					}
				}
			})
		}
	}
}

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
