package jevons_test

import (
	"fmt"
	"log"
	"time"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// A week comes in: it is added to the panel and to the table, and those before
// it are not computed again.
func ExampleIndex_Extend() {
	p := workedPanel()
	index, err := jevons.NewIndex(p, jevons.Options{})
	if err != nil {
		log.Fatal(err)
	}
	before := len(index.Table().Select(jevons.Filter{}))

	b := panel.Extend(p)
	at := time.Date(2026, 7, 29, 9, 0, 0, 0, panel.Toronto)
	for product, price := range []panel.Price{5_7500, 7_2000, 1_8000} {
		if err := b.Observe(&panel.Observation{Listing: int64(product + 1), Store: 1, Effective: price, ObservedAt: at}); err != nil {
			log.Fatal(err)
		}
	}
	longer, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	if err := index.Extend(longer, 0); err != nil {
		log.Fatal(err)
	}
	rows := index.Table().Select(jevons.Filter{})
	fmt.Println(len(rows)-before, "rows more")
	for _, r := range index.Table().Select(jevons.Filter{Level: jevons.National, From: panel.DefaultBaseWeek.Add(2).Date()}) {
		fmt.Println(r.Week, r.Cell.Category, r.Index)
	}
	// Output:
	// 9 rows more
	// 2026-08-02 overall 109.3213
	// 2026-08-02 dairy 105.9773
	// 2026-08-02 produce_fruit 120.0000
}
