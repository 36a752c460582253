package release_test

import (
	"flag"
	"slices"
	"sort"
	"testing"

	"github.com/larder-index/larder/basket"
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
			next := p.snapshot(t, p.base.Add(week))
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

// growing is a panel that is released week by week. What import derives from the rows so
// far stays in the quarantine.
type growing struct {
	base     panel.Week
	products []basket.Product
	cities   []basket.City
	banners  []basket.Banner
	stores   []panel.Store
	listings []panel.Listing
	specs    []basket.Spec
	entries  []panel.Quarantine
	rows     []panel.Observation // by time
}

func cleanPanel(t *testing.T, seed uint64, weeks int) *growing {
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
	p := &growing{base: d.BaseWeek, products: d.Products, cities: d.Cities, banners: d.Banners, listings: d.Listings, specs: d.Specs}
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

// snapshot imports the rows up to a week and computes its table.
func (p *growing) snapshot(t *testing.T, through panel.Week) *release.Snapshot {
	t.Helper()
	n := sort.Search(len(p.rows), func(i int) bool { return panel.WeekOf(p.rows[i].ObservedAt) > through })
	gate := panel.NewGate(p.products, p.stores, p.listings, p.specs, p.entries)
	derivation := panel.NewDerivation(gate, p.banners, p.stores)
	for i := range p.rows[:n] {
		o := &p.rows[i]
		derivation.Add(gate.Screen(o.Label()), o.Store, o.ID, o.Effective, o.ObservedAt)
	}
	p.entries = append(p.entries, derivation.Entries()...)
	w := world{
		base: p.base, weeks: int(through-base)/7 + 1, products: p.products, cities: p.cities, banners: p.banners,
		stores: p.stores, listings: p.listings, specs: p.specs, entries: slices.Clone(p.entries), rows: p.rows[:n], gate: panel.GateVersion,
	}
	return w.snapshot(t)
}
