package jevons_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// The axioms of elementary aggregates (ILO manual, theory volume, ch. 6) and
// others that hold for this estimator, on random panels.

func compute(t testing.TB, d *oracle.Data) *jevons.Table {
	t.Helper()
	table, err := jevons.Compute(buildPanel(t, d), jevons.Options{Through: panel.Calendar{}.LastClosed(randomEnd)})
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) == 0 {
		t.Fatal("no rows: nothing is tested")
	}
	return table
}

// inWeek reports whether the observation falls in the week.
func inWeek(t testing.TB, o oracle.Observation, w panel.Week) bool {
	at, err := time.Parse(time.RFC3339, o.ObservedAt)
	if err != nil {
		t.Fatal(err)
	}
	return panel.Calendar{}.WeekOf(at) == w
}

func eachSeed(t *testing.T, n uint64, do func(t *testing.T, d *oracle.Data)) {
	for seed := range n {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			do(t, randomData(500+seed))
		})
	}
}

func TestIdentity(t *testing.T) {
	eachSeed(t, 4, func(t *testing.T, d *oracle.Data) {
		for i := range d.Observations {
			o := &d.Observations[i]
			o.EffectivePrice = float64(100+(o.ListingID*37+o.StoreID*11)%900) / 100
		}
		for _, r := range compute(t, d).Rows {
			if r.Index != panel.FixedOf(100_0000) || (r.WoW.Valid && r.WoW.Units != 0) {
				t.Fatalf("prices never change, but %s in %s is %s, week %s", r.Cell, r.Week, r.Index, r.WoW)
			}
		}
	})
}

func TestProportionality(t *testing.T) {
	// Every price doubles in one week: every level of that week doubles with
	// it, whatever else happens.
	week := panel.DefaultBaseWeek.Add(6)
	eachSeed(t, 4, func(t *testing.T, d *oracle.Data) {
		before := compute(t, d)
		for i := range d.Observations {
			if o := &d.Observations[i]; inWeek(t, *o, week) {
				o.EffectivePrice *= 2
			}
		}
		after := compute(t, d)
		if len(before.Rows) != len(after.Rows) {
			t.Fatalf("%d rows, then %d", len(before.Rows), len(after.Rows))
		}
		for i, b := range before.Rows {
			a := after.Rows[i]
			if b.Week != week {
				if a.Index != b.Index {
					t.Errorf("%s in %s moved from %s to %s", b.Cell, b.Week, b.Index, a.Index)
				}
				continue
			}
			if first := before.Find(week.Add(-1), *b.Cell); first == nil && b.Index.Units == 100_0000 {
				continue // its entry week: 100 by definition
			}
			if math.Abs(float64(a.Index.Units-2*b.Index.Units)) > 1 {
				t.Errorf("%s in %s: %s doubled is %s", b.Cell, b.Week, b.Index, a.Index)
			}
		}
	})
}

func TestTimeReversal(t *testing.T) {
	// With the prices of base and current week exchanged, the level is the
	// reciprocal: symmetric trimming keeps this axiom of Jevons.
	base, current := panel.DefaultBaseWeek, panel.DefaultBaseWeek.Add(1)
	eachSeed(t, 4, func(t *testing.T, d *oracle.Data) {
		var forward, backward []oracle.Observation
		for _, o := range d.Observations {
			switch at, _ := time.Parse(time.RFC3339, o.ObservedAt); (panel.Calendar{}).WeekOf(at) {
			case base:
				forward = append(forward, o)
				o.ObservedAt = at.AddDate(0, 0, 7).Format(time.RFC3339)
				backward = append(backward, o)
			case current:
				forward = append(forward, o)
				o.ObservedAt = at.AddDate(0, 0, -7).Format(time.RFC3339)
				backward = append(backward, o)
			}
		}
		there, back := *d, *d
		there.Observations, back.Observations = forward, backward
		a, b := compute(t, &there), compute(t, &back)
		compared := 0
		for _, r := range a.Rows {
			if reverse := b.Find(current, *r.Cell); r.Week == current && reverse != nil && b.Find(base, *r.Cell) != nil && a.Find(base, *r.Cell) != nil {
				compared++
				// Both are rounded to 1e-4 of 100.
				if product := r.Index.Float64() * reverse.Index.Float64() / 1e4; math.Abs(product-1) > 1e-6*math.Max(r.Index.Float64(), reverse.Index.Float64()) {
					t.Errorf("%s: %s there, %s back: product %v", r.Cell, r.Index, reverse.Index, product)
				}
			}
		}
		if compared == 0 {
			t.Error("nothing was compared")
		}
	})
}

func TestCommensurability(t *testing.T) {
	// Pricing one listing by the half dozen instead of the dozen moves no level.
	eachSeed(t, 4, func(t *testing.T, d *oracle.Data) {
		before := compute(t, d)
		for i := range d.Observations {
			if o := &d.Observations[i]; o.ListingID%3 == 0 {
				o.EffectivePrice *= 4
			}
		}
		after := compute(t, d)
		for i, b := range before.Rows {
			a := after.Rows[i]
			if a.Index != b.Index || a.WoW != b.WoW || a.MoM != b.MoM || a.ItemCount != b.ItemCount {
				t.Fatalf("%s in %s: %s %s, then %s %s", b.Cell, b.Week, b.Index, b.WoW, a.Index, a.WoW)
			}
		}
	})
}

func TestPermutation(t *testing.T) {
	eachSeed(t, 4, func(t *testing.T, d *oracle.Data) {
		before := compute(t, d)
		r := rand.New(rand.NewPCG(1, 1))
		shuffle := func(n int, swap func(i, j int)) { r.Shuffle(n, swap) }
		shuffle(len(d.Observations), func(i, j int) {
			d.Observations[i], d.Observations[j] = d.Observations[j], d.Observations[i]
		})
		shuffle(len(d.Stores), func(i, j int) { d.Stores[i], d.Stores[j] = d.Stores[j], d.Stores[i] })
		shuffle(len(d.Listings), func(i, j int) { d.Listings[i], d.Listings[j] = d.Listings[j], d.Listings[i] })
		shuffle(len(d.Products), func(i, j int) { d.Products[i], d.Products[j] = d.Products[j], d.Products[i] })
		slices.Reverse(d.Cities)
		slices.Reverse(d.Banners)
		if diff := cmp.Diff(before.Rows, compute(t, d).Rows); diff != "" {
			t.Errorf("the order of records matters: -before +after\n%s", diff)
		}
	})
}

func TestProcessorsDoNotMatter(t *testing.T) {
	d := randomData(77)
	many := compute(t, d)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if diff := cmp.Diff(compute(t, d).Rows, many.Rows); diff != "" {
		t.Errorf("-one processor +several\n%s", diff)
	}
}

func TestLaterWeeksChangeNothing(t *testing.T) {
	d := randomData(78)
	all := compute(t, d)
	through := panel.DefaultBaseWeek.Add(8)
	table, err := jevons.Compute(buildPanel(t, d), jevons.Options{Through: through})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(all.Select(jevons.Filter{To: through.Date()}), table.Rows); diff != "" {
		t.Errorf("-cut from the long table +computed through that week\n%s", diff)
	}
	one := jevons.Filter{From: through.Date(), To: through.Date()}
	cells := slices.Collect(jevons.NewCoverage(nil, all).Cells(one, all.Options.Through))
	if len(cells) == 0 || cells[0].Week != through || cells[len(cells)-1].Week != through {
		t.Errorf("the coverage of one week is %+v", cells)
	}
}
