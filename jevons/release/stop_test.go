package release_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// released is how many weeks the old snapshots of TestStops have; next has one more.
const released = 23

// told has a line for each finding that stops, and for each that warns if warnings are asked for.
func told(findings []release.Finding, warnings bool) (text string) {
	for _, f := range findings {
		if f.Stops != warnings {
			text += f.ID + ": " + f.Text() + "\n"
		}
	}
	return text
}

// TestStops plants one fault of every kind in the newest week. The rules that fire name
// its banner, week or cell.
func TestStops(t *testing.T) {
	t.Parallel()
	last := base.Add(released)
	newest := func(w *world, change func(o *panel.Observation)) {
		for i := range w.rows {
			if w.rows[i].ObservedAt.Equal(noon(released)) {
				change(&w.rows[i])
			}
		}
	}
	ofBanner := func(o *panel.Observation, key string) bool { return o.Store/10 == int64(strings.Index(" xyz", key)) }
	times := func(key string, n, d panel.Price) func(*world) {
		return func(w *world) {
			newest(w, func(o *panel.Observation) {
				if ofBanner(o, key) {
					o.Effective = o.Effective * n / d
				}
			})
		}
	}
	drop := func(gone func(o *panel.Observation) bool) func(*world) {
		return func(w *world) {
			w.rows = slices.DeleteFunc(w.rows, func(o panel.Observation) bool { return o.ObservedAt.Equal(noon(released)) && gone(&o) })
		}
	}
	freeze := func(weeks int, but int64) func(*world) {
		return func(w *world) {
			prices := map[[2]int64]panel.Price{}
			for i := range w.rows {
				o := &w.rows[i]
				at := [2]int64{o.Listing, o.Store}
				if !ofBanner(o, "y") || o.ObservedAt.Before(noon(released+1-weeks)) || o.ObservedAt.After(noon(released)) {
					continue
				}
				if prices[at] != 0 && o.Listing != but {
					o.Effective = prices[at]
				}
				prices[at] = o.Effective
			}
		}
	}
	gated := func(w *world) { // cents, as import would set them aside
		times("x", 100, 1)(w)
		for _, o := range w.rows {
			if o.ObservedAt.Equal(noon(released)) && ofBanner(&o, "x") {
				w.entries = append(w.entries, panel.Quarantine{Listing: o.Listing, Store: o.Store, Observation: o.ID, Rule: panel.WrongScaleRow})
			}
		}
	}
	for _, x := range []struct {
		name  string
		fault func(*world)
		early bool     // the fault began before the newest week
		want  []string // parts of what stops, of which every line has one, and of what warns
	}{
		{"a clean week", func(*world) {}, false, nil},
		{"cents for dollars", times("x", 100, 1), false, []string{
			fmt.Sprintf("scale:banner/x: x, week %s: the median of 58 prices is 101.04 times", last), "jump:national: ", "jump:city/a: ", "jump:city/z: ", "jump:banner/x/",
			"jump:national/",
		}},
		{"cents that the gate set aside", gated, false, []string{"scale:banner/x: ", "; wrong_scale_row set 58 of them aside", "lost:cells: ", "surge:mass/wrong_scale_row: ", "vanished:banner/x: "}},
		{"cents that were corrected", func(w *world) {
			gated(w)
			for _, e := range w.entries[1:] {
				o := w.rows[e.Observation-1]
				e.Rule = panel.Corrected
				w.entries = append(w.entries, e)
				o.ID, o.Effective = o.ID+1<<52, o.Effective/100
				w.rows = append(w.rows, o)
			}
		}, false, nil},
		{"cents that an operator set aside", func(w *world) {
			gated(w)
			w.entries = append(w.entries, panel.Quarantine{Banner: "x", From: last.Date() - 6, To: last.Date()})
		}, false, []string{"lost:cells: ", "surge:banner/x: ", "vanished:banner/x: "}},
		{"a lost decimal point", times("y", 1, 10), false, []string{
			fmt.Sprintf("scale:banner/y: y, week %s: the median of 56 prices is 1/10.09 of", last), "jump:",
		}},
		{"a category in cents", func(w *world) {
			newest(w, func(o *panel.Observation) {
				if ofBanner(o, "x") && o.Listing < 105 {
					o.Effective *= 100
				}
			})
		}, false, []string{"scale:category/x/dairy: x, dairy, week", "jump:", "shift:banner/x"}},
		{"prices with tax", times("y", 3, 2), false, []string{"shift:banner/y: y, week", "jump:"}},
		{"a city without rows", drop(func(o *panel.Observation) bool { return o.Store%2 == 1 }), false, []string{
			"lost:city/z: overall, Zed, week", "lost:cells: ", "vanished:banner/x/z: x in Zed, week", "vanished:",
		}},
		{"a banner without rows", drop(func(o *panel.Observation) bool { return ofBanner(o, "x") }), false, []string{
			"vanished:banner/x: x, week", "lost:cells: ",
		}},
		{"one store without rows", drop(func(o *panel.Observation) bool { return o.Store == 10 }), false, nil},
		{"most rows of a banner", drop(func(o *panel.Observation) bool { return ofBanner(o, "x") && o.Listing != 103 && o.Listing < 108 }), false, []string{
			"vanished:banner/x: ", "lost:cells: ",
		}},
		{"a frozen week", freeze(2, 0), false, []string{"frozen:banner/y: y, week"}},
		{"a banner frozen but for one listing", freeze(3, 201), true, []string{"frozen:banner/y: "}},
		{"a banner frozen for months, which is usual by its own weeks", freeze(21, 0), true, []string{"warns: frozen:banner/y: ", "warns: and so they were before; elsewhere"}},
		{"a late correction", func(w *world) {
			for _, l := range w.listings[:11] {
				w.add(l.ID, 10, 20, 900_000)
			}
		}, false, []string{fmt.Sprintf("revision:banner/x/a/dairy: dairy, x in Alma, week %s: ", base.Add(20)), "revision:"}},
		{"a weight", func(w *world) { w.products[0].Weight *= 3 }, false, []string{"restatement:reference: reference moves "}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(3, released)
			if x.early {
				x.fault(w)
			}
			old := w.snapshot(t)
			w.weeks++
			x.fault(w)
			next := w.snapshot(t)
			findings := release.Findings(old, next, release.Diff(old, next))
			text, warned := told(findings, false), told(findings, true)
			for _, part := range x.want {
				if warning, is := strings.CutPrefix(part, "warns: "); is && !strings.Contains(warned, warning) || !is && !strings.Contains(text, part) {
					t.Errorf("%q is missing in\n%s\n%s", part, text, warned)
				}
			}
			for line := range strings.Lines(text) {
				if !slices.ContainsFunc(x.want, func(part string) bool { return strings.Contains(line, part) }) {
					t.Errorf("stops: %s", line)
				}
			}
			if seen := told(release.Newest(next), false); len(x.want) == 0 && seen != "" {
				t.Errorf("the newest week alone: %s", seen)
			}
		})
	}
}

