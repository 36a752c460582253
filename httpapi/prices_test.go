package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

func TestPricesContract(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
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
	admission(t, f, pricesResource, state.Standard)
}

// TestPricesAreTheRows compares every row of the whole history.
func TestPricesAreTheRows(t *testing.T) {
	t.Parallel()
	f, o := apitest.Serve(t), newPriceOracle()
	got := pricesResource.walk(f, f.Key(state.Standard), "from=2026-01-01&to=2026-12-31", func() int { return 10_000 }, nil)
	raw := o.sequence(0, "", "", "2026-01-01", "2026-12-31")
	identity, quarantine := o.checkPrices(t, got.rows, raw)
	if got.raw != len(raw) || got.identity != identity || got.quarantine != quarantine {
		t.Errorf("walked %d, dropped %d and %d, want %d, %d and %d", got.raw, got.identity, got.quarantine, len(raw), identity, quarantine)
	}
	neverShown(t, o.shown)
	for what, n := range map[string]int{
		"identity": identity, "quarantine": quarantine, "restated": o.restated, "retired": o.retired, "closed": o.closed,
		"swapped out": o.swapped, "unapproved": o.unapproved, "outside the index": o.outside,
	} {
		if n < 4 {
			t.Errorf("only %d rows of the kind: %s", n, what)
		}
	}
}

// neverShown looks through all rows for planted rows that must not appear.
func neverShown(t *testing.T, all []priceJSON) {
	t.Helper()
	d, _ := apitest.Demo()
	stores, listings, rows := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	for i := range all {
		x := &all[i]
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

// TestPricesFilters compares pages of random queries, in their middle too.
func TestPricesFilters(t *testing.T) {
	t.Parallel()
	f, o := apitest.Serve(t), newPriceOracle()
	key := f.Key(state.Standard)
	r := rand.New(rand.NewPCG(7, 11))
	banners, cities := bannerKeys(func(n *basket.Banner) bool { return n.InIndex || n.Verified }), cityNames()
	rows, dropped := 0, 0
	for range 60 {
		product, city, banner, query := 0, "", "", ""
		if r.IntN(2) == 0 {
			product = 1 + r.IntN(50)
			query += fmt.Sprintf("&product_id=%d", product)
		}
		if r.IntN(2) == 0 {
			city = cities[r.IntN(len(cities))]
			query += "&city=" + city
		}
		if r.IntN(3) == 0 {
			banner = banners[r.IntN(len(banners))]
			query += "&banner=" + banner
		}
		from := panel.DateOf(2026, 7, 10) + panel.Date(r.IntN(130))
		to := from + panel.Date(r.IntN(30))
		limit, offset := 1+r.IntN(400), r.IntN(2)*r.IntN(300)
		query = fmt.Sprintf("?from=%s&to=%s&limit=%d&offset=%d%s", from, to, limit, offset, query)
		raw := o.sequence(product, city, banner, from.String(), to.String())
		page := raw[min(offset, len(raw)):min(offset+limit, len(raw))]

		reply := f.Get(pricesResource.path+escape(query), key)
		var v struct {
			Meta struct {
				HasMore    bool `json:"has_more"`
				Identity   int  `json:"filtered_identity"`
				Quarantine int  `json:"filtered_quarantine"`
			}
			Observations []json.RawMessage
		}
		if err := json.Unmarshal(reply.Content, &v); err != nil || reply.StatusCode != 200 {
			t.Fatalf("%s: %d, %v", query, reply.StatusCode, err)
		}
		identity, quarantine := o.checkPrices(t, v.Observations, page)
		if more := offset+limit < len(raw); v.Meta.HasMore != more || v.Meta.Identity != identity || v.Meta.Quarantine != quarantine {
			t.Errorf("%s: %+v, want %t, %d, %d", query, v.Meta, more, identity, quarantine)
		}
		rows, dropped = rows+len(page), dropped+identity+quarantine
	}
	if rows < 3000 || dropped < 4 {
		t.Errorf("only %d rows were compared, and %d dropped", rows, dropped)
	}
}

func TestPricesPages(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	key := f.Key(state.Standard)
	for name, limit := range pageLengths(rand.New(rand.NewPCG(1, 2))) {
		t.Run(name, func(t *testing.T) {
			f := f.For(t)
			query := "from=2026-11-01&to=2026-11-20"
			switch name { // parts that have rows which the gate drops
			case "1":
				query = "from=2026-07-01&product_id=7&banner=northlarch&city=Toronto"
			case "7":
				query = "from=2026-09-01&product_id=9&city=Toronto"
			}
			whole := pricesResource.walk(f, key, query, func() int { return 10_000 }, nil)
			got := pricesResource.walk(f, key, query, limit, nil)
			sameRows(t, got.rows, whole.rows)
			if got.raw != whole.raw || got.identity != whole.identity || got.quarantine != whole.quarantine {
				t.Errorf("walked %d, %d, %d; in one page %d, %d, %d", got.raw, got.identity, got.quarantine, whole.raw, whole.identity, whole.quarantine)
			}
			if len(got.rows) == 0 {
				t.Error("no rows")
			}
		})
	}
}

func TestPricesAreRepaired(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	d, _ := apitest.Demo()
	plant := d.Planted(synth.Mojibake)[0]
	spoiled := map[int64]string{}
	for _, m := range d.Listings {
		spoiled[m.ID] = m.Name
	}
	got := pricesResource.walk(f, f.Key(state.Standard), "banner="+plant.Banner, func() int { return 10_000 }, nil)
	seen := 0
	for _, m := range got.rows {
		x := readPrice(t, m)
		for _, id := range plant.Listings {
			if x.RetailerProduct != id {
				continue
			}
			seen++
			if name := x.RetailerProducts.Name; name == spoiled[id] || strings.ContainsAny(name, "\u00c3\u00c2") {
				t.Fatalf("retailer_name is %q", name)
			}
			if *x.ScrapedName != spoiled[id] {
				t.Fatalf("scraped_name is %q, scraped was %q", *x.ScrapedName, spoiled[id])
			}
		}
	}
	if seen < 4 {
		t.Errorf("only %d rows", seen)
	}
}
