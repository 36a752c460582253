package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// demoTable computes the demo's rows.
func demoTable(t *testing.T, compute func(*panel.Panel, jevons.Options) (*jevons.Table, error), o jevons.Options) (*jevons.Table, *panel.Panel) {
	_, db := apitest.Demo()
	p, err := sqlite.Load(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	o.Through = panel.LastClosed(apitest.Now)
	table, err := compute(p, o)
	if err != nil {
		t.Fatal(err)
	}
	return table, p
}

// wantRows compares rows with those of a table, in JSON.
func wantRows(t *testing.T, about string, got walked, want []jevons.Row, columns []table.Column) {
	t.Helper()
	if len(got.rows) != len(want) || len(want) == 0 {
		t.Fatalf("%s: %d rows, want %d", about, len(got.rows), len(want))
	}
	for i, row := range got.rows {
		if text := string(table.AppendJSON(nil, &want[i], columns)); string(row) != text {
			t.Fatalf("%s, row %d: %s, want %s", about, i, row, text)
		}
	}
}

// Rows with included members are those of the library, page by page. Clients ask at the same
// time, and the rows are made for the first of them.
func TestIncludedRows(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	index, _ := demoTable(t, jevons.Compute, jevons.Options{Quality: true})
	all, err := index.WithContributions(index.Rows)
	if err != nil {
		t.Fatal(err)
	}
	const page = "/api/public/index?include=quality,contributions&limit=50"
	if key := f.Key(state.Research); string(f.Get(page, key).Content) != string(f.Get(page, "", apitest.WithCookie(f.SignIn(key))).Content) {
		t.Error("a session has another answer than its key")
	}
	quality, interval, contributions := table.QualityColumn(), table.WoWIntervalColumn(), table.ContributionsColumn()
	for _, x := range []resource{publicIndexResource, indexResource} {
		for query, include := range map[string][]table.Column{
			"include=quality":                            {quality},
			"include=contributions":                      {contributions},
			"include=contributions,quality":              {quality, contributions},
			"city=Toronto&include=quality":               {quality},
			"include=contributions,wow_interval":         {interval, contributions},
			"level=city&include=contributions%2Cquality": {quality, contributions},
		} {
			t.Run(x.path+" "+query, func(t *testing.T) {
				t.Parallel()
				var want []jevons.Row
				for _, r := range all {
					if (!strings.Contains(query, "Toronto") || r.Cell.City == "Toronto") && (!strings.Contains(query, "level") || r.Cell.Level == jevons.City) {
						want = append(want, r)
					}
				}
				f := f.For(t)
				got := x.walk(f, f.Key(state.Standard), "from=2020-01-01&"+query, func() int { return 1700 }, nil)
				wantRows(t, query, got, want, append(x.columns(), include...))
			})
		}
	}
}

// Rows of companions are those of the library. Clients ask at the same time, and the rows are
// made for the first of them.
func TestCompanionRows(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, apitest.Long(), apitest.Ample)
	all, o := f.Snapshots.Current(), jevons.Options{Through: panel.LastClosed(apitest.Now)}
	regular, err := jevons.Regular(all.Panel, all.Rows, o)
	if err != nil {
		t.Fatal(err)
	}
	linked, err := jevons.Linked(all.Panel, o)
	if err != nil {
		t.Fatal(err)
	}
	if last := linked.Rows[len(linked.Rows)-1]; last.Base <= all.Panel.BaseWeek() {
		t.Errorf("the last row is based on %s: nothing was linked", last.Base)
	}
	key := f.Key(state.Standard)
	for x, companion := range map[resource]*jevons.Table{regularResource: regular, linkedResource: linked} {
		for i := range 2 {
			for query, filter := range map[string]jevons.Filter{"": {}, "&level=city&category=meat": {Level: jevons.City, Categories: []basket.Category{basket.Meat}}} {
				t.Run(fmt.Sprint(x.path, query, i), func(t *testing.T) {
					t.Parallel()
					got := x.walk(f.For(t), key, "from=2020-01-01"+query, func() int { return 4000 }, nil)
					wantRows(t, x.path, got, companion.Select(filter), append(table.Columns(), table.BaseColumn()))
				})
			}
		}
	}
}

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
			}},
			{name: "the open week is not there", query: "?from=2026-11-16&to=2027-01-31", rows: "none"},
			{name: "what is missing", query: "?from=2026-07-19&to=2026-07-25&missing=1&level=city&category=overall", has: map[string]string{
				"meta.filters.missing": `"1"`, "meta.count": "1", "cells.0.city": `"Charlottetown"`, "cells.0.published": "false",
			}},
			{name: "the epoch", query: "?to=1970-01-01", rows: "none"},
		}))
}

// Cells are those of the library, page by page, with any filter.
func TestCoverageCells(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	all, through := f.Snapshots.Current(), panel.LastClosed(apitest.Now)
	index, err := jevons.Compute(all.Panel, jevons.Options{Through: through})
	if err != nil {
		t.Fatal(err)
	}
	coverage, key := jevons.NewCoverage(all.Rows, index), f.Key(state.Standard)
	for query, c := range map[string]struct {
		filter  jevons.Filter
		missing bool
	}{
		"":                                      {},
		"missing=1":                             {missing: true},
		"level=banner&category=dairy&missing=1": {jevons.Filter{Level: jevons.Banner, Categories: []basket.Category{basket.Dairy}}, true},
		"city=Toronto&from=2026-09-01&to=2026-10-01": {filter: jevons.Filter{City: "Toronto", From: panel.DateOf(2026, 9, 1), To: panel.DateOf(2026, 10, 1)}},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			var want []json.RawMessage
			for x := range coverage.Cells(c.filter, through) {
				if !c.missing || x.Reason != "" {
					text, _ := json.Marshal(table.CoverageCell{CoverageCell: x})
					want = append(want, text)
				}
			}
			if !strings.Contains(query, "from") {
				query += "&from=2020-01-01"
			}
			sameRows(t, coverageResource.walk(f.For(t), key, query, func() int { return 777 }, nil).rows, want)
			if len(want) == 0 {
				t.Error("there is no cell")
			}
		})
	}
}
