package release_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/synth"
)

var (
	allSeeds  = flag.Bool("all-seeds", false, "have TestFalseAlarms release 20 weeks of ten other seeds")
	panelDir  = flag.String("panel", "", "have TestFalseAlarms release the weeks of a panel in this folder")
	resamples = flag.Int("resamples", 0, "resample that panel so often")
	without   = flag.String("without", "", "banners that a resampled panel leaves out, with commas")
)

// TestFalseAlarms releases clean panels week by week: none of the releases may stop. A synthetic panel is
// clean without the stores and rows that have a planted fault.
func TestFalseAlarms(t *testing.T) {
	t.Parallel()
	switch {
	case *panelDir != "" && *resamples == 0:
		releaseAll(t, "the panel", readPanel(t, *panelDir), 3)
	case *panelDir != "":
		p := readPanel(t, *panelDir)
		for n := range *resamples {
			releaseAll(t, fmt.Sprint("resample ", n), p.resampled(rand.New(rand.NewPCG(uint64(n), 3)), *without), 0)
		}
	case *allSeeds:
		for seed := range uint64(10) {
			releaseAll(t, fmt.Sprint("seed ", seed+401), cleanPanel(t, seed+401, 20, 0), 0)
		}
	default:
		releaseAll(t, "seed 1", cleanPanel(t, 1, 20, 60), 0)
	}
}

// releaseAll releases a panel week by week. So many releases may stop.
func releaseAll(t *testing.T, name string, w *world, most int) {
	t.Helper()
	var old *release.Snapshot
	stopped, warned := 0, 0
	for week := range w.weeks {
		next := w.at(t, week)
		worst := 0
		for _, f := range release.Findings(old, next, release.Diff(old, next)) {
			t.Logf("%s, release %d: %t %s: %s", name, week+1, f.Stops, f.ID, f.Text())
			if worst = max(worst, 1); f.Stops {
				worst = 2
			}
		}
		stopped, warned, old = stopped+worst/2, warned+worst%2, next
	}
	t.Logf("%s: %d of %d releases stopped, %d warned", name, stopped, w.weeks, warned)
	if stopped > most {
		t.Errorf("%s: %d of %d releases stopped, more than %d", name, stopped, w.weeks, most)
	}
}

// readPanel reads a folder of a panel. The week of its last row is open.
func readPanel(t *testing.T, dir string) *world {
	t.Helper()
	d := must(csvdir.Open(dir))
	w := &world{
		products: readAll(t, d, csvdir.Products), cities: readAll(t, d, csvdir.Cities), banners: readAll(t, d, csvdir.Banners),
		stores: readAll(t, d, csvdir.Stores), listings: readAll(t, d, csvdir.Listings), specs: readAll(t, d, csvdir.Specs),
		rows: readAll(t, d, csvdir.Observations), gate: panel.GateVersion, base: panel.DefaultBaseWeek,
	}
	for _, s := range readAll(t, d, csvdir.Settings) {
		if s.Key == "base_week" {
			w.base = must(panel.ParseWeek(s.Value))
		}
	}
	slices.SortStableFunc(w.rows, func(a, b panel.Observation) int { return a.ObservedAt.Compare(b.ObservedAt) })
	w.weeks = int(panel.Calendar{}.WeekOf(w.rows[len(w.rows)-1].ObservedAt)-w.base) / 7
	return w
}

func readAll[T any](t *testing.T, d *csvdir.Dir, table *csvdir.Table[T]) (list []T) {
	t.Helper()
	r := must(csvdir.Read(d, table))
	defer r.Close()
	for r.Next() {
		if r.Reject() == nil {
			list = append(list, *r.Record())
		}
	}
	return list
}

// resampled draws as many listings of each banner as there are, each with all of its rows, any number of times.
func (w *world) resampled(r *rand.Rand, without string) *world {
	c := *w
	c.listings, c.rows = nil, nil
	copies := map[int64][]int64{}
	for _, b := range w.banners {
		of := slices.DeleteFunc(slices.Clone(w.listings), func(l panel.Listing) bool { return l.Banner != b.Key || strings.Contains(without, b.Key) })
		for range of {
			l := of[r.IntN(len(of))]
			was := l.ID
			l.ID = int64(len(c.listings) + 1)
			c.listings, copies[was] = append(c.listings, l), append(copies[was], l.ID)
		}
	}
	for _, o := range w.rows {
		for _, id := range copies[o.Listing] {
			o.Listing, o.ID = id, int64(len(c.rows)+1)
			c.rows = append(c.rows, o)
		}
	}
	c.banners = slices.DeleteFunc(slices.Clone(w.banners), func(b basket.Banner) bool { return strings.Contains(without, b.Key) })
	c.stores = slices.DeleteFunc(slices.Clone(w.stores), func(s panel.Store) bool { return strings.Contains(without, s.Banner) })
	return &c
}

// cleanPanel returns a demo without the stores that have a planted fault. No stores: as many as the demo has.
func cleanPanel(t *testing.T, seed uint64, weeks, stores int) *world {
	t.Helper()
	through := panel.DateOf(2026, 11, 22) // a Sunday: the last week is closed the day after
	d := must(synth.Generate(synth.Config{Seed: seed, Through: through + 1, Weeks: weeks, Stores: stores}))
	newest := map[int64]panel.Week{}
	for o := range d.Observations() {
		newest[o.Store] = panel.Calendar{}.WeekOf(o.ObservedAt)
	}
	p := &world{base: d.BaseWeek, weeks: weeks, products: d.Products, cities: d.Cities, banners: d.Banners, listings: d.Listings, specs: d.Specs, gate: panel.GateVersion, gates: new([]judged)}
	kept := map[int64]bool{}
	for _, s := range d.Stores {
		late := s.City == "charlottetown" || s.City == "saskatoon" // the second lacks a week
		silent := s.Active && newest[s.ID] < panel.Calendar{}.WeekOf(through.Time(panel.Calendar{}.Zone())).Add(-1)
		if odd := s.City == "winnipeg" && (s.Banner == "nickelbasket" || s.Banner == "northlarch"); !late && !silent && !odd { // frozen; by the case
			p.stores, kept[s.ID] = append(p.stores, s), true
		}
	}
	for o := range d.Observations() {
		if kept[o.Store] {
			p.rows = append(p.rows, *o)
		}
	}
	return p
}

// at imports the rows up to a week, numbered from base, and computes its table.
func (w *world) at(t *testing.T, week int) *release.Snapshot {
	t.Helper()
	now := *w
	now.weeks = week + 1
	z := zoo{world: w}
	now.rows = w.rows[:z.start(week+1)]
	gate := w.gateOf()
	derivation, screenOf := panel.NewDerivation(panel.Calendar{}, w.banners, w.stores), screens()
	for i := range now.rows {
		o := &now.rows[i]
		derivation.Add(screenOf(gate, o), o.Store, o.ID, o.Effective, o.ObservedAt)
	}
	now.entries = append(now.entries[:len(now.entries):len(now.entries)], derivation.Entries()...)
	return now.snapshot(t)
}
