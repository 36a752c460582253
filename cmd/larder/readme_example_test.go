package main

import (
	"fmt"
	"log"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// readmeProgram is the program in README.md.
func readmeProgram() {
	b := panel.NewBuilder(panel.DefaultBaseWeek)
	must(b.AddProduct(basket.Product{ID: 1, Name: "Milk, 2 L", Category: basket.Dairy, Weight: 1,
		StandardSize: 2000, Unit: basket.Millilitre, SoldBy: basket.ByPackage, Active: true}))
	must(b.AddCity(basket.City{Slug: "halifax", Name: "Halifax", Province: "NS"}))
	must(b.AddBanner(basket.Banner{Key: "tern", Name: "Tern Foods", Retailer: "Tern", InIndex: true}))
	must(b.AddStore(panel.Store{ID: 1, Banner: "tern", City: "halifax", Active: true}))
	must(b.AddListing(panel.Listing{ID: 1, ProductID: 1, Banner: "tern", Active: true}))
	for week, price := range []panel.Price{5_0000, 5_2500} { // dollars, four decimals
		must(b.Observe(&panel.Observation{Listing: 1, Store: 1, Effective: price,
			ObservedAt: time.Date(2026, 7, 15+7*week, 9, 0, 0, 0, panel.Toronto)}))
	}
	p, err := b.Build()
	must(err)
	table, err := jevons.Compute(p, jevons.Options{})
	must(err)
	for _, r := range table.Select(jevons.Filter{Level: jevons.National}) {
		fmt.Println(r.Week, r.Cell.Category, r.Index, r.WoW)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
