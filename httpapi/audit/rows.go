package audit

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// readRows reads the array of rows of a member and converts each.
func readRows[J, R any](member string, raw json.RawMessage, convert func(*J) (R, error)) ([]R, error) {
	if raw == nil || string(raw) == "null" {
		return nil, fmt.Errorf("it has no %q: save the server's answer as it is", member)
	}
	var list []J
	if err := decode(raw, &list); err != nil {
		return nil, err
	}
	rows := make([]R, len(list))
	for i := range list {
		var err error
		if rows[i], err = convert(&list[i]); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return rows, nil
}

// decode reads one JSON text and says in words what is wrong with it.
func decode(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("member %q holds a %s, which does not belong there", wrong.Field, wrong.Value)
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("it is no JSON, or was cut off: %w at byte %d; download it again", err, wrong.Offset)
	}
	return err
}

// productJSON is the part of a row of /api/v1/products that is used.
type productJSON struct {
	ID       int      `json:"id"`
	Name     string   `json:"name"`
	Category string   `json:"category"`
	Weight   *float64 `json:"basket_weight"`
	Size     float64  `json:"standard_size"`
	Unit     string   `json:"unit"`
}

// product returns the product as sold by the package. The index does not use how it
// is sold, and the page does not say it.
func (r *productJSON) product() (basket.Product, error) {
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

// priceRow is the part of a row of /api/v1/prices that is used. Rows can be
// compared with ==.
type priceRow struct {
	ID       int64       `json:"id"`
	Listing  int64       `json:"retailer_product_id"`
	Store    int64       `json:"store_id"`
	Price    json.Number `json:"effective_price"`
	At       time.Time   `json:"observed_at"`
	Verified present     `json:"regular_price_source"` // only rows of a verified banner have it
	Promo    present     `json:"promo_detail"`         // likewise
	Of       struct {
		Product  int           `json:"product_id"`
		Banner   string        `json:"banner"`
		Products pricedProduct `json:"products"`
	} `json:"retailer_products"`
	Stores struct {
		City     string `json:"city"`
		Province string `json:"province"`
	} `json:"stores"`

	price panel.Price
	day   panel.Date // in Toronto
}

// pricedProduct holds the product members of a price row.
type pricedProduct struct {
	ID       int     `json:"id"`
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Weight   float64 `json:"basket_weight"`
}

// present is whether a member is there, even if it is null.
type present bool

// UnmarshalJSON takes any value.
func (p *present) UnmarshalJSON([]byte) error { *p = true; return nil }

// row checks the row by itself and completes it.
func (r *priceRow) row() (priceRow, error) {
	var err error
	if r.price, err = panel.ParsePrice(r.Price.String()); err != nil {
		err = fmt.Errorf("effective_price: %w", err)
	}
	of := &r.Of
	for _, member := range []struct {
		name string
		bad  bool
	}{
		{"id", r.ID <= 0},
		{"retailer_product_id", r.Listing <= 0},
		{"store_id", r.Store <= 0},
		{"observed_at", r.At.Year() < panel.FirstYear || r.At.Year() > panel.LastYear},
		{"retailer_products.product_id", of.Product <= 0 || of.Product != of.Products.ID},
		{"retailer_products.banner", of.Banner == ""},
		{"retailer_products.products", of.Products.Name == "" || of.Products.Category == "" || of.Products.Weight == 0},
		{"stores", r.Stores.City == "" || r.Stores.Province == ""},
		{"regular_price_source or promo_detail", r.Verified != r.Promo},
	} {
		if member.bad {
			err = errors.Join(err, fmt.Errorf("%s is missing or wrong", member.name))
		}
	}
	if err != nil {
		return priceRow{}, fmt.Errorf("id %d: %w", r.ID, err)
	}
	r.At = r.At.UTC()
	r.day = panel.DateIn(r.At, panel.Toronto)
	return *r, nil
}

// before reports whether the row precedes another in every result.
func (r *priceRow) before(s *priceRow) bool {
	return cmp.Or(r.At.Compare(s.At), cmp.Compare(r.ID, s.ID)) < 0
}
