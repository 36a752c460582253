package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// pricesIn reads the ids and the prices of rows, as priceOracle writes them. TestPriceRow and TestFilesAreThePages
// compare the other members.
func pricesIn(rows []json.RawMessage) (list []string) {
	for _, text := range rows {
		var r struct {
			ID        json.Number
			Regular   *json.Number `json:"regular_price"`
			Sale      *json.Number `json:"sale_price"`
			Effective *json.Number `json:"effective_price"`
			OnSale    bool         `json:"is_on_sale"`
		}
		check(json.Unmarshal(text, &r))
		line := r.ID.String()
		for _, price := range []*json.Number{r.Regular, r.Sale, r.Effective} {
			if price == nil {
				line += " none"
			} else {
				line += " " + price.String()
			}
		}
		list = append(list, fmt.Sprint(line, " ", r.OnSale))
	}
	return list
}

// priceOracle filters the rows of the demo one by one, with their verdicts.
type priceOracle struct {
	*apitest.Market
	rows     *panel.Rows
	days     []string // of the rows, in Toronto
	listings map[int64]*panel.Listing
	stores   map[int64]*panel.Store
	met      map[string]int // rows by what is done with them
}

func newPriceOracle(t *testing.T) *priceOracle {
	d, db := apitest.Demo()
	all := must(sqlite.LoadAll(context.Background(), db))
	o := &priceOracle{d, all.Rows, nil, map[int64]*panel.Listing{}, map[int64]*panel.Store{}, map[string]int{}}
	for i := range o.rows.Len() {
		o.days = append(o.days, o.rows.At(i).ObservedAt.In(panel.Calendar{}.Zone()).Format(time.DateOnly))
	}
	for i := range d.Listings {
		o.listings[d.Listings[i].ID] = &d.Listings[i]
	}
	for i := range d.Stores {
		o.stores[d.Stores[i].ID] = &d.Stores[i]
	}
	return o
}

func find[T any](list []T, is func(*T) bool) *T {
	for i := range list {
		if is(&list[i]) {
			return &list[i]
		}
	}
	panic("there is none")
}

// want returns the rows that a query gets, and how many the gate drops by identity and quarantine.
func (o *priceOracle) want(product int64, city, banner, from, to string) (rows []string, identity, quarantine int) {
	for i, day := range o.days {
		if day < from || day > to {
			continue
		}
		x := o.rows.At(i)
		m, s := o.listings[x.Listing], o.stores[x.Store]
		p := find(o.Products, func(p *basket.Product) bool { return p.ID == m.ProductID })
		n := find(o.Banners, func(n *basket.Banner) bool { return n.Key == m.Banner })
		c := find(o.Cities, func(c *basket.City) bool { return c.Slug == s.City })
		switch {
		case product != 0 && p.ID != product || city != "" && c.Name != city || banner != "" && n.Key != banner:
		case !s.Active:
			o.met["of a closed store"]++
		case !m.Active:
			o.met["of a retired listing"]++
		case !p.Active:
			o.met["of a product that was swapped out"]++
		case n.Verified && x.RegularSource == panel.NoSource:
			o.met["not approved"]++
		case !n.InIndex && !n.Verified:
			o.met["outside the index"]++
		case x.Verdict == panel.FailsIdentity:
			identity++
		case x.Verdict == panel.Quarantined:
			quarantine++
		default:
			rows = append(rows, o.row(&x, n))
		}
	}
	return rows, identity, quarantine
}

// row returns the id and the prices that a client should read of an observation.
func (o *priceOracle) row(x *panel.Observation, n *basket.Banner) string {
	regular, sale, onSale := x.Regular, x.Sale, x.OnSale
	if !n.Verified && regular != 0 && (regular < x.Effective || regular > 4*x.Effective) {
		regular, sale, onSale = x.Effective, 0, false
		o.met["restated"]++
	}
	line := fmt.Sprint(x.ID)
	for _, price := range []panel.Price{regular, sale, x.Effective} {
		if price == 0 {
			line += " none"
		} else {
			line += " " + price.String()
		}
	}
	return fmt.Sprint(line, " ", onSale)
}

