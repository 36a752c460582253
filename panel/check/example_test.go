package check_test

import (
	"fmt"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
)

// A panel whose base week has no price can't have an index. The report says so.
func ExampleNewReport() {
	b := panel.NewBuilder(panel.DefaultBaseWeek)
	must(b.AddProduct(basket.Product{ID: 1, Name: "Milk, 2 L", Category: "dairy", Weight: 1,
		StandardSize: 2000, Unit: basket.Millilitre, SoldBy: basket.ByPackage, Active: true}))
	p, err := b.Build()
	must(err)
	rows, err := panel.NewRows(panel.NewGate(panel.Calendar{}, nil, nil, nil, nil, nil), func(func(*panel.Observation, error) bool) {})
	must(err)
	r := check.NewReport(p, rows, nil, time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	for _, f := range r.Findings {
		fmt.Println(f.Code+":", f.Found[0])
	}
	// Output:
	// empty_index: no week has a price that counts in the index
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