// TestStopsScaleBounds has prices that all change by one factor. Exactly 3 and exactly 1/3
// are no other scale. The price before is that of the weeks before, however many rows the
// week has.
func TestStopsScaleBounds(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		first, then panel.Price
		stops       bool
	}{{20_000, 60_000, false}, {20_000, 60_001, true}, {60_000, 20_000, false}, {60_001, 20_000, true}, {20_000, 20_000, false}} {
		w := newWorld(1, 2)
		for i := range w.rows {
			w.rows[i].Effective = x.first
			if w.rows[i].ObservedAt.After(noon(1)) {
				w.rows[i].Effective = x.then
			}
		}
		for i := range len(w.rows) { // a week has three rows of each series
			for range 2 {
				o := w.rows[i]
				o.ID, o.ObservedAt = int64(len(w.rows)+1), o.ObservedAt.Add(1)
				w.rows = append(w.rows, o)
			}
		}
		old := w.snapshot(t)
		w.weeks++
		next := w.snapshot(t)
		text := told(release.Findings(old, next, release.Diff(old, next)), false)
		if got := strings.Contains(text, "scale:"); got != x.stops {
			t.Errorf("from %s to %s: scale stops %t", x.first, x.then, got)
		}
		first := told(release.Findings(nil, next, release.Diff(nil, next)), false)
		if strings.Contains(first, "scale:banner/x/") != x.stops || !x.stops && first != "" {
			t.Errorf("from %s to %s, a first release: %s", x.first, x.then, first)
		}
	}
}

