package compare

import (
	"sync"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Projection holds the rows of a snapshot that may be the current price of an
// item at a chain of a city at some instant. It is immutable to its users and
// safe for concurrent use.
type Projection struct {
	panel  *panel.Panel
	rows   *panel.Rows
	items  []item  // the first of the panel's products, up to the last of the catalog
	chains []chain // shopper chains by key
	digits int     // of the currency's smallest unit: 2 of cents
	cities []city  // in the panel's order

	chainAt map[string]*chain
	cityAt  map[string]*city

	sizes sync.Map // package size as scraped to basket.Size
	fits  *panel.Fits
}

// item is a product that a request may name.
type item struct {
	*basket.Product
	at       int32 // place in Projection.items
	perKg    bool  // sold by the kilogram
	standard int64 // standard size, in millionths of its unit
	rule     QuantityRule
}

type chain struct {
	basket.Banner
	places  []int32 // beside Projection.items: of active items with an active listing here, from 1; else 0
	tracked int32   // how many these are
}

type city struct {
	basket.City
	chains []cityChain   // those with an active store here, by key
	series [][][]*series // by chain, then by the item's place there
}

type cityChain struct {
	*chain
	certain bool // the location of an active store here is certain: the chain is eligible
}

// NewProjection makes the projection of a panel and all its rows. It leaves out
// rows that cannot be a current price: those of inactive stores, of stores of
// uncertain location, of retired listings, of inactive products, of banners
// without the shopper flag, unapproved rows of verified banners, and rows whose
// store or listing the panel lacks. Of more than MaxCatalog active products or
// MaxChains chains it takes the first, by id and by key. That of a nil panel or nil
// rows is empty.
func NewProjection(p *panel.Panel, rows *panel.Rows) *Projection {
	if p == nil || rows == nil {
		p, rows = &panel.Panel{}, &panel.Rows{}
	}
	pr := &Projection{panel: p, rows: rows, chainAt: map[string]*chain{}, cityAt: map[string]*city{}, fits: p.Fits()}
	pr.digits = p.About().CurrencyDigits()
	products, active, last := p.Products(), 0, 0
	for i := range products {
		if products[i].Active && active < MaxCatalog {
			active, last = active+1, i+1
		} else if products[i].ID <= MaxSwapped {
			last = i + 1
		}
	}
	for i := range products[:last] {
		x := &products[i]
		pr.items = append(pr.items, item{x, int32(i), x.PerKg(), max(micro(x.StandardSize), 1), RuleOf(x)})
	}
	for _, b := range p.Banners() {
		if b.InShopper && len(pr.chains) < MaxChains {
			pr.chains = append(pr.chains, chain{Banner: b, places: make([]int32, last)})
		}
	}
	pr.cities = make([]city, len(p.Cities()))
	for i, c := range p.Cities() {
		pr.cities[i].City = c
		pr.cityAt[c.Slug] = &pr.cities[i]
	}
	pr.collect()
	return pr
}

// item returns the item that has an id; nil without one. It may be inactive: then it is nowhere.
func (pr *Projection) item(id int64) *item {
	if at, ok := pr.panel.ProductAt(id); ok && int(at) < len(pr.items) {
		return &pr.items[at]
	}
	return nil
}

// series is a listing at a store. Its rows are ascending places in panel.Rows,
// which are in order of time, then id.
type series struct{ rows []int32 }

type storeRef struct {
	chain   *chain // nil: they are left out
	in      *city
	at      int // place of the chain in city.chains
	ordinal int // place among the chain's stores
}

type listingRef struct {
	chain *chain    // nil: they are left out
	place int32     // of its item at the chain
	found []*series // by the store's ordinal; nil before the first row
}

// collect puts the chains into the cities of their active stores, and gives every
// series its rows.
func (pr *Projection) collect() {
	stores, listings := make([]storeRef, len(pr.panel.Stores())), make([]listingRef, len(pr.panel.Listings()))
	count := map[*chain]int{} // of stores
	for i := range pr.chains {
		c := &pr.chains[i]
		pr.chainAt[c.Key] = c
		for k, s := range pr.panel.Stores() {
			in := pr.cityAt[s.City]
			if s.Banner != c.Key || !s.Active || in == nil {
				continue
			}
			if n := len(in.chains); n == 0 || in.chains[n-1].chain != c {
				in.chains = append(in.chains, cityChain{chain: c})
			}
			at := len(in.chains) - 1
			if s.LocationCertain {
				in.chains[at].certain = true
				stores[k] = storeRef{c, in, at, count[c]}
				count[c]++
			}
		}
	}
	for i, m := range pr.panel.Listings() {
		c, it := pr.chainAt[m.Banner], pr.item(m.ProductID)
		if c == nil || it == nil || !m.Active || !it.Active {
			continue
		}
		if c.places[it.at] == 0 {
			c.tracked++
			c.places[it.at] = c.tracked
		}
		listings[i] = listingRef{chain: c, place: c.places[it.at]}
	}
	for i := range pr.cities {
		for _, c := range pr.cities[i].chains {
			pr.cities[i].series = append(pr.cities[i].series, make([][]*series, c.tracked+1))
		}
	}
	for i := range pr.rows.Len() {
		m, listed := pr.panel.ListingAt(pr.rows.Listing(i))
		s, known := pr.panel.StoreAt(pr.rows.Store(i))
		if !listed || !known {
			continue
		}
		listing, store := &listings[m], &stores[s]
		c := listing.chain
		if c == nil || c != store.chain || c.Verified && pr.rows.Source(i) == panel.NoSource {
			continue
		}
		if listing.found == nil {
			listing.found = make([]*series, count[c])
		}
		x := listing.found[store.ordinal]
		if x == nil {
			x = &series{}
			listing.found[store.ordinal] = x
			here := &store.in.series[store.at][listing.place]
			*here = append(*here, x)
		}
		x.rows = append(x.rows, int32(i))
	}
}
