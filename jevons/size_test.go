package jevons_test

import (
	"testing"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// Nothing is counted in so few bits that a large panel would overflow them: of one product in two weeks.
func TestManyStoresAndListings(t *testing.T) {
	const many = 66_000
	for _, x := range []struct{ stores, listings int }{{many, 1}, {1, many}, {2, many}} {
		d := &oracle.Data{
			Products: []oracle.Product{{ID: 1, Category: "dairy", Weight: 1, Active: true}},
			Cities:   []oracle.City{{Slug: "c", Name: "C"}},
			Banners:  []oracle.Banner{{Key: "b", InIndex: true}},
		}
		for m := range x.listings {
			d.Listings = append(d.Listings, oracle.Listing{ID: int64(m + 1), ProductID: 1, Banner: "b", Active: true})
		}
		for s := range x.stores {
			d.Stores = append(d.Stores, oracle.Store{ID: int64(s + 1), Banner: "b", City: "c", Active: true})
			for m := range x.listings {
				for week, price := range []float64{4, 5} {
					d.Observations = append(d.Observations, oracle.Observation{
						ListingID: int64(m + 1), StoreID: int64(s + 1), EffectivePrice: price,
						ObservedAt: panel.DefaultBaseWeek.Add(week).String() + "T12:00:00Z",
					})
				}
			}
		}
		table, err := jevons.Compute(buildPanel(t, d), jevons.Options{})
		if err != nil {
			t.Fatalf("%+v: %v", x, err)
		}
		if level := table.Rows[len(table.Rows)-1].Index; level != panel.FixedOf(125_0000) {
			t.Errorf("%+v: %v", x, level)
		}
	}
}
