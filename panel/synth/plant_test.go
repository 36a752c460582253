package synth_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

var kinds = []synth.Kind{
	synth.LateCity, synth.MissingWeek, synth.RunUp, synth.ThinBanner, synth.PartialBanner, synth.OutsideIndex,
	synth.VerifiedBanner, synth.Legacy, synth.RetiredListing, synth.SecondListing, synth.FormerProduct,
	synth.InactiveStore, synth.StaleStore, synth.FrozenFeed, synth.UncertainStore, synth.UncertainChain,
	synth.Mojibake, synth.ExpiredSale, synth.FixedPack, synth.OtherCount, synth.WrongProduct, synth.WrongBasis,
	synth.PerPound, synth.StrayTitle, synth.StrayPack, synth.Shrink,
}

// rowsOf returns the rows that a plant is about, by week.
func rowsOf(d *synth.Data, p synth.Plant) map[panel.Week][]panel.Observation {
	stores := p.Stores
	if len(stores) == 0 {
		for _, s := range d.Stores {
			if (p.Banner == "" || s.Banner == p.Banner) && (p.City == "" || s.City == p.City) {
				stores = append(stores, s.ID)
			}
		}
	}
	found := map[panel.Week][]panel.Observation{}
	for o := range d.Observations() {
		if slices.Contains(stores, o.Store) && (len(p.Listings) == 0 || slices.Contains(p.Listings, o.Listing)) {
			w := panel.WeekOf(o.ObservedAt)
			found[w] = append(found[w], o)
		}
	}
	return found
}

func TestEveryKindIsPlanted(t *testing.T) {
	for seed := uint64(1); seed <= 8; seed++ {
		d := generate(t, synth.Config{Seed: seed})
		for _, k := range kinds {
			if len(d.Planted(k)) == 0 {
				t.Errorf("seed %d: no %s", seed, k)
			}
		}
		if n := len(d.Planted(synth.WrongProduct)); n < 6 {
			t.Errorf("seed %d: %d wrong products", seed, n)
		}
		if n := len(d.Planted(synth.PerPound)); n < 6 {
			t.Errorf("seed %d: %d prices per pound", seed, n)
		}
	}
}

func TestPlantsShowInTheRows(t *testing.T) {
	d := generate(t, synth.Config{})
	last := d.BaseWeek.Add(d.Config.Weeks - 1)
	for i, p := range d.Planted() {
		rows := rowsOf(d, p)
		t.Run(fmt.Sprintf("%d %s", i, p.Kind), func(t *testing.T) {
			switch p.Kind {
			case synth.LateCity:
				for w := range rows {
					if w < p.From {
						t.Errorf("rows in %s", w)
					}
				}
				if n := products(d, rows[p.From]); n < 30 {
					t.Errorf("%d products in its first week", n)
				}
			case synth.MissingWeek:
				if len(rows[p.From]) > 0 || len(rows[p.From.Add(-1)]) == 0 || len(rows[p.From.Add(1)]) == 0 {
					t.Error("the gap is not where it should be")
				}
			case synth.RunUp:
				for _, o := range rows[p.From] {
					if o.ObservedAt.Weekday().String() != "Monday" {
						t.Errorf("row %d is of %s", o.ID, o.ObservedAt)
					}
				}
			case synth.ThinBanner, synth.PartialBanner:
				n := 0
				for _, list := range rows {
					n = max(n, products(d, list))
				}
				if p.Kind == synth.ThinBanner && n >= 30 || p.Kind == synth.PartialBanner && (n < 35 || n > 40) {
					t.Errorf("it prices up to %d products", n)
				}
			case synth.RetiredListing:
				checkRetired(t, d, p, rows)
			case synth.FormerProduct, synth.InactiveStore, synth.StaleStore:
				if len(rows) == 0 {
					t.Error("no rows")
				}
				for w := range rows {
					if w > p.To {
						t.Errorf("rows in %s", w)
					}
				}
			case synth.FrozenFeed:
				checkFrozen(t, p, rows)
			case synth.ExpiredSale:
				n := 0
				for _, o := range rows[last] {
					if o.OnSale && o.SaleEndsOn == d.Config.Through-1 {
						n++
					}
				}
				if n == 0 {
					t.Error("no such sale in the last week")
				}
			case synth.Legacy:
				checkLegacy(t, p, rows)
			case synth.VerifiedBanner:
				checkVerified(t, rows)
			case synth.WrongProduct, synth.WrongBasis:
				for _, list := range rows {
					for _, o := range list {
						if o.Verdict != panel.Quarantined {
							t.Fatalf("row %d passes", o.ID)
						}
					}
				}
			case synth.PerPound, synth.StrayTitle, synth.StrayPack:
				if len(p.Observations) != 1 || len(rows[p.From]) != 1 || rows[p.From][0].ID != p.Observations[0] {
					t.Fatalf("rows %v, planted %v", rows[p.From], p.Observations)
				}
				if rows[p.From][0].Verdict == panel.Pass {
					t.Error("it passes")
				}
			case synth.Shrink:
				old, small := 0, 0
				for _, list := range rows {
					for _, o := range list {
						old += one(o.PackageSize == p.OldPack)
						small += one(o.PackageSize == p.NewPack)
					}
				}
				if old < 3 || small < 3 {
					t.Errorf("%d rows of %q, %d of %q", old, p.OldPack, small, p.NewPack)
				}
			}
		})
	}
}

