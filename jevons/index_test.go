package jevons_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// TestExtendEqualsComputingAtOnce grows panels by a few weeks at a time, with
// stores, listings, banners and cities that turn up late, weeks without a price
// and thin cells, and compares every table with that of all weeks at once.
func TestExtendEqualsComputingAtOnce(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 9))
			d := randomWeeks(4000+seed, 20)
			byWeek := map[panel.Week][]oracle.Observation{}
			for _, o := range d.Observations {
				if w := weekOf(t, o); seed%4 != 1 || w%3 != 0 || w == panel.DefaultBaseWeek {
					byWeek[w] = append(byWeek[w], o)
				}
			}
			options := jevons.Options{Trim: jevons.Percent([]int{10, 25, 0}[seed%3]), Floor: jevons.Percent([]int{60, 30}[seed%2])}
			var (
				have   []oracle.Observation
				p      *panel.Panel
				index  *jevons.Index
				weeks  = slices.Sorted(maps.Keys(byWeek))
				before []string
			)
			for len(weeks) > 0 {
				n := min(1+r.IntN(3), len(weeks))
				var fresh []oracle.Observation
				for _, w := range weeks[:n] {
					fresh = append(fresh, byWeek[w]...)
				}
				through := weeks[n-1].Add(-r.IntN(2)) // now and then a week is still open
				weeks = weeks[n:]
				have = append(have, fresh...)
				var b *panel.Builder
				if p == nil {
					b = panel.NewBuilder(0)
					addProducts(t, b, d)
				} else {
					b = panel.Extend(p)
				}
				p = addObservations(t, b, p, d, fresh)
				o := options
				o.Through = through
				if index == nil {
					var err error
					if index, err = jevons.NewIndex(p, o); err != nil {
						t.Fatal(err)
					}
				} else {
					old := index.Table()
					if err := index.Extend(p, max(through, old.Options.Through)); err != nil {
						t.Fatal(err)
					}
					o.Through = max(through, old.Options.Through)
					if diff := cmp.Diff(before, describeRows(old)); diff != "" {
						t.Fatalf("the table before changed:\n%s", diff)
					}
				}
				all := *d
				all.Observations, all.BaseWeek = have, ""
				want, err := jevons.Compute(buildPanel(t, &all), o)
				if err != nil {
					t.Fatal(err)
				}
				got := index.Table()
				if diff := cmp.Diff(describeRows(want), describeRows(got)); diff != "" || got.Options != want.Options {
					t.Fatalf("through %s: -at once +extended\n%s", o.Through, diff)
				}
				before = describeRows(got)
			}
			if len(before) == 0 {
				t.Error("no rows: nothing was compared")
			}
		})
	}
}

// TestExtendToALaterWeek publishes weeks that the panel had before.
func TestExtendToALaterWeek(t *testing.T) {
	p := buildPanel(t, randomData(1))
	weeks := p.Weeks()
	index, err := jevons.NewIndex(p, jevons.Options{Through: weeks[4]})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []panel.Week{weeks[4], weeks[5], weeks[9], 0} {
		if err := index.Extend(p, w); err != nil {
			t.Fatal(err)
		}
		want, err := jevons.Compute(p, jevons.Options{Through: w})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, index.Table()); diff != "" {
			t.Errorf("through %s: -at once +extended\n%s", w, diff)
		}
	}
}

func TestExtendRefuses(t *testing.T) {
	d := randomData(2)
	p := buildPanel(t, d)
	weeks := p.Weeks()
	index, err := jevons.NewIndex(p, jevons.Options{Through: weeks[8]})
	if err != nil {
		t.Fatal(err)
	}
	before := index.Table()
	err = index.Extend(buildPanel(t, d), 0)
	if err == nil || !strings.Contains(err.Error(), "not made by panel.Extend") {
		t.Errorf("another panel with the same prices: %v", err)
	}
	err = index.Extend(p, weeks[7])
	if err == nil || !strings.Contains(err.Error(), weeks[8].String()+" already") {
		t.Errorf("a week before the last: %v", err)
	}
	if diff := cmp.Diff(before, index.Table()); diff != "" {
		t.Errorf("refused, and yet: %s", diff)
	}
}

func describeRows(table *jevons.Table) []string {
	all := make([]string, len(table.Rows))
	for i := range table.Rows {
		all[i] = describeRow(&table.Rows[i])
	}
	return all
}

func weekOf(t *testing.T, o oracle.Observation) panel.Week {
	at, err := time.Parse(time.RFC3339, o.ObservedAt)
	if err != nil {
		t.Fatal(err)
	}
	return panel.WeekOf(at)
}

func addProducts(t *testing.T, b *panel.Builder, d *oracle.Data) {
	for _, p := range d.Products {
		c, err := basket.ParseCategory(p.Category)
		if err != nil {
			t.Fatal(err)
		}
		err = b.AddProduct(basket.Product{
			ID: int(p.ID), Name: fmt.Sprint("product ", p.ID), Category: c, StandardSize: 1, Unit: basket.Count,
			Weight: p.Weight, SoldBy: basket.ByPackage, Active: p.Active,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// addObservations adds observations, and of the other records those that they
// need and the panel does not have.
func addObservations(t *testing.T, b *panel.Builder, p *panel.Panel, d *oracle.Data, list []oracle.Observation) *panel.Panel {
	stores, listings, banners, cities := map[int64]bool{}, map[int64]bool{}, map[string]bool{}, map[string]bool{}
	for _, o := range list {
		stores[o.StoreID], listings[o.ListingID] = true, true
	}
	for _, s := range d.Stores {
		if stores[s.ID] {
			banners[s.Banner], cities[s.City] = true, true
		}
	}
	if p != nil {
		for _, s := range p.Stores() {
			stores[s.ID] = false
		}
		for _, m := range p.Listings() {
			listings[m.ID] = false
		}
		for _, n := range p.Banners() {
			banners[n.Key] = false
		}
		for _, c := range p.Cities() {
			cities[c.Slug] = false
		}
	}
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	for _, c := range d.Cities {
		if cities[c.Slug] {
			must(b.AddCity(basket.City{Slug: c.Slug, Name: c.Name, Province: "XX"}))
		}
	}
	for _, n := range d.Banners {
		if banners[n.Key] {
			must(b.AddBanner(basket.Banner{Key: n.Key, Name: n.Key, Retailer: n.Key, InIndex: n.InIndex}))
		}
	}
	for _, s := range d.Stores {
		if stores[s.ID] {
			must(b.AddStore(panel.Store{ID: s.ID, Banner: s.Banner, City: s.City, Active: s.Active}))
		}
	}
	for _, m := range d.Listings {
		if listings[m.ID] {
			must(b.AddListing(panel.Listing{ID: m.ID, ProductID: int(m.ProductID), Banner: m.Banner, Active: m.Active}))
		}
	}
	for _, o := range list {
		at, err := time.Parse(time.RFC3339, o.ObservedAt)
		must(err)
		must(b.Observe(&panel.Observation{
			ID: o.ID, Listing: o.ListingID, Store: o.StoreID, ObservedAt: at,
			Effective: panel.Price(math.Round(o.EffectivePrice * 10_000)),
		}))
	}
	grown, err := b.Build()
	must(err)
	return grown
}
