package panel

import (
	"math"
	"math/rand/v2"
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
		p := basket.Product{ID: i + 1, Name: x.name, Category: basket.Dairy, StandardSize: 1, Unit: basket.Count, Weight: 1, SoldBy: basket.ByPackage, Active: true}
		l := Listing{ID: int64(i + 1), ProductID: i + 1, Banner: x.banner, Active: true}
		check(b.AddProduct(p))
		check(b.AddListing(l))
		products, listings = append(products, p), append(listings, l)
	}
	gate := NewGate(products, nil, listings, nil, []Quarantine{{Listing: int64(len(rows))}})
	var all []Observation
	for i, x := range rows {
		o := x.row
		o.ID, o.Listing, o.Store, o.Effective = int64(i+1), int64(i+1), 1, 4_0000
		if x.banner == "owl" {
			o.Store = 2
		}
		o.ObservedAt = DefaultBaseWeek.Date().Time(time.UTC).Add(12 * time.Hour)
		o.Verdict = gate.Screen(o.Label()).Verdict(o.Store, o.ID, o.ObservedAt)
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
	if n := len(main.Series()); n != len(rows)-1 || main.LogPrices(0)[2] != Price(4_0000).Log() {
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

// TestRegularIsBuilt compares the panel of regular prices, to the last bit, with one
// that is built of the rows at their regular prices. A series has up to four prices a
// week. Listing 1 and the third week have none, and a store and a listing don't count.
func TestRegularIsBuilt(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(16, 15))
	const weeks, stores, products = 6, 7, 5
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	banners := []basket.Banner{{Key: "owl", Name: "owl", Retailer: "owl", InIndex: true, Verified: true}, {Key: "auk", Name: "auk", Retailer: "auk", InIndex: true}}
	main, want := NewBuilder(DefaultBaseWeek), NewBuilder(DefaultBaseWeek)
	var goods []basket.Product
	var listings []Listing
	for _, b := range []*Builder{main, want} {
		goods, listings = nil, nil
		check(b.AddCity(basket.City{Slug: "c", Name: "C", Province: "XX"}))
		for _, x := range banners {
			check(b.AddBanner(x))
		}
		for id := range products {
			goods = append(goods, basket.Product{ID: id + 1, Name: "x", Category: basket.Dairy, StandardSize: 1, Unit: basket.Count, Weight: 1, SoldBy: basket.ByPackage, Active: true})
			check(b.AddProduct(goods[id]))
			for i, x := range banners {
				m := Listing{ID: int64(2*id + i + 1), ProductID: id + 1, Banner: x.Key, Active: id != 3 || i == 0}
				check(b.AddListing(m))
				listings = append(listings, m)
			}
		}
		for s := range stores {
			check(b.AddStore(Store{ID: int64(50 - s), Banner: banners[s%2].Key, City: "c", Active: s != 4}))
		}
	}
	var rows []Observation
	var aside []Quarantine
	for week := range weeks {
		for s := range stores {
			for id := range products {
				for range r.IntN(5) {
					o := Observation{ID: int64(len(rows) + 1), Listing: int64(2*id + s%2 + 1), Store: int64(50 - s), Effective: Price(1 + r.IntN(9_0000))}
					o.ObservedAt = DefaultBaseWeek.Add(week).Date().Time(Toronto).Add(time.Duration(r.IntN(7*24)-6*24) * time.Hour)
					o.OnSale = week == 2 || o.Listing == 1 || r.IntN(3) == 0
					if week != 2 && o.Listing != 1 && r.IntN(2) == 0 {
						o.Regular = o.Effective * Price(1+r.IntN(5)) / Price(1+r.IntN(2))
						o.RegularSource = RegularSource(r.IntN(len(RegularSources)))
					}
					if r.IntN(9) == 0 {
						o.Verdict, aside = Quarantined, append(aside, Quarantine{Listing: o.Listing, Observation: o.ID})
					}
					check(main.Observe(&o))
					rows = append(rows, o)
					if o.RestateRegular(s%2 == 0); o.Regular != 0 && o.RegularSource != AssumedEqual {
						o.Effective = o.Regular
					} else if o.OnSale {
						continue
					}
					check(want.Observe(&o))
				}
			}
		}
	}
	all, err := NewRows(NewGate(goods, nil, listings, nil, aside), func(yield func(*Observation, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	})
	check(err)
	p, err := main.Build()
	check(err)
	got, err := p.Regular(all)
	check(err)
	wanted, err := want.Build()
	check(err)
	if len(p.Weeks()) != weeks || len(got.Weeks()) != weeks-1 || len(got.Series()) == len(p.Series()) {
		t.Errorf("%d of %d weeks and %d of %d series have a price", len(got.Weeks()), len(p.Weeks()), len(got.Series()), len(p.Series()))
	}
	if !slices.Equal(got.Weeks(), wanted.Weeks()) || !slices.Equal(got.Series(), wanted.Series()) || got.Counts().Used != wanted.Counts().Used {
		t.Fatalf("weeks %v, series %v, %d prices; want %v, %v, %d",
			got.Weeks(), got.Series(), got.Counts().Used, wanted.Weeks(), wanted.Series(), wanted.Counts().Used)
	}
	for k := range wanted.Weeks() {
		for i, log := range wanted.LogPrices(k) {
			if now := got.LogPrices(k)[i]; math.Float64bits(now) != math.Float64bits(log) {
				t.Errorf("week %d, series %d: %v, want %v", k, i, now, log)
			}
		}
	}
}
