package compare_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

func TestCheck(t *testing.T) {
	m := newMarket(t)
	m.Products = m.Products[:49]
	m.Products[5].Active = false
	m.store("alder", "halifax")
	m.store("birch", "halifax", func(s *panel.Store) { s.LocationCertain = false })
	m.store("cedar", "moncton")
	m.store("dogwood", "halifax", func(s *panel.Store) { s.Active = false })
	m.chain("elm", func(b *basket.Banner) { b.InShopper = false })
	m.store("elm", "halifax")
	pr := m.projection()
	for _, c := range []struct {
		name, city, items string
		stores            []string
		want              string
	}{
		{"fine", "halifax", "1x2,7x0.25", []string{"alder"}, ""},
		{"an excluded chain", "halifax", "1", []string{"birch"}, ""},
		{"an inactive product", "halifax", "6", nil, ""},
		{"unknown city", "atlantis", "1", nil, "unsupported_city city"},
		{"the city's name", "Halifax", "1", nil, "unsupported_city city"},
		{"no city", "", "1", nil, "unsupported_city city"},
		{"an id of no product", "halifax", "1,50", nil, "unknown_item items[1].id"},
		{"packages in quarters", "halifax", "1x0.25", nil, "invalid_quantity items[0].qty"},
		{"half a package", "halifax", "1x1.5", nil, "invalid_quantity items[0].qty"},
		{"20 packages", "halifax", "1x20", nil, ""},
		{"ten kilograms", "halifax", "7x10", nil, ""},
		{"more than ten kilograms", "halifax", "7x10.25", nil, "invalid_quantity items[0].qty"},
		{"unknown chain", "halifax", "1", []string{"alder", "fir"}, "unknown_store stores[1]"},
		{"a chain's name", "halifax", "1", []string{"The alder"}, "unknown_store stores[0]"},
		{"a chain in capitals", "halifax", "1", []string{"ALDER"}, "unknown_store stores[0]"},
		{"a chain that takes no part", "halifax", "1", []string{"elm"}, "unknown_store stores[0]"},
		{"a chain of another city", "halifax", "1", []string{"alder", "cedar"}, "store_unavailable stores[1]"},
		{"a chain that closed here", "halifax", "1", []string{"dogwood"}, "store_unavailable stores[0]"},
		{"the city first", "atlantis", "50", []string{"fir"}, "unsupported_city city"},
		{"items before stores", "halifax", "1x1.5", []string{"fir"}, "invalid_quantity items[0].qty"},
		{"unknown before unavailable", "halifax", "1", []string{"cedar", "fir"}, "unknown_store stores[1]"},
		{"what a request says by itself before the city", "atlantis", "1", []string{"a", "a"}, "duplicate_store stores[1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			items, err := compare.ParseItems(c.items)
			if err != nil {
				t.Fatal(err)
			}
			r := compare.Request{City: c.city, Items: items, Stores: c.stores}
			res, err := compare.Evaluate(pr, r, noon)
			if got := refusal(t, err); got != c.want {
				t.Errorf("%s (%v), want %s", got, err, c.want)
			}
			if (res == nil) != (err != nil) {
				t.Errorf("a result beside an error, or neither: %v, %v", res, err)
			}
		})
	}
	t.Run("a request made by hand", func(t *testing.T) {
		for _, c := range []struct {
			items []compare.Item
			want  string
		}{
			{nil, "invalid_items items"},
			{make([]compare.Item, 51), "too_many_items items"},
			{[]compare.Item{{ID: 64, Qty: 100}}, "unknown_item items[0].id"},
			{[]compare.Item{{ID: -1, Qty: 100}}, "unknown_item items[0].id"},
			{[]compare.Item{{ID: 1}}, "invalid_quantity items[0].qty"},
			{[]compare.Item{{ID: 7, Qty: 30}}, "invalid_quantity items[0].qty"},
		} {
			if _, err := compare.Evaluate(pr, compare.Request{City: "halifax", Items: c.items}, noon); refusal(t, err) != c.want {
				t.Errorf("%v: %v, want %s", c.items, err, c.want)
			}
		}
	})
}

// A body holds 40 chains. A city that has more is compared in parts.
func TestMoreChainsThanFit(t *testing.T) {
	m := newMarket(t)
	var keys []string
	for i := range 41 {
		keys = append(keys, fmt.Sprintf("chain%02d", i))
		m.sells(keys[i], 1, 5_0000)
	}
	pr := m.projection()
	items := []compare.Item{{ID: 1, Qty: 100}}
	if _, err := compare.Evaluate(pr, compare.Request{City: "halifax", Items: items}, noon); refusal(t, err) != "too_many_stores stores" {
		t.Errorf("all 41: %v", err)
	}
	if _, err := compare.Evaluate(pr, compare.Request{City: "halifax", Items: items, Stores: keys}, noon); refusal(t, err) != "too_many_stores stores" {
		t.Errorf("41 by name: %v", err)
	}
	res, err := compare.Evaluate(pr, compare.Request{City: "halifax", Items: items, Stores: keys[1:]}, noon)
	if err != nil || len(res.Stores) != 40 || len(res.Recommendation.CloseStoreKeys) != 40 || len(res.Recommendation.Reasons) != 39 {
		t.Errorf("40 by name: %v", err)
	}
}

// Products that no request can name are left alone.
func TestIDsBeyondTheList(t *testing.T) {
	m := newMarket(t)
	x := m.Products[0]
	x.ID, x.Name = 51, "Margarine"
	m.Products = append(m.Products, x)
	m.sells("alder", 51, 1_0000)
	m.sells("alder", 1, 2_0000)
	if got := outcome(t, m.compare("1"), "alder"); got != "2.00" {
		t.Errorf("%s, want 2.00", got)
	}
}

// TestNoProjection compares on projections of nothing.
func TestNoProjection(t *testing.T) {
	for _, pr := range []*compare.Projection{nil, {}, compare.NewProjection(nil, nil)} {
		if _, err := compare.Evaluate(pr, compare.Request{}, time.Now()); err == nil {
			t.Error("a comparison on nothing is no error")
		}
		if c := compare.Catalog(pr); len(c.Items)+len(c.Cities)+len(c.Chains) > 0 {
			t.Errorf("a catalog of nothing: %+v", c)
		}
	}
}
