package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/release"
)

// judged holds the report of a release that was tried.
type judged struct {
	Status string
	Stops  []release.Stop
}

// tryRelease releases the next snapshot. A stop must change nothing.
func (w *weekly) tryRelease(now string, accepted ...release.Rule) (j judged) {
	w.t.Helper()
	before := map[string][]byte{}
	for _, path := range []string{w.live, w.log} {
		before[path], _ = os.ReadFile(path) // the first release makes them
	}
	stdout, stderr, status := try(append(w.release(now, accepted...), "--format", "json")...)
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		w.t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	want := exitDone
	if len(j.Stops) > 0 {
		want = exitStopped
		for path, content := range before {
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, content) {
				w.t.Errorf("%s was changed by a release that was stopped: %v", path, err)
			}
		}
	}
	if status != want || (j.Status == "stopped") != (len(j.Stops) > 0) {
		w.t.Errorf("exit status %d, want %d: %s%s", status, want, stdout, stderr)
	}
	return j
}

// newest returns the newest release in the log.
func (w *weekly) newest() wire.Release {
	w.t.Helper()
	var list []wire.Release
	if err := json.Unmarshal(larder(w.t, "releases", "list", "--log", w.log, "--format", "json"), &list); err != nil {
		w.t.Fatal(err)
	}
	return list[0]
}

