package main

import (
	"fmt"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// panelMaker makes a panel of downloaded rows. It refuses rows that say
// different things of the same product, listing, store, city or banner.
type panelMaker struct {
	*panel.Builder
	products map[int]listedProduct
	cities   map[string]string // the province of each
	slugs    map[string]string
	banners  map[string]bool // whether its rows are those of a verified banner
	stores   map[int64]place
	listings map[int64]mappedTo
}

// place is where a store is.
type place struct{ banner, city string }

// mappedTo is what a listing is of.
type mappedTo struct {
	banner  string
	product int
}

// panel returns the panel of the rows. Everything in the pages is active and has
// passed the gate; only rows of a verified banner count in no index.
func (d *downloads) panel(base panel.Week) (*panel.Panel, error) {
	m := &panelMaker{
		Builder: panel.NewBuilder(base), products: map[int]listedProduct{}, cities: map[string]string{}, slugs: map[string]string{},
		banners: map[string]bool{}, stores: map[int64]place{}, listings: map[int64]mappedTo{},
	}
	for _, x := range d.products {
		if err := m.AddProduct(x); err != nil {
			return nil, fmt.Errorf("the products: %w", err)
		}
		m.products[x.ID] = listedProduct{x.ID, x.Name, x.Category.String(), x.Weight}
	}
	for i := range d.rows {
		r := &d.rows[i]
		if err := m.add(r); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", d.fileOf(r.id), r.id, err)
		}
	}
	return m.Build()
}

func (m *panelMaker) add(r *priceRow) error {
	if x, ok := m.products[r.product.id]; !ok || x != r.product {
		return fmt.Errorf("its product %d, %q, is not as in the products: they are of another snapshot; download prices and products again", r.product.id, r.product.name)
	}
	for _, err := range []error{
		once(m.cities, "city", r.city, r.province, m.addCity),
		once(m.banners, "banner", r.banner, r.verified, m.addBanner),
		once(m.stores, "store", r.store, place{r.banner, r.city}, m.addStore),
		once(m.listings, "listing", r.listing, mappedTo{r.banner, r.product.id}, m.addListing),
	} {
		if err != nil {
			return err
		}
	}
	return m.Observe(&panel.Observation{ID: r.id, Listing: r.listing, Store: r.store, Effective: r.price, ObservedAt: r.at})
}

// once adds what is new, and refuses what differs from what is there.
func once[K, V comparable](known map[K]V, kind string, key K, value V, add func(K, V) error) error {
	old, ok := known[key]
	switch {
	case !ok:
		known[key] = value
		return add(key, value)
	case old != value:
		return fmt.Errorf("%s %v is %v here and %v in another row: the data changed between the downloads; download all pages again", kind, key, value, old)
	}
	return nil
}

// addCity names the city by a number: pages have no slugs.
func (m *panelMaker) addCity(name, province string) error {
	m.slugs[name] = fmt.Sprintf("city-%d", len(m.slugs)+1)
	return m.AddCity(basket.City{Slug: m.slugs[name], Name: name, Province: province})
}

// addBanner names the banner by its key. One without verified rows is an index
// banner: no other banner's rows are in the pages.
func (m *panelMaker) addBanner(key string, verified bool) error {
	return m.AddBanner(basket.Banner{Key: key, Name: key, Retailer: key, InIndex: !verified, Verified: verified})
}

func (m *panelMaker) addStore(id int64, at place) error {
	return m.AddStore(panel.Store{ID: id, Banner: at.banner, City: m.slugs[at.city], Active: true, LocationCertain: true})
}

func (m *panelMaker) addListing(id int64, of mappedTo) error {
	return m.AddListing(panel.Listing{ID: id, ProductID: of.product, Banner: of.banner, Active: true})
}
