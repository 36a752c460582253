package jevons_test

import (
	"testing"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// crowded is a panel of one product in two weeks at many stores, each with the
// given number of listings.
func crowded(t *testing.T, stores, listings int, prices func(store int) (base, price panel.Price)) *panel.Panel {
	t.Helper()
	d := &oracle.Data{
		Products: []oracle.Product{{ID: 1, Category: "dairy", Weight: 1, Active: true}},
		Cities:   []oracle.City{{Slug: "c", Name: "C"}},
		Banners:  []oracle.Banner{{Key: "b", InIndex: true}},
	}
	for m := range listings {
		d.Listings = append(d.Listings, oracle.Listing{ID: int64(m + 1), ProductID: 1, Banner: "b", Active: true})
	}
	for s := range stores {
		d.Stores = append(d.Stores, oracle.Store{ID: int64(s + 1), Banner: "b", City: "c", Active: true})
		base, price := prices(s)
		for m := range listings {
			for week, effective := range []panel.Price{base, price} {
				d.Observations = append(d.Observations, oracle.Observation{
					ListingID: int64(m + 1), StoreID: int64(s + 1), EffectivePrice: float64(effective) / 10_000,
					ObservedAt: panel.DefaultBaseWeek.Add(week).String() + "T12:00:00Z",
				})
			}
		}
	}
	return buildPanel(t, d)
}

// Nothing is counted in so few bits that a large panel would overflow them.
func TestManyStoresAndListings(t *testing.T) {
	const many = 66_000
	rise := func(int) (base, price panel.Price) { return 40_000, 50_000 }
	for _, x := range []struct{ stores, listings int }{{many, 1}, {1, many}, {2, many}} {
		table, err := jevons.Compute(crowded(t, x.stores, x.listings, rise), jevons.Options{})
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
			far := x.trim.Num * x.stores / x.trim.Den
			p := crowded(t, x.stores, 1, func(store int) (base, price panel.Price) {
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
