package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

func unmarshalStrictly(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// checkPrices compares rows as sent with the rows that should be, and returns
// the rows of the raw sequence that each verdict drops.
func (o *priceOracle) checkPrices(t *testing.T, got []json.RawMessage, raw []*oracleRow) (identity, quarantine int) {
	t.Helper()
	next := 0
	for i := range raw {
		switch raw[i].Verdict {
		case panel.FailsIdentity:
			identity++
		case panel.Quarantined:
			quarantine++
		default:
			if next == len(got) {
				t.Fatalf("%d rows; the next should be of observation %d", len(got), raw[i].ID)
			}
			x, want := readPrice(t, got[next]), o.want(raw[i])
			if !reflect.DeepEqual(x, want) {
				t.Fatalf("row %d, -want +got:\n%s", next, cmp.Diff(want, x))
			}
			next++
		}
	}
	if next != len(got) {
		t.Fatalf("%d rows more than should be: %s", len(got)-next, got[next])
	}
	return identity, quarantine
}

// TestPricesAreTheRows compares every row of the whole history.
func TestPricesAreTheRows(t *testing.T) {
	f, o := serveDemo(t), newPriceOracle()
	got := pricesResource.walk(f, f.key(state.Standard), "from=2026-01-01&to=2026-12-31", func() int { return 10_000 }, nil)
	raw := o.sequence(0, "", "", "2026-01-01", "2026-12-31")
	identity, quarantine := o.checkPrices(t, got.rows, raw)
	if got.raw != len(raw) || got.identity != identity || got.quarantine != quarantine {
		t.Errorf("walked %d, dropped %d and %d, want %d, %d and %d", got.raw, got.identity, got.quarantine, len(raw), identity, quarantine)
	}
	neverShown(t, got.rows)
	for what, n := range map[string]int{
		"identity": identity, "quarantine": quarantine, "restated": o.restated, "retired": o.retired, "closed": o.closed,
		"swapped out": o.swapped, "unapproved": o.unapproved, "outside the index": o.outside,
	} {
		if n < 4 {
			t.Errorf("only %d rows of the kind: %s", n, what)
		}
	}
}

// TestPricesFilters compares pages of random queries, in their middle too.
func TestPricesFilters(t *testing.T) {
	f, o := serveDemo(t), newPriceOracle()
	key := f.key(state.Standard)
	r := rand.New(rand.NewPCG(7, 11))
	banners, cities := f.snapshots.Current().priceBanners, f.snapshots.Current().cityNames
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

		reply := f.get(pricesResource.path+escape(query), key)
		var v struct {
			Meta struct {
				HasMore    bool `json:"has_more"`
				Identity   int  `json:"filtered_identity"`
				Quarantine int  `json:"filtered_quarantine"`
			}
			Observations []json.RawMessage
		}
		if err := json.Unmarshal(reply.body, &v); err != nil || reply.StatusCode != 200 {
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
	f := serveDemo(t)
	key := f.key(state.Standard)
	for name, limit := range pageLengths(rand.New(rand.NewPCG(1, 2))) {
		t.Run(name, func(t *testing.T) {
			f := *f
			f.t = t
			query := "from=2026-11-01&to=2026-11-20"
			switch name { // parts that have rows which the gate drops
			case "1":
				query = "from=2026-07-01&product_id=7&banner=northlarch&city=Toronto"
			case "7":
				query = "from=2026-09-01&product_id=9&city=Toronto"
			}
			whole := pricesResource.walk(&f, key, query, func() int { return 10_000 }, nil)
			got := pricesResource.walk(&f, key, query, limit, nil)
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
	f := serveDemo(t)
	d, _ := demo()
	plant := d.Planted(synth.Mojibake)[0]
	spoiled := map[int64]string{}
	for _, m := range d.Listings {
		spoiled[m.ID] = m.Name
	}
	got := pricesResource.walk(f, f.key(state.Standard), "banner="+plant.Banner, func() int { return 10_000 }, nil)
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
