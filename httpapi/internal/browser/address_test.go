//go:build browser

package browser

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
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

// testDashboardAddress changes everything that the dashboard can show. Each state is the same
// after a reload, in another browser, and after Back.
func testDashboardAddress(t *testing.T, b *browser) {
	d := openDashboard(t, b, "/")
	other := &dashboard{f: d.f, key: d.key, all: d.all, tab: d.f.signedIn(b, d.key)}
	weeks := weeksOf(d.all["national.overall"])
	steps := []struct {
		name string
		act  func()
		want string // a part of the address
	}{
		{"a city", func() { d.add("toronto.overall") }, "s=national.overall&s=toronto.overall"},
		{"a chain by a press on its card", func() {
			d.click("#compared-tabs input[value=chains]")
			d.drawn()
			d.choose("#compared-city", "Halifax")
			d.drawn()
			d.click("#multiples [data-add]")
		}, "&tab=chains&in=Halifax"},
		{"four weeks", func() { d.click("#views input[value='4w']") }, "view=4w"},
		{"since", func() { d.click("#views input[value=since]") }, "view=since&since="},
		{"the dates", func() {
			get[bool](d.tab, `(value) => { const e = document.getElementById("from"); e.value = value; e.dispatchEvent(new Event("change")); return true; }`, weeks[5])
		}, "from=" + weeks[5]},
		{"basket cost", func() { d.click("#views input[value=cost]") }, "view=cost"},
		{"the grid", func() { d.click("#compared-tabs input[value=grid]") }, "tab=grid"},
		{"a series taken off", func() { d.click(`#chosen li[data-series="national.overall"] button`) }, "?s=toronto.overall"},
		{"the table of costs", func() {
			d.click("#compared-tabs input[value=costs]")
			d.drawn()
			d.click("#places input[value=banner]")
			d.click("#places-table button[data-sort=level]")
		}, "of=banner&in=Halifax&sort=level"},
		{"the table of data", func() { d.click("#chart-data summary"); d.there("#chart-table") }, "table=open"},
		{"the brush", func() {
			d.click("#range button:last-child")
			d.drawn()
			box := get[[4]float64](d.tab, `() => { const e = document.getElementById("brush"); e.scrollIntoView({ block: "center" }); const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }`)
			at := func(part float64) [2]float64 { return [2]float64{box[0] + box[2]*part, box[1] + box[3]/2} }
			d.mouse(input.DispatchMouseEventTypeMouseMoved, at(0.3), 0)
			d.mouse(input.DispatchMouseEventTypeMousePressed, at(0.3), 1)
			d.mouse(input.DispatchMouseEventTypeMouseMoved, at(0.5), 1)
			d.mouse(input.DispatchMouseEventTypeMouseMoved, at(0.7), 1)
			d.mouse(input.DispatchMouseEventTypeMouseReleased, at(0.7), 1)
		}, "&to="},
	}
	var addresses, shown []string
	for _, step := range steps {
		step.act()
		address := await[string](d.tab, `(part) => location.search.includes(part) && location.pathname + location.search`, step.want)
		d.mouse(input.DispatchMouseEventTypeMouseMoved, [2]float64{2, 2}, 0)
		before := d.shows()
		if len(shown) > 0 && before == shown[len(shown)-1] {
			t.Errorf("%s: nothing changed", step.name)
		}
		addresses, shown = append(addresses, address), append(shown, before)
		other.visit(address)
		if got := other.shows(); got != before {
			t.Errorf("%s: %s in another browser:\n%s", step.name, address, firstDifference(before, got))
		}
	}
	last := len(steps) - 1
	d.reload()
	if got := d.shows(); got != shown[last] {
		t.Errorf("after a reload:\n%s", firstDifference(shown[last], got))
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
			t.Errorf("%s, after Back:\n%s", steps[i].name, firstDifference(shown[i], got))
		}
	}
}

// firstDifference shows the first line that differs.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d: %q, want %q", i, b[min(i, len(b)-1)], a[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(b), len(a))
}

