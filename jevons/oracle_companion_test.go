package jevons_test

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// compareRegular compares the companion series with the oracle's.
func compareRegular(t *testing.T, d *oracle.Data, p *panel.Panel, rows *panel.Rows, slow oracle.Options, fast jevons.Options) {
	t.Helper()
	regular, err := jevons.Regular(p, rows, fast)
	if err != nil {
		t.Fatal(err)
	}
	slow.Regular = true
	compareRows(t, regular.Rows, oracle.Table(d, slow))
}

// compareCoverage compares every cell of the grid.
func compareCoverage(t *testing.T, want []oracle.CoverageCell, got iter.Seq[jevons.CoverageCell]) {
	t.Helper()
	i := 0
	for c := range got {
		line := fmt.Sprintf("%s %q %q %q %q %d/%d", c.Week, c.Cell.City, c.Cell.Banner, slug(c.Cell.Category), c.Reason, c.ItemCount, c.TotalItems)
		for _, u := range c.Unmatched {
			line += fmt.Sprintf(" %d %s", u.Product, u.Reason)
		}
		if i == len(want) {
			t.Fatalf("a cell more than the %d of the grid: %s", i, line)
		}
		w := want[i]
		wanted := fmt.Sprintf("%s %q %q %q %q %d/%d", w.Date, w.City, w.Banner, w.Category, w.Reason, w.ItemCount, w.TotalItems)
		for _, u := range w.Unmatched {
			wanted += fmt.Sprintf(" %d %s", u.Product, u.Reason)
		}
		if line != wanted {
			t.Fatalf("cell %d:\n got %s\nwant %s", i, line, wanted)
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("the grid has %d cells, want %d", i, len(want))
	}
}

// TestEqualsOracleWithAttrition compares everything on panels of 160 weeks whose
// series end and begin. Some products are not in the base week.
func TestEqualsOracleWithAttrition(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			d := agingData(600 + seed)
			p := buildPanel(t, d)
			years := 0
			for _, r := range compareWithOracle(t, d, p, buildRows(t, d, p), oracle.Options{Now: randomEnd}, jevons.Options{}) {
				if r.YoY.Valid {
					years++
				}
			}
			if years < 1000 {
				t.Errorf("%d rows have a change over the year", years)
			}
		})
	}
}

// agingData has 160 weeks. A listing that a store sells ends in one week of 70,
// and another of the product follows after up to three weeks. Two products come
// late, and one goes.
func agingData(seed uint64) *oracle.Data {
	r := rand.New(rand.NewPCG(seed, 160))
	const weeks, models = 160, 6
	d := &oracle.Data{
		Cities:  []oracle.City{{Slug: "a", Name: "Alma"}, {Slug: "z", Name: "Zed"}},
		Banners: []oracle.Banner{{Key: "b0", InIndex: true}, {Key: "b1", InIndex: true}},
	}
	monday := time.Date(2026, 10, 26-7*(weeks-1), 0, 0, 0, 0, panel.Calendar{}.Zone())
	d.BaseWeek = panel.Calendar{}.WeekOf(monday).String()
	for s := range int64(12) {
		d.Stores = append(d.Stores, oracle.Store{ID: 1 + s, Banner: d.Banners[s%2].Key, City: d.Cities[s/2%2].Slug, Active: true})
	}
	for id := range int64(14) {
		d.Products = append(d.Products, oracle.Product{
			ID: 1 + id, Category: basket.Categories(nil).Slugs()[id%4], Weight: float64(1+r.IntN(90)) / 1000, Active: true,
		})
		for _, b := range d.Banners {
			for range models {
				d.Listings = append(d.Listings, oracle.Listing{ID: int64(1 + len(d.Listings)), ProductID: 1 + id, Banner: b.Key, Active: true})
			}
		}
		from, to := 0, weeks
		if id < 2 {
			from = 20 + r.IntN(60)
		} else if id == 2 {
			to = 60 + r.IntN(60)
		}
		for _, s := range d.Stores {
			if r.IntN(12) == 0 {
				continue // does not sell it
			}
			first := id*2*models + (s.ID-1)%2*models
			model, quiet, price := int64(0), 0, 1+9*r.Float64()
			for week := from; week < to; week++ {
				if r.IntN(70) == 0 {
					model, quiet, price = (model+1)%models, r.IntN(4), 1+9*r.Float64()
				}
				price *= math.Exp(0.03*r.NormFloat64() + 0.001)
				quiet--
				if quiet >= 0 || r.IntN(20) == 0 {
					continue
				}
				d.Observations = append(d.Observations, oracle.Observation{
					ID: int64(1 + len(d.Observations)), ListingID: 1 + first + model, StoreID: s.ID, EffectivePrice: price,
					ObservedAt: monday.AddDate(0, 0, 7*week+r.IntN(7)).Add(12 * time.Hour).UTC().Format(time.RFC3339),
				})
			}
		}
	}
	fillRows(d, seed)
	return d
}
