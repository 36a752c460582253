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

// The example of docs/methodology.md: a gate over two products judges three
// rows, and a derivation over seventeen finds what must be set aside.
func ExampleGate() {
	products := []basket.Product{
		{ID: 1, Name: "Greek yogurt", Category: "dairy", StandardSize: 750, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true},
		{ID: 2, Name: "Bananas", Category: "produce_fruit", StandardSize: 1000, Unit: basket.Gram, SoldBy: basket.ByKilogram, Active: true},
	}
	specs := []basket.Spec{
		{ProductID: 1, Require: [][]string{{"greek", "grec"}, {"yogurt", "yogourt"}}, Forbid: []string{"bars"}, MinSize: 500, MaxSize: 1000},
		{ProductID: 2, Require: [][]string{{"bananas", "bananes"}}},
	}
	listings := []panel.Listing{
		{ID: 1, ProductID: 1, Banner: "tern", Active: true}, {ID: 2, ProductID: 1, Banner: "tern", Active: true},
		{ID: 3, ProductID: 2, Banner: "tern", Active: true}, {ID: 4, ProductID: 2, Banner: "tern", Active: true},
	}
	stores := []panel.Store{{ID: 1, Banner: "tern", City: "halifax", Active: true}, {ID: 2, Banner: "tern", City: "halifax", Active: true}}
	gate := panel.NewGate(panel.Calendar{}, products, stores, listings, specs, nil)
	for _, o := range []panel.Observation{
		{Listing: 1, Store: 1, ScrapedName: "Yogourt Grec nature", PackageSize: "0,75 kg"},
		{Listing: 1, Store: 1, ScrapedName: "Greek-Yogurt Granola Bars", PackageSize: "750 g"},
		{Listing: 1, Store: 1, ScrapedName: "Greek Yogurt, Plain", PackageSize: "100 g"},
	} {
		j := gate.ForLabel(o.Label()).Judge(o.Store, o.ID, o.ObservedAt)
		fmt.Printf("%s, %s: %s\n", j.Verdict, j.Rule(), j)
	}

	banners := []basket.Banner{{Key: "tern", Name: "Tern Foods", Retailer: "Tern", InIndex: true}}
	derivation := panel.NewDerivation(panel.Calendar{}, banners, stores)
	var id int64
	add := func(listing, store int64, title string, prices ...panel.Price) {
		for _, p := range prices {
			id++
			at := time.Date(2026, 7, int(id), 14, 0, 0, 0, time.UTC)
			derivation.Add(gate.ForLabel(panel.Label{Listing: listing, ScrapedName: title}), store, id, p, at)
		}
	}
	add(1, 1, "Greek Yogurt, Plain", 5_0000, 5_0000, 5_0000, 5_0000)
	add(2, 2, "Greek Yogurt, Plain", 4_0000, 4_0000)
	add(2, 2, "Greek-Yogurt Granola Bars", 4_0000, 4_0000)
	add(3, 1, "Bananas", 1_7400, 1_7400, 1_7400, 1_7400, 7900)
	add(4, 2, "Bananas", 17_4000, 17_4000, 17_4000, 17_4000)
	for _, e := range derivation.Entries() {
		fmt.Printf("listing %d, store %d, row %d: %s\n  %s\n", e.Listing, e.Store, e.Observation, e.Rule, e.Reason)
	}
	// Output:
	// pass, fits: fits
	// identity, has_term: the title has "bars"
	// identity, too_small: a package of 100 g is below 500
	// listing 2, store 0, row 0: wrong_product
	//   2 of 4 rows fail identity, such as "Greek-Yogurt Granola Bars", "": the title has "bars"
	// listing 3, store 1, row 13: wrong_basis_row
	//   its price, 0.79, is 1/2.20 of the median of its series' 5 prices, 1.74: a price per pound among prices per kilogram
	// listing 4, store 2, row 0: wrong_basis
	//   the median of its 4 prices, 17.40, is 10.00 times the product's median of 1.74 (9 prices)
}
