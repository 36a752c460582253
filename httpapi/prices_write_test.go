package httpapi

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

func TestAppendPrice(t *testing.T) {
	product := basket.Product{ID: 7, Name: "Chicken", Category: basket.Meat, Subcategory: "poultry", Weight: 0.05}
	const shared = `,"retailer_products":{"product_id":7,"retailer":"Shop \u0026 Co.","banner":"shop","retailer_sku":"A\u003c1","retailer_name":"Poulet entier frais","brand":"Ferme É.","is_store_brand":false,` +
		`"products":{"id":7,"name":"Chicken","category":"meat","subcategory":"poultry","basket_weight":0.05}},"stores":{"city":"St. John's","province":"NL"}}`
	full := panel.Listing{ID: 3, ProductID: 7, Banner: "shop", SKU: "A<1", Name: "Poulet entier frais", Brand: "Ferme É.", IsStoreBrand: panel.No}
	bare := panel.Listing{ID: 3, ProductID: 7, Banner: "shop", Name: "Chicken"}
	for _, c := range []struct {
		name     string
		row      panel.Observation
		listing  panel.Listing
		verified bool
		product  basket.Product
		want     string
	}{
		{
			"every member given",
			panel.Observation{
				ID: 11, Listing: 3, Store: 5, Regular: 69900, Sale: 59900, Effective: 12345, UnitPrice: 0.6, PackageSize: "2 × 500 g", InStock: panel.Yes, OnSale: true,
				ScrapedName: "Poulet \"frais\"", ObservedAt: time.Date(2026, 8, 30, 22, 23, 0, 5e8, panel.Toronto), RegularSource: panel.Scraped, PromoDetail: "{}",
			},
			full, false, product,
			`{"id":11,"retailer_product_id":3,"store_id":5,"regular_price":6.99,"sale_price":5.99,"effective_price":1.2345,"unit_price":0.6,"package_size":"2 × 500 g","in_stock":true,"is_on_sale":true,` +
				`"scraped_name":"Poulet \"frais\"","observed_at":"2026-08-31T02:23:00.5Z"` + shared,
		},
		{
			"a verified banner's row",
			panel.Observation{
				ID: 12, Listing: 3, Store: 5, Effective: 100, InStock: panel.No, ObservedAt: time.Date(2026, 8, 30, 0, 0, 0, 0, time.UTC), RegularSource: panel.AssumedEqual,
				PromoDetail: "{ \"packagePrice\": 12.50,\n\t\"regularPriceBasisUnavailable\" : true }",
			},
			full, true, product,
			`{"id":12,"retailer_product_id":3,"store_id":5,"regular_price":null,"sale_price":null,"effective_price":0.01,"unit_price":null,"package_size":null,"in_stock":false,"is_on_sale":false,` +
				`"scraped_name":null,"observed_at":"2026-08-30T00:00:00Z","regular_price_source":"assumed_equal","promo_detail":{"packagePrice":12.50,"regularPriceBasisUnavailable":true}` + shared,
		},
		{
			"nothing known",
			panel.Observation{ID: 12, Listing: 3, Store: 5, Effective: 10000, ObservedAt: time.Date(2026, 8, 30, 0, 0, 0, 0, time.UTC), RegularSource: panel.Derived},
			bare, true, basket.Product{ID: 7, Name: "Chicken", Category: basket.Meat},
			`{"id":12,"retailer_product_id":3,"store_id":5,"regular_price":null,"sale_price":null,"effective_price":1.00,"unit_price":null,"package_size":null,"in_stock":null,"is_on_sale":false,` +
				`"scraped_name":null,"observed_at":"2026-08-30T00:00:00Z","regular_price_source":"derived","promo_detail":null,` +
				`"retailer_products":{"product_id":7,"retailer":"Shop \u0026 Co.","banner":"shop","retailer_sku":null,"retailer_name":"Chicken","brand":null,"is_store_brand":null,` +
				`"products":{"id":7,"name":"Chicken","category":"meat","subcategory":null,"basket_weight":0}},"stores":{"city":"St. John's","province":"NL"}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := basket.Banner{Key: "shop", Name: "The Shop", Retailer: "Shop & Co."}
			m := priceListing{verified: c.verified, text: appendRetailerProduct(nil, &c.listing, &c.product, &n)}
			l := newPriceLabel(&m, &c.row)
			s := priceStore{text: appendStore(nil, &basket.City{Slug: "st-johns", Name: "St. John's", Province: "NL"})}
			got := appendPrice(nil, &c.row, &l, &s)
			if !json.Valid(got) {
				t.Fatalf("not valid JSON: %s", got)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestPromoIsCompact(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "null",
		"{}":                               "{}",
		`{"packagePrice":1.50}`:            `{"packagePrice":1.50}`,
		" {\r\n\"packagePrice\" :\t1e1 } ": `{"packagePrice":1e1}`,
		`{"regularPriceBasisUnavailable": false}`:     `{"regularPriceBasisUnavailable":false}`,
		`{ "packagePrice" 1 }`:                        "null",
		`{"\u0070ackagePrice":1,"packageWasPrice":2}`: `{"\u0070ackagePrice":1,"packageWasPrice":2}`,
	} {
		if got := string(appendPromo(nil, text)); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
}

// A page of prices needs one piece of memory, however many rows it has and
// whatever is in them.
func TestPricesAllocateNothingPerRow(t *testing.T) {
	const n = 500
	observations := make([]panel.Observation, n)
	for i := range observations {
		observations[i] = panel.Observation{
			ID: int64(i + 1), Store: 2, ObservedAt: time.Date(2026, 8, 3, 9, 30, 0, 0, time.UTC), Regular: 59900, Sale: 39900, OnSale: true, UnitPrice: 1.05,
			ScrapedName: "Lait \"entier\" <b> & crème, 2 L", PackageSize: "2 × 1 L", InStock: panel.Yes,
			RegularSource: panel.AssumedEqual, PromoDetail: `{"packagePrice":3.99,"regularPriceBasisUnavailable":true}`,
		}
	}
	p := serveRows(t, observations...).prices()
	if len(p.rows) != n {
		t.Fatalf("%d rows, want %d", len(p.rows), n)
	}
	var text []byte
	if got := testing.AllocsPerRun(10, func() { text = p.append(nil, p.rows) }); got != 1 {
		t.Errorf("%d rows take %.0f allocations, want 1", n, got)
	}
	if cap(text) > len(text)*5/4 {
		t.Errorf("room for %d bytes was made for %d", cap(text), len(text))
	}
}
