package panel_test

import (
	"fmt"
	"log"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Next week's prices are added to a panel, which stays as it is.
func ExampleExtend() {
	b := panel.NewBuilder(0)
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	check(b.AddProduct(basket.Product{
		ID: 1, Name: "Milk, 2 L", Category: basket.Dairy, StandardSize: 2000, Unit: basket.Millilitre,
		Weight: 1, SoldBy: basket.ByPackage, Active: true,
	}))
	check(b.AddCity(basket.City{Slug: "halifax", Name: "Halifax", Province: "NS"}))
	check(b.AddBanner(basket.Banner{Key: "tern", Name: "Tern Foods", Retailer: "Tern", InIndex: true}))
	check(b.AddStore(panel.Store{ID: 7, Banner: "tern", City: "halifax", Active: true}))
	check(b.AddListing(panel.Listing{ID: 3, ProductID: 1, Banner: "tern", Active: true}))
	friday := time.Date(2026, 7, 24, 12, 0, 0, 0, panel.Toronto)
	check(b.Observe(&panel.Observation{Listing: 3, Store: 7, Effective: 4_9900, ObservedAt: friday}))
	p, err := b.Build()
	check(err)

	next := panel.Extend(p)
	late := next.Observe(&panel.Observation{Listing: 3, Store: 7, Effective: 5_1900, ObservedAt: friday})
	fmt.Println(late)
	check(next.Observe(&panel.Observation{Listing: 3, Store: 7, Effective: 5_4900, ObservedAt: friday.AddDate(0, 0, 7)}))
	longer, err := next.Build()
	check(err)
	fmt.Println(p.Weeks(), longer.Weeks())
	// Output:
	// observation listing 3 at store 7 (number 1 added): week 2026-07-26 is one of the panel that is extended, whose weeks stay as they are; build it anew
	// [2026-07-26] [2026-07-26 2026-08-02]
}
