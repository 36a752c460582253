package panel_test

import (
	"fmt"
	"log"
	"math"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

func ExampleBuilder() {
	b := panel.NewBuilder(0) // based on panel.DefaultBaseWeek
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	check(b.AddProduct(basket.Product{
		ID: 1, Name: "Milk, 2 L", Category: "dairy", StandardSize: 2000, Unit: basket.Millilitre,
		Weight: 1, SoldBy: basket.ByPackage, Active: true,
	}))
	check(b.AddCity(basket.City{Slug: "halifax", Name: "Halifax", Province: "NS"}))
	check(b.AddBanner(basket.Banner{Key: "tern", Name: "Tern Foods", Retailer: "Tern", InIndex: true}))
	check(b.AddStore(panel.Store{ID: 7, Banner: "tern", City: "halifax", Active: true}))
	check(b.AddListing(panel.Listing{ID: 3, ProductID: 1, Banner: "tern", Active: true}))

	monday := time.Date(2026, 7, 13, 2, 0, 0, 0, time.UTC) // Sunday evening in Toronto
	for i, price := range []panel.Price{4_9900, 5_4900} {
		check(b.Observe(&panel.Observation{Listing: 3, Store: 7, Effective: price, ObservedAt: monday.AddDate(0, 0, i)}))
	}
	err := b.Observe(&panel.Observation{ID: 12, Listing: 3, Store: 8, Effective: 5_0000, ObservedAt: monday})
	fmt.Println(err)

	p, err := b.Build()
	check(err)
	for k, week := range p.Weeks() {
		fmt.Printf("%s  $%.2f\n", week, math.Exp(p.LogPrices(k)[0]))
	}
	// Output:
	// observation 12, listing 3 at store 8 (number 3 added): store 8 is unknown; add it first
	// 2026-07-12  $4.99
	// 2026-07-19  $5.49
}
