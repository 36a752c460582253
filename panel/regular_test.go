package panel

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
)

// Every rule about regular prices decides one product's price.
func TestRegular(t *testing.T) {
	t.Parallel()
	const unavailable = `{"regularPriceBasisUnavailable":true}`
	rows := []struct {
		name   string
		banner string
		row    Observation
		want   Price // 0: none
	}{
		{"not on sale", "auk", Observation{}, 4_0000},
		{"on sale, nothing known", "auk", Observation{OnSale: true}, 0},
		{"on sale", "auk", Observation{OnSale: true, Regular: 5_0000}, 5_0000},
		{"regular as the price itself", "auk", Observation{OnSale: true, Regular: 4_0000}, 4_0000},
		{"regular below the price", "auk", Observation{OnSale: true, Regular: 3_9999}, 4_0000},
		{"regular four times the price", "auk", Observation{OnSale: true, Regular: 16_0000}, 16_0000},
		{"regular more than that", "auk", Observation{OnSale: true, Regular: 16_0001}, 4_0000},
		{"placeholder on sale", "auk", Observation{OnSale: true, Regular: 5_0000, RegularSource: AssumedEqual}, 0},
		{"placeholder, no sale", "auk", Observation{Regular: 5_0000, RegularSource: AssumedEqual}, 4_0000},
		{"placeholder below the price", "auk", Observation{OnSale: true, Regular: 3_0000, RegularSource: AssumedEqual}, 4_0000},
		{"unknown basis on sale", "auk", Observation{OnSale: true, Regular: 5_0000, PromoDetail: unavailable}, 0},
		{"unknown basis, no sale", "auk", Observation{Regular: 5_0000, PromoDetail: unavailable}, 4_0000},
		{"known basis", "auk", Observation{OnSale: true, Regular: 5_0000, PromoDetail: `{"regularPriceBasisUnavailable":false}`}, 5_0000},
		{"reviewed, below the price", "owl", Observation{OnSale: true, Regular: 3_0000, RegularSource: Derived}, 3_0000},
		{"reviewed, far above", "owl", Observation{OnSale: true, Regular: 20_0000, RegularSource: Scraped}, 20_0000},
		{"set aside", "auk", Observation{Regular: 5_0000}, 0},
	}
	b := NewBuilder(DefaultBaseWeek)
	var products []basket.Product
	var listings []Listing
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(b.AddCity(basket.City{Slug: "c", Name: "C", Province: "XX"}))
	for i, key := range []string{"auk", "owl"} {
		check(b.AddBanner(basket.Banner{Key: key, Name: key, Retailer: key, InIndex: true, Verified: key == "owl"}))
		check(b.AddStore(Store{ID: int64(i + 1), Banner: key, City: "c", Active: true}))
	}
	for i, x := range rows {
		p := basket.Product{ID: int64(i + 1), Name: x.name, Category: "dairy", StandardSize: 1, Unit: basket.Count, Weight: 1, SoldBy: basket.ByPackage, Active: true}
		l := Listing{ID: int64(i + 1), ProductID: int64(i + 1), Banner: x.banner, Active: true}
		check(b.AddProduct(p))
		check(b.AddListing(l))
		products, listings = append(products, p), append(listings, l)
	}
	gate := NewGate(Calendar{}, products, nil, listings, nil, []Quarantine{{Listing: int64(len(rows))}})
	var all []Observation
	for i, x := range rows {
		o := x.row
		o.ID, o.Listing, o.Store, o.Effective = int64(i+1), int64(i+1), 1, 4_0000
		if x.banner == "owl" {
			o.Store = 2
		}
		o.ObservedAt = DefaultBaseWeek.Date().Time(time.UTC).Add(12 * time.Hour)
		o.Verdict = gate.ForLabel(o.Label()).Judge(o.Store, o.ID, o.ObservedAt).Verdict
		all = append(all, o)
		check(b.Observe(&o))
	}
	main, err := b.Build()
	check(err)
	collected, err := NewRows(gate, func(yield func(*Observation, error) bool) {
		for i := range all {
			if !yield(&all[i], nil) {
				return
			}
		}
	})
	check(err)
	regular, err := main.Regular(collected)
	check(err)
	if n := len(main.Series()); n != len(rows)-1 || main.LogPrices(0)[2] != Price(4_0000).log() {
		t.Errorf("the panel itself has %d series, or other prices", n)
	}
	for i, x := range rows {
		got := Price(0)
		if at := slices.IndexFunc(regular.Series(), func(s Series) bool { return s.Listing == int32(i) }); at >= 0 {
			got = Price(math.Round(math.Exp(regular.LogPrices(0)[at]) * 1e4))
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
	for name, other := range map[string]*Panel{
		"no rows":       {base: DefaultBaseWeek},
		"no such row":   {base: DefaultBaseWeek, counts: Counts{Observations: len(rows), Used: len(rows) - 1}},
		"fewer of them": {base: DefaultBaseWeek, counts: Counts{Observations: len(rows) - 1}},
	} {
		if _, err := other.Regular(collected); err == nil {
			t.Errorf("%s: rows of another panel are taken", name)
		}
	}
}