// testDashboardUnits compares what the page shows in each unit with the API's values, digit for
// digit, and reads chains by their names.
func testDashboardUnits(t *testing.T, b *browser) {
	d := openDashboard(t, b, "/")
	weeks := weeksOf(d.all["national.overall"])
	since, newest := weeks[len(weeks)-6], weeks[len(weeks)-1]
	chain := ""
	for _, series := range slices.Sorted(func(yield func(string) bool) {
		for series := range d.all {
			if !yield(series) {
				return
			}
		}
	}) {
		if r, ok := d.all[series][since]; ok && r.Retailer != "" && r.Category == "" && d.all[series][newest].Date != "" && strings.ContainsAny(d.f.chain(r.Retailer), " é") {
			chain = series
			break
		}
	}
	shown := []string{"national.overall", "toronto.overall", "vancouver.dairy", chain}
	for view, member := range map[string]string{"yoy": "pct_change_yoy", "since": "pct_change_since", "4w": "pct_change_mom", "cost": "basket_cost_cad", "index": "index_value"} {
		query := url.Values{"s": shown, "view": {view}, "tab": {"grid"}}
		if view == "since" {
			query.Set("since", since)
			d.refused("/api/public/index", "400")
		}
		d.visit("/?" + query.Encode())
		d.drawn()
		text := func(value any) string {
			n, _ := value.(json.Number)
			switch {
			case n == "":
				return "–"
			case view == "cost":
				return "$" + n.String()
			case view == "index":
				return rounded(t, n)
			}
			return signedText(n, rounded(t, n))
		}
		labels := get[map[string]string](d.tab, `() => Object.fromEntries([...document.querySelectorAll(".end-label")].map((e) => [e.dataset.series, e.dataset.value]))`)
		values := get[map[string]string](d.tab, `() => Object.fromEntries([...document.querySelectorAll("#chosen li")].map((e) => [e.dataset.series, e.querySelector(".readout-value").textContent]))`)
		grid := get[map[string]string](d.tab, `() => Object.fromEntries([...document.querySelectorAll("#grid td[data-series]")].map((e) => [e.dataset.series, e.querySelector("button").firstChild.textContent]))`)
		seen := 0
		filters := []string{"level=national", "level=city", "level=banner&category=overall"}
		if view == "since" { // the server refuses all of the grid for one series, and the page says so
			d.says("#compared-body", "no level in the week ending "+since)
			filters = nil
			for _, series := range shown {
				r := d.any(series)
				filters = append(filters, url.Values{"level": {r.level()}, "category": {cmp.Or(r.Category, "overall")}, "city": {r.City}, "banner": {r.Retailer}}.Encode())
			}
		}
		for _, r := range d.f.rows(d.key, filters, query, newest) {
			want := text(r[member])
			series := shownRow{City: word(r["city"]), Retailer: word(r["retailer"]), Category: word(r["category"])}
			name := series.series()
			if slices.Contains(shown, name) {
				seen++
				if label := labels[name]; values[name] != want || label != want && !(label == "" && want == "–") {
					t.Errorf("%s, %s: the label %q, the legend %q, the API's %q", view, name, label, values[name], want)
				}
			}
			if series.level() == "city" && want != "–" && view != "since" {
				if grid[name] != want {
					t.Errorf("%s, %s: the grid has %q, the API %q", view, name, grid[name], want)
				}
				delete(grid, name)
			}
		}
		if seen != len(shown) || len(grid) > 0 {
			t.Errorf("%s: %d of %d series; the grid has %v besides", view, seen, len(shown), grid)
		}
		page := get[string](d.tab, `() => document.getElementById("dashboard").innerText`)
		if key := d.any(chain).Retailer; !strings.Contains(page, d.f.chain(key)) || strings.Contains(page, key) {
			t.Errorf("%s: the chain %q is not shown as %q", view, key, d.f.chain(key))
		}
		if n := get[int](d.tab, `() => new Set([...document.querySelectorAll("#chart .line path")].map((e) => e.parentElement.getCTM().f + Math.round(e.parentElement.parentElement.getCTM().f))).size`); view == "index" != (n > 1) {
			t.Errorf("%s: %d panels", view, n)
		}
		if view != "since" && view != "yoy" {
			d.glance("dashboard-unit-" + view)
		}
	}
}

func word(v any) string {
	s, _ := v.(string)
	return s
}

