package basket_test

import (
	"fmt"

	"github.com/larder-index/larder/basket"
)

func ExampleParseSize() {
	for _, text := range []string{
		"Naturally Smoked Bacon375g", "12 x 355 mL", "796 mL/28 oz liq", "6 bagels, 450 g", "0,40 - 0,50 kg", "/lb", "douzaine",
		"10 Pack 76 g", "$1.86/100g",
	} {
		s, err := basket.ParseSize(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(s)
	}
	// Output:
	// 375 g
	// 12 x 355 mL
	// 796 mL
	// 450 g in 6 pieces
	// 400 - 500 g
	// per lb
	// 12 ct
	// basket: size "10 Pack 76 g": it can be read in more than one way
	// basket: size "$1.86/100g": it is a price, not a size
}
