package compare_test

import (
	"fmt"
	"log"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// Bread is cheaper at one chain and milk at the other: what a second stop saves.
func ExampleResult_Split() {
	products := []basket.Product{
		{ID: 1, Name: "Milk, 2 L", Category: basket.Dairy, StandardSize: 2000, Unit: basket.Millilitre, SoldBy: basket.ByPackage, Active: true},
		{ID: 12, Name: "Bread, 675 g", Category: basket.Bakery, StandardSize: 675, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true},
	}
	prices := map[string][2]panel.Price{"tern": {4_4900, 4_2900}, "heron": {5_4900, 2_9900}}

	b := panel.NewBuilder(0)
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	for _, p := range products {
		check(b.AddProduct(p))
	}
	check(b.AddCity(basket.City{Slug: "halifax", Name: "Halifax", Province: "NS"}))
	var listings []panel.Listing
	var observations []panel.Observation
	for i, chain := range []string{"tern", "heron"} {
		store := int64(i + 1)
		check(b.AddBanner(basket.Banner{Key: chain, Name: chain, Retailer: chain, InShopper: true}))
		check(b.AddStore(panel.Store{ID: store, Banner: chain, City: "halifax", Active: true, LocationCertain: true}))
		for k, p := range products {
			m := panel.Listing{ID: int64(len(listings) + 1), ProductID: p.ID, Banner: chain, Active: true}
			check(b.AddListing(m))
			listings = append(listings, m)
			observations = append(observations, panel.Observation{
				ID: m.ID, Listing: m.ID, Store: store, Effective: prices[chain][k],
				PackageSize: []string{"2 L", "675 g"}[k], ObservedAt: time.Date(2026, 11, 18, 14, 0, 0, 0, time.UTC),
			})
		}
	}
	p, err := b.Build()
	check(err)
	rows, err := panel.NewRows(panel.NewGate(products, listings, nil, nil), func(yield func(*panel.Observation, error) bool) {
		for i := range observations {
			if !yield(&observations[i], nil) {
				return
			}
		}
	})
	check(err)

	items, err := compare.ParseItems("1,12")
	check(err)
	now := time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)
	result, err := compare.Evaluate(compare.NewProjection(p, rows), compare.Request{City: "halifax", Items: items}, now)
	check(err)
	split := result.Split()
	fmt.Println(split.Status)
	fmt.Printf("one stop: %s at %s\n", split.Baseline.TotalCAD, split.Baseline.StoreKey)
	fmt.Printf("two stops: %s, %s less\n", split.Best.TotalCAD, split.Best.SavingCAD)
	for _, stop := range split.Best.Stops {
		fmt.Println(stop.StoreKey, stop.ItemIDs)
	}
	// Output:
	// saves
	// one stop: 8.48 at heron
	// two stops: 7.48, 1.00 less
	// heron [12]
	// tern [1]
}
