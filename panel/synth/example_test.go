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
	fmt.Println("base week", data.BaseWeek, "and", data.Weeks, "closed weeks")
	fmt.Println(len(data.Stores), "stores in", len(data.Cities), "cities")
	// Output:
	// base week 2026-07-19 and 18 closed weeks
	// 166 stores in 13 cities
}
