package httpapi_test

import (
	"cmp"
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
	r := f.Get("/api/v1/products", f.Key(state.Research))
	type product struct {
		ID            int
		Name          string
		Category      string
		Subcategory   *string
		Standard_Size float64 //nolint:revive // as the API has it
		Unit          string
		Basket_Weight float64 //nolint:revive // as the API has it
	}
	var got struct {
		Meta     map[string]any
		Products []product
	}
	if err := unmarshalStrictly(r.Content, &got); err != nil {
		t.Fatal(err)
	}
	var want []product
	for _, p := range basket.Canada().Products {
		x := product{p.ID, p.Name, p.Category.String(), nil, p.StandardSize, p.Unit.String(), p.Weight}
		if p.Subcategory != "" {
			x.Subcategory = &p.Subcategory
		}
		want = append(want, x)
	}
	slices.SortFunc(want, func(a, b product) int {
		return cmp.Or(strings.Compare(a.Category, b.Category), strings.Compare(a.Name, b.Name))
	})
	if diff := gocmp.Diff(want, got.Products); diff != "" {
		t.Errorf("-catalog +served:\n%s", diff)
	}
	sum := 0.0
	for i := range got.Products {
		sum += got.Products[i].Basket_Weight
	}
	if sum < 0.9599999 || sum > 0.9600001 {
		t.Errorf("the weights sum to %v", sum)
	}
}
