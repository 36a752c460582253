package main

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// listed is a listing with its product and banner.
type listed struct {
	listing *panel.Listing
	product *basket.Product
	banner  *basket.Banner
}

// listingsOf returns a panel's listings by the id of the listing.
func listingsOf(p *panel.Panel) map[int64]listed {
	products, banners := map[int]*basket.Product{}, map[string]*basket.Banner{}
	for i := range p.Products() {
		products[p.Products()[i].ID] = &p.Products()[i]
	}
	for i := range p.Banners() {
		banners[p.Banners()[i].Key] = &p.Banners()[i]
	}
	of := make(map[int64]listed, len(p.Listings()))
	for i := range p.Listings() {
		m := &p.Listings()[i]
		of[m.ID] = listed{m, products[m.ProductID], banners[m.Banner]}
	}
	return of
}

// setAside is an entry of the quarantine with the rows that it is about: those
// of active stores, listings and products, since no others count anywhere.
type setAside struct {
	panel.Quarantine
	listed
	city string             // of the store; empty: at every store
	rows [len(verdicts)]int // by what the gate says of them now
}

var verdicts = [...]panel.Verdict{panel.Pass, panel.FailsIdentity, panel.Quarantined}

// about returns how many rows the entry is about.
func (x *setAside) about() int {
	n := 0
	for _, rows := range x.rows {
		n += rows
	}
	return n
}

// held returns how many rows the entry sets aside now.
func (x *setAside) held() int {
	if x.Released {
		return 0
	}
	return x.about()
}

// entriesOf returns a snapshot's entries, by id.
func entriesOf(all *sqlite.Contents) []setAside {
	p := all.Panel
	of := listingsOf(p)
	cities, stores := map[string]string{}, map[int64]panel.Store{}
	for _, c := range p.Cities() {
		cities[c.Slug] = c.Name
	}
	for _, s := range p.Stores() {
		stores[s.ID] = s
	}
	entries := make([]setAside, len(all.Quarantine))
	byListing := map[int64][]*setAside{}
	for i, q := range all.Quarantine {
		entries[i] = setAside{Quarantine: q, listed: of[q.Listing]}
		byListing[q.Listing] = append(byListing[q.Listing], &entries[i])
	}
	for i := range all.Rows.Len() {
		list := byListing[all.Rows.Listing(i)]
		if len(list) == 0 {
			continue
		}
		o := all.Rows.At(i)
		for _, x := range list {
			switch {
			case x.Observation != 0 && x.Observation != o.ID, x.Observation == 0 && x.Store != 0 && x.Store != o.Store:
				continue
			case x.Observation != 0:
				x.Store = o.Store // an entry for a row need not say where it is
			}
			if x.listing.Active && x.product.Active && stores[o.Store].Active {
				x.rows[o.Verdict]++
			}
		}
	}
	for i := range entries {
		entries[i].city = cities[stores[entries[i].Store].City]
	}
	return entries
}
