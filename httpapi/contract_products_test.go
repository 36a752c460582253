package httpapi

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/state"
)

func TestProductsContract(t *testing.T) {
	f := serveDemo(t)
	productsResource.play(t, f, state.Research, slices.Concat(
		refused("category", "dairy"), refused("limit", "10"), refused("offset", "0"), refused("from", "2026-08-01"), refused("product_id", "7"), refused("active", ""),
		[]scenario{
			{name: "the whole catalog", rows: "some", has: map[string]string{
				"meta.version": `"v1"`, "meta.endpoint": `"/api/v1/products"`, "meta.count": "50", "meta.generated_at": `"2026-11-20T17:00:00Z"`,
				"products.0.category": `"bakery"`, "products.49.category": `"produce_veg"`, "products.50": absent,
			}},
			{name: "a lone question mark", query: "?", rows: "some", has: map[string]string{"meta.count": "50"}},
		},
	))
}

// TestProductsAreTheCatalog compares every member with the basket itself.
func TestProductsAreTheCatalog(t *testing.T) {
	f := serveDemo(t)
	r := f.get("/api/v1/products", f.key(state.Research))
	v := r.json(t)
	members(t, "products", v, "meta products")
	members(t, "meta", v["meta"], "source version endpoint count generated_at")
	for _, x := range v["products"].([]any) {
		members(t, "product", x, "id name category subcategory standard_size unit basket_weight")
	}
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
	if err := unmarshalStrictly(r.body, &got); err != nil {
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
	sum := 0.0
	for i := range max(len(got.Products), len(want)) {
		if i >= len(got.Products) || i >= len(want) {
			t.Fatalf("%d products, want %d", len(got.Products), len(want))
		}
		g, w := got.Products[i], want[i]
		if (g.Subcategory == nil) != (w.Subcategory == nil) || g.Subcategory != nil && *g.Subcategory != *w.Subcategory {
			t.Errorf("product %d: subcategory %v, want %v", g.ID, g.Subcategory, w.Subcategory)
		}
		g.Subcategory, w.Subcategory = nil, nil
		if g != w {
			t.Errorf("product %d is %+v, want %+v", i, g, w)
		}
		sum += g.Basket_Weight
	}
	if sum < 0.9599999 || sum > 0.9600001 {
		t.Errorf("the weights sum to %v", sum)
	}
}

func TestCatalogOrder(t *testing.T) {
	list := newCatalog([]basket.Product{
		{ID: 1, Name: "b", Category: basket.Pantry, Active: true},
		{ID: 2, Name: "B", Category: basket.Pantry, Active: true},
		{ID: 3, Name: "gone", Category: basket.Bakery},
		{ID: 4, Name: "z", Category: basket.Household, Active: true},
		{ID: 6, Name: "É", Category: basket.Pantry, Active: true},
		{ID: 5, Name: "b", Category: basket.Pantry, Active: true},
	})
	var ids []string
	for i := range list.ends {
		ids = append(ids, strings.SplitN(string(list.span(i, i+1)), ",", 2)[0])
	}
	if got := strings.Join(ids, " "); got != `{"id":4 {"id":2 {"id":1 {"id":5 {"id":6` {
		t.Errorf("the order is %s", got)
	}
}

func TestProductsAdmission(t *testing.T) {
	admission(t, serveDemo(t), productsResource, state.Research)
}
