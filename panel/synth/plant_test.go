package synth_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
	"github.com/larder-index/larder/shrink"
)

// The gate gives every row its planted verdict, and the derivation finds every
// planted wrong product and price by the rule that the plant expects, and nothing
// else.
func TestGateFindsThePlants(t *testing.T) {
	for _, c := range []synth.Config{{Weeks: 4}, {Seed: 2, Weeks: 4}, {Seed: 2, Weeks: 9}, {Weeks: 18}, {Seed: 2, Weeks: 60}} {
		t.Run(fmt.Sprintf("%d weeks, seed %d", c.Weeks, c.Seed), func(t *testing.T) {
			t.Parallel()
			d := generate(t, c)
			var want []string
			for _, p := range d.Planted(synth.WrongProduct, synth.WrongBasis, synth.PerPound) {
				for i := range max(1, len(p.Stores)) {
					var store, row int64
					if len(p.Stores) > 0 {
						store = p.Stores[i]
					}
					if len(p.Observations) > 0 {
						row = p.Observations[i]
					}
					want = append(want, fmt.Sprintf("%s: listing %d, store %d, row %d", p.Expect, p.Listings[0], store, row))
				}
			}
			entries := derive(d)
			var got []string
			for _, e := range entries {
				got = append(got, fmt.Sprintf("%s: listing %d, store %d, row %d", e.Rule, e.Listing, e.Store, e.Observation))
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" || len(want) < 10 {
				t.Errorf("-planted +found\n%s", diff)
			}
			checkVerdicts(t, d, entries)
		})
	}
}

func derive(d *synth.Data) []panel.Quarantine {
	gate := panel.NewGate(d.Products, d.Stores, d.Listings, d.Specs, nil)
	derivation := panel.NewDerivation(gate, d.Banners, d.Stores)
	for o := range d.Observations() {
		derivation.Add(gate.Screen(o.Label()), o.Store, o.ID, o.Effective, o.ObservedAt)
	}
	return derivation.Entries()
}

// checkVerdicts also holds the prices that pass against the product's usual one.
func checkVerdicts(t *testing.T, d *synth.Data, entries []panel.Quarantine) {
	gate := panel.NewGate(d.Products, d.Stores, d.Listings, d.Specs, entries)
	prices := map[int][]float64{}
	strays := map[int64]string{}
	for _, p := range d.Planted(synth.StrayTitle, synth.StrayPack) {
		strays[p.Observations[0]] = p.Expect
	}
	for o := range d.Observations() {
		got := gate.Screen(o.Label()).Verdict(o.Store, o.ID, o.ObservedAt)
		if stray := strays[o.ID]; got != o.Verdict || (stray != "") != (got == panel.FailsIdentity) || stray != "" && stray != got.String() {
			t.Fatalf("row %d (listing %d at store %d, %q): planted %s, found %s", o.ID, o.Listing, o.Store, o.ScrapedName, o.Verdict, got)
		}
		if id := d.Listings[o.Listing-1].ProductID; got == panel.Pass {
			prices[id] = append(prices[id], float64(o.Effective))
		}
	}
	for id, list := range prices {
		slices.Sort(list)
		usual := stat.Quantile(0.5, stat.Empirical, list, nil)
		if low, high := list[0]/usual, list[len(list)-1]/usual; low < 0.45 || high > 2.2 {
			t.Errorf("product %d: prices from %.2f to %.2f times the usual one", id, low, high)
		}
	}
}

