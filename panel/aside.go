package panel

import "github.com/larder-index/larder/basket"

// Sold is a listing with its product and banner.
type Sold struct {
	*Listing
	Product *basket.Product
	Banner  *basket.Banner
}

// Sold returns the panel's listings with their products and banners, by id of
// the listing.
func (p *Panel) Sold() map[int64]Sold {
	products, banners := map[int]*basket.Product{}, map[string]*basket.Banner{}
	for i := range p.products {
		products[p.products[i].ID] = &p.products[i]
	}
	for i := range p.banners {
		banners[p.banners[i].Key] = &p.banners[i]
	}
	sold := make(map[int64]Sold, len(p.listings))
	for i := range p.listings {
		l := &p.listings[i]
		sold[l.ID] = Sold{l, products[l.ProductID], banners[l.Banner]}
	}
	return sold
}

// Aside is a quarantine entry with the rows that it names. It counts rows of
// active stores, listings and products: no others count anywhere.
type Aside struct {
	Quarantine                        // its Store is that of the row, if it names one row
	Sold       Sold                   // of what the entry names; the others' members are zero
	Place      string                 // display name of the city that it names or that its store is in; empty: every city
	Rows       [len(verdictNames)]int // by the Verdict that they have now
}

// Named returns how many rows the entry names.
func (a *Aside) Named() int {
	n := 0
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
func Asides(p *Panel, rows *Rows, entries []Quarantine) []Aside {
	sold := p.Sold()
	cities, stores := map[string]string{}, map[int64]Store{}
	for _, c := range p.cities {
		cities[c.Slug] = c.Name
	}
	for _, s := range p.stores {
		stores[s.ID] = s
	}
	list := make([]Aside, len(entries))
	held := make([]heldEntry, len(entries))
	byListing, byRow := map[int64][]int{}, map[int64][]int{} // places in the list
	for i, q := range entries {
		list[i], held[i] = Aside{Quarantine: q, Sold: p.soldOf(sold, &q)}, q.held(p.stores)
		if q.Observation != 0 {
			byRow[q.Observation] = append(byRow[q.Observation], i)
			continue
		}
		for id, s := range sold {
			if q.covers(s.Listing) {
				byListing[id] = append(byListing[id], i)
			}
		}
	}
	for i := range rows.Len() {
		listing := rows.Listing(i)
		about, one := byListing[listing], byRow[rows.get(fieldID, i)]
		if len(about)+len(one) == 0 {
			continue
		}
		s, store, verdict := sold[listing], rows.Store(i), rows.Verdict(i)
		counts := s.Active && s.Product.Active && stores[store].Active
		for _, at := range about {
			if counts && held[at].names(store, rows.UnixNano(i)) {
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
		if slug == "" {
			slug = stores[a.Store].City
		}
		a.Place = cities[slug]
	}
	return list
}

// soldOf returns the listing, product and banner that an entry names. What it
// does not name is zero.
func (p *Panel) soldOf(sold map[int64]Sold, q *Quarantine) Sold {
	if s, ok := sold[q.Listing]; ok {
		return s
	}
	s := Sold{&Listing{ProductID: q.Product, Banner: q.Banner}, &basket.Product{}, &basket.Banner{}}
	for i := range p.products {
		if p.products[i].ID == q.Product {
			s.Product = &p.products[i]
		}
	}
	for i := range p.banners {
		if p.banners[i].Key == q.Banner {
			s.Banner = &p.banners[i]
		}
	}
	return s
}
