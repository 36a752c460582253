package httpapi_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestProductsAreTheCatalog compares every member with the basket itself.
func TestProductsAreTheCatalog(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	products := slices.SortedFunc(slices.Values(basket.Canada().Products), func(a, b basket.Product) int {
		return cmp.Or(strings.Compare(a.Category.String(), b.Category.String()), strings.Compare(a.Name, b.Name))
	})
	var want []any
	for _, p := range products {
		var sub any
		if p.Subcategory != "" {
			sub = p.Subcategory
		}
		want = append(want, map[string]any{
			"id": float64(p.ID), "name": p.Name, "category": p.Category.String(), "subcategory": sub,
			"standard_size": p.StandardSize, "unit": p.Unit.String(), "basket_weight": p.Weight,
		})
	}
	var got map[string]any
	if err := json.Unmarshal(f.Get("/api/v1/products", f.Key(state.Research)).Content, &got); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got["products"]); diff != "" {
		t.Errorf("-catalog +served:\n%s", diff)
	}
}
