//go:build browser

package browser

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// gapped returns a series of a banner in which weeks are missing, and those.
func gapped(t *testing.T, all map[string]map[string]shownRow) (series string, missing []string) {
	t.Helper()
	weeks := weeksOf(all["national:overall"])
	for _, id := range slices.Sorted(maps.Keys(all)) {
		have := weeksOf(all[id])
		if !strings.HasPrefix(id, "banner:") || len(have) < 5 {
			continue
		}
		missing = slices.DeleteFunc(slices.Clone(weeks), func(week string) bool {
			return week < have[0] || week > have[len(have)-1] || slices.Contains(have, week)
		})
		if len(missing) > 0 {
			return id, missing
		}
	}
	t.Fatal("no series has a gap")
	return "", nil
}

// testDashboardChart reads values off the chart, with the mouse and with keys, week
// by week, and compares them with the API's digits.
func testDashboardChart(t *testing.T, b *browser) {
	d := openDashboard(t, b)
	gapSeries, missing := gapped(t, d.all)
	shown := []string{"national:overall", "city:Toronto:overall", gapSeries, lonely(t, d.all)}
	for _, series := range shown[1:] {
		d.add(series)
	}
	d.there("#axis-warning:not([hidden])")
	for _, week := range missing {
		d.there(fmt.Sprintf("#chart .gap-mark[data-week=%q]", week))
	}
	d.lines(shown)
	weeks := weeksOf(d.all["national:overall"])
	seen := map[string]bool{}
	box := get[[4]float64](d.tab, `() => { const e = document.getElementById("chart"); e.scrollIntoView({ block: "center" }); const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }`)
	for step := range 40 {
		at := [2]float64{box[0] + box[2]*(float64(step)+0.5)/40, box[1] + box[3]/2}
		d.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0)
		seen[d.readout(shown)] = true
	}
	if len(seen) != len(weeks) {
		t.Errorf("the mouse found %d weeks of %d", len(seen), len(weeks))
	}
	d.click("#plot")
	d.keys(kb.Home)
	for i, week := range weeks {
		if got := d.readout(shown); got != week {
			t.Errorf("key %d leads to week %s, want %s", i, got, week)
		}
		if spoken := get[string](d.tab, `() => document.getElementById("plot").getAttribute("aria-valuetext")`); !d.tells(spoken, shown, week) {
			t.Errorf("week %s is read out as %q", week, spoken)
		}
		d.keys(kb.ArrowRight)
	}
	d.keys(kb.ArrowLeft)
	if got := d.readout(shown); got != weeks[len(weeks)-2] {
		t.Errorf("one back from the last is %s", got)
	}
	d.keys(kb.End)
	d.keys(kb.PageDown)
	if got := d.readout(shown); got != weeks[len(weeks)-5] {
		t.Errorf("four back from the last is %s", got)
	}
	d.inspect("dashboard-chart")
	d.click(fmt.Sprintf("#chosen li[data-series=%q] button", gapSeries))
	await[bool](d.tab, `(n) => document.querySelectorAll("#chosen li").length === n`, len(shown)-1)
}

// readout checks what is said of the week that is pointed at, and returns it.
func (d *dashboard) readout(shown []string) string {
	d.t.Helper()
	type value struct{ Series, Level, WoW, MoM, Text string }
	got := get[struct {
		Week   string
		Title  string
		Values []value
	}](d.tab, `async () => {
		await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
		const e = document.getElementById("chart-readout");
		const text = (part) => part.innerText.trim().replace(/\s+/g, " ");
		return { week: e.dataset.week, title: text(e.querySelector(".readout-week")), values: [...e.querySelectorAll("[data-series]")].map((v) => ({ series: v.dataset.series, level: v.dataset.level, wow: v.dataset.wow, mom: v.dataset.mom, text: text(v.querySelector(".readout-numbers")) })) };
	}`)
	var want []value
	for _, series := range shown {
		r := d.all[series][got.Week]
		want = append(want, value{series, r.IndexValue.String(), r.WoW.String(), r.MoM.String(), d.readoutText(series, got.Week)})
	}
	if !slices.Equal(got.Values, want) {
		d.t.Errorf("week %s: %v, the API's %v", got.Week, got.Values, want)
	}
	if title := "Week to " + weekText(d.t, got.Week); got.Title != title {
		d.t.Errorf("%q, want %q", got.Title, title)
	}
	return got.Week
}

// tells reports whether a text names the week, and of each series in it its level
// and its change.
func (d *dashboard) tells(spoken string, shown []string, week string) bool {
	d.t.Helper()
	parts := []string{"Week to " + weekText(d.t, week)}
	for _, series := range shown {
		r, ok := d.all[series][week]
		switch {
		case !ok:
			parts = append(parts, strings.TrimPrefix(d.absentText(series, week), "– "))
		case r.WoW == "":
			parts = append(parts, r.IndexValue.String()+", no change in a week")
		default:
			parts = append(parts, r.IndexValue.String()+", "+exactText(r.WoW))
		}
	}
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(spoken, part) })
}
