package compare_test

import (
	"fmt"
	"log"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// The example of docs/methodology.md: two loaves, half a kilogram of bananas and
// a dozen eggs at three chains in Halifax; then the same with a dearer loaf at
// Heron, whose place at the top is then owed to its smaller packages.
func Example_methodology() {
	for _, heronBread := range []panel.Price{4_0000, 4_2500} {
		result, err := compare.Evaluate(methodologyWorld(heronBread), compare.Request{City: "halifax", Items: []compare.Item{
			{ID: 12, Qty: 200}, {ID: 18, Qty: 50}, {ID: 2, Qty: 100}, // in hundredths
		}}, time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC))
		if err != nil {
			log.Fatal(err)
		}
		for _, l := range result.Lines() {
			if l.Reason != compare.Priced {
				fmt.Println(l.StoreKey, l.ItemID, l.Reason)
				continue
			}
			fmt.Println(l.StoreKey, l.ItemID, l.LineTotalCAD, l.SizeAdjusted)
		}
		for _, s := range result.Stores {
			fmt.Println(s.Key, s.TotalCAD, s.SizeAdjustedTotalCAD, s.TotalScope)
		}
		fmt.Println(result.Recommendation.Status)
		fmt.Println(result.Recommendation.Reasons[0])
	}
	// Output:
	// heron 2 5.29 5.29
	// heron 12 6.76 8.00
	// heron 18 0.75 0.75
	// tern 2 4.99 4.99
	// tern 12 8.58 8.58
	// tern 18 0.87 0.87
	// plover 2 ambiguous_checkout
	// plover 12 expired_promotion
	// plover 18 0.65 0.65
	// heron 12.80 14.04 complete_requested_list
	// tern 14.44 14.44 complete_requested_list
	// plover 0.65 0.65 observed_subtotal
	// lowest
	// lowest_complete_total: heron has all 3 items for 12.80 CAD, 1.64 CAD (12.81%) below tern, the next of 2 complete chains; up to 0.256 CAD apart (2%, at least 0.05 CAD) is too close to call
	// heron 2 5.29 5.29
	// heron 12 7.18 8.50
	// heron 18 0.75 0.75
	// tern 2 4.99 4.99
	// tern 12 8.58 8.58
	// tern 18 0.87 0.87
	// plover 2 ambiguous_checkout
	// plover 12 expired_promotion
	// plover 18 0.65 0.65
	// heron 13.22 14.54 complete_requested_list
	// tern 14.44 14.44 complete_requested_list
	// plover 0.65 0.65 observed_subtotal
	// size_basis_disagrees
	// size_basis_conflict: heron at 13.22 CAD is the lowest total, but at standard sizes it costs 14.54 CAD, 0.10 CAD more than tern at 14.44 CAD; other sizes: item 12
}

// methodologyWorld holds the rows of the example.
func methodologyWorld(heronBread panel.Price) *compare.Projection {
	products := []basket.Product{
		{ID: 2, Name: "Eggs, dozen", Category: basket.Dairy, StandardSize: 12, Unit: basket.Count, SoldBy: basket.ByPackage, Active: true},
		{ID: 12, Name: "Bread, 675 g", Category: basket.Bakery, StandardSize: 675, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true},
		{ID: 18, Name: "Bananas", Category: basket.ProduceFruit, StandardSize: 1000, Unit: basket.Gram, SoldBy: basket.ByKilogram, Active: true},
	}
	banners := []string{"tern", "heron", "plover"}
	day := func(d int) time.Time { return time.Date(2026, 11, d, 15, 0, 0, 0, time.UTC) }
	rows := []struct {
		banner, item int
		o            panel.Observation
	}{
		{0, 12, panel.Observation{Effective: 4_2900, PackageSize: "675 g", ObservedAt: day(18)}},
		{0, 12, panel.Observation{Effective: 3_9000, PackageSize: "450 g", ObservedAt: day(19)}},
		{0, 18, panel.Observation{Effective: 1_7400, PackageSize: "per kg", ObservedAt: day(18)}},
		{0, 2, panel.Observation{Effective: 3_9900, Regular: 4_9900, OnSale: true, SaleCondition: panel.Member, PackageSize: "12 ct", ObservedAt: day(18)}},
		{1, 12, panel.Observation{Effective: heronBread, PackageSize: "570 g", ObservedAt: day(19)}},
		{1, 18, panel.Observation{Effective: 1_4900, PackageSize: "per kg", ObservedAt: day(12)}},
		{1, 2, panel.Observation{Effective: 5_2900, PackageSize: "12 ct", ObservedAt: day(19)}},
		{2, 12, panel.Observation{Effective: 2_9900, Regular: 4_9900, OnSale: true, SaleEndsOn: panel.DateOf(2026, 11, 19), PackageSize: "675 g", ObservedAt: day(18)}},
		{2, 18, panel.Observation{Effective: 1_2900, PackageSize: "per kg", ObservedAt: day(18)}},
		{2, 2, panel.Observation{Effective: 3_4900, PackageSize: "18 ct", ObservedAt: day(19)}},
	}

	w := oracle.World{Products: products, Cities: []basket.City{{Slug: "halifax", Name: "Halifax", Province: "NS"}}}
	for i, key := range banners {
		w.Banners = append(w.Banners, basket.Banner{Key: key, Name: key, Retailer: key, InShopper: true})
		w.Stores = append(w.Stores, panel.Store{ID: int64(i + 1), Banner: key, City: "halifax", Active: true, LocationCertain: true})
	}
	for i, r := range rows { // a listing for each
		r.o.ID, r.o.Listing, r.o.Store = int64(i+1), int64(i+1), int64(r.banner+1)
		w.Listings = append(w.Listings, panel.Listing{ID: r.o.Listing, ProductID: r.item, Banner: banners[r.banner], Active: true})
		w.Observations = append(w.Observations, r.o)
	}
	return compare.NewProjection(w.Build())
}
