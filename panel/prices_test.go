package panel

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestFromPrices has two shops of one name in two cities, and days at both ends of a week on their own clocks.
func TestFromPrices(t *testing.T) {
	tokyo := time.FixedZone("", 9*60*60)
	p, err := FromPrices(Prices{
		Product: []string{"b", "a", "b", "b"}, Price: []float64{2, 3.49, 4, 8},
		Day: []time.Time{
			time.Date(2026, 7, 13, 0, 0, 0, 0, time.UTC), time.Date(2026, 7, 13, 0, 0, 0, 0, tokyo),
			time.Date(2026, 7, 19, 23, 59, 0, 0, tokyo), time.Date(2026, 7, 19, 23, 59, 0, 0, time.UTC),
		},
		Shop: []string{"1", "1", "1", "1"}, City: []string{"Y", "Y", "X", "X"},
		Category: []string{"fresh", "dry", "fresh", "fresh"}, Weight: []float64{2, 1, 2, 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Weeks()) != 1 || p.BaseWeek().String() != "2026-07-19" || len(p.Stores()) != 2 {
		t.Errorf("weeks %v, base %s, stores %v", p.Weeks(), p.BaseWeek(), p.Stores())
	}
	if got := strings.Join(p.Categories().Slugs(), " "); got != "fresh dry" || p.Products()[0].Name != "b" {
		t.Errorf("categories %s, products %v", got, p.Products())
	}
	for i, want := range []float64{math.Sqrt(4 * 8), 2, 3.49} { // b in X, b in Y, a
		if got := math.Exp(p.LogPrices(0)[i]); math.Abs(got-want) > 1e-12 {
			t.Errorf("series %d costs %v, not %v", i, got, want)
		}
	}
}

func TestFromPricesRefuses(t *testing.T) {
	day := time.Date(2026, 7, 13, 0, 0, 0, 0, time.UTC)
	for want, change := range map[string]func(x *Prices){
		"panel: 2 prices, but 1 elements of Day":                                       func(x *Prices) { x.Day = x.Day[:1] },
		`price 1: price "0" is not above 0`:                                            func(x *Prices) { x.Price[1] = 0 },
		`price 1: price "NaN" is not a plain decimal`:                                  func(x *Prices) { x.Price[1] = math.NaN() },
		`price 0: price "0.33333" has more than 4 decimals`:                            func(x *Prices) { x.Price[0] = 0.33333 },
		"price 1: product 2 (number 2 added): name is empty":                           func(x *Prices) { x.Product[1] = "" },
		"price 1: observation listing 2 at store 1 (number 2 added): observed at 0001": func(x *Prices) { x.Day[1] = time.Time{} },
		`price 1: product "a" is of category dry and weight 1, and was of fresh and 1`: func(x *Prices) {
			x.Product[1], x.Category = "a", []string{"fresh", "dry"}
		},
		`price 0: product 1 (number 1 added): basket_weight -1`:  func(x *Prices) { x.Weight = []float64{-1, 1} },
		`slug "all" is the word overall or all`:                  func(x *Prices) { x.Category = []string{"all", "dry"} },
		`price 0: city "city-1" (number 1 added): name is empty`: func(x *Prices) { x.City = []string{"", "Y"} },
	} {
		x := Prices{Product: []string{"a", "b"}, Day: []time.Time{day, day}, Price: []float64{1, 2}}
		change(&x)
		if _, err := FromPrices(x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
