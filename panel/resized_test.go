package panel

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
)

// TestFindResized has histories as "store:size=price", a day apart.
func TestFindResized(t *testing.T) {
	butter := basket.Product{StandardSize: 454, Unit: basket.Gram, SoldBy: basket.ByPackage}
	for history, want := range map[string]string{
		"1:250g=2.29 1:200g=2.29":                         `retailer product 7 went from "250g" to "200g" and stayed at 2.29 (1 times)`,
		"1:250g=2.29 2:250g=2.29 1:200g=2.29 2:200g=2.29": `retailer product 7 went from "250g" to "200g" and stayed at 2.29 (2 times)`,
		"1:250g=2.29 1:=2.29 1:200g=2.29":                 `retailer product 7 went from "250g" to "200g" and stayed at 2.29 (1 times)`,
		"1:250g=2.29 1:200g=2.86":                         "",
		"1:250g=2.29 2:200g=2.29":                         "",
		"1:250g=2.29 1:0.25kg=2.29 1:248g=2.29":           "", // another notation, and another way of weighing
		"1:250g=2.29 1:250mL=2.29 1:/100g=2.29":           "",
		"1:200g=2.29 1:250g=2.29 1:200g=2.29":             `retailer product 7 went from "200g" to "250g" and stayed at 2.29 (1 times); retailer product 7 went from "250g" to "200g" and stayed at 2.29 (1 times)`,
	} {
		var rows []Observation
		for day, f := range strings.Fields(history) {
			store, rest, _ := strings.Cut(f, ":")
			size, price, _ := strings.Cut(rest, "=")
			p, err := ParsePrice(price)
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, Observation{
				ID: int64(day + 1), Listing: 7, Store: int64(store[0] - '0'), PackageSize: size, Effective: p, ObservedAt: noon.AddDate(0, 0, day),
			})
		}
		slices.Reverse(rows)
		if got := strings.Join(ResizedWords(FindResized(&butter, rows)), "; "); got != want {
			t.Errorf("%s: %s, want %s", history, got, want)
		}
	}
	apples := basket.Product{StandardSize: 1000, Unit: basket.Gram, SoldBy: basket.ByKilogram}
	rows := []Observation{{Store: 1, PackageSize: "2 kg", Effective: 1, ObservedAt: noon}, {Store: 1, PackageSize: "1 kg", Effective: 1, ObservedAt: noon.Add(time.Hour)}}
	if found := FindResized(&apples, rows); found != nil {
		t.Errorf("by the kilogram: %v", found)
	}
}
