package jevons_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// oneStoreData has one store with a product for each weight, of dairy, meat and
// so on. Prices are by week from the base week on, then by product; 0: no price.
func oneStoreData(weights []float64, prices [][]float64) *oracle.Data {
	d := &oracle.Data{
		Cities:  []oracle.City{{Slug: "c", Name: "C"}},
		Banners: []oracle.Banner{{Key: "b", InIndex: true}},
		Stores:  []oracle.Store{{ID: 1, Banner: "b", City: "c", Active: true}},
	}
	for i, weight := range weights {
		id := int64(i + 1)
		d.Products = append(d.Products, oracle.Product{ID: id, Category: basket.Categories(nil).Slugs()[i], Weight: weight, Active: true})
		d.Listings = append(d.Listings, oracle.Listing{ID: id, ProductID: id, Banner: "b", Active: true})
	}
	for k, week := range prices {
		for i, price := range week {
			if price > 0 {
				d.Observations = append(d.Observations, oracle.Observation{
					ListingID: int64(i + 1), StoreID: 1, EffectivePrice: price,
					ObservedAt: panel.DefaultBaseWeek.Add(k).String() + "T12:00:00Z",
				})
			}
		}
	}
	return d
}

func oneStorePanel(t *testing.T, weights []float64, prices [][]float64) *panel.Panel {
	t.Helper()
	return buildPanel(t, oneStoreData(weights, prices))
}

// buildPanel makes the panel of the oracle's data.
func buildPanel(t testing.TB, d *oracle.Data) *panel.Panel {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	base := panel.DefaultBaseWeek
	if d.BaseWeek != "" {
		var err error
		base, err = panel.ParseWeek(d.BaseWeek)
		must(err)
	}
	b := panel.NewBuilder(base)
	var list basket.Categories
	for _, slug := range d.Categories {
		list = append(list, basket.NamedCategory{Slug: slug, Name: slug})
	}
	must(b.AddCategories(list))
	for _, p := range d.Products {
		must(b.AddProduct(basket.Product{
			ID: p.ID, Name: fmt.Sprint("product ", p.ID), Category: p.Category, Subcategory: p.Subcategory, StandardSize: 1, Unit: basket.Count,
			Weight: p.Weight, SoldBy: basket.ByPackage, Active: p.Active,
		}))
	}
	for _, c := range d.Cities {
		must(b.AddCity(basket.City{Slug: c.Slug, Name: c.Name, Province: "XX"}))
	}
	for _, n := range d.Banners {
		must(b.AddBanner(basket.Banner{Key: n.Key, Name: n.Key, Retailer: n.Key, InIndex: n.InIndex, Verified: n.Verified}))
	}
	for _, s := range d.Stores {
		must(b.AddStore(panel.Store{ID: s.ID, Banner: s.Banner, City: s.City, Active: s.Active}))
	}
	for _, m := range d.Listings {
		must(b.AddListing(panel.Listing{ID: m.ID, ProductID: m.ProductID, Banner: m.Banner, Brand: m.Brand, Active: m.Active}))
	}
	for _, o := range d.Observations {
		x, err := observation(o)
		must(err)
		if d.Excluded[o.ID] {
			x.Verdict = panel.Quarantined
		}
		must(b.Observe(x))
	}
	p, err := b.Build()
	must(err)
	return p
}

func observation(o oracle.Observation) (*panel.Observation, error) {
	at, err := time.Parse(time.RFC3339, o.ObservedAt)
	return &panel.Observation{
		ID: o.ID, Listing: o.ListingID, Store: o.StoreID, ObservedAt: at,
		Effective: units(o.EffectivePrice), Regular: units(o.RegularPrice), OnSale: o.OnSale,
		RegularSource: panel.RegularSource(slices.Index(panel.RegularSources[:], o.RegularSource)),
		PromoDetail:   o.PromoDetail,
	}, err
}

