package httpapi

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel/synth"
)

func TestPricesContract(t *testing.T) {
	f := serveDemo(t)
	inner := func(row map[string]any, object, name string) any { return row[object].(map[string]any)[name] }
	verified := func(row map[string]any) bool {
		source, ok := row["regular_price_source"].(string)
		_, promo := row["promo_detail"]
		return ok && promo && slices.Contains([]string{"scraped", "derived", "assumed_equal"}, source) && inner(row, "retailer_products", "banner") == "broadmoose"
	}
	list := slices.Concat(
		refused("product_id", "0", "-1", "51", "1.0", "07", "+7", "7,8", "milk", " 7", "99999999999999999999", "-9223372036854775808"),
		refused("city", "toronto", "Montréal", "quebec-city", "all"),
		refused("banner", "Northlarch", "bigfathom", "depotgris", "nobody", "all"),
		refused("series", "v2"), refused("category", "dairy"), refused("level", "city"), refused("confidence", "low"),
		window(5000, 10_000),
		[]scenario{
			{name: "thirty days by default", rows: "some", has: map[string]string{
				"meta.version": `"v1"`, "meta.endpoint": `"/api/v1/prices"`, "meta.gate_version": `"larder-gate-1"`, "meta.generated_at": `"2026-11-20T17:00:00Z"`,
				"meta.filters.from": `"2026-10-21"`, "meta.filters.to": `"2026-11-20"`,
				"meta.filters.product_id": `"all"`, "meta.filters.city": `"all"`, "meta.filters.banner": `"all"`,
			}, each: func(row map[string]any) bool { return row["observed_at"].(string) >= "2026-10-21T04:00:00Z" }},
			{name: "one product", query: "?product_id=7", rows: "some", has: map[string]string{"meta.filters.product_id": `"7"`}, each: func(row map[string]any) bool {
				return at(row, "retailer_products.product_id") == "7" && at(row, "retailer_products.products.id") == "7"
			}},
			{name: "one city", query: "?city=St.+John%27s", rows: "some", has: map[string]string{"meta.filters.city": `"St. John's"`}, each: func(row map[string]any) bool {
				return inner(row, "stores", "city") == "St. John's" && inner(row, "stores", "province") == "NL"
			}},
			{name: "an index banner", query: "?banner=northlarch&limit=50", rows: "some", has: map[string]string{"meta.filters.banner": `"northlarch"`},
				lacks: []string{"observations.0.regular_price_source", "observations.0.promo_detail"},
				each: func(row map[string]any) bool {
					_, source := row["regular_price_source"]
					_, promo := row["promo_detail"]
					return inner(row, "retailer_products", "banner") == "northlarch" && !source && !promo
				}},
			{name: "the verified banner", query: "?banner=broadmoose&limit=10000", rows: "some", each: verified},
			{name: "the verified banner among all", query: "?limit=10000", rows: "some", each: func(row map[string]any) bool {
				_, source := row["regular_price_source"]
				return source == (inner(row, "retailer_products", "banner") == "broadmoose")
			}},
			{name: "one day, all of it", query: "?from=2026-10-30&to=2026-10-30&limit=10000", rows: "some", each: func(row map[string]any) bool {
				at := row["observed_at"].(string) // in Toronto the day has -04:00
				return at >= "2026-10-30T04:00:00Z" && at < "2026-10-31T04:00:00Z"
			}},
			{name: "a banner that is not in the city", query: "?banner=grangelys&city=Vancouver", rows: "none"},
			{name: "the nearest id is named", query: "?product_id=60", status: 400, has: map[string]string{
				"error": `"product_id: no product has the id \"60\"; did you mean 50?"`, "accepted.0": `"1"`, "accepted.49": `"50"`, "accepted.50": absent,
			}},
			{name: "the nearest banner is named", query: "?banner=nortlarch", status: 400, has: map[string]string{
				"error": `"banner: \"nortlarch\" is not known here; did you mean \"northlarch\"?"`, "accepted.21": `"wheatlark"`, "accepted.22": absent,
			}},
		},
	)
	pricesResource.play(t, f, state.Standard, list)
}

func TestPricesMembers(t *testing.T) {
	f := serveDemo(t)
	v := f.get("/api/v1/prices?limit=10000", f.key(state.Standard)).json(t)
	members(t, "prices", v, "meta observations")
	meta := v["meta"].(map[string]any)
	members(t, "meta", meta, "version endpoint filters limit offset count has_more next_offset filtered_identity filtered_quarantine gate_version generated_at")
	members(t, "filters", meta["filters"], "product_id city banner from to")
	const row = "id retailer_product_id store_id regular_price sale_price effective_price unit_price package_size in_stock is_on_sale scraped_name observed_at retailer_products stores "
	for _, x := range v["observations"].([]any) {
		row, x := row, x.(map[string]any)
		m := x["retailer_products"].(map[string]any)
		if m["banner"] == "broadmoose" {
			row += "regular_price_source promo_detail"
		}
		members(t, "observation", x, row)
		members(t, "retailer_products", m, "product_id retailer banner retailer_sku retailer_name brand is_store_brand products")
		members(t, "products", m["products"], "id name category subcategory basket_weight")
		members(t, "stores", x["stores"], "city province")
	}
}

func TestPricesAdmission(t *testing.T) {
	admission(t, serveDemo(t), pricesResource, state.Standard)
}

// neverShown looks through all rows for what must never appear, where it was
// planted.
func neverShown(t *testing.T, all []json.RawMessage) {
	t.Helper()
	d, _ := demo()
	stores, listings, rows := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	for _, m := range all {
		x := readPrice(t, m)
		stores[x.Store], listings[x.RetailerProduct], rows[x.ID] = true, true, true
	}
	count := 0
	for _, p := range d.Planted(synth.InactiveStore) {
		count++
		for _, id := range p.Stores {
			if stores[id] {
				t.Errorf("a row of the closed store %d", id)
			}
		}
	}
	for _, p := range d.Planted(synth.RetiredListing) {
		count++
		if listings[p.Listings[0]] || !listings[p.Listings[1]] {
			t.Errorf("%v: retired shown: %t, successor shown: %t", p.Listings, listings[p.Listings[0]], listings[p.Listings[1]])
		}
	}
	for _, p := range d.Planted(synth.FormerProduct) {
		for _, id := range p.Listings {
			count++
			if listings[id] {
				t.Errorf("a row of listing %d of the product that was swapped out", id)
			}
		}
	}
	for _, p := range d.Planted(synth.PerPound, synth.StrayTitle, synth.StrayPack) {
		for _, id := range p.Observations {
			count++
			if rows[id] {
				t.Errorf("%s: observation %d is shown", p.Kind, id)
			}
		}
	}
	for _, p := range d.Planted(synth.WrongProduct, synth.WrongBasis) {
		if len(p.Stores) == 0 { // everywhere
			count++
			for _, id := range p.Listings {
				if listings[id] {
					t.Errorf("%s: a row of listing %d", p.Kind, id)
				}
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d things were looked for", count)
	}
}
