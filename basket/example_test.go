package basket_test

import (
	"fmt"

	"github.com/larder-index/larder/basket"
)

func Example() {
	b := basket.Canada()
	weights := b.Weights()
	for _, c := range basket.Categories()[:3] {
		share := 100 * weights[c] / weights[basket.Overall]
		fmt.Printf("%s weighs %.1f%% of the basket\n", c, share)
	}
	p := b.Products[6]
	fmt.Printf("%d: %s; %s; priced per %s\n", p.ID, p.Name, p.NameFr, p.SoldBy)
	// Output:
	// dairy weighs 17.0% of the basket
	// meat weighs 20.4% of the basket
	// bakery weighs 4.9% of the basket
	// 7: Chicken breast, boneless skinless, per kg; Poitrine de poulet désossée sans peau, au kg; priced per kg
}

// A basket of another country is a literal; Validate says what is wrong with it.
func ExampleBasket_Validate() {
	b := basket.Basket{
		Products: []basket.Product{{
			ID: 1, Name: "Rye bread, 1 kg", Category: basket.Bakery,
			StandardSize: 1000, Unit: basket.Gram, Weight: 0.2, SoldBy: basket.ByPackage, Active: true,
		}},
		Cities: []basket.City{{Slug: "tartu", Name: "Tartu"}},
	}
	fmt.Println(b.Validate())
	// Output:
	// basket: city 1 of the list ("tartu"): province is empty
}
