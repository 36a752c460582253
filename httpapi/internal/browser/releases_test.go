//go:build browser

package browser

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// testReleases opens the dashboard of a service with a release log: it says which release
// it shows and when the next is due, and marks what releases revised.
func testReleases(t *testing.T, b *browser) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	of, x := apitest.ServeReleases(t, addressed(l))
	f := listening(l, of)
	for i, db := range x.Snapshots(t) {
		if i > 0 {
			f.Clock.Advance(7 * 24 * time.Hour)
		}
		x.Publish(t, f.Server, db, "")
		f.Look(false)
	}
	f.Clock.Advance(time.Hour)
	key := f.standardKey()
	d := &dashboard{f: f, key: key, all: f.index(key), tab: f.signedIn(b, key)}
	d.visit("/")
	d.there("#dashboard[data-state=ready]")
	const words = "This is release r4, published November 16, 2026 at 07:30 Toronto time. The next release is due Monday, November 23, 2026, 08:30 Toronto time. All releases, and what they changed."
	if got := d.text("#release"); got != words {
		t.Errorf("%q, want %q", got, words)
	}
	for _, series := range []string{"national.overall", "toronto.overall"} {
		if series != "national.overall" {
			d.add(series)
		}
		want := f.revised(key, series)
		if len(want) == 0 {
			t.Fatalf("no week of %s was revised", series)
		}
		d.revisedReads(series, want)
	}
	d.glance("dashboard-revised")
	d.visit("/releases")
	d.there("#releases")
	d.inspect("releases")
}

// revised returns the releases that revised the weeks of a series, with the level that was
// published first.
func (f *server) revised(key, series string) map[string][]string {
	f.T.Helper()
	var body struct {
		Revisions []struct {
			shownRow
			Release  string
			Old, New *shownRow
		}
	}
	f.fetch(http.MethodGet, "/api/v1/revisions?limit=10000", "", &body, withKey(key))
	all := map[string][]string{}
	for _, r := range body.Revisions {
		if r.series() != series || r.Old == nil || r.New == nil {
			continue
		}
		if all[r.Date] == nil {
			all[r.Date] = []string{r.Old.IndexValue.String()}
		}
		all[r.Date] = append(all[r.Date], r.Release)
	}
	return all
}

// revisedReads compares the marks of a series in the chart and in the table.
func (d *dashboard) revisedReads(series string, want map[string][]string) {
	d.t.Helper()
	marked := get[[]string](d.tab, `(key) => [...document.querySelectorAll("#chart .revised")].filter((g) => g.dataset.series === key).flatMap((g) => [...g.querySelectorAll("title")].map((e) => e.textContent))`, series)
	var weeks []string
	texts := map[string]string{}
	for _, week := range weeksOf(d.all[series]) {
		if r := want[week]; r != nil {
			weeks = append(weeks, week)
			texts[week] = fmt.Sprintf("%s revised in %s, first %s", d.all[series][week].IndexValue, strings.Join(r[1:], ", "), r[0])
		}
	}
	if !slices.Equal(marked, weeks) {
		d.t.Errorf("%s: the chart marks %q, want %q", series, marked, weeks)
	}
	if d.count("#chart-table") == 0 {
		d.click("#chart-data summary")
		d.there("#chart-table tbody tr")
	}
	got := get[map[string]string](d.tab, `(key) => Object.fromEntries([...document.querySelectorAll("#chart-table td[data-member=index_value]")]
		.filter((e) => e.dataset.series === key && e.querySelector(".since")).map((e) => [e.parentElement.dataset.week, e.innerText.trim().replace(/\s+/g, " ")]))`, series)
	if diff := cmp.Diff(texts, got); diff != "" {
		d.t.Errorf("%s (-API +table):\n%s", series, diff)
	}
}
