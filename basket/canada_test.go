package basket_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

func TestCanadaProducts(t *testing.T) {
	products := basket.Canada().Products
	if len(products) != 50 {
		t.Fatalf("%d products, want 50", len(products))
	}
	var perKg []int64
	var weight float64
	inCategory := map[string]int{}
	taken := map[string]int64{} // by name or alias
	for i, p := range products {
		if err := p.Validate(); err != nil || p.ID != int64(i+1) {
			t.Errorf("product %d of the list has id %d, %v", i+1, p.ID, err)
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
		weight += p.Weight
		for _, word := range append([]string{p.Name, p.NameFr}, p.Aliases...) {
			key := strings.ToLower(word)
			if id := taken[key]; id != 0 && id != p.ID || word != strings.TrimSpace(word) {
				t.Errorf("%q of product %d has spaces around it, or is of product %d too", word, p.ID, id)
			}
			taken[key] = p.ID
		}
		if slices.Sort(p.Aliases); len(slices.Compact(p.Aliases)) < len(p.Aliases) {
			t.Errorf("product %d has an alias twice", p.ID)
		}
	}
	// The per-kg ids are those of the shopper interface.
	if want := []int64{7, 8, 9, 11, 18, 21, 27, 50}; !slices.Equal(perKg, want) {
		t.Errorf("sold per kg: %v, want %v", perKg, want)
	}
	// The index interface states that raw weights sum to 0.96.
	if math.Abs(weight-0.96) > 1e-9 {
		t.Errorf("weights sum to %v, want 0.96", weight)
	}
	for _, c := range basket.Categories(nil).Slugs() {
		if inCategory[c] < 3 {
			t.Errorf("%s has %d products; a category needs 3", c, inCategory[c])
		}
	}
}

func TestCanadaSpecs(t *testing.T) {
	notFolded := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != ' ' }
	products, specs := basket.Canada().Products, basket.Canada().Specs
	if len(specs) != len(products) {
		t.Fatalf("%d specs for %d products", len(specs), len(products))
	}
	for i, s := range specs {
		p := products[i]
		if s.ProductID != p.ID {
			t.Fatalf("spec %d is of product %d", i+1, s.ProductID)
		}
		if s.MinSize <= 0 || p.StandardSize < s.MinSize || p.StandardSize > s.MaxSize {
			t.Errorf("product %d: its standard size %v is outside %v to %v", p.ID, p.StandardSize, s.MinSize, s.MaxSize)
		}
		seen := map[string]bool{}
		for _, term := range slices.Concat(append(s.Require, s.Forbid)...) {
			if strings.Join(strings.Fields(term), " ") != term || term == "" || strings.ContainsFunc(term, notFolded) || seen[term] {
				t.Errorf("product %d: term %q is not plain lower-case words, or occurs twice", p.ID, term)
			}
			seen[term] = true
		}
	}
}
