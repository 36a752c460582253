package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// productRow is what is used of a product, in /api/v1/products.
type productRow struct {
	ID       int      `json:"id"`
	Name     string   `json:"name"`
	Category string   `json:"category"`
	Weight   *float64 `json:"basket_weight"`
	Size     float64  `json:"standard_size"`
	Unit     string   `json:"unit"`
}

func (r *productRow) check() error {
	_, err := r.product()
	return err
}

// product returns the product. How it is sold is not told, and plays no part in
// the index.
func (r *productRow) product() (basket.Product, error) {
	category, err := basket.ParseCategory(r.Category)
	unit, err2 := basket.ParseUnit(r.Unit)
	if r.Weight == nil {
		err2 = errors.Join(err2, errors.New("basket_weight is missing"))
	}
	if err := errors.Join(err, err2); err != nil {
		return basket.Product{}, fmt.Errorf("product %d: %w", r.ID, err)
	}
	p := basket.Product{
		ID: r.ID, Name: r.Name, Category: category, Weight: *r.Weight,
		StandardSize: r.Size, Unit: unit, SoldBy: basket.ByPackage, Active: true,
	}
	if err := p.Validate(); err != nil {
		return p, fmt.Errorf("product %d: %w", r.ID, err)
	}
	return p, nil
}

// priceJSON is what is used of a row of /api/v1/prices.
type priceJSON struct {
	ID              int64           `json:"id"`
	Listing         int64           `json:"retailer_product_id"`
	Store           int64           `json:"store_id"`
	Price           json.Number     `json:"effective_price"`
	At              time.Time       `json:"observed_at"`
	Source          json.RawMessage `json:"regular_price_source"` // present: of a verified banner
	Promo           json.RawMessage `json:"promo_detail"`         // likewise
	RetailerProduct struct {
		Product  int    `json:"product_id"`
		Banner   string `json:"banner"`
		Products struct {
			ID       int      `json:"id"`
			Name     string   `json:"name"`
			Category string   `json:"category"`
			Weight   *float64 `json:"basket_weight"`
		} `json:"products"`
	} `json:"retailer_products"`
	Stores struct {
		City     string `json:"city"`
		Province string `json:"province"`
	} `json:"stores"`
}

// priceRow is a price, checked by itself. Rows are ==-comparable.
type priceRow struct {
	id, store, listing int64
	price              panel.Price
	at                 time.Time // UTC
	day                panel.Date
	verified           bool
	banner             string
	city, province     string
	product            listedProduct
}

// listedProduct is what a price says of its product.
type listedProduct struct {
	id             int
	name, category string
	weight         float64
}

func (r *priceJSON) row() (priceRow, error) {
	price, err := panel.ParsePrice(r.Price.String())
	if err != nil {
		err = fmt.Errorf("effective_price: %w", err)
	}
	l := &r.RetailerProduct
	for _, x := range []struct {
		name string
		bad  bool
	}{
		{"id", r.ID <= 0},
		{"retailer_product_id", r.Listing <= 0},
		{"store_id", r.Store <= 0},
		{"observed_at", r.At.Year() < panel.FirstYear || r.At.Year() > panel.LastYear},
		{"retailer_products.product_id", l.Product <= 0 || l.Product != l.Products.ID},
		{"retailer_products.banner", l.Banner == ""},
		{"retailer_products.products", l.Products.Name == "" || l.Products.Category == "" || l.Products.Weight == nil},
		{"stores", r.Stores.City == "" || r.Stores.Province == ""},
		{"regular_price_source or promo_detail", (r.Source == nil) != (r.Promo == nil)},
	} {
		if x.bad {
			err = errors.Join(err, fmt.Errorf("%s is missing or wrong", x.name))
		}
	}
	if err != nil {
		return priceRow{}, fmt.Errorf("id %d: %w", r.ID, err)
	}
	at := r.At.UTC()
	return priceRow{
		id: r.ID, store: r.Store, listing: r.Listing, price: price, at: at, day: panel.DateIn(at, panel.Toronto),
		verified: r.Source != nil, banner: l.Banner, city: r.Stores.City, province: r.Stores.Province,
		product: listedProduct{l.Product, l.Products.Name, l.Products.Category, *l.Products.Weight},
	}, nil
}

// before reports whether the row stands before another in every result.
func (r *priceRow) before(s *priceRow) bool {
	if c := r.at.Compare(s.at); c != 0 {
		return c < 0
	}
	return r.id < s.id
}
