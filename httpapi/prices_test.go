package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

func TestPricesContract(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
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
			}},
			{name: "filters are said again", query: "?product_id=7&city=St.+John%27s", rows: "some", has: map[string]string{"meta.filters.product_id": `"7"`, "meta.filters.city": `"St. John's"`}},
			{name: "an index banner", query: "?banner=northlarch", rows: "some", has: map[string]string{"meta.filters.banner": `"northlarch"`},
				lacks: []string{"observations.0.regular_price_source", "observations.0.promo_detail"}},
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

// TestPricesAreTheRows compares every row of the whole history with the oracle's.
func TestPricesAreTheRows(t *testing.T) {
	t.Parallel()
	f, o := apitest.Serve(t), newPriceOracle()
	got := pricesResource.walk(f, f.Key(state.Standard), "from=2026-01-01&to=2026-12-31", func() int { return 10_000 }, nil)
	raw := o.sequence(0, "", "", "2026-01-01", "2026-12-31")
	identity, quarantine := o.checkPrices(t, got.rows, raw)
	if got.raw != len(raw) || got.identity != identity || got.quarantine != quarantine {
		t.Errorf("walked %d, dropped %d and %d, want %d, %d and %d", got.raw, got.identity, got.quarantine, len(raw), identity, quarantine)
	}
	for what, n := range map[string]int{
		"identity": identity, "quarantine": quarantine, "restated": o.restated, "retired": o.retired, "closed": o.closed,
		"swapped out": o.swapped, "unapproved": o.unapproved, "outside the index": o.outside,
	} {
		if n < 4 {
			t.Errorf("only %d rows of the kind: %s", n, what)
		}
	}
}

// TestPricesFilters compares pages of random queries with the oracle's.
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
