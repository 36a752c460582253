package release_test

import (
	"flag"
	"slices"
	"sort"
	"testing"

	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

var allSeeds = flag.Bool("all-seeds", false, "have TestFalseAlarms make 500 releases instead of 30")

// TestFalseAlarms releases clean synthetic panels week by week: at most 1% of the releases
// may stop. A panel is clean without the stores and rows that have a planted fault.
func TestFalseAlarms(t *testing.T) {
	t.Parallel()
	seeds, weeks := []uint64{1}, 30
	if *allSeeds {
		seeds, weeks = []uint64{1, 2, 3, 4, 5}, 100
	}
	releases, stopped := 0, 0
	for _, seed := range seeds {
		p := cleanPanel(t, seed, weeks)
		var old *release.Snapshot
		for week := range weeks {
			next := p.grown(t, p.base.Add(week))
			releases++
			stops := release.Stops(old, next, release.Diff(old, next))
			if len(stops) > 0 {
				stopped++
			}
			for _, s := range stops {
				t.Logf("seed %d, release %d: %s: %q", seed, week+1, s.Rule, told(s))
			}
			old = next
		}
	}
	t.Logf("%d of %d releases stopped", stopped, releases)
	if 100*stopped > releases {
		t.Errorf("%d of %d releases stopped, more than 1%%", stopped, releases)
	}
}

// cleanPanel is released week by week.
func cleanPanel(t *testing.T, seed uint64, weeks int) *world {
	t.Helper()
	through := panel.DateOf(2026, 11, 22) // a Sunday: the last week is closed the day after
	d, err := synth.Generate(synth.Config{Seed: seed, Through: through + 1, Weeks: weeks})
	if err != nil {
		t.Fatal(err)
	}
	newest := map[int64]panel.Week{}
	for o := range d.Observations() {
		newest[o.Store] = panel.WeekOf(o.ObservedAt)
	}
	p := &world{base: d.BaseWeek, products: d.Products, cities: d.Cities, banners: d.Banners, listings: d.Listings, specs: d.Specs, gate: panel.GateVersion}
	kept := map[int64]bool{}
	for _, s := range d.Stores {
		late := s.City == "charlottetown" || s.City == "saskatoon" // the second lacks a week
		silent := s.Active && newest[s.ID] < panel.WeekOf(through.Time(panel.Toronto)).Add(-1)
		if frozen := s.Banner == "nickelbasket" && s.City == "winnipeg"; !late && !silent && !frozen {
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

// grown imports the rows up to a week and computes its table. What import derives from the rows so
// far stays in the quarantine.
func (w *world) grown(t *testing.T, through panel.Week) *release.Snapshot {
	t.Helper()
	now := *w
	now.weeks = int(through-base)/7 + 1
	now.rows = w.rows[:sort.Search(len(w.rows), func(i int) bool { return panel.WeekOf(w.rows[i].ObservedAt) > through })]
	gate := panel.NewGate(w.products, w.stores, w.listings, w.specs, w.entries)
	derivation := panel.NewDerivation(w.banners, w.stores)
	for i := range now.rows {
		o := &now.rows[i]
		derivation.Add(gate.ForLabel(o.Label()), o.Store, o.ID, o.Effective, o.ObservedAt)
	}
	w.entries = append(w.entries, derivation.Entries()...)
	now.entries = slices.Clone(w.entries)
	return now.snapshot(t)
}
