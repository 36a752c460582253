package browser

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
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
	Quality                        ends
	Change                         ends `json:"wow_interval"`
	Against                        struct {
		Low  json.Number `json:"pct_difference_low"`
		High json.Number `json:"pct_difference_high"`
	}
}

// ends holds the ends of a 95% interval. They are empty without an interval.
type ends struct {
	Low  json.Number `json:"ci95_low"`
	High json.Number `json:"ci95_high"`
	SE   json.Number
}

// series is the name of its series in addresses.
func (r shownRow) series() string {
	parts := []string{cmp.Or(r.City, "national"), r.Retailer, cmp.Or(r.Category, "overall")}
	parts[0] = strings.NewReplacer(" ", "-", ".", "", "'", "").Replace(strings.ToLower(parts[0]))
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ".")
}

// level is that of its series: national, city or banner.
func (r shownRow) level() string {
	switch {
	case r.Retailer != "":
		return "banner"
	case r.City != "":
		return "city"
	}
	return "national"
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
		f.fetch(http.MethodGet, fmt.Sprint("/api/public/index?include=quality,wow_interval&limit=8000&offset=", offset), "", &body, withKey(key))
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

func openDashboard(t *testing.T, b *browser, address string) *dashboard {
	t.Helper()
	f := serve(t, "", apitest.Ample)
	key := f.standardKey()
	d := &dashboard{f: f, key: key, all: f.index(key), tab: f.signedIn(b, key)}
	d.visit(address)
	d.drawn()
	return d
}

// drawn waits until the page shows what the address says.
func (d *dashboard) drawn() {
	d.t.Helper()
	d.there("#dashboard[data-state=ready]")
	d.there("#explore[data-shown]:not([aria-busy])")
	d.there("#compared-body[data-shown]:not([aria-busy])")
}

// any is a row of a series.
func (d *dashboard) any(series string) shownRow {
	for _, row := range d.all[series] {
		return row
	}
	d.t.Fatalf("no row of %s", series)
	return shownRow{}
}

// add puts a series on the chart.
func (d *dashboard) add(series string) {
	d.t.Helper()
	r := d.any(series)
	d.choose("#picker-level", r.level())
	if r.City != "" {
		d.choose("#picker-city", r.City)
	}
	if r.Retailer != "" {
		d.choose("#picker-banner", r.Retailer)
	}
	d.choose("#picker-category", cmp.Or(r.Category, "overall"))
	d.click("#picker-add")
	d.there(fmt.Sprintf("#chosen li[data-series=%q]", series))
}

// testDashboardValues compares the headline with the API, and the groups of places.
func testDashboardValues(t *testing.T, b *browser) {
	d := openDashboard(t, b, "/")
	weeks := weeksOf(d.all["national.overall"])
	last := d.all["national.overall"][weeks[len(weeks)-1]]
	if got, want := d.texts("#headline .big"), rounded(t, last.IndexValue); len(got) == 0 || got[0] != want {
		t.Errorf("the headline is %q, want %s", got, want)
	}
	if got := d.text("#headline-interval"); !strings.HasPrefix(got, "95% interval "+last.Quality.text(t)) {
		t.Errorf("the level's interval is put as %q", got)
	}
	categories := get[[]string](d.tab, `() => [...document.querySelectorAll("#multiples .multiple")].map((e) => e.dataset.series)`)
	if len(categories) != 9 {
		t.Errorf("categories %q", categories)
	}
	d.everywhere("dashboard")
	d.click("#compared-tabs input[value=costs]")
	d.there("#places tr[data-place]")
	d.choose("#places-against", "Toronto")
	d.there(`#places-table [data-group=even] tr[data-place="toronto.overall"]`)
	want := map[string][]string{}
	for _, r := range d.differences("Toronto", weeks[len(weeks)-1]) {
		group := "even"
		low, _ := r.Against.Low.Float64()
		high, _ := r.Against.High.Float64()
		switch {
		case r.City == "Toronto":
		case r.Against.Low == "":
			group = "unknown"
		case low > 0:
			group = "above"
		case high < 0:
			group = "below"
		}
		want[group] = append(want[group], r.series())
	}
	got := get[map[string][]string](d.tab, `() => Object.fromEntries([...document.querySelectorAll("#places-table [data-group]")].map((e) =>
		[e.dataset.group, [...e.querySelectorAll("[data-place]")].map((e) => e.dataset.place)]))`)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("groups of cities beside Toronto (-want +got):\n%s", diff)
	}
	if len(want) < 2 {
		t.Errorf("the test needs two groups: %v", want)
	}
	d.click(`#places input[value=banner]`)
	d.choose("#places-city", "Toronto")
	d.there(`#places tr[data-place^="toronto."]`)
	d.glance("dashboard-places")
}

// differences are the headlines of cities in a week, with their difference to one city.
func (d *dashboard) differences(city, week string) []shownRow {
	var body struct{ Observations []shownRow }
	query := url.Values{"level": {"city"}, "category": {"overall"}, "from": {week}, "to": {week}, "against": {city}}
	d.f.fetch(http.MethodGet, "/api/public/index?"+query.Encode(), "", &body, withKey(d.key))
	return body.Observations
}

// testDashboardData opens the chart's table, and compares its CSV file with the API's rows.
func testDashboardData(t *testing.T, b *browser) {
	d := openDashboard(t, b, "/")
	shown := []string{"national.overall", "toronto.overall"}
	d.add(shown[1])
	d.click("#chart-data summary")
	d.there("#chart-table tbody tr")
	d.glance("dashboard-table")

	file := get[string](d.tab, `async () => (await fetch(document.getElementById("download").href)).text()`)
	lines, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Fatalf("%q: %v", file, err)
	}
	date, series, level := slices.Index(lines[0], "date"), slices.Index(lines[0], "series"), slices.Index(lines[0], "index_value")
	for _, line := range lines[1:] {
		name := line[series]
		if want := d.all[name][line[date]].IndexValue.String(); line[level] != want {
			t.Errorf("%s, week %s: %s in the file, %s of the API", name, line[date], line[level], want)
		}
	}
}

// testDashboardFeed compares the packs that got smaller with the API's events, grade
// by grade.
func testDashboardFeed(t *testing.T, b *browser) {
	d := openDashboard(t, b, "/?grades=high%2Cmedium")
	var all struct {
		Events []struct {
			ID               json.Number
			Confidence, Flag string
			Old              string `json:"old_package_size"`
			New              string `json:"new_package_size"`
		}
	}
	d.f.fetch(http.MethodGet, "/api/v1/shrinkflation?confidence=low", "", &all, withKey(d.key))
	d.toFeed("ready")
	check := func(grades ...string) {
		d.t.Helper()
		want := map[string][2]string{}
		for _, e := range all.Events {
			if slices.Contains(grades, e.Confidence) {
				want[e.ID.String()] = [2]string{e.Confidence, e.Flag}
			}
		}
		got := get[map[string][2]string](d.tab, `() => Object.fromEntries([...document.querySelectorAll("#feed article[data-event]")].filter((e) => e.checkVisibility())
			.map((e) => [e.dataset.event, [e.dataset.grade, e.dataset.flag]]))`)
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("events graded %v (-API +page):\n%s", grades, diff)
		}
	}
	check("high", "medium")
	d.glance("dashboard-feed")
}

// toFeed scrolls to the packs, which are asked for when they come near, until they are
// in a state.
func (x *tab) toFeed(state string) {
	x.t.Helper()
	await[bool](x, `(state) => { const e = document.getElementById("feed"); e.scrollIntoView(); return e.dataset.state === state; }`, state)
}
