package basket_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

func TestCanadaSpecs(t *testing.T) {
	products := basket.Canada().Products
	specs := basket.CanadaSpecs()
	if len(specs) != len(products) {
		t.Fatalf("%d specs for %d products", len(specs), len(products))
	}
	for i, s := range specs {
		p := products[i]
		if s.ProductID != p.ID {
			t.Fatalf("spec %d is of product %d", i+1, s.ProductID)
		}
		if s.MinSize <= 0 || s.MinSize > s.MaxSize {
			t.Errorf("product %d: sizes from %v to %v", p.ID, s.MinSize, s.MaxSize)
		}
		if p.StandardSize < s.MinSize || p.StandardSize > s.MaxSize {
			t.Errorf("product %d: its standard size %v is outside %v to %v", p.ID, p.StandardSize, s.MinSize, s.MaxSize)
		}
		all := append([][]string{s.Forbid}, s.Require...)
		seen := map[string]bool{}
		for _, group := range all {
			if len(group) == 0 {
				t.Errorf("product %d: an empty group", p.ID)
			}
			for _, term := range group {
				if strings.Join(strings.Fields(term), " ") != term || term == "" || strings.ContainsFunc(term, notFolded) {
					t.Errorf("product %d: term %q is not plain lower-case words", p.ID, term)
				}
				if seen[term] {
					t.Errorf("product %d: term %q stands twice", p.ID, term)
				}
				seen[term] = true
			}
		}
		for _, group := range s.Require {
			if len(group) == 1 && slices.Contains(s.Forbid, group[0]) {
				t.Errorf("product %d: %q is both required and forbidden", p.ID, group[0])
			}
		}
	}
}

// notFolded reports whether a folded title could not have the character.
func notFolded(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != ' '
}

func TestCanadaSpecsAreTheCallersOwn(t *testing.T) {
	specs := basket.CanadaSpecs()
	specs[0].Require[0][0], specs[0].Forbid[0] = "x", "x"
	if again := basket.CanadaSpecs(); again[0].Require[0][0] == "x" || again[0].Forbid[0] == "x" {
		t.Error("a change to one list shows in the next")
	}
}
