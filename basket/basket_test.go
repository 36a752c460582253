package basket_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

func TestValidateReportsEverything(t *testing.T) {
	good := basket.Canada()
	tests := []struct {
		name   string
		damage func(*basket.Basket)
		want   []string
	}{
		{"clean", func(*basket.Basket) {}, nil},
		{"id", func(b *basket.Basket) { b.Products[0].ID = 0 }, []string{"id 0 is not above 0"}},
		{"id taken", func(b *basket.Basket) { b.Products[1].ID = 1 }, []string{"product 2 of the list: id 1 is taken"}},
		{"name", func(b *basket.Basket) { b.Products[0].Name = "" }, []string{"(id 1)", "name is empty"}},
		{"overall", func(b *basket.Basket) { b.Products[0].Category = basket.Overall }, []string{`category "overall"`}},
		{"no such category", func(b *basket.Basket) { b.Products[0].Category = 10 }, []string{"Category(10)"}},
		{"size", func(b *basket.Basket) { b.Products[0].StandardSize = math.NaN() }, []string{"standard_size NaN"}},
		{"unit", func(b *basket.Basket) { b.Products[0].Unit = 4 }, []string{"unit is not one of g, mL, unit"}},
		{"weight", func(b *basket.Basket) { b.Products[0].Weight = math.Inf(1) }, []string{"basket_weight +Inf"}},
		{"sold by", func(b *basket.Basket) { b.Products[0].SoldBy = 0 }, []string{"sold_by is not one of package, kg"}},
		{"alias", func(b *basket.Basket) { b.Products[0].Aliases = []string{"a|b"} }, []string{`alias "a|b"`}},
		{"city", func(b *basket.Basket) { b.Cities[0] = basket.City{Slug: "St John"} },
			[]string{"city 1 of the list", `slug "St John"`, "name is empty", "province is empty"}},
		{"city taken", func(b *basket.Basket) { b.Cities[1].Slug = "vancouver" }, []string{"city 2 of the list", "is taken"}},
		{"several", func(b *basket.Basket) { b.Products[0].Name, b.Products[49].Weight, b.Cities[12].Name = "", -1, "" },
			[]string{"product 1 of the list", "product 50 of the list", "city 13 of the list"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := basket.Canada()
			tt.damage(&b)
			err := b.Validate()
			if (err == nil) != (tt.want == nil) {
				t.Fatalf("got %v", err)
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
		})
	}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
}

func TestInactiveProductsWeighNothing(t *testing.T) {
	b := basket.Canada()
	before := b.Weights()
	b.Products[0].Active = false
	after := b.Weights()
	if got := before[basket.Dairy] - after[basket.Dairy]; math.Abs(got-b.Products[0].Weight) > 1e-12 {
		t.Errorf("dairy lost %v, want %v", got, b.Products[0].Weight)
	}
}

func TestBannerValidate(t *testing.T) {
	if err := (basket.Banner{Key: "northlarch", Name: "Northlarch", Retailer: "N"}).Validate(); err != nil {
		t.Error(err)
	}
	err := basket.Banner{Key: "North Larch"}.Validate()
	if err == nil {
		t.Fatal("a key with a space and capitals passes")
	}
	for _, want := range []string{"key", "name is empty", "retailer is empty"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

func TestCategories(t *testing.T) {
	// Order and spelling are the index interface's.
	want := "overall dairy meat bakery produce_fruit produce_veg pantry frozen beverages household"
	var got []string
	for _, c := range basket.Slices() {
		got = append(got, c.String())
		back, err := basket.ParseCategory(c.String())
		if err != nil || back != c {
			t.Errorf("%s reads back as %v, %v", c, back, err)
		}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var again basket.Category
		if err := json.Unmarshal(text, &again); err != nil || again != c {
			t.Errorf("%s reads back as %v, %v", text, again, err)
		}
	}
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s", s)
	}
	if len(basket.Categories()) != 9 {
		t.Errorf("%d categories, want 9", len(basket.Categories()))
	}
	for _, bad := range []string{"", "Dairy", "produce", "dairy "} {
		if _, err := basket.ParseCategory(bad); err == nil {
			t.Errorf("%q passes as a category", bad)
		}
	}
	if _, err := basket.Category(10).MarshalText(); err == nil {
		t.Error("a category that does not exist was written")
	}
}

func TestUnitsAndWaysOfSelling(t *testing.T) {
	for u := basket.Gram; u <= basket.Count; u++ {
		if back, err := basket.ParseUnit(u.String()); err != nil || back != u {
			t.Errorf("%s reads back as %v, %v", u, back, err)
		}
	}
	for s := basket.ByPackage; s <= basket.ByKilogram; s++ {
		if back, err := basket.ParseSoldBy(s.String()); err != nil || back != s {
			t.Errorf("%s reads back as %v, %v", s, back, err)
		}
	}
	for _, bad := range []string{"", "ml", "G", "kg "} {
		if _, err := basket.ParseUnit(bad); err == nil {
			t.Errorf("%q passes as a unit", bad)
		}
		if _, err := basket.ParseSoldBy(bad); err == nil {
			t.Errorf("%q passes as a way of selling", bad)
		}
	}
}
