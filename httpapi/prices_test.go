package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
)

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
