package httpapi_test

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// A frozen figure keeps its bytes through later releases, on another server too. A live one
// moves.
func TestFigureFrozen(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t, apitest.Ample)
	key := f.Key(state.Standard)
	queries := []string{
		"s=national.overall", "s=national.overall&view=4w&lang=fr", "s=national.overall&view=since&since=2026-09-06", "s=toronto.overall&s=national.overall&view=cost",
	}
	frozen := map[string][]byte{}
	for i, db := range x.Snapshots(t) {
		r := x.Publish(t, f, db, "")
		f.Look(false)
		for _, query := range queries {
			for _, path := range figurePaths {
				if path == "/embed/figure" && strings.Contains(query, "toronto") || path == "/figure.png" && query != queries[0] {
					continue // not public, or slow to draw
				}
				address := path + "?" + query + "&as_of=" + r.ID()
				frozen[address] = f.Get(address, key).Content
			}
			r2 := f.Get("/figure.json?"+query, key)
			apitest.WantStatus(t, r2, http.StatusOK)
			live := r2.JSON(t)
			if id := at(live, "release.id"); id != strconv.Quote(r.ID()) {
				t.Errorf("%s: release %s", query, id)
			}
		}
		servers := []*apitest.Server{f}
		if i == len(x.Snapshots(t))-1 {
			servers = append(servers, x.Serve(t, f.Clock.Now(), apitest.Ample))
		}
		for _, g := range servers {
			for address, want := range frozen {
				if got := g.Get(address, g.Key(state.Standard)); !bytes.Equal(got.Content, want) || got.StatusCode != http.StatusOK {
					t.Fatalf("after %s: %s is another: %d\n%.900s\nwas\n%.900s", r.ID(), address, got.StatusCode, got.Content, want)
				}
			}
		}
		f.Clock.Advance(7 * 24 * time.Hour)
	}
	// An answer of the past week is not today's: the live figure moved.
	first, now := f.Get("/figure.csv?as_of=r1", "").Content, f.Get("/figure.csv", "").Content
	if bytes.HasPrefix(now, first[:len(first)-200]) {
		t.Error("the live figure begins as the frozen one")
	}
	apitest.WantError(t, "before the first", f.Get("/figure.csv?as_of=2026-01-01T00:00:00Z", ""), http.StatusBadRequest, "invalid_parameter")
}

// A picture marks the weeks whose values are not as they were first published, those that its release has seen.
func TestRevisedWeeks(t *testing.T) {
	t.Parallel()
	f, x := apitest.ServeReleases(t, apitest.Ample)
	key, marked := f.Key(state.Standard), 0
	first := map[string]string{} // values by view, series and week
	for _, db := range x.Snapshots(t) {
		r := x.Publish(t, f, db, "")
		f.Look(false)
		for _, view := range []string{"index", "4w", "cost"} {
			for _, series := range []string{"national.overall", "toronto.meat", "halifax.overall", "calgary.dairy"} {
				query, differ := "?s="+series+"&view="+view+"&as_of="+r.ID(), 0
				for _, line := range strings.Split(string(f.Get("/figure.csv"+query, key).Content), "\n")[1:] {
					fields := strings.Split(line, ",")
					if len(fields) < 3 || fields[2] == "" {
						continue
					}
					at := view + series + fields[0]
					if first[at] == "" {
						first[at] = fields[2]
					}
					if first[at] != fields[2] {
						differ++
					}
				}
				picture := string(f.Get("/figure.svg"+query, key).Content)
				if rings := strings.Count(picture, `class="c-dot c-paper" cx=`); rings != differ || strings.Contains(picture, "○ revised since it was first published.") != (differ > 0) {
					t.Errorf("%s: %d marks, and %d values differ", query, rings, differ)
				}
				marked += differ
			}
		}
		f.Clock.Advance(7 * 24 * time.Hour)
	}
	if marked < 20 {
		t.Errorf("%d marks", marked)
	}
}