// TestStopsScaleWeeks releases two weeks at once, the first of them in cents. Each week is
// compared with the one before. Rows of inactive stores don't count.
func TestStopsScaleWeeks(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		both, active bool // both weeks are in cents; the stores are active
		weeks        int  // that scale names
	}{{true, true, 1}, {false, true, 2}, {false, false, 0}} {
		w := newWorld(3, released)
		for i := range w.stores {
			w.stores[i].Active = w.stores[i].Banner != "x" || x.active
		}
		for i := range w.rows {
			o := &w.rows[i]
			if o.Store/10 == 1 && o.ObservedAt.Equal(noon(released)) {
				o.Effective *= 100
			}
		}
		old := w.snapshot(t)
		w.weeks += 2
		for i, n := 0, len(w.rows); i < n; i++ { // newWorld ends with week released; one more is a copy
			if o := w.rows[i]; o.ObservedAt.Equal(noon(released)) {
				if o.ID, o.ObservedAt = int64(len(w.rows)+1), noon(released+1); o.Store/10 == 1 && !x.both {
					o.Effective /= 100
				}
				w.rows = append(w.rows, o)
			}
		}
		next := w.snapshot(t)
		text := told(release.Findings(old, next, release.Diff(old, next)), false)
		if got := strings.Count(text, "scale:banner/x/20"); got != x.weeks { // the id has the week
			t.Errorf("%+v: scale names %d weeks", x, got)
		}
	}
}

// TestStopsScaleSetAside has the rows of a banner set aside by wrong_scale_row, as import does
// when there are as many dollars as cents: the first weeks and the newest are in cents. Only
// rows with a price before are counted. One of them passes.
func TestStopsScaleSetAside(t *testing.T) {
	t.Parallel()
	w := newWorld(3, released)
	w.rows = slices.DeleteFunc(w.rows, func(o panel.Observation) bool { // store 10 is new
		return o.Store == 10 && !o.ObservedAt.Equal(noon(released))
	})
	counted := 0
	for i := range w.rows {
		o := &w.rows[i]
		if o.ID = int64(i + 1); o.Store/10 != 1 {
			continue
		}
		newest := o.ObservedAt.Equal(noon(released))
		if newest || o.ObservedAt.Before(noon(5)) {
			o.Effective *= 100
		}
		if newest && o.Store != 10 && o.Listing != 112 { // product 12 is inactive
			if counted++; counted == 1 {
				continue
			}
		}
		w.entries = append(w.entries, panel.Quarantine{Listing: o.Listing, Store: o.Store, Observation: o.ID, Rule: panel.WrongScaleRow})
	}
	old := w.snapshot(t)
	w.weeks++
	next := w.snapshot(t)
	text := told(release.Findings(old, next, release.Diff(old, next)), false)
	for _, part := range []string{fmt.Sprintf("scale:banner/x: x, week %s: the median of %d prices", base.Add(released), counted), fmt.Sprintf("wrong_scale_row set %d of them", counted-1)} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
}

// tables returns two snapshots without rows but with published ones: weeks of a headline
// with the given changes, the last of them new.
func tables(t *testing.T, cell jevons.Cell, changes ...string) (old, next *release.Snapshot) {
	t.Helper()
	p := must(panel.NewBuilder(base).Build())
	var rows []jevons.Row
	for i, text := range changes {
		change := must(panel.ParseFixed(text))
		rows = append(rows, jevons.Row{Week: base.Add(i), Cell: &cell, Index: panel.FixedOf(1_000_000), WoW: change})
	}
	next = &release.Snapshot{Panel: p, Rows: panel.NewRowsBuilder(panel.NewGate(panel.Calendar{}, nil, nil, nil, nil, nil)).Build(), Table: &jevons.Table{Rows: rows}}
	before := *next
	before.Table = &jevons.Table{Rows: rows[:len(rows)-1]}
	return &before, next
}

