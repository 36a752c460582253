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
	sold := map[int64]Sold{}
	for i := range p.Listings() {
		l := &p.Listings()[i]
		sold[l.ID] = soldAs(p, l)
	}
	return sold
}

// soldAs returns a listing with its product and banner, which may be unknown.
func soldAs(p *panel.Panel, l *panel.Listing) Sold {
	s := Sold{l, &basket.Product{}, &basket.Banner{}}
	if at, ok := p.ProductAt(l.ProductID); ok {
		s.Product = &p.Products()[at]
	}
	for i, b := range p.Banners() {
		if b.Key == l.Banner {
			s.Banner = &p.Banners()[i]
		}
	}
	return s
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
	s := newScope(rows, p)
	list := make([]Aside, len(entries))
	names := make([]func(store, at int64) bool, len(entries))
	byListing, byRow := map[int64][]int{}, map[int64][]int{} // places in the list
	for i, q := range entries {
		of := &panel.Listing{ProductID: q.Product, Banner: q.Banner}
		if at, ok := p.ListingAt(q.Listing); ok {
			of = &p.Listings()[at]
		}
		list[i], names[i] = Aside{Quarantine: q, Sold: soldAs(p, of)}, q.Names(p.Stores())
		if q.Observation != 0 {
			byRow[q.Observation] = append(byRow[q.Observation], i)
			continue
		}
		for _, l := range p.Listings() {
			if q.Covers(&l) {
				byListing[l.ID] = append(byListing[l.ID], i)
			}
		}
	}
	for i := range rows.Len() {
		about, one := byListing[rows.Listing(i)], byRow[rows.ID(i)]
		if len(about)+len(one) == 0 {
			continue
		}
		_, _, counts := s.place(i)
		for _, at := range about {
			if counts && names[at](rows.Store(i), rows.UnixNano(i)) {
				list[at].Rows[rows.Verdict(i)]++
			}
		}
		for _, at := range one {
			list[at].Store = rows.Store(i) // the entry need not say where its row is
			if counts {
				list[at].Rows[rows.Verdict(i)]++
			}
		}
	}
	for i := range list {
		a := &list[i]
		slug := a.City
		if at, ok := p.StoreAt(a.Store); ok && slug == "" {
			slug = p.Stores()[at].City
		}
		a.Place = s.cityNames[slug]
	}
	return list
}
