package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	gocmp "github.com/google/go-cmp/cmp"
)

// shows returns everything that the chart and the parts below it show: texts, lines and fields.
func (d *dashboard) shows() string {
	d.t.Helper()
	d.drawn()
	d.settle()
	return get[string](d.tab, `() => [
		...["explore-head", "chart-readout", "picker-note", "under", "compared"].map((id) => document.getElementById(id).innerText),
		...[...document.querySelectorAll("#chart path, #brush path, #brush rect")].map((e) => e.getAttribute("d") ?? e.getAttribute("width")),
		...[...document.querySelectorAll("#dashboard input, #dashboard select")].filter((e) => !e.closest("#picker") && e.checkVisibility()).map((e) => e.type === "radio" || e.type === "checkbox" ? e.checked : e.value),
	].join("\n")`)
}

// testDashboardAddress changes what the dashboard shows. Each state has an address, the last one
// is the same after a reload and in another browser, and Back leads to those before.
func testDashboardAddress(t *testing.T, b *browser) {
	d := openDashboard(t, b, "/")
	weeks := weeksOf(d.all["national.overall"])
	steps := []struct {
		act  func()
		want string // a part of the address
	}{
		{func() { d.add("toronto.overall") }, "s=national.overall&s=toronto.overall"},
		{func() { d.click("#views input[value=since]") }, "view=since&since="},
		{func() {
			get[bool](d.tab, `(value) => { const e = document.getElementById("from"); e.value = value; e.dispatchEvent(new Event("change")); return true; }`, weeks[5])
		}, "from=" + weeks[5]},
		{func() { d.click("#views input[value=cost]") }, "view=cost"},
		{func() { d.click(`#chosen li[data-series="national.overall"] button`) }, "?s=toronto.overall"},
		{func() {
			d.click("#compared-tabs input[value=costs]")
			d.drawn()
			d.click("#places input[value=banner]")
			d.choose("#places-city", "Halifax")
			d.choose("#places-against", "Montreal")
		}, "of=banner&in=Halifax&against=Montreal"},
		{func() { d.click("#chart-data summary"); d.there("#chart-table") }, "table=open"},
	}
	var addresses, shown []string
	for _, step := range steps {
		step.act()
		addresses = append(addresses, await[string](d.tab, `(part) => location.search.includes(part) && location.pathname + location.search`, step.want))
		d.mouse(input.DispatchMouseEventTypeMouseMoved, [2]float64{2, 2}, 0)
		shown = append(shown, d.shows())
	}
	last := len(steps) - 1
	other := &dashboard{f: d.f, key: d.key, all: d.all, tab: d.f.signedIn(b, d.key)}
	other.visit(addresses[last])
	if got := other.shows(); got != shown[last] {
		t.Errorf("%s in another browser:\n%s", addresses[last], gocmp.Diff(shown[last], got))
	}
	d.reload()
	if got := d.shows(); got != shown[last] {
		t.Errorf("after a reload:\n%s", gocmp.Diff(shown[last], got))
	}
	d.glance("dashboard-address")
	for i := last - 1; i >= 0; i-- {
		for range 4 { // a step may be several entries of the history
			if get[string](d.tab, `() => location.pathname + location.search`) == addresses[i] {
				break
			}
			get[bool](d.tab, `() => new Promise((done) => { addEventListener("popstate", () => done(true), { once: true }); history.back(); })`)
			d.drawn()
		}
		if got := d.shows(); got != shown[i] {
			t.Errorf("after Back, at %s:\n%s", addresses[i], gocmp.Diff(shown[i], got))
		}
	}
}

// testDashboardPhone looks at four series on a phone. A finger on the chart shows a tip with the
// values of all.
func testDashboardPhone(t *testing.T, b *browser) {
	f := serve(t, "")
	key := f.standardKey()
	d := &dashboard{f: f, key: key, all: f.index(key), tab: f.signedIn(b, key)}
	d.size(390, 844)
	command(d.tab, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	d.visit("/?view=cost&s=national.overall&s=toronto.overall&s=vancouver.overall&s=halifax.overall")
	d.drawn()
	if small := get[[]string](d.tab, `() => [...document.querySelectorAll("#dashboard :is(button, select, summary, input)")].filter((e) => e.checkVisibility())
		.filter((e) => { const b = (e.closest("label") ?? e).getBoundingClientRect(); return b.height < 43.9 || b.width < 43.9; }).map((e) => e.outerHTML.slice(0, 90))`); len(small) > 0 {
		t.Errorf("too small for a finger: %q", small)
	}
	at := get[[2]float64](d.tab, `() => { const b = document.getElementById("plot").getBoundingClientRect(); return [b.x + 120, b.y + 60]; }`)
	command(d.tab, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: at[0], Y: at[1]}}})
	week := get[string](d.tab, `() => document.getElementById("chart-readout").dataset.week`)
	var want []string
	for _, series := range []string{"national.overall", "toronto.overall", "vancouver.overall", "halifax.overall"} {
		want = append(want, "$"+d.all[series][week].Cost.String())
	}
	got := get[[]string](d.tab, `() => [...document.querySelectorAll("#tip:not([hidden]) b")].map((e) => e.textContent)`)
	if slices.Sort(want); !slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(b, a) }) || !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("the tip of %s has %q, the API %q", week, got, want)
	}
	d.shoot("dashboard-tip")
	command(d.tab, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
	await[bool](d.tab, `(week) => location.search.includes("week=" + week)`, week)
}
