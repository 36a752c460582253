package basket_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

func TestCanadaProducts(t *testing.T) {
	b := basket.Canada()
	if err := b.Validate(); err != nil {
		t.Fatal(err)
	}
	if n := len(b.Products); n != 50 {
		t.Fatalf("%d products, want 50", n)
	}
	var perKg []int
	inCategory := map[basket.Category]int{}
	for i, p := range b.Products {
		if p.ID != i+1 {
			t.Errorf("product %d of the list has id %d", i+1, p.ID)
		}
		if p.PerKg() {
			perKg = append(perKg, p.ID)
			if p.Unit != basket.Gram || p.StandardSize != 1000 {
				t.Errorf("product %d is sold per kg, its standard size is %v %s", p.ID, p.StandardSize, p.Unit)
			}
		}
		if p.NameFr == "" || p.Subcategory == "" || len(p.Aliases) == 0 || !p.Active {
			t.Errorf("product %d lacks a French name, a subcategory or an alias, or is inactive", p.ID)
		}
		inCategory[p.Category]++
	}
	// The per-kg ids are those of the shopper interface.
	if want := []int{7, 8, 9, 11, 18, 21, 27, 50}; !slices.Equal(perKg, want) {
		t.Errorf("sold per kg: %v, want %v", perKg, want)
	}
	for _, c := range basket.Categories() {
		if inCategory[c] < 3 {
			t.Errorf("%s has %d products; a category needs 3", c, inCategory[c])
		}
	}
}

func TestCanadaWeights(t *testing.T) {
	w := basket.Canada().Weights()
	// The index interface states that raw weights sum to 0.96.
	if math.Abs(w[basket.Overall]-0.96) > 1e-9 {
		t.Errorf("weights sum to %v, want 0.96", w[basket.Overall])
	}
	var sum float64
	for _, c := range basket.Categories() {
		sum += w[c]
	}
	if math.Abs(sum-w[basket.Overall]) > 1e-12 {
		t.Errorf("the categories sum to %v, the headline to %v", sum, w[basket.Overall])
	}
}

func TestCanadaWordsAreDistinct(t *testing.T) {
	taken := map[string]int{}
	for _, p := range basket.Canada().Products {
		own := map[string]bool{}
		for _, word := range append([]string{p.Name, p.NameFr}, p.Aliases...) {
			key := strings.ToLower(word)
			if word != strings.TrimSpace(word) {
				t.Errorf("product %d: %q has spaces around it", p.ID, word)
			}
			if id := taken[key]; id != 0 && id != p.ID {
				t.Errorf("%q is said of products %d and %d", word, id, p.ID)
			}
			taken[key] = p.ID
		}
		for _, a := range p.Aliases {
			if own[a] {
				t.Errorf("product %d: alias %q stands twice", p.ID, a)
			}
			own[a] = true
		}
	}
}

func TestCanadaCities(t *testing.T) {
	// The cities of the two interfaces, in their order.
	want := []basket.City{
		{Slug: "vancouver", Name: "Vancouver", Province: "BC"},
		{Slug: "calgary", Name: "Calgary", Province: "AB"},
		{Slug: "edmonton", Name: "Edmonton", Province: "AB"},
		{Slug: "saskatoon", Name: "Saskatoon", Province: "SK"},
		{Slug: "winnipeg", Name: "Winnipeg", Province: "MB"},
		{Slug: "toronto", Name: "Toronto", Province: "ON"},
		{Slug: "ottawa", Name: "Ottawa", Province: "ON"},
		{Slug: "montreal", Name: "Montreal", Province: "QC"},
		{Slug: "quebec-city", Name: "Quebec City", Province: "QC"},
		{Slug: "moncton", Name: "Moncton", Province: "NB"},
		{Slug: "halifax", Name: "Halifax", Province: "NS"},
		{Slug: "charlottetown", Name: "Charlottetown", Province: "PE"},
		{Slug: "st-johns", Name: "St. John's", Province: "NL"},
	}
	if got := basket.Canada().Cities; !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestCanadaIsTheCallersOwn(t *testing.T) {
	b := basket.Canada()
	b.Products[0].Name, b.Products[0].Aliases[0], b.Cities[0].Slug = "x", "x", "x"
	if c := basket.Canada(); c.Products[0].Name == "x" || c.Products[0].Aliases[0] == "x" || c.Cities[0].Slug == "x" {
		t.Error("a change to one basket shows in the next")
	}
}
