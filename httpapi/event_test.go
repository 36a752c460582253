package httpapi

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

func TestAppendEvent(t *testing.T) {
	for _, c := range []struct {
		name    string
		event   panel.ShrinkEvent
		listing panel.Listing
		want    string
	}{
		{
			"every member given",
			panel.ShrinkEvent{
				ID: 7, Listing: 3, OldPackageSize: "750 g", NewPackageSize: "0.65 kg <new>", OldSize: 750, NewSize: 650.5, SizeUnit: "g",
				PctSizeChange: panel.FixedOf(-13_3333), OldUnitPrice: 0.0000012, NewUnitPrice: 0.0102922666,
				PctUnitPriceChange: panel.FixedOf(15_5000), ShelfPrice: 63900,
				DetectedAt: time.Date(2026, 8, 30, 22, 23, 0, 5e8, panel.Toronto),
			},
			panel.Listing{ID: 3, Name: "Crème \"fraîche\"", Brand: "Moo"},
			`{"id":7,"old_package_size":"750 g","new_package_size":"0.65 kg \u003cnew\u003e","old_size_numeric":750,"new_size_numeric":650.5,` +
				`"size_unit":"g","pct_size_change":-13.3333,"old_unit_price":0.0000012,"new_unit_price":0.0102922666,` +
				`"pct_unit_price_change":15.5,"shelf_price_at_change":6.39,"detected_at":"2026-08-31T02:23:00.5Z",` +
				`"confidence":"high","flag":"ok","retailer_products":{"retailer":"Shop Inc.","banner":"shop",` +
				`"retailer_name":"Crème \"fraîche\"","brand":"Moo","products":{"id":1,"name":"Cream","category":"dairy"}}}`,
		},
		{
			"nothing known",
			panel.ShrinkEvent{ID: 8, DetectedAt: time.Date(2026, 8, 30, 0, 0, 0, 0, time.UTC)},
			panel.Listing{ID: 3, Name: "Cream"},
			`{"id":8,"old_package_size":"","new_package_size":"","old_size_numeric":null,"new_size_numeric":null,` +
				`"size_unit":null,"pct_size_change":null,"old_unit_price":null,"new_unit_price":null,` +
				`"pct_unit_price_change":null,"shelf_price_at_change":null,"detected_at":"2026-08-30T00:00:00Z",` +
				`"confidence":"low","flag":"suspect_unit_mismatch","retailer_products":{"retailer":"Shop Inc.","banner":"shop",` +
				`"retailer_name":"Cream","brand":null,"products":{"id":1,"name":"Cream","category":"dairy"}}}`,
		},
		{
			"a change of 0 is no null",
			panel.ShrinkEvent{ID: 9, PctSizeChange: panel.FixedOf(0), PctUnitPriceChange: panel.FixedOf(-20_0000)},
			panel.Listing{ID: 3, Name: "Cream"},
			`{"id":9,"old_package_size":"","new_package_size":"","old_size_numeric":null,"new_size_numeric":null,` +
				`"size_unit":null,"pct_size_change":0,"old_unit_price":null,"new_unit_price":null,` +
				`"pct_unit_price_change":-20,"shelf_price_at_change":null,"detected_at":"0001-01-01T00:00:00Z",` +
				`"confidence":"low","flag":"suspect_tiny","retailer_products":{"retailer":"Shop Inc.","banner":"shop",` +
				`"retailer_name":"Cream","brand":null,"products":{"id":1,"name":"Cream","category":"dairy"}}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := basket.Product{ID: 1, Name: "Cream", Category: basket.Dairy}
			n := basket.Banner{Key: "shop", Name: "The Shop", Retailer: "Shop Inc."}
			got := string(AppendEvent(nil, &c.event, &c.listing, &p, &n))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if !json.Valid([]byte(got)) {
				t.Error("not valid JSON")
			}
		})
	}
}