// buildRows is every row of the data, with the excluded ones set aside.
func buildRows(t testing.TB, d *oracle.Data, p *panel.Panel) *panel.Rows {
	t.Helper()
	var entries []panel.Quarantine
	for _, o := range d.Observations {
		if d.Excluded[o.ID] {
			entries = append(entries, panel.Quarantine{Listing: o.ListingID, Store: o.StoreID, Observation: o.ID})
		}
	}
	gate := panel.NewGate(panel.Calendar{}, p.Products(), p.Stores(), p.Listings(), nil, entries)
	rows, err := panel.NewRows(gate, func(yield func(*panel.Observation, error) bool) {
		for _, o := range d.Observations {
			if !yield(observation(o)) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func units(dollars float64) panel.Price { return panel.Price(math.Round(dollars * 10_000)) }

// randomEnd lies inside the last week of the random panels.
var randomEnd = time.Date(2026, 11, 1, 12, 0, 0, 0, panel.Calendar{}.Zone())

// randomData makes a small panel with everything that can happen to a cell:
// thin and late places, missing weeks, prices that come and go, several
// listings of a product at a store and several prices in a week, records that
// do not count, outliers, and moments on either side of a week's end.
func randomData(seed uint64) *oracle.Data { return randomWeeks(seed, 16) }

// randomWeeks is randomData with so many weeks, the last of them open.
func randomWeeks(seed uint64, weeks int) *oracle.Data {
	r := rand.New(rand.NewPCG(seed, 7))
	chance := func(percent int) bool { return r.IntN(100) < percent }
	d := &oracle.Data{}
	slugs := basket.Categories(nil).Slugs()
	for id := range 8 + r.IntN(14) {
		d.Products = append(d.Products, oracle.Product{
			ID: int64(3 + 2*id), Category: slugs[r.IntN(1+int(seed%9))],
			Weight: float64(1+r.IntN(90)) / 1000, Active: !chance(8),
		})
	}
	for c := range 1 + r.IntN(4) {
		d.Cities = append(d.Cities, oracle.City{Slug: fmt.Sprintf("c%d", c), Name: []string{"Zed", "Alma", "Île", "St. John's"}[c]})
	}
	for b := range 1 + r.IntN(4) {
		d.Banners = append(d.Banners, oracle.Banner{Key: fmt.Sprintf("b%d", (b*7)%5), InIndex: b == 0 || !chance(15)})
	}
	for s := range 6 + r.IntN(60) {
		d.Stores = append(d.Stores, oracle.Store{
			ID: int64(100 - s), Banner: d.Banners[r.IntN(len(d.Banners))].Key,
			City: d.Cities[r.IntN(len(d.Cities))].Slug, Active: !chance(5),
		})
	}
	for _, p := range d.Products {
		for _, b := range d.Banners {
			for n := 0; n == 0 || (n < 3 && chance(12)); n++ {
				if !chance(10) {
					d.Listings = append(d.Listings, oracle.Listing{
						ID: int64(1 + len(d.Listings)), ProductID: p.ID, Banner: b.Key, Active: !chance(6),
					})
				}
			}
		}
	}
	monday := time.Date(2026, 10, 26-7*(weeks-1), 0, 0, 0, 0, panel.Calendar{}.Zone())
	d.BaseWeek = panel.Calendar{}.WeekOf(monday).String()
	missing := 20 + r.IntN(30)
	for week := -1; week < weeks; week++ {
		for _, s := range d.Stores {
			late := s.City == "c1" && seed%3 == 0 && week < 4
			if late || chance(missing/4) {
				continue
			}
			for _, m := range d.Listings {
				if m.Banner != s.Banner || chance(missing) {
					continue
				}
				for n := 0; n == 0 || (n < 4 && chance(7)); n++ {
					price := float64(50+r.IntN(2000)) / 100
					if chance(2) {
						price *= 10
					}
					if chance(5) {
						price = float64(1+r.IntN(900)) / 10_000
					}
					at := monday.AddDate(0, 0, 7*week).Add(time.Duration(r.IntN(7*24*3600)) * time.Second)
					if chance(5) {
						at = monday.AddDate(0, 0, 7*week) // the week's first moment
					}
					if chance(5) {
						at = monday.AddDate(0, 0, 7*week+7).Add(-time.Second) // and its last
					}
					d.Observations = append(d.Observations, oracle.Observation{
						ID: int64(1 + len(d.Observations)), ListingID: m.ID, StoreID: s.ID,
						EffectivePrice: price, ObservedAt: at.UTC().Format(time.RFC3339),
					})
				}
			}
		}
	}
	fillRows(d, seed)
	drawBrands(d, seed)
	return d
}

// drawBrands gives products subcategories and listings brands: of some products all the same one.
func drawBrands(d *oracle.Data, seed uint64) {
	r, brands := rand.New(rand.NewPCG(seed, 35)), map[int64]string{}
	for i := range d.Products {
		p := &d.Products[i]
		p.Subcategory = []string{"", "a"}[r.IntN(2)]
		brands[p.ID] = []string{"", "x", "y"}[r.IntN(3)]
	}
	for i := range d.Listings {
		l := &d.Listings[i]
		if l.Brand = brands[l.ProductID]; r.IntN(12) == 0 {
			l.Brand = []string{"", "x", "z"}[r.IntN(3)]
		}
	}
}

// fillRows draws what the gate drops and what the regular companion reads:
// regular prices of every source, and on both sides of each bound of the
// regular-price rule.
func fillRows(d *oracle.Data, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 16))
	for i := range d.Banners {
		d.Banners[i].Verified = r.IntN(3) == 0
	}
	d.Excluded = map[int64]bool{}
	for i := range d.Observations {
		o := &d.Observations[i]
		d.Excluded[o.ID] = r.IntN(100) < 3
		o.OnSale = r.IntN(4) == 0
		o.EffectivePrice = float64(units(o.EffectivePrice)) / 10_000 // the float nearest to the decimal
		if r.IntN(100) < 70 {
			factor := []float64{1, 1, 1, 1.1, 1.25, 1.4, 0.9, 4, 4.01, 5}[r.IntN(10)]
			o.RegularPrice = float64(units(o.EffectivePrice*factor)) / 10_000
		}
		o.RegularSource = panel.RegularSources[max(0, r.IntN(8)-4)]
		if r.IntN(10) == 0 {
			o.PromoDetail = []string{
				`{}`, `{"regularPriceBasisUnavailable":false,"packagePrice":3.5}`, `{"packagePrice":3.5,"regularPriceBasisUnavailable":true}`,
			}[r.IntN(3)]
		}
	}
}
