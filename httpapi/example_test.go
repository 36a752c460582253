package httpapi_test

import (
	"fmt"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

func ExampleAppendObservation() {
	row := jevons.Row{
		Week:  panel.DefaultBaseWeek,
		Cell:  &jevons.Cell{Level: jevons.City, City: "Halifax", Category: basket.Dairy},
		Index: panel.FixedOf(100_0000), BasketCost: panel.FixedOf(34_4500), ItemCount: 6, TotalItems: 6,
	}
	fmt.Printf("%s\n", httpapi.AppendObservation(nil, &row))
	// Output:
	// {"date":"2026-07-19","city":"Halifax","retailer":null,"category":"dairy","index_value":100.0000,"basket_cost_cad":34.45,"pct_change_wow":null,"pct_change_mom":null,"item_count":6,"total_items":6,"pct_change_yoy":null}
}
