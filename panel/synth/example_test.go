package synth_test

import (
	"fmt"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

func Example() {
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, 11, 20)})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := data.Panel()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("base week", p.BaseWeek(), "and", data.Config.Weeks, "closed weeks")
	fmt.Println(len(p.Stores()), "stores in", len(p.Cities()), "cities")
	// Output:
	// base week 2026-07-19 and 18 closed weeks
	// 146 stores in 13 cities
}
