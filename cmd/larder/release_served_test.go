package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// savedAnswer is an answer of the server as it was sent.
type savedAnswer struct {
	path, now string // what was asked, and when
	release   string // that was in service
	status    int
	body      string
}

// indexQueries lists queries that subscribers send at every release: all, by place, by category, parts
// of the range, pages.
var indexQueries = []string{
	"", "level=national", "level=city&category=dairy", "city=Toronto", "banner=gullhaven&category=overall", "city=Halifax&level=banner&category=meat",
	"from=2026-06-01&to=2026-09-01", "to=2026-08-02", "from=2026-10-01", "from=2027-01-01", "limit=7&offset=3", "offset=1000000", "series=v1", "series=v1&city=Toronto&limit=5",
}

// answers asks a server whose clock begins at an instant for the index in every way.
func (w *weekly) answers(key, now, release string) (all []savedAnswer) {
	w.t.Helper()
	x := w.serve(w.t, now)
	for _, endpoint := range []string{"/api/public/index", "/api/v1/index"} {
		for _, query := range indexQueries {
			path := endpoint + "?" + query
			status, body := get(w.t, x.public+path, "Bearer "+key)
			all = append(all, savedAnswer{path, now, release, status, body})
			if ref := `"release":{"id":"` + release + `","released_at":"`; status != 200 || !strings.Contains(body, ref) {
				w.t.Errorf("at %s %s: %d %.500s; want 200 and %s", now, path, status, body, ref)
			}
		}
	}
	x.end()
	return all
}

// serve serves what is released, by a clock that begins at an instant.
func (w *weekly) serve(t *testing.T, now string) *serving {
	t.Helper()
	return serve(t, "--db", w.live, "--log", w.log, "--state", filepath.Join(w.dir, "state.db"), "--now", now, "--public-per-minute", "1000000")
}

// newKey makes a key that may ask without end.
func (w *weekly) newKey(t *testing.T) string {
	t.Helper()
	var key struct{ Key string }
	made := larder(t, "keys", "create", "--state", filepath.Join(w.dir, "state.db"), "--tier", "enterprise", "--name", "test", "--per-minute", "1000000", "--format", "json")
	if err := json.Unmarshal(made, &key); err != nil {
		t.Fatal(err)
	}
	return key.Key
}

var generated = regexp.MustCompile(`"generated_at":"[^"]+"`)

func timeless(body string) string { return generated.ReplaceAllString(body, `"generated_at":""`) }

// sameAsOf asks for saved answers again, as of the instant at which they were sent. Those that
// were sent at the instant of a release are asked for as of its id too. All but generated_at
// is the same, byte for byte.
func (w *weekly) sameAsOf(x *serving, key string, saved []savedAnswer) {
	w.t.Helper()
	for _, a := range saved {
		for _, asOf := range []string{a.now, a.release} {
			if asOf == a.release && strings.Contains(a.now, "T17:") {
				continue // a release's own clock is earlier
			}
			status, body := get(w.t, x.public+a.path+"&as_of="+url.QueryEscape(asOf), "Bearer "+key)
			if want, got := timeless(a.body), timeless(body); status != 200 || want != got {
				w.t.Errorf("%s as of %s: %d, -then +now\n%s", a.path, asOf, status, cmp.Diff(strings.SplitAfter(want, ","), strings.SplitAfter(got, ",")))
			}
		}
	}
}

// revisions returns all pages of /api/v1/revisions as one list.
func (w *weekly) revisions(x *serving, key, query string) []byte {
	w.t.Helper()
	all := []json.RawMessage{}
	for next := 0; ; {
		var page struct {
			Meta struct {
				Next *int `json:"next_offset"`
			}
			Revisions []json.RawMessage
		}
		status, body := get(w.t, fmt.Sprintf("%s/api/v1/revisions?%s&offset=%d", x.public, query, next), "Bearer "+key)
		if err := json.Unmarshal([]byte(body), &page); err != nil || status != 200 {
			w.t.Fatalf("%s: %d %.500s", query, status, body)
		}
		if all = append(all, page.Revisions...); page.Meta.Next == nil {
			return sorted(w.t, all)
		}
		next = *page.Meta.Next
	}
}

// listOf returns the members of a JSON list.
func listOf(t *testing.T, b []byte) (list []json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// compact returns JSON without white space.
func compact(t *testing.T, b []byte) []byte { return sorted(t, json.RawMessage(b)) }

// later returns the instant some days after another, in the afternoon.
func later(t *testing.T, instant string, days int) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		t.Fatal(err)
	}
	return at.AddDate(0, 0, days).Truncate(24 * time.Hour).Add(17 * time.Hour).Format(time.RFC3339)
}
