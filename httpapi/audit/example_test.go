package audit_test

import (
	"fmt"
	"log"
	"os"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/audit"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// A subscriber checks the headline of the whole country in the week named
// 2026-07-26, from four downloaded pages.
func Example() {
	var pages []*audit.Page
	for _, name := range []string{"base.json", "week.json", "products.json", "index.json"} {
		f, err := os.Open("testdata/" + name)
		if err != nil {
			log.Fatal(err)
		}
		p, err := audit.ReadPage(name, f)
		f.Close()
		if err != nil {
			log.Fatal(err)
		}
		pages = append(pages, p)
	}
	evidence, err := audit.NewEvidence(pages)
	if err != nil {
		log.Fatal(err, audit.Downloads(err)) // what to download before trying again
	}
	week := panel.DefaultBaseWeek.Add(1)
	cell := jevons.Cell{Level: jevons.National, Category: basket.Overall}
	published, err := evidence.Published(week, cell)
	if err != nil {
		log.Fatal(err)
	}
	r, err := evidence.Recompute(panel.DefaultBaseWeek, week)
	if err != nil {
		log.Fatal(err)
	}
	result, err := r.Check(cell, published)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Verdict())
	for _, s := range result.Stores {
		fmt.Printf("%s at store %d: %.2f to %.2f\n", s.Product, s.StoreID, s.Base, s.Price)
	}
	// Output:
	// matches: index 104.4009, 3 of 3 products
	// Milk at store 2: 4.00 to 4.00
	// Milk at store 1: 5.00 to 5.50
	// Cheddar at store 1: 8.00 to 7.20
	// Bananas at store 1: 1.50 to 1.80
}
