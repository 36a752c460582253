package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/panel"
)

// TestFeedReaders reads the feed with rss-parser, which `make browser` installs:
// after two releases, after a restart, and after a third release. Each release is news once.
func TestFeedReaders(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("testdata/node_modules/rss-parser"); err != nil {
		t.Skip(err, "(make browser)")
	}
	f, x := apitest.ServeReleases(t)
	dbs := x.Snapshots(t)
	x.Publish(t, f, dbs[0], "")
	f.Clock.Advance(7*24*time.Hour + time.Hour) // 08:30 again: the clocks went back
	x.Publish(t, f, dbs[1], "")
	f.Look(false)
	restarted := x.Serve(t, f.Clock.Now())
	first := readFeeds(t, f.HTTP.URL, restarted.HTTP.URL)
	f.Clock.Advance(7 * 24 * time.Hour)
	x.Publish(t, f, dbs[2], "")
	f.Look(false)
	later := readFeeds(t, restarted.HTTP.URL, f.HTTP.URL)

	title := "Larder: releases of the grocery price index"
	want := []found{
		{title, []string{
			"Grocery prices in 13 cities: no clear change since August, +0.2% 2026-11-02T13:30:00.000Z",
			"Grocery prices in 12 cities: no clear change since August, +0.3% 2026-10-26T12:30:00.000Z",
		}},
		{title, []string{}},
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("-want +read:\n%s", diff)
	}
	news := found{title, []string{"Grocery prices in 13 cities: no clear change since August, +0.4% 2026-11-09T13:30:00.000Z"}}
	if diff := cmp.Diff(news, later[1]); diff != "" {
		t.Errorf("-want +read:\n%s", diff)
	}

	demo := readFeeds(t, apitest.ServeReleased(t).HTTP.URL)[0]
	if !strings.HasSuffix(demo.Title, panel.SyntheticMark) {
		t.Errorf("the feeds of invented prices say %+v", demo)
	}
}

// found lists the entries that the readers saw in the feeds of one server.
type found struct {
	Title string
	Items []string
}

// readFeeds reads the feeds of servers as one reader.
func readFeeds(t *testing.T, servers ...string) (list []found) {
	t.Helper()
	run := exec.CommandContext(t.Context(), "node", append([]string{"feeds.mjs"}, servers...)...)
	run.Dir = "testdata"
	out, err := run.Output()
	if err != nil {
		if failed, ok := err.(*exec.ExitError); ok {
			t.Fatalf("%v\n%s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return list
}
