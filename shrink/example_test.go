package shrink_test

import (
	"fmt"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// The worked example of docs/shrinkflation.md: yogurt of 750 g becomes 650 g at
// two stores at unchanged shelf prices of $4.99 and $5.29. Prices in the rows are
// per 750 g.
func Example() {
	yogurt := basket.Product{
		ID: 1, Name: "Yogurt", Category: "dairy", StandardSize: 750, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true,
	}
	row := func(id, store int64, day int, size string, p panel.Price) panel.Observation {
		return panel.Observation{
			ID: id, Listing: 7, Store: store, PackageSize: size, Effective: p,
			ObservedAt: time.Date(2026, 7, day, 14, 0, 0, 0, time.UTC),
		}
	}
	events := shrink.Detect(yogurt, 7, []panel.Observation{
		row(1, 1, 14, "750 g", 4_9900), row(2, 2, 15, "750g", 5_2900),
		row(3, 1, 21, "650 g", 5_7577), row(4, 2, 22, "750g", 5_2900),
		row(5, 1, 28, "650 g", 5_7577), row(6, 2, 29, "650g", 6_1038),
	})
	for _, e := range events {
		fmt.Printf("id %d: %s to %s, detected %s\n", e.ID, e.OldPackageSize, e.NewPackageSize, e.DetectedAt.Format(time.DateOnly))
		fmt.Printf("size %s%%, unit price %.7f to %.7f: %s%%\n", e.PctSizeChange, e.OldUnitPrice, e.NewUnitPrice, e.PctUnitPriceChange)
		fmt.Printf("shelf price $%s, rows %v\n", e.ShelfPrice, e.Observations)
		fmt.Println(shrink.Grade(&e))
	}
	// Output:
	// id 1006640800488698: 750 g to 650 g, detected 2026-07-29
	// size -13.3333%, unit price 0.0068533 to 0.0079077: 15.3842%
	// shelf price $4.99, rows [1 3 4 5 6]
	// high ok
}
