package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// priceJSON is a row of /api/v1/prices as a client reads it.
type priceJSON struct {
	ID               int64           `json:"id"`
	RetailerProduct  int64           `json:"retailer_product_id"`
	Store            int64           `json:"store_id"`
	Regular          *price          `json:"regular_price"`
	Sale             *price          `json:"sale_price"`
	Effective        *price          `json:"effective_price"`
	UnitPrice        *float64        `json:"unit_price"`
	PackageSize      *string         `json:"package_size"`
	InStock          *bool           `json:"in_stock"`
	OnSale           *bool           `json:"is_on_sale"`
	ScrapedName      *string         `json:"scraped_name"`
	ObservedAt       time.Time       `json:"observed_at"`
	Source           *string         `json:"regular_price_source,omitempty"`
	Promo            json.RawMessage `json:"promo_detail,omitempty"`
	RetailerProducts struct {
		ProductID    int     `json:"product_id"`
		Retailer     string  `json:"retailer"`
		Banner       string  `json:"banner"`
		SKU          *string `json:"retailer_sku"`
		Name         string  `json:"retailer_name"`
		Brand        *string `json:"brand"`
		IsStoreBrand *bool   `json:"is_store_brand"`
		Products     struct {
			ID          int     `json:"id"`
			Name        string  `json:"name"`
			Category    string  `json:"category"`
			Subcategory *string `json:"subcategory"`
			Weight      float64 `json:"basket_weight"`
		} `json:"products"`
	} `json:"retailer_products"`
	Stores struct {
		City     string `json:"city"`
		Province string `json:"province"`
	} `json:"stores"`
}

// price is a price as it is written: a JSON number.
type price panel.Price

func (p *price) UnmarshalJSON(b []byte) error {
	v, err := panel.ParsePrice(string(b))
	*p = price(v)
	return err
}

func (p price) MarshalJSON() ([]byte, error) { return []byte(panel.Price(p).String()), nil }

// priceOracle filters the rows one by one, with their verdicts.
type priceOracle struct {
	rows []oracleRow

	// How many rows of each kind it met.
	restated, retired, closed, swapped, unapproved, outside int
}

// oracleRow is a row with all that it refers to.
type oracleRow struct {
	panel.Observation
	day     string // in Toronto
	listing *panel.Listing
	product *basket.Product
	banner  *basket.Banner
	store   *panel.Store
	city    *basket.City
}

func newPriceOracle() *priceOracle { return &priceOracle{rows: oracleRows()} }

// oracleRows are the rows of the demo with what they refer to.
var oracleRows = sync.OnceValue(func() (rows []oracleRow) {
	d, db := apitest.Demo()
	listings, stores := map[int64]*panel.Listing{}, map[int64]*panel.Store{}
	for i := range d.Listings {
		listings[d.Listings[i].ID] = &d.Listings[i]
	}
	for i := range d.Stores {
		stores[d.Stores[i].ID] = &d.Stores[i]
	}
	all, err := sqlite.LoadAll(context.Background(), db)
	if err != nil {
		panic(err)
	}
	for i := range all.Rows.Len() {
		x := all.Rows.At(i)
		row := oracleRow{Observation: x, day: x.ObservedAt.In(panel.Toronto).Format(time.DateOnly), listing: listings[x.Listing], store: stores[x.Store]}
		row.product = find(d.Products, func(p *basket.Product) bool { return p.ID == row.listing.ProductID })
		row.banner = find(d.Banners, func(n *basket.Banner) bool { return n.Key == row.listing.Banner })
		row.city = find(d.Cities, func(c *basket.City) bool { return c.Slug == row.store.City })
		rows = append(rows, row)
	}
	return rows
})

func find[T any](list []T, is func(*T) bool) *T {
	for i := range list {
		if is(&list[i]) {
			return &list[i]
		}
	}
	panic("there is none")
}

// sequence returns the rows that a query walks, before the gate.
func (o *priceOracle) sequence(product int, city, banner, from, to string) (raw []*oracleRow) {
	for i := range o.rows {
		x := &o.rows[i]
		switch {
		case x.day < from || x.day > to:
		case product != 0 && x.product.ID != product || city != "" && x.city.Name != city || banner != "" && x.banner.Key != banner:
		case !x.store.Active:
			o.closed++
		case !x.listing.Active:
			o.retired++
		case !x.product.Active:
			o.swapped++
		case x.banner.Verified && x.RegularSource == panel.NoSource:
			o.unapproved++
		case !x.banner.InIndex && !x.banner.Verified:
			o.outside++
		default:
			raw = append(raw, x)
		}
	}
	return raw
}

// want is the row that a client should read.
func (o *priceOracle) want(x *oracleRow) (w priceJSON) {
	m, p, n, c := x.listing, x.product, x.banner, x.city
	text := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	money := func(v panel.Price) *price {
		if v == 0 {
			return nil
		}
		return (*price)(&v)
	}
	tri := func(v panel.Tri) *bool {
		is := v == panel.Yes
		if v == panel.Unknown {
			return nil
		}
		return &is
	}
	w.ID, w.RetailerProduct, w.Store = x.ID, x.Listing, x.Store
	w.Regular, w.Sale, w.Effective = money(x.Regular), money(x.Sale), money(x.Effective)
	onSale := x.OnSale
	if !n.Verified && x.Regular != 0 && (x.Regular < x.Effective || x.Regular > 4*x.Effective) {
		w.Regular, w.Sale, onSale = w.Effective, nil, false
		o.restated++
	}
	if w.OnSale = &onSale; x.UnitPrice != 0 {
		w.UnitPrice = &x.UnitPrice
	}
	w.PackageSize, w.InStock, w.ScrapedName, w.ObservedAt = text(x.PackageSize), tri(x.InStock), text(x.ScrapedName), x.ObservedAt.UTC()
	if n.Verified {
		w.Source = text([]string{"", "scraped", "derived", "assumed_equal"}[x.RegularSource])
		if w.Promo = json.RawMessage("null"); x.PromoDetail != "" {
			w.Promo = json.RawMessage(x.PromoDetail)
		}
	}
	r := &w.RetailerProducts
	r.ProductID, r.Retailer, r.Banner, r.SKU, r.IsStoreBrand = p.ID, n.Retailer, n.Key, text(m.SKU), tri(m.IsStoreBrand)
	r.Name, r.Brand = panel.Repair(m.Name), text(panel.Repair(m.Brand))
	r.Products.ID, r.Products.Name, r.Products.Category, r.Products.Subcategory, r.Products.Weight = p.ID, p.Name, p.Category.String(), text(p.Subcategory), p.Weight
	w.Stores.City, w.Stores.Province = c.Name, c.Province
	return w
}

// readPrice reads a row strictly.
func readPrice(t *testing.T, m json.RawMessage) (x priceJSON) {
	t.Helper()
	if err := unmarshalStrictly(m, &x); err != nil {
		t.Fatalf("%s: %v", m, err)
	}
	return x
}

func unmarshalStrictly(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// checkPrices compares sent rows with the oracle's, and returns how many rows of the raw
// sequence each verdict drops.
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
