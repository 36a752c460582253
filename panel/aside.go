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
	Quarantine // its Store is that of the row, if it names one row
	Sold       Sold
	City       string                 // display name of the store's city; empty: at every store
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

// names reports whether the entry is about an observation of its listing.
func (q *Quarantine) names(o *Observation) bool {
	if q.Observation != 0 {
		return q.Observation == o.ID
	}
	return q.Store == 0 || q.Store == o.Store
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
	byListing := map[int64][]*Aside{}
	for i, q := range entries {
		list[i] = Aside{Quarantine: q, Sold: sold[q.Listing]}
		byListing[q.Listing] = append(byListing[q.Listing], &list[i])
	}
	for i := range rows.Len() {
		about := byListing[rows.Listing(i)]
		if len(about) == 0 {
			continue
		}
		o := rows.At(i)
		for _, a := range about {
			if !a.names(&o) {
				continue
			}
			if a.Observation != 0 {
				a.Store = o.Store // the entry need not say where its row is
			}
			if a.Sold.Active && a.Sold.Product.Active && stores[o.Store].Active {
				a.Rows[o.Verdict]++
			}
		}
	}
	for i := range list {
		list[i].City = cities[stores[list[i].Store].City]
	}
	return list
}
