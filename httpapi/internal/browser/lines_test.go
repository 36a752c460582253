//go:build browser

package browser

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// axisMark is a label of an axis, and where its rule or tick begins.
type axisMark struct {
	Text string
	At   [2]float64
}

// drawnLine is the line of a series: its unbroken runs, and the weeks that stand
// alone.
type drawnLine struct {
	Runs  [][][2]float64
	Alone [][2]float64
}

// lonely returns a series of a category with a week whose neighbours are both not
// published.
func lonely(t *testing.T, all map[string]map[string]shownRow) string {
	t.Helper()
	weeks := weeksOf(all["national:overall"])
	for _, id := range slices.Sorted(maps.Keys(all)) {
		for i := 1; i < len(weeks)-1 && !strings.HasSuffix(id, ":overall"); i++ {
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
		Levels, Weeks []axisMark
		Lines         map[string]drawnLine
	}](d.tab, `() => {
		const labels = (s) => [...document.querySelectorAll("#chart text.axis")].filter((e) => e.previousElementSibling.matches(s)).map((e) => {
			const { x, y } = e.previousElementSibling.getPointAtLength(0);
			return { text: e.textContent, at: [x, y] };
		});
		const runs = (path) => (path.getAttribute("d") ?? "").split("M").slice(1).map((run) => run.split("L").map((at) => at.trim().split(" ").map(Number)));
		const lone = (path) => [...path.parentElement.querySelectorAll("circle")].map((e) => [e.cx.baseVal.value, e.cy.baseVal.value]);
		const lines = [...document.querySelectorAll("#chart path[data-series]")];
		return {
			levels: labels(".rule, .base"), weeks: labels(".tick"),
			lines: Object.fromEntries(lines.map((e) => [e.dataset.series, { runs: runs(e), alone: lone(e) }])),
		};
	}`)
	if len(got.Levels) < 2 || len(got.Weeks) < 2 {
		d.t.Fatalf("too few labels to read the chart by: levels %v, weeks %v", got.Levels, got.Weeks)
	}
	weeks := weeksOf(d.all["national:overall"])
	x := axis(got.Weeks, 0, func(label string) float64 {
		return float64(slices.IndexFunc(weeks, func(week string) bool { return d.shortDay(week) == label }))
	})
	y := axis(got.Levels, 1, d.number)
	if y(101) >= y(100) {
		d.t.Error("a higher level stands no higher")
	}
	want := map[string]drawnLine{}
	for _, series := range shown {
		var line drawnLine
		var run [][2]float64
		end := func() {
			if len(run) == 1 {
				line.Alone = append(line.Alone, run[0])
			} else if len(run) > 1 {
				line.Runs = append(line.Runs, run)
			}
			run = nil
		}
		for i, week := range weeks {
			if r, ok := d.all[series][week]; ok {
				run = append(run, [2]float64{x(float64(i)), y(d.number(r.IndexValue.String()))})
			} else {
				end()
			}
		}
		end()
		want[series] = line
	}
	// The page draws to a tenth of a unit.
	if diff := cmp.Diff(want, got.Lines, cmpopts.EquateApprox(0, 0.0501), cmpopts.EquateEmpty()); diff != "" {
		d.t.Errorf("lines (-API +drawn):\n%s", diff)
	}
}

// axis returns where values stand, from the first and the last label.
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