// The detector finds every planted roll-out with its packs and its grade, and
// nothing else.
func TestDetectorFindsThePlants(t *testing.T) {
	for _, c := range []synth.Config{{Seed: 1, Weeks: 10}, {Seed: 4, Weeks: 10}, {Seed: 2, Weeks: 18}, {Seed: 3, Weeks: 60}} {
		t.Run(fmt.Sprintf("%d weeks, seed %d", c.Weeks, c.Seed), func(t *testing.T) {
			t.Parallel()
			d := generate(t, c)
			var want, got []string
			grades := map[string]bool{}
			for _, p := range d.Planted(synth.Shrink) {
				want = append(want, fmt.Sprintf("listing %d from %q to %q: %s", p.Listings[0], p.OldPack, p.NewPack, p.Expect))
				grades[p.Expect] = true
			}
			if len(grades) != 5 {
				t.Errorf("only the grades %v are planted", grades)
			}
			rows := map[int64][]panel.Observation{}
			for o := range d.Observations() {
				rows[o.Listing] = append(rows[o.Listing], o)
			}
			for id, list := range rows {
				for _, e := range shrink.Detect(d.Products[d.Listings[id-1].ProductID-1], id, list) {
					confidence, flag := shrink.Grade(&e)
					got = append(got, fmt.Sprintf("listing %d from %q to %q: %s %s", id, e.OldPackageSize, e.NewPackageSize, confidence, flag))
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-planted +found\n%s", diff)
			}
		})
	}
}

func TestEveryKindIsPlanted(t *testing.T) {
	t.Parallel()
	least := map[synth.Kind]int{synth.WrongProduct: 6, synth.PerPound: 6}
	for seed := uint64(1); seed <= 4; seed++ {
		d := generate(t, synth.Config{Seed: seed})
		for _, k := range []synth.Kind{
			synth.LateCity, synth.MissingWeek, synth.RunUp, synth.ThinBanner, synth.PartialBanner, synth.OutsideIndex,
			synth.VerifiedBanner, synth.Legacy, synth.RetiredListing, synth.SecondListing, synth.FormerProduct,
			synth.InactiveStore, synth.StaleStore, synth.FrozenFeed, synth.UncertainStore, synth.UncertainChain,
			synth.Mojibake, synth.ExpiredSale, synth.FixedPack, synth.OtherCount, synth.WrongProduct, synth.WrongBasis,
			synth.PerPound, synth.StrayTitle, synth.StrayPack, synth.Shrink,
		} {
			if n := len(d.Planted(k)); n < max(1, least[k]) {
				t.Errorf("seed %d: %d of %s", seed, n, k)
			}
		}
	}
}

// shown has the rows that a plant is about, by week.
type shown struct {
	*synth.Data
	synth.Plant
	rows map[panel.Week][]panel.Observation
}

func TestPlantsShowInTheRows(t *testing.T) {
	t.Parallel()
	d := generate(t, synth.Config{})
	all := slices.Collect(d.Observations())
	for i, p := range d.Planted() {
		check, ok := checks[p.Kind]
		if !ok {
			continue
		}
		x := shown{d, p, map[panel.Week][]panel.Observation{}}
		for _, o := range all {
			s := d.Stores[o.Store-1]
			here := slices.Contains(p.Stores, s.ID) || len(p.Stores) == 0 && (p.Banner == "" || s.Banner == p.Banner) && (p.City == "" || s.City == p.City)
			if here && (len(p.Listings) == 0 || slices.Contains(p.Listings, o.Listing)) {
				w := panel.WeekOf(o.ObservedAt)
				x.rows[w] = append(x.rows[w], o)
			}
		}
		t.Run(fmt.Sprintf("%d %s", i, p.Kind), func(t *testing.T) {
			if len(x.rows) == 0 {
				t.Fatal("no rows")
			}
			check(t, x)
		})
	}
}

var checks = map[synth.Kind]func(*testing.T, shown){
	synth.LateCity: func(t *testing.T, x shown) {
		x.each(t, func(w panel.Week, _ panel.Observation) bool { return w >= x.From })
		if n := x.products(x.rows[x.From]); n < 30 {
			t.Errorf("%d products in its first week", n)
		}
	},
	synth.MissingWeek: func(t *testing.T, x shown) {
		if len(x.rows[x.From]) > 0 || len(x.rows[x.From.Add(-1)]) == 0 || len(x.rows[x.From.Add(1)]) == 0 {
			t.Error("the gap is not where it should be")
		}
	},
	synth.RunUp: func(t *testing.T, x shown) {
		x.each(t, func(w panel.Week, o panel.Observation) bool {
			return w != x.From || o.ObservedAt.Weekday().String() == "Monday"
		})
	},
	synth.ThinBanner:    func(t *testing.T, x shown) { x.lists(t, 1, 29) },
	synth.PartialBanner: func(t *testing.T, x shown) { x.lists(t, 35, 40) },
	synth.RetiredListing: func(t *testing.T, x shown) {
		x.each(t, func(w panel.Week, o panel.Observation) bool {
			return (o.Listing == x.Plant.Listings[1]) == (w >= x.From)
		})
		if x.Data.Listings[x.Plant.Listings[0]-1].Active || !x.Data.Listings[x.Plant.Listings[1]-1].Active {
			t.Error("the wrong one of the two is active")
		}
		var logs [2][]float64
		for _, list := range x.rows {
			for _, o := range list {
				i := slices.Index(x.Plant.Listings, o.Listing)
				logs[i] = append(logs[i], o.Effective.Log())
			}
		}
		if step := math.Exp(stat.Mean(logs[1], nil) - stat.Mean(logs[0], nil)); step < 1.08 {
			t.Errorf("the new one costs %.2f times the old one", step)
		}
	},
	synth.FormerProduct: endsInTo,
	synth.InactiveStore: endsInTo,
	synth.StaleStore:    endsInTo,
	synth.FrozenFeed: func(t *testing.T, x shown) {
		price := map[int64]panel.Price{}
		same, moved := 0, 0
		for w := x.From; w <= panel.WeekOf(x.Config.Through.Time(panel.Toronto)); w = w.Add(1) {
			for _, o := range x.rows[w] {
				if before, ok := price[o.Listing]; ok {
					same += one(before == o.Effective)
					moved += one(before != o.Effective)
				}
				price[o.Listing] = o.Effective
			}
		}
		if same < 100 || moved > same/50 { // a few are seen twice in a week
			t.Errorf("%d prices stay the same, %d move", same, moved)
		}
	},
	synth.ExpiredSale: func(t *testing.T, x shown) {
		last := x.BaseWeek.Add(x.Config.Weeks - 1)
		x.some(t, "such sale in the last week", func(o panel.Observation) bool {
			return panel.WeekOf(o.ObservedAt) == last && o.OnSale && o.SaleEndsOn == x.Config.Through-1
		})
	},
	synth.Legacy: func(t *testing.T, x shown) {
		bad := func(o panel.Observation) bool {
			return o.Regular > 0 && (o.Regular < o.Effective || o.Regular > 4*o.Effective)
		}
		x.each(t, func(w panel.Week, o panel.Observation) bool { return !bad(o) || w >= x.From && w <= x.To && o.OnSale })
		x.some(t, "regular price below the effective one", func(o panel.Observation) bool { return bad(o) && o.Regular < o.Effective })
		x.some(t, "regular price far above", func(o panel.Observation) bool { return bad(o) && o.Regular > o.Effective })
	},
	synth.VerifiedBanner: func(t *testing.T, x shown) {
		for s := panel.NoSource; s <= panel.AssumedEqual; s++ {
			x.some(t, fmt.Sprintf("row with source %q", panel.RegularSources[s]), func(o panel.Observation) bool { return o.RegularSource == s })
		}
		for _, key := range []string{"packageWasPrice", "regularPriceBasisUnavailable"} {
			x.some(t, key, func(o panel.Observation) bool { return strings.Contains(o.PromoDetail, key) })
		}
	},
	synth.Mojibake: func(t *testing.T, x shown) {
		x.each(t, func(_ panel.Week, o panel.Observation) bool { return panel.Repair(o.ScrapedName) != o.ScrapedName })
	},
	synth.PerPound:   singleRow,
	synth.StrayTitle: singleRow,
	synth.StrayPack:  singleRow,
}

func endsInTo(t *testing.T, x shown) {
	x.each(t, func(w panel.Week, _ panel.Observation) bool { return w <= x.To })
}

func singleRow(t *testing.T, x shown) {
	if rows := x.rows[x.From]; len(x.Plant.Observations) != 1 || len(rows) != 1 || rows[0].ID != x.Plant.Observations[0] {
		t.Errorf("rows %v, planted %v", rows, x.Plant.Observations)
	}
}

// each fails for rows that do not meet the condition.
func (x shown) each(t *testing.T, holds func(panel.Week, panel.Observation) bool) {
	for w, list := range x.rows {
		for _, o := range list {
			if !holds(w, o) {
				t.Fatalf("week %s: %+v", w, o)
			}
		}
	}
}

// some fails unless a row meets the condition.
func (x shown) some(t *testing.T, what string, is func(panel.Observation) bool) {
	for _, list := range x.rows {
		if slices.ContainsFunc(list, is) {
			return
		}
	}
	t.Errorf("no %s", what)
}

// lists checks how many products the rows of a week have at most.
func (x shown) lists(t *testing.T, from, to int) {
	most := 0
	for _, list := range x.rows {
		most = max(most, x.products(list))
	}
	if most < from || most > to {
		t.Errorf("it prices up to %d products, want %d to %d", most, from, to)
	}
}

func (x shown) products(rows []panel.Observation) int {
	seen := map[int]bool{}
	for _, o := range rows {
		if id := x.Data.Listings[o.Listing-1].ProductID; id <= 50 {
			seen[id] = true
		}
	}
	return len(seen)
}
