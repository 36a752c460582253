// Package oracle is a slow, plain reference computation of the price index,
// for tests only. It follows the text of the methodology paragraph by
// paragraph and shares no code with the engine it is compared with.
//
// Section numbers in the comments are those of the methodology.
package oracle

import (
	"fmt"
	"slices"
	"time"
)

// DefaultBaseWeek names the base week when the settings do not (section 1).
const DefaultBaseWeek = "2026-07-19"

// Product is one canonical product.
type Product struct {
	ID       int64
	Category string
	Weight   float64 // basket_weight
	Active   bool
}

// City gives the display name of a city slug.
type City struct {
	Slug, Name string
}

// Banner is one retailer banner.
type Banner struct {
	Key     string
	InIndex bool
}

// Store is one store of a banner in a city.
type Store struct {
	ID     int64
	Banner string
	City   string // slug
	Active bool
}

// Listing is one retailer product, tied to its canonical product.
type Listing struct {
	ID        int64
	ProductID int64
	Banner    string
	Active    bool
}

// Observation is one observed price of a listing at a store.
type Observation struct {
	ID             int64
	ListingID      int64
	StoreID        int64
	EffectivePrice float64
	ObservedAt     string // RFC 3339
}

// Data is a panel. All observations are taken as valid.
type Data struct {
	BaseWeek     string // a Sunday; empty means DefaultBaseWeek
	Products     []Product
	Cities       []City
	Banners      []Banner
	Stores       []Store
	Listings     []Listing
	Observations []Observation

	// Excluded holds the ids of observations to leave out, whatever the
	// reason; ReadGated fills it by the quality gate (section 8).
	Excluded map[int64]bool
}

// lookup is Data by key.
type lookup struct {
	products map[int64]Product
	cities   map[string]City
	banners  map[string]Banner
	stores   map[int64]Store
	listings map[int64]Listing
}

// newLookup indexes the reference tables and refuses dangling references.
func newLookup(d *Data) (*lookup, error) {
	l := &lookup{
		products: map[int64]Product{},
		cities:   map[string]City{},
		banners:  map[string]Banner{},
		stores:   map[int64]Store{},
		listings: map[int64]Listing{},
	}
	for _, p := range d.Products {
		if !slices.Contains(categories, p.Category) {
			return nil, fmt.Errorf("product %d: unknown category %q", p.ID, p.Category)
		}
		if !(p.Weight >= 0) {
			return nil, fmt.Errorf("product %d: weight %v", p.ID, p.Weight)
		}
		l.products[p.ID] = p
	}
	for _, c := range d.Cities {
		l.cities[c.Slug] = c
	}
	for _, b := range d.Banners {
		l.banners[b.Key] = b
	}
	for _, s := range d.Stores {
		if _, ok := l.cities[s.City]; !ok {
			return nil, fmt.Errorf("store %d: unknown city %q", s.ID, s.City)
		}
		if _, ok := l.banners[s.Banner]; !ok {
			return nil, fmt.Errorf("store %d: unknown banner %q", s.ID, s.Banner)
		}
		l.stores[s.ID] = s
	}
	for _, m := range d.Listings {
		if _, ok := l.products[m.ProductID]; !ok {
			return nil, fmt.Errorf("listing %d: unknown product %d", m.ID, m.ProductID)
		}
		if _, ok := l.banners[m.Banner]; !ok {
			return nil, fmt.Errorf("listing %d: unknown banner %q", m.ID, m.Banner)
		}
		l.listings[m.ID] = m
	}
	for _, o := range d.Observations {
		if err := l.check(o); err != nil {
			return nil, fmt.Errorf("observation %d: %w", o.ID, err)
		}
	}
	return l, nil
}

func (l *lookup) check(o Observation) error {
	if _, ok := l.listings[o.ListingID]; !ok {
		return fmt.Errorf("unknown listing %d", o.ListingID)
	}
	if _, ok := l.stores[o.StoreID]; !ok {
		return fmt.Errorf("unknown store %d", o.StoreID)
	}
	if !(o.EffectivePrice > 0) {
		return fmt.Errorf("price %v is not above 0", o.EffectivePrice)
	}
	if _, err := time.Parse(time.RFC3339, o.ObservedAt); err != nil {
		return err
	}
	return nil
}
