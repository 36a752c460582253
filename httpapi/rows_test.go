package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// TestRows compares pages of every kind of rows with those of the library, byte by byte. Clients
// ask at the same time, and the rows are made for the first of them.
func TestRows(t *testing.T) {
	t.Parallel()
	f := apitest.ServeFile(t, apitest.Long(), apitest.Ample)
	all, o := f.Snapshots.Current(), jevons.Options{Through: panel.Calendar{}.LastClosed(apitest.Now)}
	index := must(jevons.Compute(all.Panel, jevons.Options{Through: o.Through, Quality: true}))
	rows := must(index.WithContributions(index.Rows))
	index.Rows = rows
	regular := must(jevons.Regular(all.Panel, all.Rows, o))
	coverage := jevons.NewCoverage(all.Rows, index)
	quality, interval, contributions, base := table.QualityColumn(), table.WoWIntervalColumn(), table.ContributionsColumn(), table.BaseColumn()
	meat := jevons.Filter{Level: jevons.City, Categories: []string{"meat"}}
	days := jevons.Filter{City: "Toronto", From: panel.DateOf(2026, 9, 1), To: panel.DateOf(2026, 10, 1)}
	const ofMeat, ofDays = "from=2020-01-01&level=city&category=meat", "city=Toronto&from=2026-09-01&to=2026-10-01"
	for _, c := range []struct {
		x       resource
		query   string
		of      *jevons.Table // nil: cells
		filter  jevons.Filter
		members []table.Column
	}{
		{publicIndexResource, "", index, jevons.Filter{}, table.PublicColumns(&panel.About{})},
		{publicIndexResource, ofMeat + "&include=contributions,quality", index, meat, append(table.PublicColumns(&panel.About{}), quality, contributions)},
		{indexResource, ofMeat, index, meat, table.Columns(&panel.About{})},
		{indexResource, ofDays, index, days, table.Columns(&panel.About{})},
		{indexResource, ofDays + "&banner=northlarch&include=contributions,wow_interval", index, jevons.Filter{Banner: "northlarch", City: days.City, From: days.From, To: days.To}, append(table.Columns(&panel.About{}), interval, contributions)},
		{regularResource, ofMeat, regular, meat, append(table.Columns(&panel.About{}), base)},
		{coverageResource, ofDays, nil, days, nil},
		{coverageResource, ofMeat + "&missing=1", nil, meat, nil},
	} {
		t.Run(c.x.path+" "+c.query, func(t *testing.T) {
			t.Parallel()
			var want []json.RawMessage
			if c.of != nil {
				for _, row := range c.of.Select(c.filter) {
					want = append(want, table.AppendJSON(nil, &row, c.members))
				}
			} else {
				for cell := range coverage.Cells(c.filter, o.Through) {
					if text, _ := json.Marshal(table.CoverageCell{CoverageCell: cell}); cell.Reason != "" || c.query == ofDays {
						want = append(want, text)
					}
				}
			}
			if len(want) == 0 {
				t.Error("there is no row")
			}
			f := f.For(t)
			sameRows(t, c.x.walk(f, f.Key(state.Standard), c.query, func() int { return 1700 }).rows, want)
		})
	}
}

var generatedAt = regexp.MustCompile(`"generated_at":"[^"]*"`)

// The ETag changes when the response does, and at midnight only where a default of
// the query is the day. The days are Friday to Tuesday, so one week closes.
func TestETagAcrossDays(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	key := f.Key(state.Enterprise)
	tags, bodies := map[string]map[string]bool{}, map[string]string{}
	cases := map[string]int{ // how many tags in five days
		"/api/v1/products": 1,
		"/api/v1/index?from=2026-08-01&to=2026-09-30":                   1,
		"/api/v1/index?from=2026-08-01&to=2026-11-15&limit=3":           1,
		"/api/v1/index?from=2026-08-01&to=2027-12-31&limit=3":           2, // the week that closes
		"/api/v1/index?to=2026-09-30":                                   5, // from is 90 days ago
		"/api/v1/index?from=2026-08-01":                                 5,
		"/api/v1/index":                                                 5,
		"/api/v1/index?from=&to=2026-09-30":                             5,
		"/api/public/index?to=2026-09-30&limit=3":                       1, // from is the first week
		"/api/public/index?limit=3":                                     5,
		"/api/public/index?series=v1&to=2026-06-30&limit=3":             1,
		"/api/v1/index?series=v1&from=2026-03-01&to=2027-12-31&limit=3": 1, // the pilot has no week to close
		"/api/v1/coverage?from=2026-08-01&to=2026-09-30&limit=3":        2, // the week that closes says what went
		"/api/v1/companions/regular?limit=3":                            5,
		"/api/public/index?to=2026-09-30&limit=3&include=quality":       1,
		"/api/v1/prices?from=2026-10-01&to=2026-10-02&limit=3":          1,
		"/api/v1/prices?from=2026-10-01&limit=3":                        5,
		"/api/v1/prices?to=2026-10-02&limit=3":                          5,
		"/api/v1/shrinkflation?from=2026-07-01&to=2026-10-31":           1,
		"/api/v1/shrinkflation?from=2026-07-01":                         5,
		"/api/v1/shrinkflation?to=2026-10-31":                           5,
	}
	for range 5 {
		for path := range cases {
			r := f.Get(path, key)
			apitest.WantStatus(t, r, http.StatusOK)
			tag, body := r.Header.Get("ETag"), generatedAt.ReplaceAllString(string(r.Content), "")
			if before, seen := bodies[tag]; seen && before != body {
				t.Errorf("%s: two responses with the tag %s", path, tag)
			}
			if bodies[tag] = body; tags[path] == nil {
				tags[path] = map[string]bool{}
			}
			tags[path][tag] = true
			apitest.WantStatus(t, f.Get(path, key, apitest.Header("If-None-Match", tag)), http.StatusNotModified)
			f.Clock.Advance(time.Second)
		}
		f.Clock.Advance(24 * time.Hour)
	}
	for path, want := range cases {
		if len(tags[path]) != want {
			t.Errorf("%s: %d tags in five days, want %d", path, len(tags[path]), want)
		}
	}
}

