package check

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Sold is a listing with its product and banner.
type Sold struct {
	*panel.Listing
	Product *basket.Product
	Banner  *basket.Banner
}

// SoldBy returns the panel's listings with their products and banners, by id of
// the listing.
func SoldBy(p *panel.Panel) map[int64]Sold {
	products := byKey(p.Products(), func(x *basket.Product) int { return x.ID })
	banners := byKey(p.Banners(), func(x *basket.Banner) string { return x.Key })
	sold := map[int64]Sold{}
	for id, l := range byKey(p.Listings(), func(x *panel.Listing) int64 { return x.ID }) {
		sold[id] = Sold{l, products[l.ProductID], banners[l.Banner]}
	}
	return sold
}

func byKey[K comparable, T any](list []T, key func(*T) K) map[K]*T {
	m := make(map[K]*T, len(list))
	for i := range list {
		m[key(&list[i])] = &list[i]
	}
	return m
}

// Aside is a quarantine entry with the rows that it names. It counts rows of
// active stores, listings and products: no others count anywhere.
type Aside struct {
	panel.Quarantine                            // its Store is that of the row, if it names one row
	Sold             Sold                       // of what the entry names; the others' members are zero
	Place            string                     // display name of the city that it names or that its store is in; empty: every city
	Rows             [panel.Quarantined + 1]int // by the Verdict that they have now
}

// Named returns how many rows the entry names.
func (a *Aside) Named() (n int) {
	for _, rows := range a.Rows {
		n += rows
	}
	return n
}

// Held returns how many rows the entry sets aside now. A released entry sets
// none aside.
func (a *Aside) Held() int {
	if a.Released {
		return 0
	}
	return a.Named()
}

// Asides returns the entries, in their order, with the rows that they name.
func Asides(p *panel.Panel, rows *panel.Rows, entries []panel.Quarantine) []Aside {
	sold := SoldBy(p)
	cities := byKey(p.Cities(), func(c *basket.City) string { return c.Slug })
	stores := byKey(p.Stores(), func(s *panel.Store) int64 { return s.ID })
	list := make([]Aside, len(entries))
	names := make([]func(store, at int64) bool, len(entries))
	byListing, byRow := map[int64][]int{}, map[int64][]int{} // places in the list
	for i, q := range entries {
		list[i], names[i] = Aside{Quarantine: q, Sold: soldOf(p, sold, &q)}, q.Names(p.Stores())
		if q.Observation != 0 {
			byRow[q.Observation] = append(byRow[q.Observation], i)
			continue
		}
		for id, s := range sold {
			if q.Covers(s.Listing) {
				byListing[id] = append(byListing[id], i)
			}
		}
	}
	for i := range rows.Len() {
		listing := rows.Listing(i)
		about, one := byListing[listing], byRow[rows.ID(i)]
		if len(about)+len(one) == 0 {
			continue
		}
		s, store, verdict := sold[listing], rows.Store(i), rows.Verdict(i)
		counts := s.Active && s.Product.Active && stores[store].Active
		for _, at := range about {
			if counts && names[at](store, rows.UnixNano(i)) {
				list[at].Rows[verdict]++
			}
		}
		for _, at := range one {
			list[at].Store = store // the entry need not say where its row is
			if counts {
				list[at].Rows[verdict]++
			}
		}
	}
	for i := range list {
		a := &list[i]
		slug := a.City
		if s := stores[a.Store]; slug == "" && s != nil {
			slug = s.City
		}
		if c := cities[slug]; c != nil {
			a.Place = c.Name
		}
	}
	return list
}

// soldOf returns the listing, product and banner that an entry names. What it
// does not name is zero.
func soldOf(p *panel.Panel, sold map[int64]Sold, q *panel.Quarantine) Sold {
	if s, ok := sold[q.Listing]; ok {
		return s
	}
	s := Sold{&panel.Listing{ProductID: q.Product, Banner: q.Banner}, &basket.Product{}, &basket.Banner{}}
	for i, x := range p.Products() {
		if x.ID == q.Product {
			s.Product = &p.Products()[i]
		}
	}
	for i, x := range p.Banners() {
		if x.Key == q.Banner {
			s.Banner = &p.Banners()[i]
		}
	}
	return s
}
