package compare

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/panel"
)

// collector sorts the rows of a projection into series.
type collector struct {
	*Projection
	stores   []storeRef
	listings []listingRef
	series   []foundSeries
}

// storeRef describes a row's store. Rows of a store without a chain are left out.
type storeRef struct {
	chain   int32 // place in Projection.chains; -1: none
	city    int32
	inCity  int32 // place of the chain in city.chains
	ordinal int32 // place among the chain's stores
}

// listingRef describes a row's listing.
type listingRef struct {
	chain    int32 // -1: its rows are left out
	item     int32
	verified bool
	found    []int32 // by the store's ordinal: 1 + place in collector.series
}

type foundSeries struct {
	city, inCity, item int32
	rows               int32 // how many
	at                 int32 // where the next one goes
}

func newCollector(pr *Projection) *collector {
	c := &collector{Projection: pr}
	p := pr.panel
	c.stores = make([]storeRef, len(p.Stores()))
	count := make([]int32, len(pr.chains))
	for i, s := range p.Stores() {
		chain, ok := pr.chainAt[s.Banner]
		city, known := pr.cityAt[s.City]
		if !ok || !known || !s.Active || !s.LocationCertain {
			c.stores[i].chain = -1
			continue
		}
		c.stores[i] = storeRef{chain, city, pr.cities[city].chainAt[s.Banner], count[chain]}
		count[chain]++
	}
	c.listings = make([]listingRef, len(p.Listings()))
	for i, m := range p.Listings() {
		chain, ok := pr.chainAt[m.Banner]
		if !ok || !m.Active || !pr.active(m.ProductID) {
			c.listings[i].chain = -1
			continue
		}
		c.listings[i] = listingRef{chain, int32(m.ProductID), pr.chains[chain].Verified, make([]int32, count[chain])}
	}
	return c
}

// collect reads all rows once and gives every series its own.
func (c *collector) collect() {
	slot := make([]int32, c.rows.Len()) // 1 + the place of the row's series; 0: left out
	for i := range slot {
		slot[i] = c.seriesOf(i)
		if s := slot[i]; s > 0 {
			c.series[s-1].rows++
		}
	}
	var kept int32
	for i := range c.series {
		c.series[i].at = kept
		kept += c.series[i].rows
	}
	rows := make([]int32, kept)
	for i, s := range slot {
		if s > 0 {
			x := &c.series[s-1]
			rows[x.at] = int32(i)
			x.at++
		}
	}
	slices.SortStableFunc(c.series, func(x, y foundSeries) int {
		return cmp.Or(cmp.Compare(x.city, y.city), cmp.Compare(x.inCity, y.inCity), cmp.Compare(x.item, y.item))
	})
	for _, x := range c.series {
		in := &c.cities[x.city]
		in.series = append(in.series, series{x.inCity, x.item, rows[x.at-x.rows : x.at : x.at]})
	}
}

// seriesOf returns 1 + the place of a row's series, adding the series when it is
// new; 0 for a row that is left out.
func (c *collector) seriesOf(row int) int32 {
	m, listed := c.panel.ListingAt(c.rows.Listing(row))
	s, known := c.panel.StoreAt(c.rows.Store(row))
	if !listed || !known {
		return 0
	}
	listing, store := &c.listings[m], &c.stores[s]
	if listing.chain < 0 || listing.chain != store.chain || listing.verified && c.rows.Source(row) == panel.NoSource {
		return 0
	}
	at := &listing.found[store.ordinal]
	if *at == 0 {
		c.series = append(c.series, foundSeries{city: store.city, inCity: store.inCity, item: listing.item})
		*at = int32(len(c.series))
	}
	return *at
}