// TestPrices compares the rows of two months, and of random queries, with the oracle's, in pages of random lengths.
func TestPrices(t *testing.T) {
	t.Parallel()
	f, o := apitest.Serve(t), newPriceOracle(t)
	key := f.Key(state.Standard)
	r := rand.New(rand.NewPCG(7, 11))
	for n := range 25 {
		product, city, banner, query := 0, "", "", url.Values{}
		from, to := panel.DateOf(2026, 8, 1), panel.DateOf(2026, 9, 30)
		if n > 0 {
			from = panel.DateOf(2026, 7, 10) + panel.Date(r.IntN(130))
			to = from + panel.Date(r.IntN(30))
			if n%2 == 0 {
				product = 1 + r.IntN(50)
				query.Set("product_id", fmt.Sprint(product))
			}
			if n%3 == 0 {
				city = o.Cities[r.IntN(len(o.Cities))].Name
				query.Set("city", city)
			}
			if b := o.Banners[r.IntN(len(o.Banners))]; n%4 < 2 && (b.InIndex || b.Verified) {
				banner = b.Key
				query.Set("banner", banner)
			}
		}
		query.Set("from", from.String())
		query.Set("to", to.String())
		limit := func() int { return 400 + r.IntN(9600) }
		if product != 0 {
			limit = func() int { return 1 + r.IntN(400) }
		}
		got := pricesResource.walk(f, key, query.Encode(), limit)
		want, identity, quarantine := o.want(int64(product), city, banner, from.String(), to.String())
		if diff := cmp.Diff(want, pricesIn(got.rows)); diff != "" {
			t.Fatalf("%v: -want +got\n%.2000s", query, diff)
		}
		if got.identity != identity || got.quarantine != quarantine {
			t.Errorf("%v: dropped %d and %d, want %d and %d", query, got.identity, got.quarantine, identity, quarantine)
		}
		o.met["dropped by identity"] += identity
		o.met["quarantined"] += quarantine
	}
	for what, n := range o.met {
		if n < 4 {
			t.Errorf("only %d rows %s", n, what)
		}
	}
	if len(o.met) != 8 {
		t.Errorf("met %v", o.met)
	}
}

// milkMarket is a panel of milk in one city. Store 1 is of an index banner, store 2
// of one that is also verified, store 3 of a banner that is only verified, store 4
// of neither. Listing and store have the same number.
func milkMarket(rows ...panel.Observation) *apitest.Market {
	m := &apitest.Market{
		Products: []basket.Product{{ID: 1, Name: "Milk", Category: "dairy", StandardSize: 4000, Unit: basket.Millilitre, Weight: 1, SoldBy: basket.ByPackage, Active: true}},
		Cities:   []basket.City{{Slug: "here", Name: "St. John's", Province: "NL"}},
		Banners:  []basket.Banner{{Key: "index", InIndex: true}, {Key: "both", InIndex: true, Verified: true}, {Key: "reviewed", Verified: true}, {Key: "shopper", InShopper: true}},
		Rows:     rows,
	}
	for i := range m.Banners {
		n, id := &m.Banners[i], int64(i+1)
		n.Name, n.Retailer = n.Key, "Shop & Co."
		m.Stores = append(m.Stores, panel.Store{ID: id, Banner: n.Key, City: "here", Active: true})
		m.Listings = append(m.Listings, panel.Listing{ID: id, ProductID: 1, Banner: n.Key, Name: "Milk", Active: true})
	}
	for i := range m.Rows {
		o := &m.Rows[i]
		o.Listing = o.Store
		if o.Effective == 0 {
			o.Effective = 39900
		}
	}
	return m
}

// pricesOf asks a server on the market for prices, and returns the rows and their ids.
func pricesOf(t *testing.T, m *apitest.Market) func(query string) (rows []json.RawMessage, ids string) {
	f := apitest.ServeFile(t, m.Snapshot(t))
	key := f.Key(state.Standard)
	return func(query string) ([]json.RawMessage, string) {
		t.Helper()
		got := pricesResource.walk(f, key, query, func() int { return 1000 })
		var list []string
		for _, row := range pricesIn(got.rows) {
			id, _, _ := strings.Cut(row, " ")
			list = append(list, id)
		}
		return got.rows, fmt.Sprint(list)
	}
}

