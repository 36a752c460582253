package compare_test

import (
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// Two chains in Halifax, compared on bread and half a kilogram of bananas. Heron's
// loaf is smaller than the standard 675 g: 4.00 at that size is 3.38 on its shelf.
func Example() {
	products := []basket.Product{
		{ID: 12, Name: "Bread, 675 g", Category: basket.Bakery, StandardSize: 675, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true},
		{ID: 18, Name: "Bananas", Category: basket.ProduceFruit, StandardSize: 1000, Unit: basket.Gram, SoldBy: basket.ByKilogram, Active: true},
	}
	listings := []panel.Listing{
		{ID: 1, ProductID: 12, Banner: "tern", Active: true}, {ID: 2, ProductID: 18, Banner: "tern", Active: true},
		{ID: 3, ProductID: 12, Banner: "heron", Active: true}, {ID: 4, ProductID: 18, Banner: "heron", Active: true},
	}
	seen := time.Date(2026, 11, 18, 14, 0, 0, 0, time.UTC)
	observations := []panel.Observation{
		{ID: 1, Listing: 1, Store: 1, Effective: 4_2900, PackageSize: "675 g", ObservedAt: seen},
		{ID: 2, Listing: 2, Store: 1, Effective: 1_7400, ObservedAt: seen},
		{ID: 3, Listing: 3, Store: 2, Effective: 4_0000, PackageSize: "570 g", ObservedAt: seen},
		{ID: 4, Listing: 4, Store: 2, Effective: 1_4900, ObservedAt: seen},
	}

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
	for i, key := range []string{"tern", "heron"} {
		check(b.AddBanner(basket.Banner{Key: key, Name: key, Retailer: key, InShopper: true}))
		check(b.AddStore(panel.Store{ID: int64(i + 1), Banner: key, City: "halifax", Active: true, LocationCertain: true}))
	}
	for _, m := range listings {
		check(b.AddListing(m))
	}
	p, err := b.Build()
	check(err)
	rows, err := panel.NewRows(panel.NewGate(products, p.Stores(), listings, nil, nil), func(yield func(*panel.Observation, error) bool) {
		for _, o := range observations {
			if !yield(&o, nil) {
				return
			}
		}
	})
	check(err)

	items, err := compare.ParseItems("12,18x0.5")
	check(err)
	now := time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)
	result, err := compare.Evaluate(compare.NewProjection(p, rows), compare.Request{City: "halifax", Items: items}, now)
	check(err)
	for _, s := range result.Stores {
		fmt.Printf("%s: %s CAD, at standard sizes %s\n", s.Key, s.TotalCAD, s.SizeAdjustedTotalCAD)
	}
	fmt.Println(result.Recommendation.Reasons[0])
	i := slices.IndexFunc(result.Lines(), func(l compare.Line) bool { return l.OtherSize })
	fmt.Println(result.Lines()[i].Size)
	// Output:
	// heron: 4.13 CAD, at standard sizes 4.75
	// tern: 5.16 CAD, at standard sizes 5.16
	// lowest_complete_total: heron has all 2 items for 4.13 CAD, 1.03 CAD (24.94%) below tern, the next of 2 complete chains; up to 0.0826 CAD apart (2%, at least 0.05 CAD) is too close to call
	// 570 g
}