// rows returns rows of the index of a week, by filters, in the unit of a query.
func (f *server) rows(key string, filters []string, query url.Values, week string) (rows []map[string]any) {
	f.T.Helper()
	for _, filter := range filters {
		var body struct{ Observations []map[string]any }
		address := fmt.Sprintf("/api/public/index?%s&from=%s&to=%s&limit=8000&view=%s", filter, week, week, query.Get("view"))
		if since := query.Get("since"); since != "" {
			address += "&since=" + since
		}
		f.fetch(http.MethodGet, address, "", &body, withKey(key))
		rows = append(rows, body.Observations...)
	}
	return rows
}

// testEndLabels draws 200 random selections in random units, at two widths. No label
// overlaps another or leaves the drawing.
func testEndLabels(t *testing.T, b *browser) {
	d := openDashboard(t, b, "/")
	pool := []string{"national.overall", "national.dairy", "national.meat", "national.produce_fruit", "national.frozen"}
	for series := range d.all {
		if r := d.any(series); len(pool) < 24 && r.City != "" && (r.Category == "" || r.City == "St. John's") {
			pool = append(pool, series)
		}
	}
	slices.Sort(pool)
	for _, width := range []int64{1280, 390} {
		d.size(width, 900)
		d.settle()
		faults := get[[]string](d.tab, `async (pool) => {
			const faults = [], explore = document.getElementById("explore");
			let seed = 7;
			const random = (n) => (seed = seed * 16807 % 2147483647) % n;
			for (let i = 0; i < 100; i++) {
				const s = new Set();
				for (const n = 2 + random(5); s.size < n;) s.add(pool[random(pool.length)]);
				const query = new URLSearchParams([...s].map((name) => ["s", name]));
				const view = ["index", "4w", "cost"][random(3)];
				if (view !== "index") query.set("view", view);
				const was = explore.dataset.shown;
				history.replaceState(null, "", "/?" + query); // a script's entries would be marked as such
				dispatchEvent(new PopStateEvent("popstate"));
				for (let wait = 0; wait < 300 && (explore.hasAttribute("aria-busy") || explore.dataset.shown === was); wait++) await new Promise((done) => setTimeout(done, 10));
				const drawing = document.getElementById("chart").getBoundingClientRect();
				const labels = [...document.querySelectorAll(".end-label")].map((e) => e.getBoundingClientRect());
				if (labels.length < 2) faults.push(query + ": " + labels.length + " labels");
				labels.forEach((a, j) => {
					if (a.right > drawing.right + 1 || a.bottom > drawing.bottom || a.top < drawing.top - 8) faults.push(query + ": outside, by " + [a.right - drawing.right, a.bottom - drawing.bottom, drawing.top - a.top].map(Math.round));
					for (const b of labels.slice(j + 1)) if (a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1) faults.push(query + ": overlap");
				});
			}
			return faults;
		}`, pool)
		if len(faults) > 0 {
			t.Errorf("at %d px: %d faults: %q", width, len(faults), faults[:min(5, len(faults))])
		}
	}
}

// longIndex answers a page's questions about the index with 520 weeks of six series.
const longIndex = `(() => {
	const real = window.fetch;
	window.fetch = async (path, init) => {
		if (!String(path).startsWith("/api/public/index")) return real(path, init);
		const rows = [];
		for (let week = 0; week < 520; week++) {
			const date = new Date(Date.UTC(2016, 11, 4 + 7 * week)).toISOString().slice(0, 10);
			for (const [i, category] of [null, "dairy", "meat", "bakery", "pantry", "frozen"].entries()) {
				const level = 100 + week / 10 + 5 * Math.sin(week / 9 + i) + i;
				rows.push({ date, city: null, retailer: null, category, index_value: level, basket_cost_cad: 3 * level, pct_change_wow: 0.1, pct_change_mom: 0.4, item_count: 50, total_items: 50, quality: { ci95_low: level - 1, ci95_high: level + 1 } });
			}
		}
		return new Response(JSON.stringify({ meta: { next_offset: null, filters: { from: rows[0].date, to: "2026-11-22" }, generated_at: "2026-11-22T00:00:00Z", note: "", license: "", source: "" }, observations: rows }), { headers: { "Content-Type": "application/json" } });
	};
})()`