// Each stop rule stops the release in which its fault is planted, with its evidence. It lets
// the release go when it is accepted, and the log keeps the reason. The other rules that fire
// for the same fault are named too.
func TestStopRules(t *testing.T) {
	t.Parallel()
	w := newWeekly(t, 8, 0)
	for _, week := range w.weeks[:6] {
		w.deliver(w.rows[week])
	}
	if j := w.tryRelease(w.after(w.weeks[5])); len(j.Stops) > 0 {
		t.Fatalf("six clean weeks: %+v", j)
	}
	next := w.weeks[6]
	for name, x := range map[string]struct {
		plant func(w *weekly)
		until string                    // the last week that is released; empty: next
		want  map[release.Rule][]string // rules that fire, with parts of their evidence
	}{
		"nothing": {plant: func(w *weekly) { w.deliver(w.rows[next]) }},
		"a banner in cents": {
			plant: func(w *weekly) { w.deliver(w.times(w.rows[next], 100, 1, w.storesOf("gullhaven")...)) },
			want: map[release.Rule][]string{
				release.Scale: {"gullhaven, week " + next + ": the median of ", " is 10", "wrong_scale_row set "},
				release.Lost:  {"the banner gullhaven had ", "the city Moncton had "},
			},
		},
		"all prices up by a fifth": {
			plant: func(w *weekly) { w.deliver(w.times(w.rows[next], 6, 5)) },
			want:  map[release.Rule][]string{release.Jump: {"overall, national, week " + next + ": +"}},
		},
		"dear corrections of a released week": {
			plant: func(w *weekly) {
				w.deliver(w.rows[next])
				var dear [][]string
				for _, row := range w.times(w.rows[w.weeks[4]], 3, 2, w.storesOf("toronto")...) {
					if row[0] = ""; w.at(row, w.storesOf("toronto")) {
						dear = append(dear, row)
					}
				}
				w.deliver(dear, "--correct", "planted")
			},
			want: map[release.Rule][]string{release.Revision: {", Toronto, week " + w.weeks[4] + ": ", "because of rows and quarantine"}},
		},
		"a city without rows": {
			plant: func(w *weekly) { w.deliver(w.without(w.rows[next], w.storesOf("halifax"))) },
			want:  map[release.Rule][]string{release.Lost: {"the city Halifax had "}},
		},
		"a banner that sends one week again and again": {
			plant: func(w *weekly) {
				stores := w.storesOf("gullhaven")
				same := w.rows[w.weeks[5]]
				w.deliver(append(w.without(w.rows[next], stores), w.again(same, 7, stores)...))
				w.deliver(append(w.without(w.rows[w.weeks[7]], stores), w.again(same, 14, stores)...))
			},
			until: w.weeks[7],
			want: map[release.Rule][]string{
				release.Frozen:   {"gullhaven: all ", w.weeks[5] + " to " + w.weeks[7]},
				release.Revision: {"meat, Vancouver, ", "because of quarantine"}, // a planted impostor is found in the last week
			},
		},
		"another note alone": {
			plant: func(w *weekly) { w.settings([]string{"coverage_note", "another"}) },
			until: w.weeks[5],
			want:  map[release.Rule][]string{release.NothingNew: {"the last released week is " + w.weeks[5]}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := w.copy(t)
			x.plant(w)
			now := w.after(next)
			if x.until != "" {
				now = strings.Replace(w.after(x.until), ":30:00Z", ":31:00Z", 1)
			}
			rules := slices.Sorted(maps.Keys(x.want))
			for i := range rules { // without any one of the acceptances it stops
				others := slices.Delete(slices.Clone(rules), i, i+1)
				j := w.tryRelease(now, others...)
				if len(j.Stops) != 1 || j.Stops[0].Rule != rules[i] {
					t.Fatalf("with %v accepted: %+v", others, j)
				}
				for _, part := range x.want[rules[i]] {
					if !strings.Contains(strings.Join(j.Stops[0].Evidence, "\n"), part) {
						t.Errorf("the evidence for %s lacks %q: %q", rules[i], part, j.Stops[0].Evidence)
					}
				}
				if !strings.Contains(j.Stops[0].Remedy, `--accept `+string(rules[i])+`="REASON"`) {
					t.Errorf("the remedy for %s: %s", rules[i], j.Stops[0].Remedy)
				}
			}
			if j := w.tryRelease(now, release.Rules()...); len(j.Stops) > 0 {
				t.Fatalf("accepted: %+v", j)
			}
			shown := string(larder(t, "releases", "show", "r2", "--log", w.log))
			got := []release.Rule{}
			for _, a := range w.newest().Accepted {
				got = append(got, release.Rule(a.Rule))
				if a.Reason != "planted "+a.Rule || !strings.Contains(shown, "\naccepted: "+a.Rule+": planted "+a.Rule+"\n") {
					t.Errorf("the log keeps %+v; it shows %s", a, shown)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(append([]release.Rule{}, rules...), got); diff != "" {
				t.Errorf("accepted: %s", diff)
			}
			larder(t, "releases", "verify", "--log", w.log)
		})
	}
}

// A week in cents is stopped. Released all the same and corrected, the index is that of a
// panel that never had the error.
func TestCentsWeek(t *testing.T) {
	t.Parallel()
	w := newWeekly(t, 9, 50)
	for _, week := range w.weeks[:7] {
		w.deliver(w.rows[week])
	}
	w.tryRelease(w.after(w.weeks[6]))
	wrong, after := w.weeks[7], w.weeks[8]
	clean := w.copy(t)
	for _, week := range []string{wrong, after} {
		clean.deliver(clean.rows[week])
		clean.tryRelease(w.after(week), release.Rules()...) // late rows of one store revise its cells a lot
	}
	everyRow := func(w *weekly, flags ...string) string {
		return string(larder(t, append([]string{"index", "--format", "csv", "--now", w.after(after)}, flags...)...))
	}
	want := everyRow(clean, "--db", clean.live)
	if n := strings.Count(want, "\n"); n < 1000 {
		t.Fatalf("an index of %d lines", n)
	}
	for name, banner := range map[string]string{"one banner": "gullhaven", "all banners": ""} {
		for _, late := range []bool{false, true} { // the correction comes in the same week, or after the next
			t.Run(name+", "+strconv.FormatBool(late), func(t *testing.T) {
				t.Parallel()
				w := w.copy(t)
				var stores []string
				if banner != "" {
					stores = w.storesOf(banner)
				}
				w.deliver(w.times(w.rows[wrong], 100, 1, stores...))
				j := w.tryRelease(w.after(wrong))
				if len(j.Stops) == 0 || j.Stops[0].Rule != release.Scale {
					t.Fatalf("not stopped by scale: %+v", j)
				}
				if j = w.tryRelease(w.after(wrong), release.Rules()...); len(j.Stops) > 0 {
					t.Fatalf("accepted: %+v", j)
				}
				var right [][]string
				for _, row := range w.rows[wrong] {
					if w.at(row, stores) {
						right = append(right, row)
					}
				}
				if late {
					w.deliver(w.rows[after])
					w.deliver(right, "--correct", "the week was in cents")
				} else {
					w.deliver(right, "--correct", "the week was in cents")
					w.tryRelease(strings.Replace(w.after(wrong), ":30:00Z", ":31:00Z", 1), release.Rules()...)
					w.deliver(w.rows[after])
				}
				if j := w.tryRelease(w.after(after), release.Rules()...); len(j.Stops) > 0 {
					t.Fatalf("corrected: %+v", j)
				}
				for _, got := range []string{everyRow(w, "--db", w.live), everyRow(w, "--log", w.log)} {
					if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
						t.Errorf("-never wrong +corrected\n%s", diff)
					}
				}
			})
		}
	}
}
