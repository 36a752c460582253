package jevons_test

import (
	"fmt"
	"log"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// workedPanel is the worked example of docs/methodology.md: three products at
// two stores in two weeks.
func workedPanel() *panel.Panel {
	b := panel.NewBuilder(panel.DefaultBaseWeek)
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	for _, p := range []basket.Product{
		{ID: 1, Name: "Milk", Category: "dairy", Weight: 0.2, StandardSize: 2000, Unit: basket.Millilitre},
		{ID: 2, Name: "Cheddar", Category: "dairy", Weight: 0.1, StandardSize: 400, Unit: basket.Gram},
		{ID: 3, Name: "Bananas", Category: "produce_fruit", Weight: 0.1, StandardSize: 1000, Unit: basket.Gram},
	} {
		p.SoldBy, p.Active = basket.ByPackage, true
		check(b.AddProduct(p))
	}
	check(b.AddCity(basket.City{Slug: "halifax", Name: "Halifax", Province: "NS"}))
	check(b.AddBanner(basket.Banner{Key: "tern", Name: "Tern Foods", Retailer: "Tern", InIndex: true}))
	for id := range int64(3) {
		check(b.AddListing(panel.Listing{ID: id + 1, ProductID: id + 1, Banner: "tern", Active: true}))
	}
	for id := range 2 {
		check(b.AddStore(panel.Store{ID: int64(id + 1), Banner: "tern", City: "halifax", Active: true}))
	}
	// Prices by week, store and product; 0 where there is none.
	prices := [2][2][3]panel.Price{
		{{5_0000, 8_0000, 1_5000}, {4_0000, 0, 2_0000}},
		{{5_5000, 7_2000, 1_8000}, {4_0000, 0, 0}},
	}
	for week, stores := range prices {
		at := time.Date(2026, 7, 15+7*week, 9, 0, 0, 0, panel.Calendar{}.Zone())
		for store, list := range stores {
			for product, price := range list {
				if price > 0 {
					check(b.Observe(&panel.Observation{
						Listing: int64(product + 1), Store: int64(store + 1), Effective: price, ObservedAt: at,
					}))
				}
			}
		}
	}
	p, err := b.Build()
	check(err)
	return p
}

func ExampleFromPrices() {
	day := func(s string) time.Time {
		t, _ := time.Parse(time.DateOnly, s)
		return t
	}
	table, err := jevons.FromPrices(panel.Prices{
		Product: []string{"milk", "bread", "milk", "bread"},
		Day:     []time.Time{day("2026-07-13"), day("2026-07-19"), day("2026-07-20"), day("2026-07-26")},
		Price:   []float64{1.00, 2.00, 1.21, 2.00},
	}, jevons.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range table.Select(jevons.Filter{Level: jevons.National, Categories: []string{"overall"}}) {
		fmt.Println(r.Week, r.Index)
	}
	// Output:
	// 2026-07-19 100.0000
	// 2026-07-26 110.0000
}

func ExampleCompute() {
	table, err := jevons.Compute(workedPanel(), jevons.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range table.Select(jevons.Filter{Level: jevons.National}) {
		fmt.Printf("%s  %-13s  %s  $%s  %d of %d items\n",
			r.Week, r.Cell.Category, r.Index, r.BasketCost.Append(nil, 2), r.ItemCount, r.TotalItems)
	}
	// Output:
	// 2026-07-19  overall        100.0000  $14.20  3 of 3 items
	// 2026-07-19  dairy          100.0000  $12.47  2 of 2 items
	// 2026-07-19  produce_fruit  100.0000  $1.73  1 of 1 items
	// 2026-07-26  overall        104.4009  $13.69  3 of 3 items
	// 2026-07-26  dairy          99.6655  $11.89  2 of 2 items
	// 2026-07-26  produce_fruit  120.0000  $1.80  1 of 1 items
}

func ExampleTable_Explain() {
	p := workedPanel()
	table, err := jevons.Compute(p, jevons.Options{})
	if err != nil {
		log.Fatal(err)
	}
	week := panel.DefaultBaseWeek.Add(1)
	e, err := table.Explain(week, jevons.Cell{Level: jevons.National})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range e.Since.Products {
		fmt.Printf("%-8s relative %.4f, weight %.4f, %d stores: %s points\n",
			c.Product.Name, c.Relative, c.Share, c.Stores, c.Rounded)
	}
	// Output:
	// Milk     relative 1.0488, weight 0.5000, 2 stores: 2.4348 points
	// Cheddar  relative 0.9000, weight 0.2500, 1 stores: -2.6915 points
	// Bananas  relative 1.2000, weight 0.2500, 1 stores: 4.6576 points
}