func products(d *synth.Data, rows []panel.Observation) int {
	seen := map[int]bool{}
	for _, o := range rows {
		if p := d.Listings[o.Listing-1].ProductID; p <= 50 {
			seen[p] = true
		}
	}
	return len(seen)
}

func checkRetired(t *testing.T, d *synth.Data, p synth.Plant, rows map[panel.Week][]panel.Observation) {
	var logs [2][]float64
	for w, list := range rows {
		for _, o := range list {
			i := slices.Index(p.Listings, o.Listing)
			if (i == 1) != (w >= p.From) {
				t.Errorf("listing %d has a row in %s", o.Listing, w)
			}
			logs[i] = append(logs[i], o.Effective.Log())
		}
	}
	if d.Listings[p.Listings[0]-1].Active || !d.Listings[p.Listings[1]-1].Active {
		t.Error("the wrong one of the two is active")
	}
	if step := math.Exp(mean(logs[1]) - mean(logs[0])); step < 1.08 {
		t.Errorf("the new one costs %.2f times the old one", step)
	}
}

func mean(l []float64) float64 {
	sum := 0.0
	for _, x := range l {
		sum += x
	}
	return sum / float64(len(l))
}

func checkFrozen(t *testing.T, p synth.Plant, rows map[panel.Week][]panel.Observation) {
	price := map[int64]panel.Price{}
	same, moved := 0, 0
	for w, list := range rows {
		if w < p.From {
			continue
		}
		for _, o := range list {
			if before, ok := price[o.Listing]; ok {
				same += one(before == o.Effective)
				moved += one(before != o.Effective)
			}
			price[o.Listing] = o.Effective
		}
	}
	if same < 100 || moved > same/50 { // a few are seen twice in a week
		t.Errorf("%d prices stand still, %d move", same, moved)
	}
}

func checkLegacy(t *testing.T, p synth.Plant, rows map[panel.Week][]panel.Observation) {
	below, above := 0, 0
	for w, list := range rows {
		for _, o := range list {
			bad := o.Regular > 0 && (o.Regular < o.Effective || o.Regular > 4*o.Effective)
			if bad && (w < p.From || w > p.To || !o.OnSale) {
				t.Errorf("row %d of %s", o.ID, w)
			}
			if bad && o.Regular < o.Effective {
				below++
			} else if bad {
				above++
			}
		}
	}
	if below == 0 || above == 0 {
		t.Errorf("%d below the effective price, %d far above", below, above)
	}
}

func checkVerified(t *testing.T, rows map[panel.Week][]panel.Observation) {
	sources := map[panel.RegularSource]int{}
	packages, unavailable := 0, 0
	for _, list := range rows {
		for _, o := range list {
			sources[o.RegularSource]++
			packages += one(strings.Contains(o.PromoDetail, "packageWasPrice"))
			unavailable += one(strings.Contains(o.PromoDetail, "regularPriceBasisUnavailable"))
		}
	}
	for s := panel.NoSource; s <= panel.AssumedEqual; s++ {
		if sources[s] == 0 {
			t.Errorf("no row has the source %q", panel.RegularSources[s])
		}
	}
	if packages == 0 || unavailable == 0 {
		t.Errorf("%d package prices, %d without a basis", packages, unavailable)
	}
}

// What is everywhere is not listed: sales of every kind, rows out of stock,
// missing regular prices, second looks in a week.
func TestOrdinaryRowsVary(t *testing.T) {
	d := generate(t, synth.Config{})
	count := map[string]int{}
	type place struct {
		listing, store int64
		week           panel.Week
	}
	seen := map[place]int{}
	for o := range d.Observations() {
		count["rows"]++
		count["on sale"] += one(o.OnSale)
		count["no end"] += one(o.OnSale && o.SaleEndsOn == 0)
		count["end"] += one(o.SaleEndsOn != 0)
		count["multi-buy"] += one(o.SaleCondition == panel.MultiBuy)
		count["member"] += one(o.SaleCondition == panel.Member)
		count["out of stock"] += one(o.InStock == panel.No)
		count["stock unknown"] += one(o.InStock == panel.Unknown)
		count["no regular price"] += one(o.Regular == 0)
		count["conditional, no regular price"] += one(o.Regular == 0 && o.SaleCondition != 0)
		count["no pack"] += one(o.PackageSize == "")
		count["four decimals"] += one(o.Effective%100 != 0)
		at := place{o.Listing, o.Store, panel.WeekOf(o.ObservedAt)}
		seen[at]++
		count["twice"] += one(seen[at] == 2)
		count["Monday in UTC"] += one(panel.DateIn(o.ObservedAt, panel.Toronto) < panel.Date(at.week)+1 && o.ObservedAt.UTC().Weekday() == 1 && o.ObservedAt.In(panel.Toronto).Weekday() == 0)
	}
	for what, n := range count {
		if n == 0 {
			t.Errorf("no row: %s", what)
		}
		t.Logf("%s: %d", what, n)
	}
	if share := float64(count["on sale"]) / float64(count["rows"]); share < 0.04 || share > 0.15 {
		t.Errorf("%.0f%% of the rows are on sale", 100*share)
	}
}
