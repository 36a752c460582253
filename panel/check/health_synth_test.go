package check_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// world is a synthetic panel with the facts of its collection, found row by row
// and week by week.
type world struct {
	*synth.Data
	health *check.Health
	now    time.Time
	last   panel.Week // the last closed week
	stores map[int64]panel.Store
	name   map[string]string             // of cities, by slug
	weeks  map[int64]map[panel.Week]bool // of active stores: those with rows
	newest map[int64]time.Time           // by store
	cells  map[[2]string][]int64         // active stores by banner and name of the city
}

func newWorld(t *testing.T, cfg synth.Config) *world {
	t.Helper()
	d, err := synth.Generate(cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		Data: d, now: cfg.Through.Time(panel.Toronto).Add(20 * time.Hour), stores: map[int64]panel.Store{}, name: map[string]string{},
		weeks: map[int64]map[panel.Week]bool{}, newest: map[int64]time.Time{}, cells: map[[2]string][]int64{},
	}
	w.last = panel.LastClosed(w.now)
	for _, c := range d.Cities {
		w.name[c.Slug] = c.Name
	}
	for _, s := range d.Stores {
		if w.stores[s.ID] = s; s.Active {
			w.weeks[s.ID] = map[panel.Week]bool{}
			at := [2]string{s.Banner, w.name[s.City]}
			w.cells[at] = append(w.cells[at], s.ID)
		}
	}
	counts := map[int64]bool{}
	for _, m := range d.Listings {
		counts[m.ID] = m.Active && m.ProductID <= 50
	}
	dir := filepath.Join(t.TempDir(), "panel")
	if err := d.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Import(t.Context(), dir, dir+".db", sqlite.ImportOptions{Strict: true}); err != nil {
		t.Fatal(err)
	}
	all, err := sqlite.LoadAll(t.Context(), dir+".db")
	if err != nil {
		t.Fatal(err)
	}
	for o := range d.Observations() {
		if w.stores[o.Store].Active && counts[o.Listing] {
			w.weeks[o.Store][panel.WeekOf(o.ObservedAt)] = true
			w.newest[o.Store] = o.ObservedAt
		}
	}
	r := check.NewReport(all.Panel, all.Rows, nil, w.now)
	w.health = r.Health
	for _, x := range r.Findings {
		if len(x.Found) == 0 {
			t.Errorf("warning %s without a reason", x.Code)
		}
	}
	return w
}

// missed returns the weeks that the given stores lack together after their
// first one.
func (w *world) missed(stores []int64) []panel.Week {
	has := func(week panel.Week) bool {
		return slices.ContainsFunc(stores, func(id int64) bool { return w.weeks[id][week] })
	}
	first := w.BaseWeek.Add(-1)
	for first <= w.last && !has(first) {
		first = first.Add(1)
	}
	var missed []panel.Week
	for week := first; week <= w.last; week = week.Add(1) {
		if !has(week) {
			missed = append(missed, week)
		}
	}
	return missed
}

// TestHealthOfSyntheticPanels compares what is reported with the facts, since some stores have no visit in a week by chance.
func TestHealthOfSyntheticPanels(t *testing.T) {
	for _, x := range []struct {
		seed  uint64
		weeks int
	}{{1, 10}, {2, 10}, {16, 10}, {3, 18}, {4, 18}, {1, 60}} { // 16 has two prices in the frozen store's last weeks
		t.Run(fmt.Sprintf("%d weeks, seed %d", x.weeks, x.seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, synth.Config{Seed: x.seed, Weeks: x.weeks, Through: panel.DateOf(2026, time.November, 20)})
			w.checkSilent(t)
			w.checkGaps(t)
			w.checkFrozen(t)
			if w.health.Ahead != 0 {
				t.Errorf("%d rows ahead", w.health.Ahead)
			}
		})
	}
}

func (w *world) checkSilent(t *testing.T) {
	reported := map[int64]bool{}
	for _, p := range w.health.Places {
		if n := len(w.cells[[2]string{p.Banner, p.City}]); n != p.Stores {
			t.Errorf("%s in %s: %d stores, want %d", p.Banner, p.City, p.Stores, n)
		}
		for _, s := range p.Silent {
			reported[s.ID] = true
			if !s.Last.Equal(w.newest[s.ID]) {
				t.Errorf("store %d: last seen %s, want %s", s.ID, s.Last, w.newest[s.ID])
			}
		}
	}
	if len(w.health.Places) != len(w.cells) {
		t.Errorf("%d places, want %d", len(w.health.Places), len(w.cells))
	}
	for id, s := range w.stores {
		want := s.Active && w.now.Sub(w.newest[id]) > check.SilentDays*24*time.Hour
		if reported[id] != want {
			t.Errorf("store %d, last seen %s: reported %v", id, w.newest[id], reported[id])
		}
	}
}

func (w *world) checkGaps(t *testing.T) {
	var want []check.Gap // week by week
	cities := map[string][]int64{}
	for at, stores := range w.cells {
		cities[at[1]] = append(cities[at[1]], stores...)
	}
	lacks := map[string]map[panel.Week]bool{}
	for city, stores := range cities {
		lacks[city] = map[panel.Week]bool{}
		for _, week := range w.missed(stores) {
			lacks[city][week] = true
			want = append(want, check.Gap{City: city, From: week, To: week, Weeks: 1, Lasting: week == w.last})
		}
	}
	for at, stores := range w.cells {
		for _, week := range w.missed(stores) {
			if !lacks[at[1]][week] {
				want = append(want, check.Gap{Banner: at[0], City: at[1], From: week, To: week, Weeks: 1, Lasting: week == w.last})
			}
		}
	}
	var got []check.Gap // week by week
	for _, g := range w.health.Gaps {
		for week := g.From; week <= g.To; week = week.Add(1) {
			got = append(got, check.Gap{Banner: g.Banner, City: g.City, From: week, To: week, Weeks: 1, Lasting: g.Lasting && week == g.To})
		}
	}
	byPlace := func(a, b check.Gap) int {
		return cmp.Or(cmp.Compare(a.City, b.City), cmp.Compare(a.Banner, b.Banner), cmp.Compare(a.From, b.From))
	}
	slices.SortFunc(want, byPlace)
	slices.SortFunc(got, byPlace)
	if !slices.Equal(got, want) {
		t.Errorf("gaps %v, want %v", got, want)
	}
}

// checkFrozen looks for the one frozen feed of the panel, in Winnipeg.
func (w *world) checkFrozen(t *testing.T) {
	if len(w.health.Frozen) != 1 {
		t.Fatalf("frozen: %+v, want one", w.health.Frozen)
	}
	got := w.health.Frozen[0]
	since := w.BaseWeek.Add(w.Config.Weeks / 2)
	for !w.weeks[got.Store][since] {
		since = since.Add(1)
	}
	if got.Since != since || got.Banner != "nickelbasket" || got.City != "Winnipeg" {
		t.Errorf("frozen: %+v, want the store of nickelbasket in Winnipeg since %s", got, since)
	}
}