// TestProductsAsOfARelease changes a weight between two releases. Each release keeps its own.
func TestProductsAsOfARelease(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t)
	key, served := f.Key(state.Research), map[string]string{}
	m := milkMarket(panel.Observation{ID: 1, Store: 1, ObservedAt: f.Clock.Now().AddDate(0, 0, -5)}, panel.Observation{ID: 2, Store: 1, ObservedAt: f.Clock.Now().AddDate(0, 0, 2)})
	for i, weight := range []float64{1, 0.25} {
		m.Products[0].Weight = weight
		x.Publish(t, f, m.Snapshot(t), "", "revision", "restatement")
		f.Look(false)
		asked := f.Clock.Now().Add(time.Minute).Format(time.RFC3339)
		f.Clock.Advance(7 * 24 * time.Hour)
		now := withoutDate(f.Get("/api/v1/products", key).Content)
		if served[asked], served[fmt.Sprint("r", i+1)] = now, now; !strings.Contains(now, fmt.Sprintf(`"unit":"mL","basket_weight":%g}`, weight)) {
			t.Errorf("release %d has %s", i+1, now)
		}
		for asked, want := range served {
			if got := withoutDate(f.Get("/api/v1/products?as_of="+asked, key).Content); got != want {
				t.Errorf("as of %s: %s\nwant %s", asked, got, want)
			}
		}
	}
	if before := f.Get("/api/v1/products?as_of=2026-01-01T00:00:00Z", key).JSON(t); at(before, "meta.count") != "0" {
		t.Errorf("before the first release: %v", before)
	}
	apitest.WantError(t, "unknown", f.Get("/api/v1/products?as_of=r3", key), http.StatusBadRequest, "invalid_parameter")
}

// TestExamplesOfRefusals sends what a refusal gives as an example. It is accepted.
func TestExamplesOfRefusals(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	const path = "/api/shopper/compare"
	for _, bad := range []string{"[]", "{", `{"city":"toronto"}`, `{"items":[]}`, `{"city":"toronto","items":[{"id":1,"qty":1}],"day":1}`} {
		message := f.Post(path, bad).JSON(t)["error"].(map[string]any)["message"].(string)
		example := message[strings.LastIndex(message, "send"):]
		if i := strings.Index(example, `{"city"`); i < 0 || f.Post(path, example[i:]).StatusCode != http.StatusOK {
			t.Errorf("%s: %s", bad, message)
		}
	}
	for _, bad := range []string{"", "?city=toronto", "?city=toronto&items=1&day=1", "?city=toronto&items=1&items=2", "?%zz"} {
		message := f.Get(path+bad, "").JSON(t)["error"].(map[string]any)["message"].(string)
		if i := strings.Index(message, "city="); i < 0 || f.Get(path+"?"+message[i:], "").StatusCode != http.StatusOK {
			t.Errorf("%s: %s", bad, message)
		}
	}
	message := f.Get(path+"?city=toronto&items=1&stores=%20", "").JSON(t)["error"].(map[string]any)["message"].(string)
	_, chain, _ := strings.Cut(message, "such as ")
	chain, _, _ = strings.Cut(chain, ",")
	if f.Get(path+"?city=toronto&items=1&stores="+chain, "").StatusCode != http.StatusOK {
		t.Error(message)
	}
	for _, unknown := range []string{path + "?city=toronto&items=1&day=1", "/api/v1/index?day=1"} {
		if got := f.Get(unknown, f.Key(state.Standard)); !strings.Contains(string(got.Content), "leave it out") {
			t.Errorf("%s: %s", unknown, got.Content)
		}
	}
}
