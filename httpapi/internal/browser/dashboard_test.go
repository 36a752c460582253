//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// shownRow is a row of the public index, numbers as they are written.
type shownRow struct {
	Date, City, Retailer, Category string
	IndexValue                     json.Number `json:"index_value"`
	Cost                           json.Number `json:"basket_cost_cad"`
	WoW                            json.Number `json:"pct_change_wow"`
	MoM                            json.Number `json:"pct_change_mom"`
	Items                          json.Number `json:"item_count"`
	TotalItems                     json.Number `json:"total_items"`
}

// series is the id of its series on the page.
func (r shownRow) series() string {
	category := r.Category
	if category == "" {
		category = "overall"
	}
	switch {
	case r.Retailer != "":
		return "banner:" + r.City + ":" + r.Retailer + ":" + category
	case r.City != "":
		return "city:" + r.City + ":" + category
	}
	return "national:" + category
}

// index returns the whole published index, by series and week.
func (f *server) index(key string) map[string]map[string]shownRow {
	f.T.Helper()
	all := map[string]map[string]shownRow{}
	for offset := 0; ; {
		var body struct {
			Meta struct {
				NextOffset *int `json:"next_offset"`
			}
			Observations []shownRow
		}
		f.fetch(http.MethodGet, fmt.Sprint("/api/public/index?limit=8000&offset=", offset), "", &body, withKey(key))
		for _, r := range body.Observations {
			if all[r.series()] == nil {
				all[r.series()] = map[string]shownRow{}
			}
			all[r.series()][r.Date] = r
		}
		if body.Meta.NextOffset == nil {
			return all
		}
		offset = *body.Meta.NextOffset
	}
}

func weeksOf(series map[string]shownRow) []string { return slices.Sorted(maps.Keys(series)) }

// dashboard is the page of a subscriber, with the index that it must show.
type dashboard struct {
	*tab
	f   *server
	key string
	all map[string]map[string]shownRow
}

func openDashboard(t *testing.T, b *browser) *dashboard {
	t.Helper()
	f := serve(t, "")
	key := f.standardKey()
	d := &dashboard{f: f, key: key, all: f.index(key), tab: f.signedIn(b, key)}
	d.visit("/")
	d.there("#dashboard[data-state=ready]")
	return d
}

// add puts a series on the chart.
func (d *dashboard) add(series string) {
	d.t.Helper()
	part := strings.Split(series, ":")
	d.choose("#picker-level", part[0])
	if len(part) > 2 {
		d.choose("#picker-city", part[1])
	}
	if len(part) > 3 {
		d.choose("#picker-banner", part[2])
	}
	d.choose("#picker-category", part[len(part)-1])
	d.click("#picker-add")
	d.there(fmt.Sprintf("#chosen li[data-series=%q]", series))
}

// testDashboardValues compares headline, categories and places with the API.
func testDashboardValues(t *testing.T, b *browser) {
	d := openDashboard(t, b)
	weeks := weeksOf(d.all["national:overall"])
	last := d.all["national:overall"][weeks[len(weeks)-1]]
	d.same("headline", "#headline", map[string]json.Number{"level": last.IndexValue, "week": json.Number(last.Date), "wow": last.WoW, "mom": last.MoM})
	d.headlineReads(last)
	categories := get[[]string](d.tab, `() => [...document.querySelectorAll("#multiples .multiple")].map((e) => e.dataset.category)`)
	if len(categories) != 9 {
		t.Errorf("categories %q", categories)
	}
	for _, c := range categories {
		series := d.all["national:"+c]
		have := weeksOf(series)
		r := series[have[len(have)-1]]
		d.same(c, fmt.Sprintf("#multiples .multiple[data-category=%q]", c), map[string]json.Number{
			"level": r.IndexValue, "week": json.Number(r.Date), "wow": r.WoW, "missing": json.Number(fmt.Sprint(len(weeks) - len(have))),
		})
	}
	d.multiplesRead(categories, weeks[len(weeks)-1])
	d.inspect("dashboard")
	d.places()
}

// same compares data attributes of an element; an empty one stands for null.
func (x *tab) same(name, selector string, want map[string]json.Number) {
	x.t.Helper()
	x.there(selector)
	got := get[map[string]string](x, `(s) => ({ ...document.querySelector(s).dataset })`, selector)
	for member, value := range want {
		if got[member] != value.String() {
			x.t.Errorf("%s: %s is %q, the API's %q", name, member, got[member], value)
		}
	}
}