// testDashboardSpeed draws ten years of six series, and points at week after week.
func testDashboardSpeed(t *testing.T, b *browser) {
	f := serve(t, "")
	x := f.signedIn(b, f.standardKey())
	command(x, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: longIndex})
	x.visit("/?s=national.overall&s=national.dairy&s=national.meat&s=national.bakery&s=national.pantry&s=national.frozen")
	x.there("#explore[data-shown]:not([aria-busy])")
	x.settle()
	took := get[struct{ Points, Drawn, Hover float64 }](x, `async () => {
		const plot = document.getElementById("plot"), box = plot.getBoundingClientRect();
		const drawn = performance.getEntriesByName("chart drawn").map((e) => e.duration);
		const hover = [];
		for (let i = 0; i < 120; i++) {
			const start = performance.now();
			plot.dispatchEvent(new PointerEvent("pointermove", { clientX: box.x + 60 + i * 4, clientY: box.y + 80, bubbles: true }));
			plot.getBoundingClientRect(); // the layout counts
			hover.push(performance.now() - start);
		}
		hover.sort((a, b) => a - b);
		return { points: document.querySelectorAll("#chart .line path").length, drawn: Math.min(...drawn), hover: hover[60] };
	}`)
	t.Logf("520 weeks of %.0f series: drawn in %.0f ms, a week pointed at in %.1f ms", took.Points, took.Drawn, took.Hover)
	if took.Points != 6 || took.Drawn > 200 || took.Hover > 16 {
		t.Errorf("%.0f series, drawn in %.0f ms of 200, pointed at in %.1f ms of 16", took.Points, took.Drawn, took.Hover)
	}
	x.glance("dashboard-ten-years")
}

// testDashboardPhone looks at four series on a phone: where things are, how long the page is, and
// whether a finger meets them. A finger on the chart shows a tip with the values of all.
func testDashboardPhone(t *testing.T, b *browser) {
	f := serve(t, "")
	key := f.standardKey()
	d := &dashboard{f: f, key: key, all: f.index(key), tab: f.signedIn(b, key)}
	d.size(390, 844)
	command(d.tab, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	for _, address := range []string{"/", "/?view=cost&s=national.overall&s=toronto.overall&s=vancouver.overall&s=halifax.overall"} {
		d.visit(address)
		d.drawn()
		d.toFeed("ready")
		d.settle()
		got := get[struct {
			Chart, Values, Page, Fill float64
			Small                     []string
		}](d.tab, `() => {
			scrollTo(0, 0);
			const box = (s) => document.querySelector(s).getBoundingClientRect();
			const lines = [...document.querySelectorAll("#chart .line path")].map((e) => e.getBoundingClientRect());
			const grid = [...document.querySelectorAll("#chart .crosshair")][0].getBoundingClientRect();
			return {
				chart: box("#chart").top, values: box("#chosen").bottom, page: document.documentElement.scrollHeight,
				fill: (Math.max(...lines.map((l) => l.bottom)) - Math.min(...lines.map((l) => l.top))) / grid.height,
				small: [...document.querySelectorAll("#dashboard :is(button, select, summary, input)")].filter((e) => e.checkVisibility()).map((e) => [e, (e.closest("label") ?? e).getBoundingClientRect()])
					.filter(([, b]) => b.height < 43.9 || b.width < 43.9).map(([e, b]) => e.outerHTML.slice(0, 90) + " " + b.width + " x " + b.height),
			};
		}`)
		t.Logf("%s: the chart begins at %.0f px, values end at %.0f, the page at %.0f; lines fill %.0f%%", address, got.Chart, got.Values, got.Page, 100*got.Fill)
		if got.Chart > 300 || got.Values > 844 || got.Page > 4500 || len(got.Small) > 0 || address != "/" && got.Fill < 0.7 {
			t.Errorf("%s: the chart begins at %.0f px of 300, values end at %.0f of 844, the page at %.0f of 4500; lines fill %.0f%%; too small for a finger: %q",
				address, got.Chart, got.Values, got.Page, 100*got.Fill, got.Small)
		}
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