func TestPricesOfDays(t *testing.T) {
	t.Parallel()
	moment := func(id int64, s string) panel.Observation {
		at := must(time.Parse(time.RFC3339Nano, s))
		return panel.Observation{ID: id, Store: 1, ObservedAt: at}
	}
	ask := pricesOf(t, milkMarket(
		moment(1, "1970-01-01T00:00:00Z"), // the day before in Toronto
		moment(2, "2026-10-31T03:59:59.999999Z"), moment(3, "2026-10-31T04:00:00Z"),
		moment(4, "2026-11-01T03:59:59Z"), moment(5, "2026-11-01T04:00:00Z"), // the clocks go back on this day
		moment(6, "2026-11-02T04:59:59.999999Z"), moment(7, "2026-11-02T05:00:00Z"),
		moment(8, "2199-12-31T23:59:59Z"),
	))
	for _, c := range []struct{ from, to, want string }{
		{"2026-10-31", "2026-10-31", "[3 4]"},
		{"2026-11-01", "2026-11-01", "[5 6]"},
		{"2026-10-30", "2026-11-02", "[2 3 4 5 6 7]"},
		{"2026-11-02", "2026-10-30", "[]"},
		{"0001-01-01", "9999-12-31", "[1 2 3 4 5 6 7 8]"},
		{"0001-01-01", "1969-12-30", "[]"},
		{"0001-01-01", "1969-12-31", "[1]"},
		{"0001-01-01", "0001-01-01", "[]"},
		{"2199-12-31", "2199-12-31", "[8]"},
		{"2200-01-01", "9999-12-31", "[]"},
		{"9999-12-31", "9999-12-31", "[]"},
	} {
		if _, got := ask("from=" + c.from + "&to=" + c.to); got != c.want {
			t.Errorf("from %s to %s: %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

// TestPriceRow compares rows byte by byte: with every member given, of a verified
// banner, and with nothing known.
func TestPriceRow(t *testing.T) {
	t.Parallel()
	m := milkMarket(
		panel.Observation{
			ID: 11, Store: 1, Regular: 69900, Sale: 59900, Effective: 59900, UnitPrice: 0.6, PackageSize: "2 × 500 g", InStock: panel.Yes, OnSale: true,
			ScrapedName: "Lait \"entier\"", ObservedAt: time.Date(2026, 8, 30, 22, 23, 0, 5e8, panel.Calendar{}.Zone()), PromoDetail: "",
		},
		panel.Observation{
			ID: 12, Store: 2, Effective: 10100, InStock: panel.No, ObservedAt: time.Date(2026, 8, 31, 10, 0, 0, 0, time.UTC), RegularSource: panel.AssumedEqual,
			PromoDetail: "{ \"packagePrice\": 12.50,\n\t\"regularPriceBasisUnavailable\" : true }",
		},
		panel.Observation{ID: 13, Store: 3, Effective: 10000, ObservedAt: time.Date(2026, 8, 31, 11, 0, 0, 0, time.UTC), RegularSource: panel.Derived},
	)
	m.Products[0].Subcategory = "milk"
	l := &m.Listings[0]
	l.SKU, l.Name, l.Brand, l.IsStoreBrand = "A<1", "Lait entier <frais>", "Ferme É.", panel.No
	rows, _ := pricesOf(t, m)("from=2026-08-01")
	const milk = `"products":{"id":1,"name":"Milk","category":"dairy","subcategory":"milk","basket_weight":1}},"stores":{"city":"St. John's","province":"NL"}}`
	for i, want := range []string{
		`{"id":11,"retailer_product_id":1,"store_id":1,"regular_price":6.99,"sale_price":5.99,"effective_price":5.99,"unit_price":0.6,"package_size":"2 × 500 g","in_stock":true,"is_on_sale":true,` +
			`"scraped_name":"Lait \"entier\"","observed_at":"2026-08-31T02:23:00.5Z","retailer_products":{"product_id":1,"retailer":"Shop \u0026 Co.","banner":"index","retailer_sku":"A\u003c1",` +
			`"retailer_name":"Lait entier \u003cfrais\u003e","brand":"Ferme É.","is_store_brand":false,` + milk,
		`{"id":12,"retailer_product_id":2,"store_id":2,"regular_price":null,"sale_price":null,"effective_price":1.01,"unit_price":null,"package_size":null,"in_stock":false,"is_on_sale":false,` +
			`"scraped_name":null,"observed_at":"2026-08-31T10:00:00Z","regular_price_source":"assumed_equal","promo_detail":{"packagePrice":12.50,"regularPriceBasisUnavailable":true},` +
			`"retailer_products":{"product_id":1,"retailer":"Shop \u0026 Co.","banner":"both","retailer_sku":null,"retailer_name":"Milk","brand":null,"is_store_brand":null,` + milk,
		`{"id":13,"retailer_product_id":3,"store_id":3,"regular_price":null,"sale_price":null,"effective_price":1.00,"unit_price":null,"package_size":null,"in_stock":null,"is_on_sale":false,` +
			`"scraped_name":null,"observed_at":"2026-08-31T11:00:00Z","regular_price_source":"derived","promo_detail":null,` +
			`"retailer_products":{"product_id":1,"retailer":"Shop \u0026 Co.","banner":"reviewed","retailer_sku":null,"retailer_name":"Milk","brand":null,"is_store_brand":null,` + milk,
	} {
		if i >= len(rows) {
			t.Fatalf("%d rows", len(rows))
		}
		if diff := cmp.Diff(want, string(rows[i])); diff != "" {
			t.Errorf("row %d, -want +got:\n%s", i, diff)
		}
	}
}
