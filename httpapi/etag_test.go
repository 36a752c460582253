package httpapi_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

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
