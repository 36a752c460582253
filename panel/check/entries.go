package check

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Listed is a listing with its product and banner.
type Listed struct {
	*panel.Listing
	Product *basket.Product
	Banner  *basket.Banner
}

// Listings returns the panel's listings with their products and banners, by id of
// the listing.
func Listings(p *panel.Panel) map[int64]Listed {
	listings := map[int64]Listed{}
	for i := range p.Listings() {
		l := &p.Listings()[i]
		listings[l.ID] = listed(p, l)
	}
	return listings
}

// listed returns a listing with its product and banner, which may be unknown.
func listed(p *panel.Panel, l *panel.Listing) Listed {
	s := Listed{l, &basket.Product{}, &basket.Banner{}}
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

// Shown tells which rows of a panel are shown one by one. Those of inactive stores, listings and products
// are not, nor those of a banner that is neither in the index nor verified. A verified banner's rows are
// shown if they were approved. The gate is asked last.
type Shown struct {
	rows   *panel.Rows
	panel  *panel.Panel
	labels []Listed // by the row's label
	hidden []string // by the row's label: the rule by which none of its rows is shown
}

// NewShown prepares rows of a panel, whose listings are those of Listings.
func NewShown(p *panel.Panel, rows *panel.Rows, listings map[int64]Listed) *Shown {
	s := &Shown{rows: rows, panel: p}
	for _, l := range rows.Labels() {
		x, ok := listings[l.Listing]
		rule := ""
		switch {
		case !ok || !x.Active:
			rule = "inactive_listing"
		case !x.Product.Active:
			rule = "inactive_product"
		case !x.Banner.InIndex && !x.Banner.Verified:
			rule = "hidden_banner"
		}
		s.labels, s.hidden = append(s.labels, x), append(s.hidden, rule)
	}
	return s
}

// Hidden names the rule by which a row is not shown, whatever the gate says of it; empty if there is none.
func (s *Shown) Hidden(i int) string {
	l := s.rows.Label(i)
	store, ok := s.panel.StoreAt(s.rows.Store(i))
	switch {
	case s.hidden[l] != "":
		return s.hidden[l]
	case !ok || !s.panel.Stores()[store].Active:
		return "inactive_store"
	case s.labels[l].Banner.Verified && s.rows.Source(i) == panel.NoSource:
		return "not_approved"
	}
	return ""
}

// Passes reports whether a row is shown and the gate passes it.
func (s *Shown) Passes(i int) bool { return s.rows.Verdict(i) == panel.Pass && s.Hidden(i) == "" }

// Entry is a quarantine entry with the rows that it names. It counts rows of
// active stores, listings and products: no others count anywhere.
type Entry struct {
	panel.Quarantine                            // its Store is that of the row, if it names one row
	Of               Listed                     // what the entry names; the others' members are zero
	Place            string                     // display name of the city that it is about; empty: every city
	Rows             [panel.Quarantined + 1]int // by the Verdict that they have now
}

// Named returns how many rows the entry names.
func (a *Entry) Named() (n int) {
	for _, rows := range a.Rows {
		n += rows
	}
	return n
}

// Quarantined returns how many rows the entry quarantines now: none, if it was released or withdrawn.
func (a *Entry) Quarantined() int {
	if a.Released {
		return 0
	}
	return a.Named()
}

// Entries returns the entries, in their order, with the rows that they name.
func Entries(p *panel.Panel, rows *panel.Rows, entries []panel.Quarantine) []Entry {
	s := newScope(rows, p)
	list := make([]Entry, len(entries))
	names := make([]func(store, at int64) bool, len(entries))
	byListing, byRow := map[int64][]int{}, map[int64][]int{} // places in the list
	for i, q := range entries {
		of := &panel.Listing{ProductID: q.Product, Banner: q.Banner}
		if at, ok := p.ListingAt(q.Listing); ok {
			of = &p.Listings()[at]
		}
		list[i], names[i] = Entry{Quarantine: q, Of: listed(p, of)}, q.Names(p.Calendar(), p.Stores())
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
