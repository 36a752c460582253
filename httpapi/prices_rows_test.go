package httpapi

import (
	"fmt"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// serveRows makes a snapshot in memory: store 1 is of an index banner, store 2
// of one that is verified too, store 3 of a verified one only, store 4 of
// neither. Listing and store have the same number.
func serveRows(t *testing.T, rows ...panel.Observation) *Served {
	t.Helper()
	b := panel.NewBuilder(0)
	product := basket.Product{ID: 1, Name: "Milk", Category: basket.Dairy, StandardSize: 4000, Unit: basket.Millilitre, Weight: 1, SoldBy: basket.ByPackage, Active: true}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(b.AddProduct(product))
	must(b.AddCity(basket.City{Slug: "here", Name: "Here", Province: "ON"}))
	var listings []panel.Listing
	for i, n := range []basket.Banner{
		{Key: "index", InIndex: true}, {Key: "both", InIndex: true, Verified: true}, {Key: "reviewed", Verified: true}, {Key: "shopper", InShopper: true},
	} {
		n.Name, n.Retailer = n.Key, n.Key
		id := int64(i + 1)
		listings = append(listings, panel.Listing{ID: id, ProductID: 1, Banner: n.Key, Name: "Milk", Active: true})
		must(b.AddBanner(n))
		must(b.AddStore(panel.Store{ID: id, Banner: n.Key, City: "here", Active: true}))
		must(b.AddListing(listings[i]))
	}
	for i := range rows {
		o := &rows[i]
		o.Listing, o.Effective = o.Store, 39900
		must(b.Observe(o))
	}
	p, err := b.Build()
	must(err)
	gate := panel.NewGate([]basket.Product{product}, listings, nil, nil)
	judged, err := panel.NewRows(gate, func(yield func(*panel.Observation, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	})
	must(err)
	s, err := newServed(&sqlite.Contents{Panel: p, Rows: judged})
	must(err)
	return s
}

func ids(p *priceRows, rows []priceRow) (list []int64) {
	for _, r := range rows {
		list = append(list, p.At(int(r.row)).ID)
	}
	return list
}

func TestPricesOfBanners(t *testing.T) {
	at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	s := serveRows(t,
		panel.Observation{ID: 8, Store: 1, ObservedAt: at},
		panel.Observation{ID: 7, Store: 2, ObservedAt: at},
		panel.Observation{ID: 6, Store: 2, ObservedAt: at, RegularSource: panel.Scraped},
		panel.Observation{ID: 5, Store: 3, ObservedAt: at},
		panel.Observation{ID: 4, Store: 3, ObservedAt: at, RegularSource: panel.AssumedEqual},
		panel.Observation{ID: 3, Store: 4, ObservedAt: at},
		panel.Observation{ID: 2, Store: 4, ObservedAt: at, RegularSource: panel.Scraped},
		panel.Observation{ID: 9, Store: 1, ObservedAt: at.Add(-time.Nanosecond)},
	)
	p := s.prices()
	if got := fmt.Sprint(ids(p, p.rows)); got != "[9 4 6 8]" {
		t.Errorf("the rows are %s, want [9 4 6 8]", got)
	}
	if got := fmt.Sprint(s.priceBanners, s.indexBanners); got != "[both index reviewed] [both index]" {
		t.Errorf("the accepted banners are %s", got)
	}
}

func TestPricesOfDays(t *testing.T) {
	moment := func(id int64, s string) panel.Observation {
		at, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return panel.Observation{ID: id, Store: 1, ObservedAt: at}
	}
	p := serveRows(t,
		moment(1, "1970-01-01T00:00:00Z"), // the day before in Toronto
		moment(2, "2026-10-31T03:59:59.999999999Z"), moment(3, "2026-10-31T04:00:00Z"),
		moment(4, "2026-11-01T03:59:59Z"), moment(5, "2026-11-01T04:00:00Z"), // the clocks go back on this day
		moment(6, "2026-11-02T04:59:59.999999999Z"), moment(7, "2026-11-02T05:00:00Z"),
		moment(8, "2199-12-31T23:59:59Z"),
	).prices()
	day := func(s string) panel.Date {
		d, err := panel.ParseDate(s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
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
		if got := fmt.Sprint(ids(p, p.between(day(c.from), day(c.to)))); got != c.want {
			t.Errorf("from %s to %s: %s, want %s", c.from, c.to, got, c.want)
		}
	}
}
