//go:build browser

package browser

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// testDashboardData compares the chart's table and its CSV file with the API's rows.
func testDashboardData(t *testing.T, b *browser) {
	d := openDashboard(t, b)
	gapSeries, missing := gapped(t, d.all)
	shown := []string{"national:overall", gapSeries}
	d.add(gapSeries)
	members := []string{"index_value", "pct_change_wow", "pct_change_mom", "basket_cost_cad", "item_count", "total_items"}
	values := func(r shownRow) []string {
		return []string{r.IndexValue.String(), r.WoW.String(), r.MoM.String(), r.Cost.String(), r.Items.String(), r.TotalItems.String()}
	}

	d.click("#chart-data summary")
	d.there("#chart-table tbody tr")
	type cell struct{ Week, Series, Member, Value string }
	got := get[[]cell](d.tab, `() => [...document.querySelectorAll("#chart-table td[data-series]")].map((e) =>
		({ week: e.closest("tr").dataset.week, series: e.dataset.series, member: e.dataset.member, value: e.dataset.value ?? "" }))`)
	table := map[cell]bool{}
	for _, c := range got {
		table[c] = true
	}
	for _, series := range shown {
		for week, r := range d.all[series] {
			for i, member := range members[:5] {
				if c := (cell{week, series, member, values(r)[i]}); !table[c] {
					t.Errorf("not in the table: %v", c)
				}
			}
		}
	}
	for _, week := range missing {
		if !table[cell{week, gapSeries, "index_value", ""}] {
			t.Errorf("week %s is not shown as missing", week)
		}
	}
	if text := d.text(fmt.Sprintf("#chart-table tr[data-week=%q] td[data-series=%q]", missing[0], gapSeries)); !strings.HasPrefix(text, "–") {
		t.Errorf("a missing week reads %q", text)
	}
	d.tableReads(shown)
	d.glance("dashboard-table")

	lines := d.download("#download")
	if len(lines) == 0 {
		t.Fatal("the file is empty")
	}
	column := func(name string) int {
		i := slices.Index(lines[0], name)
		if i < 0 {
			t.Fatalf("no column %s in %q", name, lines[0])
		}
		return i
	}
	file := map[string]map[string][]string{}
	for _, line := range lines[1:] {
		r := shownRow{City: line[column("city")], Retailer: line[column("banner")], Category: line[column("category")]}
		if file[r.series()] == nil {
			file[r.series()] = map[string][]string{}
		}
		var row []string
		for _, member := range members {
			row = append(row, line[column(member)])
		}
		file[r.series()][line[column("date")]] = row
	}
	want := map[string]map[string][]string{}
	for _, series := range shown {
		want[series] = map[string][]string{}
		for _, week := range weeksOf(d.all["national:overall"]) {
			if want[series][week] = make([]string, len(members)); d.all[series][week].IndexValue != "" {
				want[series][week] = values(d.all[series][week])
			}
		}
	}
	if diff := cmp.Diff(want, file); diff != "" {
		t.Errorf("the file (-API +file):\n%s", diff)
	}
}

// download clicks and reads the CSV file that the browser saves.
func (x *tab) download(selector string) [][]string {
	x.t.Helper()
	dir := x.t.TempDir()
	saved := make(chan string, 1)
	x.must(chromedp.ListenBrowser(x.ctx, func(event any) {
		if e, ok := event.(*cdpbrowser.EventDownloadProgress); ok && e.State == cdpbrowser.DownloadProgressStateCompleted {
			select {
			case saved <- e.GUID:
			default:
			}
		}
	}))
	_, err := chromedp.CallBrowser(x.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: dir, EventsEnabled: new(true),
		BrowserContextID: chromedp.FromContext(x.ctx).BrowserContextID,
	})
	x.must(err)
	x.click(selector)
	var guid string
	select {
	case guid = <-saved:
	case <-x.ctx.Done():
		x.t.Fatal(x.ctx.Err())
	case <-time.After(awhile):
		x.t.Fatal("no file is saved")
	}
	file, err := os.Open(filepath.Join(dir, guid))
	x.must(err)
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	x.must(err)
	return lines
}

// testDashboardFeed compares the packs that got smaller with the API's events, grade
// by grade.
func testDashboardFeed(t *testing.T, b *browser) {
	d := openDashboard(t, b)
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
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("events graded %v (-API +page):\n%s", grades, diff)
		}
	}
	check("high", "medium")
	d.glance("dashboard-feed")
	d.click("#feed-filter input[value=low]")
	d.settle()
	check("high", "medium", "low")
	for _, e := range all.Events {
		if text := d.text(fmt.Sprintf(`#feed article[data-event="%s"]`, e.ID)); !strings.Contains(text, e.Old) || !strings.Contains(text, e.New) {
			t.Errorf("event %s, from %s to %s, reads %q", e.ID, e.Old, e.New, text)
		}
	}
	d.click("#feed-filter input[value=high]")
	d.settle()
	check("medium", "low")
}

// toFeed scrolls to the packs, which are asked for when they come near, until they are
// in a state.
func (x *tab) toFeed(state string) {
	x.t.Helper()
	await[bool](x, `(state) => { const e = document.getElementById("feed"); e.scrollIntoView(); return e.dataset.state === state; }`, state)
}
