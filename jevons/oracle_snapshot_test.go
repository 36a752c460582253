//go:build cgo

package jevons_test

import (
	"fmt"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// TestEqualsOracleOnSynthetic does so on the synthetic panel. The engine has it by way of a panel directory and a
// snapshot; both sides judge its rows by themselves, and every verdict must be the same.
func TestEqualsOracleOnSynthetic(t *testing.T) {
	for _, c := range []synth.Config{{Seed: 1, Weeks: 6}, {Seed: 2, Weeks: 9, Stores: 20}, {Seed: 3, Weeks: 18, Stores: 13}} {
		t.Run(fmt.Sprintf("seed %d", c.Seed), func(t *testing.T) {
			t.Parallel()
			data, all := snapshot(t, c)
			d := gateData(data)
			want := oracle.Gate(d)
			d.Data.Excluded = want.Excluded()
			if all.Rows.Len() != len(want.Verdicts) {
				t.Errorf("%d rows, want %d", all.Rows.Len(), len(want.Verdicts))
			}
			for i := range all.Rows.Len() {
				o := all.Rows.At(i)
				if got, want := o.Verdict.String(), want.Verdicts[o.ID].Verdict; got != want {
					t.Fatalf("observation %d (%q, %q): %s, want %s", o.ID, o.ScrapedName, o.PackageSize, all.Rows.Judge(i), want)
				}
			}
			now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
			compareWithOracle(t, d.Data, all.Panel, all.Rows, oracle.Options{Now: now}, jevons.Options{})
		})
	}
}

// snapshot is a synthetic panel, and what a snapshot of its directory holds.
func snapshot(t testing.TB, c synth.Config) (*synth.Data, *sqlite.Contents) {
	t.Helper()
	c.Through = panel.DateOf(2026, time.November, 20)
	data, err := synth.Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "panel")
	if err := data.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Import(t.Context(), dir, dir+".db", sqlite.ImportOptions{Strict: true}); err != nil {
		t.Fatal(err)
	}
	all, err := sqlite.LoadAll(t.Context(), dir+".db")
	if err != nil {
		t.Fatal(err)
	}
	return data, all
}

// gateData is a synthetic panel for the oracle.
func gateData(s *synth.Data) *oracle.GateData {
	d := &oracle.Data{BaseWeek: s.BaseWeek.String()}
	g := &oracle.GateData{Data: d, Unit: map[int64]basket.Unit{}, PerKg: map[int64]bool{}, Specs: map[int64]oracle.Spec{}, Seen: map[int64]oracle.Seen{}}
	for _, x := range s.Products {
		d.Products = append(d.Products, oracle.Product{ID: x.ID, Category: x.Category, Subcategory: x.Subcategory, Weight: x.Weight, Active: x.Active})
		g.Unit[x.ID], g.PerKg[x.ID] = x.Unit, x.PerKg()
	}
	for _, x := range s.Cities {
		d.Cities = append(d.Cities, oracle.City{Slug: x.Slug, Name: x.Name})
	}
	for _, x := range s.Banners {
		d.Banners = append(d.Banners, oracle.Banner{Key: x.Key, InIndex: x.InIndex, Verified: x.Verified})
	}
	for _, x := range s.Stores {
		d.Stores = append(d.Stores, oracle.Store{ID: x.ID, Banner: x.Banner, City: x.City, Active: x.Active})
	}
	for _, x := range s.Listings {
		d.Listings = append(d.Listings, oracle.Listing{ID: x.ID, ProductID: x.ProductID, Banner: x.Banner, Brand: x.Brand, Active: x.Active})
	}
	bound := func(size float64) *big.Rat {
		if size == 0 {
			return nil
		}
		return new(big.Rat).SetFloat64(size)
	}
	for _, x := range s.Specs {
		g.Specs[x.ProductID] = oracle.Spec{Require: x.Require, Forbid: x.Forbid, Min: bound(x.MinSize), Max: bound(x.MaxSize)}
	}
	for o := range s.Observations() {
		g.Seen[o.ID] = oracle.Seen{Title: o.ScrapedName, Size: o.PackageSize, Price: o.Effective.Decimal().Rat()}
		d.Observations = append(d.Observations, oracle.Observation{
			ID: o.ID, ListingID: o.Listing, StoreID: o.Store, ObservedAt: o.ObservedAt.Format(time.RFC3339Nano),
			EffectivePrice: o.Effective.Decimal().InexactFloat64(), RegularPrice: o.Regular.Decimal().InexactFloat64(),
			OnSale: o.OnSale, RegularSource: panel.RegularSources[o.RegularSource], PromoDetail: o.PromoDetail,
		})
	}
	return g
}
