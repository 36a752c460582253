package basket_test

import (
	"fmt"

	"github.com/larder-index/larder/basket"
)

func Example() {
	var dairy, all float64
	products := basket.Canada().Products
	for _, p := range products {
		all += p.Weight
		if p.Category == "dairy" {
			dairy += p.Weight
		}
	}
	fmt.Printf("dairy weighs %.1f%% of the basket\n", 100*dairy/all)
	p := products[6]
	fmt.Printf("%d: %s; %s; priced per %s\n", p.ID, p.Name, p.NameFr, p.SoldBy)
	// Output:
	// dairy weighs 17.0% of the basket
	// 7: Chicken breast, boneless skinless, per kg; Poitrine de poulet désossée sans peau, au kg; priced per kg
}
