//go:build browser

package browser

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// gapped returns a series of a banner in which weeks are missing, and those.
func gapped(t *testing.T, all map[string]map[string]shownRow) (series string, missing []string) {
	t.Helper()
	weeks := weeksOf(all["national.overall"])
	for _, id := range slices.Sorted(maps.Keys(all)) {
		have := weeksOf(all[id])
		if strings.Count(id, ".") != 2 || len(have) < 5 {
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
	d := openDashboard(t, b, "/")
	gapSeries, missing := gapped(t, d.all)
	shown := []string{"national.overall", "toronto.overall", gapSeries, lonely(t, d.all)}
	for _, series := range shown[1:] {
		d.add(series)
	}
	d.drawn()
	for _, week := range missing {
		await[bool](d.tab, `(series, week) => [...document.querySelectorAll("#chart .gap-mark")].some((g) => g.dataset.series === series && [...g.querySelectorAll("title")].some((e) => e.textContent === week))`, gapSeries, week)
	}
	d.lines(shown)
	weeks := weeksOf(d.all["national.overall"])
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
	d.there("#why-dialog[open] #why")
	d.keys(kb.Escape)
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
			parts = append(parts, r.spokenText(d.t)+", change in a week not published")
		default:
			parts = append(parts, r.spokenText(d.t)+", "+r.clearText(d.t))
		}
	}
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(spoken, part) })
}

func (r shownRow) spokenText(t testing.TB) string {
	t.Helper()
	if r.Quality.Low == "" {
		return rounded(t, r.IndexValue) + ", " + r.Quality.text(t)
	}
	return rounded(t, r.IndexValue) + ", 95% interval " + r.Quality.text(t)
}

// axisMark is a label of an axis, and where its rule or tick begins.
type axisMark struct {
	Text string
	At   [2]float64
}

// drawnLine is the line of a series: its unbroken runs, and its weeks
// without neighbours.
type drawnLine struct {
	Runs  [][][2]float64
	Alone [][2]float64
	Band  [][][2]float64 // the outline of each run of intervals: along the upper ends and back
}

// lonely returns a series of a category with a week whose neighbours are both not
// published.
func lonely(t *testing.T, all map[string]map[string]shownRow) string {
	t.Helper()
	weeks := weeksOf(all["national.overall"])
	for _, id := range slices.Sorted(maps.Keys(all)) {
		for i := 1; i < len(weeks)-1 && !strings.HasSuffix(id, ".overall"); i++ {
			_, before := all[id][weeks[i-1]]
			_, at := all[id][weeks[i]]
			_, after := all[id][weeks[i+1]]
			if at && !before && !after {
				return id
			}
		}
	}
	t.Fatal("no series has a week that stands alone")
	return ""
}

// lines compares the lines of the chart with the API's levels. Where a point should
// be is read off the labels of the axes, as people read it.
func (d *dashboard) lines(shown []string) {
	d.t.Helper()
	got := get[struct {
		Weeks []axisMark
		Lines map[string]struct {
			drawnLine
			Levels []axisMark
		}
	}](d.tab, `() => {
		const labels = (axis) => [...document.querySelectorAll("#chart [aria-label='" + axis + " tick label'] text")].map((e) => {
			const { e: x, f: y } = e.transform.baseVal.consolidate().matrix;
			return { text: (e.querySelector("tspan") ?? e).textContent, at: [x, y], panel: panelOf(e) };
		});
		const panelOf = (e) => Math.round(e.parentElement.getCTM().f);
		const parse = (path) => (path?.getAttribute("d") ?? "").replaceAll("Z", "").split("M").slice(1).map((run) => run.split("L").map((at) => at.trim().split(/[ ,]/).map(Number)));
		const levels = labels("y-axis");
		return { weeks: labels("x-axis"), lines: Object.fromEntries([...document.querySelectorAll("#chart .line")].map((g) => {
			const path = g.querySelector("path"), runs = parse(path);
			return [g.dataset.series, {
				runs: runs.filter((run) => run.length > 1), alone: runs.filter((run) => run.length === 1).map((run) => run[0]),
				band: parse(document.querySelector("#chart .band[data-series='" + g.dataset.series + "'] path")), levels: levels.filter((label) => label.panel === panelOf(path)),
			}];
		})) };
	}`)
	if len(got.Weeks) < 2 {
		d.t.Fatalf("too few labels to read the chart by: weeks %v", got.Weeks)
	}
	weeks := weeksOf(d.all["national.overall"])
	x := axis(got.Weeks, 0, func(label string) float64 {
		return float64(slices.IndexFunc(weeks, func(week string) bool { return d.shortDay(week) == label }))
	})
	drawn := map[string]drawnLine{}
	want := map[string]drawnLine{}
	for _, series := range shown {
		if drawn[series] = got.Lines[series].drawnLine; len(got.Lines[series].Levels) < 2 {
			d.t.Fatalf("%s: too few labels to read it by: %v", series, got.Lines[series].Levels)
		}
		y := axis(got.Lines[series].Levels, 1, d.number)
		if y(101) >= y(100) {
			d.t.Error("a higher level is drawn no higher")
		}
		var line drawnLine
		var run, high, low [][2]float64
		endBand := func() {
			slices.Reverse(low)
			if len(high) > 0 {
				line.Band = append(line.Band, slices.Concat(high, low))
			}
			high, low = nil, nil
		}
		end := func() {
			if len(run) == 1 {
				line.Alone = append(line.Alone, run[0])
			} else if len(run) > 1 {
				line.Runs = append(line.Runs, run)
			}
			run = nil
		}
		for i, week := range weeks {
			r, ok := d.all[series][week]
			at := func(level json.Number) [2]float64 { return [2]float64{x(float64(i)), y(d.number(level.String()))} }
			if ok {
				run = append(run, at(r.IndexValue))
			} else {
				end()
			}
			if r.Quality.Low != "" {
				high, low = append(high, at(r.Quality.High)), append(low, at(r.Quality.Low))
			} else {
				endBand()
			}
		}
		end()
		endBand()
		want[series] = line
	}
	if diff := cmp.Diff(want, drawn, cmpopts.EquateApprox(0, 0.0501), cmpopts.EquateEmpty()); diff != "" {
		d.t.Errorf("lines (-API +drawn):\n%s", diff)
	}
}

// axis returns the place of a value, from those of the first and the last label.
func axis(labels []axisMark, dimension int, value func(string) float64) func(float64) float64 {
	first, last := labels[0], labels[len(labels)-1]
	low, start := value(first.Text), first.At[dimension]
	slope := (last.At[dimension] - start) / (value(last.Text) - low)
	return func(v float64) float64 { return start + (v-low)*slope }
}

func (d *dashboard) number(text string) float64 {
	d.t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	d.must(err)
	return v
}

func (d *dashboard) shortDay(week string) string {
	d.t.Helper()
	day, err := time.Parse(time.DateOnly, week)
	d.must(err)
	return day.Format("Jan 2")
}
