package jevons_test

import (
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// crowded is a panel of one product in two weeks, at the given number of stores,
// each with the given number of listings. Prices rise by a quarter.
func crowded(t *testing.T, stores, listings int) *panel.Panel {
	return build(t, stores, listings, func(int) (base, price panel.Price) { return 40_000, 50_000 })
}

// priced is one of one listing, with the prices of each store.
func priced(t *testing.T, stores int, prices func(store int) (base, price panel.Price)) *panel.Panel {
	return build(t, stores, 1, prices)
}

func build(t *testing.T, stores, listings int, prices func(store int) (base, price panel.Price)) *panel.Panel {
	t.Helper()
	b := panel.NewBuilder(panel.DefaultBaseWeek)
	add := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	add(b.AddProduct(basket.Product{
		ID: 1, Name: "Milk", Category: basket.Dairy, Weight: 1, StandardSize: 2000, Unit: basket.Millilitre, SoldBy: basket.ByPackage, Active: true,
	}))
	add(b.AddCity(basket.City{Slug: "here", Name: "Here", Province: "ON"}))
	add(b.AddBanner(basket.Banner{Key: "shop", Name: "Shop", Retailer: "Shop Inc.", InIndex: true}))
	for m := range listings {
		add(b.AddListing(panel.Listing{ID: int64(m + 1), ProductID: 1, Banner: "shop", Active: true}))
	}
	at := panel.DefaultBaseWeek.Date().Time(panel.Toronto)
	id := int64(0)
	for s := range stores {
		add(b.AddStore(panel.Store{ID: int64(s + 1), Banner: "shop", City: "here", Active: true}))
		base, price := prices(s)
		for m := range listings {
			for week, effective := range []panel.Price{base, price} {
				id++
				add(b.Observe(&panel.Observation{
					ID: id, Listing: int64(m + 1), Store: int64(s + 1), Effective: effective, ObservedAt: at.Add(time.Duration(week) * 7 * 24 * time.Hour),
				}))
			}
		}
	}
	p, err := b.Build()
	add(err)
	return p
}

// Nothing is counted in so few bits that a large panel would overflow them.
func TestManyStoresAndListings(t *testing.T) {
	const many = 66_000
	for _, x := range []struct{ stores, listings int }{{many, 1}, {1, many}, {2, many}} {
		table, err := jevons.Compute(crowded(t, x.stores, x.listings), jevons.Options{})
		if err != nil {
			t.Fatalf("%+v: %v", x, err)
		}
		if level := table.Rows[len(table.Rows)-1].Index; level != panel.FixedOf(125_0000) {
			t.Errorf("%+v: %v", x, level)
		}
	}
}

// Levels that lie exactly between two published values are rounded away from zero,
// also where they are the mean of thousands, the tails of which are far off, and
// where hardly any are left between the tails.
func TestTiesOfManyStores(t *testing.T) {
	for _, x := range []struct {
		stores int
		trim   jevons.Share
	}{
		{60_000, jevons.Percent(10)}, {99, jevons.Percent(49)}, {151, jevons.Percent(49)}, {1645, jevons.Percent(49)},
		{2999, jevons.Percent(49)}, {1645, jevons.Share{Num: 4999, Den: 10_000}}, {2999, jevons.Share{Num: 4999, Den: 10_000}},
	} {
		for now := panel.Price(12_900); now < 14_900; now += 400 {
			far := x.trim.Of(x.stores)
			p := priced(t, x.stores, func(store int) (base, price panel.Price) {
				switch {
				case store < far:
					return 12_800, 100
				case store >= x.stores-far:
					return 12_800, 9999_0000
				}
				return 12_800, now
			})
			table, err := jevons.Compute(p, jevons.Options{Trim: x.trim})
			if err != nil {
				t.Fatal(err)
			}
			// now/12800 is an odd number of 128ths, so its level ends in 5 at the
			// fifth decimal.
			want := (int64(now)*100_0000*2/12_800 + 1) / 2
			if got := table.Rows[len(table.Rows)-1].Index; got != panel.FixedOf(want) {
				t.Errorf("%d stores, %v trimmed, %v of 1.28: %v, want %v", x.stores, x.trim, now, got, panel.FixedOf(want))
			}
		}
	}
}
