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

// told has a line for each case of a finding.
func told(f release.Finding) (text string) {
	for _, x := range f.Cases {
		where := x.Place
		if x.Cell != nil {
			where = x.Cell.String()
		}
		more := fmt.Sprint(x.More)
		if f.Rule == release.Revision {
			more = ""
		}
		text += strings.TrimSpace(fmt.Sprintf("%s %s %s %v %v %s", x.Kind, where, x.Week, x.Value, x.Bound, more)) + "\n"
	}
	return text
}

func tellAll(findings []release.Finding) (text string) {
	for _, f := range findings {
		text += string(f.Rule) + "\n" + told(f)
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
	few := func(n int) func(*world) { // banner y has n series in the last three weeks
		return func(w *world) {
			w.rows = slices.DeleteFunc(w.rows, func(o panel.Observation) bool {
				return ofBanner(&o, "y") && o.ObservedAt.After(noon(released-3)) && !o.ObservedAt.After(noon(released))
			})
			for i := range n {
				for week := released - 2; week <= released; week++ {
					w.add(206+int64(i%5), 20+int64(i/5), week, 30_000)
				}
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
		early bool                    // the fault began before the newest week
		want  map[release.Rule]string // and a part of its evidence
	}{
		{"a clean week", func(*world) {}, false, nil},
		{"cents for dollars", times("x", 100, 1), false, map[release.Rule]string{
			release.Scale: fmt.Sprintf("x %s 101.04", last),
			release.Jump:  fmt.Sprintf("overall, national %s", last),
		}},
		{"cents that the gate set aside", gated, false, map[release.Rule]string{
			release.Scale: "58 wrong_scale_row",
			release.Lost:  "banner x",
		}},
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
		}, false, map[release.Rule]string{release.Lost: "banner x"}},
		{"a lost decimal point", times("y", 1, 10), false, map[release.Rule]string{
			release.Scale: fmt.Sprintf("y %s 0.099", last),
			release.Jump:  fmt.Sprintf("overall, Alma %s", last),
		}},
		{"a city without rows", drop(func(o *panel.Observation) bool { return o.Store%2 == 1 }), false, map[release.Rule]string{
			release.Lost: "city Zed",
		}},
		{"a banner without rows", drop(func(o *panel.Observation) bool { return ofBanner(o, "x") }), false, map[release.Rule]string{
			release.Lost: "banner x",
		}},
		{"a frozen banner", freeze(3, 0), true, map[release.Rule]string{
			release.Frozen: fmt.Sprintf("y %s", last),
		}},
		{"two frozen weeks", freeze(2, 0), true, nil},
		{"a banner frozen but for one listing", freeze(3, 201), true, nil},
		{"twenty frozen series", few(20), true, map[release.Rule]string{release.Frozen: fmt.Sprintf("y %s 20", last)}},
		{"nineteen frozen series", few(19), true, nil},
		{"a late correction", func(w *world) {
			for _, l := range w.listings[:11] {
				w.add(l.ID, 10, 20, 900_000)
			}
		}, false, map[release.Rule]string{
			release.Revision: fmt.Sprintf("dairy, x in Alma %s", base.Add(20)),
		}},
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
			stops := release.Stops(old, next, release.Diff(old, next))
			for _, s := range stops {
				part, ok := x.want[s.Rule]
				if !ok {
					t.Errorf("%s stops: %q", s.Rule, told(s))
				}
				if !strings.Contains(told(s), part) {
					t.Errorf("%s: %q lacks %q", s.Rule, told(s), part)
				}
			}
			if len(stops) != len(x.want) {
				t.Errorf("%d rules stop, want %v", len(stops), x.want)
			}
			// What check sees in the one snapshot, but for what was released before.
			var both []release.Finding
			for _, s := range stops {
				if s.Rule != release.Revision {
					both = append(both, s)
				}
			}
			if newest := release.Newest(next); tellAll(newest) != tellAll(both) {
				t.Errorf("the newest week alone: %v\nwant %v", newest, both)
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
		stops := release.Stops(old, next, release.Diff(old, next))
		if got := slices.ContainsFunc(stops, func(s release.Finding) bool { return s.Rule == release.Scale }); got != x.stops {
			t.Errorf("from %s to %s: scale stops %t", x.first, x.then, got)
		}
		if stops := release.Stops(nil, next, release.Diff(nil, next)); len(stops) > 0 && stops[0].Rule != release.Frozen {
			t.Errorf("a first release stops: %v", stops)
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
		found := 0
		for _, s := range release.Stops(old, next, release.Diff(old, next)) {
			if s.Rule == release.Scale {
				found = len(s.Cases)
			}
		}
		if found != x.weeks {
			t.Errorf("%+v: scale names %d weeks", x, found)
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
	want := []string{fmt.Sprintf("[%d ", counted), fmt.Sprintf(" %d wrong_scale_row", counted-1)}
	for _, s := range release.Stops(old, next, release.Diff(old, next)) {
		if s.Rule == release.Scale {
			for _, part := range want {
				if !strings.Contains(told(s), part) {
					t.Errorf("%q lacks %q", told(s), part)
				}
			}
			return
		}
	}
	t.Error("scale does not stop")
}

// tables returns two snapshots without rows but with published ones: weeks of a headline
// with the given changes, the last of them new.
func tables(t *testing.T, cell jevons.Cell, changes ...string) (old, next *release.Snapshot) {
	t.Helper()
	p, err := panel.NewBuilder(base).Build()
	if err != nil {
		t.Fatal(err)
	}
	var rows []jevons.Row
	for i, text := range changes {
		change, err := panel.ParseFixed(text)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, jevons.Row{Week: base.Add(i), Cell: &cell, Index: panel.FixedOf(1_000_000), WoW: change})
	}
	next = &release.Snapshot{Panel: p, Rows: panel.NewRowsBuilder(panel.NewGate(nil, nil, nil, nil, nil)).Build(), Table: &jevons.Table{Rows: rows}}
	before := *next
	before.Table = &jevons.Table{Rows: rows[:len(rows)-1]}
	return &before, next
}

// TestStopsJump has known medians: changes of +1 and +1.2 by turns have the median 1.1 and
// the MAD 0.1, so 8 deviations are 8 * 1.4826 * 0.1 = 1.18608 points.
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
	dairy := jevons.Cell{Level: jevons.National, Category: basket.Dairy}
	for _, x := range []struct {
		cell    jevons.Cell
		history []string
		change  string
		stops   bool
	}{
		{national, history(20, usual...), "2.2860", false},
		{national, history(20, usual...), "2.2861", true},
		{national, history(20, usual...), "-0.0860", false},
		{national, history(20, usual...), "-0.0861", true},
		{jevons.Cell{Level: jevons.City, City: "A"}, history(20, usual...), "2.2861", true},
		{national, history(19, usual...), "2.2861", false}, // too few to tell
		{national, history(19, usual...), "10", false},
		{national, history(19, usual...), "10.0001", true},
		{national, history(1, usual...), "-10.0001", true},
		{national, history(20, calm...), "0.5930", false}, // 8 * 1.4826 * 0.05 = 0.59304
		{national, history(20, calm...), "0.5931", true},
		{national, append(history(19, usual...), ""), "2.2861", false}, // null is no change
		{national, history(20, usual...), "", false},
		{national, append(history(20, usual...), "50"), "1.1", false}, // that one was released
		{banner, history(20, usual...), "50", false},
		{dairy, history(20, usual...), "50", false},
	} {
		old, next := tables(t, x.cell, append(x.history, x.change)...)
		stops := release.Stops(old, next, release.Diff(old, next))
		if got := len(stops) == 1 && stops[0].Rule == release.Jump; got != x.stops || !got && len(stops) > 0 {
			t.Errorf("%s, %s after %d: %v", x.cell, x.change, len(x.history), stops)
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
		old, next := tables(t, jevons.Cell{Level: x.level, Category: basket.Dairy}, "0", "0")
		next.Table = &jevons.Table{Rows: slices.Clone(next.Table.Rows)}
		next.Table.Rows[0].Index = panel.FixedOf(x.to)
		stops := release.Stops(old, next, release.Diff(old, next))
		if got := len(stops) > 0 && stops[0].Rule == release.Revision; got != x.stops {
			t.Errorf("%s to %d: %v", x.level, x.to, stops)
		}
	}
}

// TestStopsLostAndNothing drops cells of the last week: a tenth may go, and no more.
func TestStopsLostAndNothing(t *testing.T) {
	t.Parallel()
	old, _ := tables(t, jevons.Cell{Level: jevons.National}, "0", "0")
	var rows []jevons.Row
	for _, level := range []jevons.Level{jevons.National, jevons.City} {
		for _, category := range basket.Slices() {
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
		stops := release.Stops(&old, &next, release.Diff(&old, &next))
		if x.rule == "" && len(stops) > 0 || x.rule != "" && (len(stops) != 1 || stops[0].Rule != x.rule) {
			t.Errorf("%d cells left of %d: %v", x.left, x.cells, stops)
		}
	}
}
