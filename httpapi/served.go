package httpapi

import (
	"sync"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// Served is one snapshot with all that responses are made from. What costs time
// is made when it is first asked for, and kept as long as the snapshot. It never
// changes.
type Served struct {
	*sqlite.Contents
	products map[int]*basket.Product
	listings map[int64]*panel.Listing
	stores   map[int64]*panel.Store
	banners  map[string]*basket.Banner
	cities   map[string]*basket.City // by slug

	// Values of parameters, in byte order.
	cityNames    []string // display names
	indexBanners []string // keys of the index banners
	priceBanners []string // keys of those whose single prices are shown

	v2      func() (*indexRows, error)
	v1      func() (*indexRows, error)
	prices  func() *priceRows
	catalog func() *jsonRows            // the active products
	events  func() []*panel.ShrinkEvent // those shown, in published order
	shopper func() *shopperData
}

func newServed(all *sqlite.Contents) (*Served, error) {
	p := all.Panel
	s := &Served{
		Contents: all,
		products: byKey(p.Products(), func(x *basket.Product) int { return x.ID }),
		listings: byKey(p.Listings(), func(x *panel.Listing) int64 { return x.ID }),
		stores:   byKey(p.Stores(), func(x *panel.Store) int64 { return x.ID }),
		banners:  byKey(p.Banners(), func(x *basket.Banner) string { return x.Key }),
		cities:   byKey(p.Cities(), func(x *basket.City) string { return x.Slug }),
	}
	for _, c := range p.Cities() {
		s.cityNames = append(s.cityNames, c.Name)
	}
	for _, b := range p.Banners() {
		if b.InIndex {
			s.indexBanners = append(s.indexBanners, b.Key)
		}
		if b.InIndex || b.Verified {
			s.priceBanners = append(s.priceBanners, b.Key)
		}
	}
	s.v2 = sync.OnceValues(func() (*indexRows, error) {
		// All weeks that the snapshot has, closed or not: which of them are
		// published is a matter of the clock, and none changes another.
		table, err := jevons.Compute(p, jevons.Options{Through: lastWeek(p)})
		if err != nil {
			return nil, err
		}
		return newIndexRows(table), nil
	})
	s.v1 = sync.OnceValues(func() (*indexRows, error) { return newIndexRows(jevons.Pilot(p)), nil })
	s.prices = sync.OnceValue(func() *priceRows { return newPriceRows(s) })
	s.catalog = sync.OnceValue(func() *jsonRows { return newCatalog(p.Products()) })
	s.events = sync.OnceValue(func() []*panel.ShrinkEvent { return newEvents(s) })
	s.shopper = sync.OnceValue(func() *shopperData { return newShopperData(s) })
	return s, nil
}

// byKey points into a list of the panel's.
func byKey[K comparable, T any](list []T, key func(*T) K) map[K]*T {
	m := make(map[K]*T, len(list))
	for i := range list {
		m[key(&list[i])] = &list[i]
	}
	return m
}

// lastWeek returns the panel's last week, at least its base week.
func lastWeek(p *panel.Panel) panel.Week {
	last := p.BaseWeek()
	if weeks := p.Weeks(); len(weeks) > 0 {
		last = max(last, weeks[len(weeks)-1])
	}
	return last
}

// today is the day in Toronto at the request's instant.
func (c *call) today() panel.Date { return panel.DateIn(c.now, panel.Toronto) }

// generatedAt is how a response dates itself.
func (c *call) generatedAt() string { return c.now.UTC().Format(time.RFC3339) }
