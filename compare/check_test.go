package compare_test

import (
	"errors"
	"fmt"
	"sync"
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
		{"no city", "", "1", nil, "unsupported_city city"},
		{"an id of no product", "halifax", "1,50", nil, "unknown_item items[1].id"},
		{"packages in quarters", "halifax", "1x0.25", nil, "invalid_quantity items[0].qty"},
		{"ten kilograms", "halifax", "7x10", nil, ""},
		{"more than ten kilograms", "halifax", "7x10.25", nil, "invalid_quantity items[0].qty"},
		{"unknown chain", "halifax", "1", []string{"alder", "fir"}, "unknown_store stores[1]"},
		{"a chain that takes no part", "halifax", "1", []string{"elm"}, "unknown_store stores[0]"},
		{"a chain of another city", "halifax", "1", []string{"alder", "cedar"}, "store_unavailable stores[1]"},
		{"a chain that closed here", "halifax", "1", []string{"dogwood"}, "store_unavailable stores[0]"},
		{"the city first", "atlantis", "7x20", []string{"fir"}, "unsupported_city city"},
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

// A request names up to 40 chains. A city that has more is compared whole.
func TestMoreChainsThanFit(t *testing.T) {
	m := newMarket(t)
	var keys []string
	for i := range 41 {
		keys = append(keys, fmt.Sprintf("chain%02d", i))
		m.sells(keys[i], 1, 5_0000)
	}
	pr := m.projection()
	items := []compare.Item{{ID: 1, Qty: 100}}
	for _, named := range [][]string{nil, keys} {
		res, err := compare.Evaluate(pr, compare.Request{City: "halifax", Items: items, Stores: named}, noon)
		if err != nil || len(res.Stores) != 41 || len(res.Recommendation.CloseStoreKeys) != 41 || len(res.Recommendation.Reasons) != 40 {
			t.Errorf("%d by name: %v", len(named), err)
		}
	}
	if _, err := compare.Evaluate(pr, compare.Request{City: "halifax", Items: items, Stores: append(keys, "one more")}, noon); refusal(t, err) != "too_many_stores stores" {
		t.Errorf("42 of 41: %v", err)
	}
	for i := range m.Banners[:2] {
		m.Banners[i].InShopper = false
	}
	if _, err := compare.Evaluate(m.projection(), compare.Request{City: "halifax", Items: items, Stores: keys}, noon); refusal(t, err) != "too_many_stores stores" {
		t.Errorf("41 of a few: %v", err)
	}
}

// TestIDs asks for products by ids of any size. An unknown id is answered with the nearest known one.
func TestIDs(t *testing.T) {
	m := newMarket(t)
	x := m.Products[0]
	for i, id := range []int64{51, 700, 4_000_000_000, basket.MaxID} {
		x.ID, x.Name, x.Active = id, fmt.Sprintf("Margarine %d", id), id != 51
		m.Products = append(m.Products, x)
		m.sells("alder", id, panel.Price(1_0000*(i+1)))
	}
	m.sells("alder", 1, 9_0000)
	for items, want := range map[string]string{
		"1": "9.00", "700x2": "4.00", "4000000000": "3.00", "9007199254740991,700": "6.00", "51": "no_observation",
	} {
		if got := outcome(t, m.compare(items), "alder"); got != want {
			t.Errorf("%s: %s, want %s", items, got, want)
		}
	}
	for id, want := range map[int64]string{
		53: "there is no item 53; name one of the catalog, such as 50", 699: "there is no item 699; name one of the catalog, such as 700",
		0:                "an id is a whole number from 1 to 9007199254740991; name one of the catalog, such as 1",
		basket.MaxID + 1: "an id is a whole number from 1 to 9007199254740991; name one of the catalog, such as 9007199254740991",
	} {
		_, err := compare.Evaluate(m.projection(), compare.Request{City: "halifax", Items: []compare.Item{{ID: id, Qty: 100}}}, noon)
		if e, ok := errors.AsType[*compare.Error](err); !ok || e.Code != "unknown_item" || e.Message != want {
			t.Errorf("%d: %v, want %s", id, err, want)
		}
	}
	m.Products = m.Products[:50]
	m.Listings, m.Observations = nil, nil
	for _, id := range []int64{-1, 0, 51, basket.MaxID + 1} {
		_, err := compare.Evaluate(m.projection(), compare.Request{City: "halifax", Items: []compare.Item{{ID: id, Qty: 9900}}}, noon)
		if err == nil || err.Error() != "compare: items[0].id: items have the ids 1 to 50, as the catalog lists them, such as 1" {
			t.Errorf("%d of 50: %v", id, err)
		}
	}
}

// TestInstants compares long before and after every row, at once: the comparisons share what a projection keeps.
func TestInstants(t *testing.T) {
	m := newMarket(t)
	m.sells("alder", 1, 5_0000, size("750 g"))
	pr := m.projection()
	var wg sync.WaitGroup
	for _, now := range []time.Time{{}, noon.AddDate(-500, 0, 0), noon.AddDate(500, 0, 0), noon, noon.AddDate(0, 0, 1)} {
		wg.Go(func() {
			res, err := compare.Evaluate(pr, compare.Request{City: "halifax", Items: []compare.Item{{ID: 1, Qty: 100}}}, now)
			if near := now.Year() == 2026; err != nil || len(res.ComparedItemIDs) == 1 != near || res.EvaluatedOn.String() != now.Format(time.DateOnly) {
				t.Errorf("at %s: %+v, %v", now, res, err)
			}
		})
	}
	wg.Wait()
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