// TestStopsJump has known medians: changes of +1 and +1.2 by turns have the median 1.1 and the MAD 0.1, so
// 12 deviations are 12 * 1.4826 * 0.1 = 1.77912 points, and the 8 of a warning 1.18608.
func TestStopsJump(t *testing.T) {
	t.Parallel()
	history := func(n int, pair ...string) (list []string) {
		for i := range n {
			list = append(list, pair[i%2])
		}
		return list
	}
	usual, calm := []string{"1", "1.2"}, []string{"0", "0"}
	national, banner := jevons.Cell{Level: jevons.National}, jevons.Cell{Level: jevons.Banner, City: "A", Banner: "x"}
	dairy := jevons.Cell{Level: jevons.National, Category: basket.Categories(nil).Of("dairy")}
	for _, x := range []struct {
		cell    jevons.Cell
		history []string
		change  string
		want    string // "stops", "warns" or nothing
	}{
		{national, history(12, usual...), "2.2860", ""},
		{national, history(12, usual...), "2.2861", "warns"},
		{national, history(12, usual...), "2.8791", "warns"},
		{national, history(12, usual...), "2.8792", "stops"},
		{national, history(12, usual...), "-0.6791", "warns"},
		{national, history(12, usual...), "-0.6792", "stops"},
		{national, history(11, usual...), "2.8792", ""}, // too few to tell
		{national, history(11, usual...), "10", ""},
		{national, history(11, usual...), "10.0001", "stops"},
		{national, history(1, usual...), "-10.0001", "stops"},
		{national, history(12, calm...), "1.2453", "warns"}, // 12 * 1.4826 * 0.07 = 1.24538
		{national, history(12, calm...), "1.2454", "stops"},
		{jevons.Cell{Level: jevons.City, City: "A"}, history(12, calm...), "6.2270", "stops"}, // 0.35
		{banner, history(12, calm...), "12.4538", "warns"},                                    // 0.7
		{banner, history(12, calm...), "12.4539", "stops"},
		{dairy, history(12, calm...), "6.2270", "stops"}, // 0.35
		{jevons.Cell{Level: jevons.City, City: "A", Category: basket.Categories(nil).Of("dairy")}, history(12, calm...), "50", ""},
		{national, append(history(11, usual...), ""), "2.8792", ""}, // null is no change
		{national, history(12, usual...), "", ""},
		{national, append(history(12, usual...), "50"), "1.1", ""}, // that one was released
	} {
		old, next := tables(t, x.cell, append(x.history, x.change)...)
		got := ""
		for _, f := range release.Findings(old, next, release.Diff(old, next)) {
			if got = "warns"; f.Stops {
				got = "stops"
			}
			if f.Rule != release.Jump || f.Value.String() != x.change {
				t.Errorf("%s: %+v", x.cell, f)
			}
		}
		if got != x.want {
			t.Errorf("%s, %s after %d: %q, want %q", x.cell, x.change, len(x.history), got, x.want)
		}
	}
}

// TestStopsRevision moves released levels by the bounds and beyond.
func TestStopsRevision(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		level jevons.Level
		to    int64 // from 1,000,000 ten-thousandths
		stops bool
	}{
		{jevons.National, 1_005_000, false}, {jevons.National, 1_005_001, true}, {jevons.National, 994_999, true},
		{jevons.City, 1_020_000, false}, {jevons.City, 1_020_001, true}, {jevons.Banner, 979_999, true}, {jevons.Banner, 980_000, false},
	} {
		old, next := tables(t, jevons.Cell{Level: x.level, Category: basket.Categories(nil).Of("dairy")}, "0", "0")
		next.Table = &jevons.Table{Rows: slices.Clone(next.Table.Rows)}
		next.Table.Rows[0].Index = panel.FixedOf(x.to)
		text := told(release.Findings(old, next, release.Diff(old, next)), false)
		if got := strings.Contains(text, "revision:"); got != x.stops {
			t.Errorf("%s to %d: %s", x.level, x.to, text)
		}
	}
}

// TestStopsLostAndNothing drops cells of the last week: a tenth may go, and no more.
func TestStopsLostAndNothing(t *testing.T) {
	t.Parallel()
	old, _ := tables(t, jevons.Cell{Level: jevons.National}, "0", "0")
	var rows []jevons.Row
	for _, level := range []jevons.Level{jevons.National, jevons.City} {
		for _, category := range basket.Categories(nil).Slices() {
			rows = append(rows, jevons.Row{Week: base, Cell: &jevons.Cell{Level: level, Category: category}, Index: panel.FixedOf(1)})
		}
	}
	for _, x := range []struct {
		cells, left int
		rule        release.Rule
	}{
		{10, 10, release.NothingNew}, {10, 9, ""}, {10, 8, release.Lost}, {10, 0, release.Lost},
		{19, 18, ""}, {19, 17, release.Lost},
	} {
		old, next := *old, *old
		old.Table, next.Table = &jevons.Table{Rows: rows[:x.cells]}, &jevons.Table{Rows: rows[:x.left]}
		text := told(release.Findings(&old, &next, release.Diff(&old, &next)), false)
		if x.rule == "" && text != "" || !strings.HasPrefix(text, string(x.rule)) || strings.Count(text, "\n") > 1 {
			t.Errorf("%d of %d cells: %s", x.left, x.cells, text)
		}
	}
}
