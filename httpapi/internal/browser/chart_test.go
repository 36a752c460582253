package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// testDashboardChart reads values off the chart, with the mouse and with keys, and compares them
// with the API's digits.
func testDashboardChart(t *testing.T, b *browser) {
	d := openDashboard(t, b, "/")
	shown := []string{"national.overall", "toronto.overall"}
	d.add(shown[1])
	d.drawn()
	weeks := weeksOf(d.all["national.overall"])
	at := d.point("#plot")
	d.mouse(input.DispatchMouseEventTypeMouseMoved, at, 0)
	d.readout(shown)
	d.click("#plot")
	d.there("#why-dialog[open] #why")
	d.keys(kb.Escape)
	d.keys(kb.Home)
	for i, week := range weeks {
		if got := d.readout(shown); got != week {
			t.Errorf("key %d leads to week %s, want %s", i, got, week)
		}
		if spoken := get[string](d.tab, `() => document.getElementById("plot").getAttribute("aria-valuetext")`); !strings.Contains(spoken, "Week to "+weekText(t, week)) {
			t.Errorf("week %s is read out as %q", week, spoken)
		}
		d.keys(kb.ArrowRight)
	}
	d.keys(kb.End)
	d.keys(kb.PageDown)
	if got := d.readout(shown); got != weeks[len(weeks)-5] {
		t.Errorf("four back from the last is %s", got)
	}
	d.inspect("dashboard-chart")
	d.click(`#chosen li[data-series="toronto.overall"] button`)
	await[bool](d.tab, `() => document.querySelectorAll("#chosen li").length === 1`)
}

// readout checks what is said of the week that is pointed at, and returns it.
func (d *dashboard) readout(shown []string) string {
	d.t.Helper()
	type value struct{ Series, Text string }
	got := get[struct {
		Week   string
		Title  string
		Values []value
	}](d.tab, `async () => {
		await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
		const e = document.getElementById("chart-readout");
		const text = (part) => part.innerText.trim().replace(/\s+/g, " ");
		return { week: e.dataset.week, title: text(e.querySelector(".readout-week")), values: [...e.querySelectorAll("[data-series]")].map((v) => ({ series: v.dataset.series, text: text(v.querySelector(".readout-value")) + " " + text(v.querySelector(".readout-numbers")) })) };
	}`)
	var want []value
	for _, series := range shown {
		want = append(want, value{series, d.readoutText(series, got.Week)})
	}
	if !slices.Equal(got.Values, want) {
		d.t.Errorf("week %s: %v, the API's %v", got.Week, got.Values, want)
	}
	if title := "Week to " + weekText(d.t, got.Week); got.Title != title {
		d.t.Errorf("%q, want %q", got.Title, title)
	}
	return got.Week
}
