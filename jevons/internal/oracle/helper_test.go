package oracle

import (
	"math"
	"testing"
	"time"
)

// Weeks from the base on.
const (
	w0 = "2026-07-19"
	w1 = "2026-07-26"
	w2 = "2026-08-02"
	w3 = "2026-08-09"
	w4 = "2026-08-16"
	w5 = "2026-08-23"
)

// tiny builds a small panel. Every product has one listing of the same id,
// every store belongs to banner "acme", unless a test adds others.
type tiny struct {
	Data
}

func newTiny(products ...Product) *tiny {
	p := &tiny{Data{
		Cities:  []City{{"toronto", "Toronto"}, {"halifax", "Halifax"}},
		Banners: []Banner{{"acme", true}},
	}}
	for _, product := range products {
		p.Products = append(p.Products, product)
		p.listing(product.ID, product.ID)
	}
	return p
}

func product(id int64, category string, weight float64) Product {
	return Product{ID: id, Category: category, Weight: weight, Active: true}
}

func (p *tiny) listing(id, productID int64) {
	p.Listings = append(p.Listings, Listing{id, productID, "acme", true})
}

// stores adds n stores of a city, numbered from first.
func (p *tiny) stores(city string, first, n int64) {
	for id := first; id < first+n; id++ {
		p.Stores = append(p.Stores, Store{id, "acme", city, true})
	}
}

// price observes a listing at a store on the Wednesday of a week.
func (p *tiny) price(week string, listing, store int64, price float64) {
	p.priceAt(addDays(week, -4)+"T15:00:00Z", listing, store, price)
}

func (p *tiny) priceAt(at string, listing, store int64, price float64) {
	p.Observations = append(p.Observations, Observation{
		ID:             int64(len(p.Observations) + 1),
		ListingID:      listing,
		StoreID:        store,
		EffectivePrice: price,
		ObservedAt:     at,
	})
}

// farOff is long after every week of the tests has closed.
var farOff = time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)

func (p *tiny) table() []Row {
	return Table(&p.Data, Options{Now: farOff})
}

// find returns the row of a cell, or nil.
func find(rows []Row, date, city, banner, category string) *Row {
	for i, r := range rows {
		if r.Date == date && r.City == city && r.Banner == banner && r.Category == category {
			return &rows[i]
		}
	}
	return nil
}

func headline(rows []Row, date string) *Row { return find(rows, date, "", "", "") }

// wantRow checks level, items and wow; wow NaN means null.
func wantRow(t *testing.T, r *Row, index float64, items, total int, wow float64) {
	t.Helper()
	if r == nil {
		t.Fatal("no row")
	}
	if r.Index != index || r.ItemCount != items || r.TotalItems != total {
		t.Errorf("%s %q %q: index %v, items %d of %d; want %v, %d of %d",
			r.Date, r.City, r.Category, r.Index, r.ItemCount, r.TotalItems, index, items, total)
	}
	wantChange(t, r.Date+" wow", r.WoW, wow)
}

func wantChange(t *testing.T, name string, got *float64, want float64) {
	t.Helper()
	switch {
	case got == nil && math.IsNaN(want):
	case got == nil:
		t.Errorf("%s is null, want %v", name, want)
	case *got != want:
		t.Errorf("%s = %v, want %v", name, *got, want)
	}
}

func wantCost(t *testing.T, r *Row, cost float64) {
	t.Helper()
	if r == nil {
		t.Fatal("no row")
	}
	if r.Cost != cost {
		t.Errorf("%s %q: cost %v, want %v", r.Date, r.City, r.Cost, cost)
	}
}

func wantAbsent(t *testing.T, r *Row) {
	t.Helper()
	if r != nil {
		t.Errorf("unexpected row %+v", *r)
	}
}

var null = math.NaN()
