package compare_test

import (
	"fmt"
	"log"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// Two chains sell milk. A chain is named when it is cheaper by more than 2%, and not before.
func ExampleEvaluate() {
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	b := panel.NewBuilder(panel.DefaultBaseWeek)
	check(b.AddProduct(basket.Product{
		ID: 1, Name: "Milk, 2 L", Category: "dairy", StandardSize: 2000, Unit: basket.Millilitre,
		Weight: 1, SoldBy: basket.ByPackage, Active: true,
	}))
	check(b.AddCity(basket.City{Slug: "halifax", Name: "Halifax", Province: "NS"}))
	for i, key := range []string{"heron", "tern"} {
		id := int64(i + 1)
		check(b.AddBanner(basket.Banner{Key: key, Name: key, Retailer: key, InShopper: true}))
		check(b.AddStore(panel.Store{ID: id, Banner: key, City: "halifax", Active: true, LocationCertain: true}))
		check(b.AddListing(panel.Listing{ID: id, ProductID: 1, Banner: key, Active: true}))
	}
	p, err := b.Build()
	check(err)
	monday := time.Date(2026, 11, 23, 14, 0, 0, 0, time.UTC)
	rows, err := panel.NewRows(panel.NewGate(p.Calendar(), p.Products(), p.Stores(), p.Listings(), nil, nil),
		func(yield func(*panel.Observation, error) bool) {
			_ = yield(&panel.Observation{ID: 1, Listing: 1, Store: 1, Effective: 5_4900, ObservedAt: monday}, nil) &&
				yield(&panel.Observation{ID: 2, Listing: 2, Store: 2, Effective: 5_3900, ObservedAt: monday}, nil) &&
				yield(&panel.Observation{ID: 3, Listing: 2, Store: 2, Effective: 4_9900, ObservedAt: monday.AddDate(0, 0, 1)}, nil)
		})
	check(err)

	projection := compare.NewProjection(p, rows)
	for day := range 2 {
		list := compare.Request{City: "halifax", Items: []compare.Item{{ID: 1, Qty: 200}}} // two packages
		r, err := compare.Evaluate(projection, list, monday.AddDate(0, 0, day).Add(time.Hour))
		check(err)
		for _, s := range r.Stores {
			fmt.Println(s.Key, s.Total)
		}
		fmt.Println(r.Recommendation.Status, r.Recommendation.StoreKeys, r.Recommendation.CloseStoreKeys)
	}
	// Output:
	// tern 10.78
	// heron 10.98
	// too_close_to_call [] [tern heron]
	// tern 9.98
	// heron 10.98
	// lowest [tern] []
}
