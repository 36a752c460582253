package httpapi

import (
	"net/http"
	"sync"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// Served is one snapshot with all that responses are made from. What costs time is
// made when it is first asked for, and kept with the snapshot. A Served never
// changes.
type Served struct {
	*sqlite.Contents
	products map[int]*basket.Product
	listings map[int64]*panel.Listing
	stores   map[int64]*panel.Store
	banners  map[string]*basket.Banner
	cities   map[string]*basket.City // by slug
	*vintage                         // its index

	priceBanners []string // keys of the banners whose single prices are shown, in byte order

	quality func() (*jevons.Table, error) // the rows of v2 with their quality
	// nationalQuality has the national ones, for whatever strangers may ask. They are few.
	nationalQuality func() (*jevons.Table, error)

	companions map[string]func() (*indexRows, error)
	grid       func() (*jevons.Coverage, error)
	attrition  func(closed panel.Week) *panel.Attrition
	prices     func() *priceRows
	catalog    func() []wire.Product           // the active products
	events     func() []*panel.ShrinkEvent     // of the index banners, by time
	projection func() *compare.Projection      // takes a second for years of prices
	shopping   func() (*reply.Document, error) // the catalog of the comparison
}

// newServed prepares a snapshot with the index that is made of it or was released with
// it.
func newServed(contents *sqlite.Contents, index *vintage) *Served {
	p := contents.Panel
	s := &Served{
		Contents: contents, vintage: index,
		products: byKey(p.Products(), func(x *basket.Product) int { return x.ID }),
		listings: byKey(p.Listings(), func(x *panel.Listing) int64 { return x.ID }),
		stores:   byKey(p.Stores(), func(x *panel.Store) int64 { return x.ID }),
		banners:  byKey(p.Banners(), func(x *basket.Banner) string { return x.Key }),
		cities:   byKey(p.Cities(), func(x *basket.City) string { return x.Slug }),
	}
	for _, b := range p.Banners() {
		if b.InIndex || b.Verified {
			s.priceBanners = append(s.priceBanners, b.Key)
		}
	}
	all := jevons.Options{Through: lastWeek(p)}
	s.quality = sync.OnceValues(func() (*jevons.Table, error) {
		return jevons.Compute(p, jevons.Options{Through: all.Through, Quality: true})
	})
	s.nationalQuality = sync.OnceValues(func() (*jevons.Table, error) { return nationalQuality(p) })
	s.companions = map[string]func() (*indexRows, error){
		jevons.RegularSeries: companionRows(func() (*jevons.Table, error) { return jevons.Regular(p, s.Rows, all) }),
		jevons.LinkedSeries:  companionRows(func() (*jevons.Table, error) { return jevons.Linked(p, all) }),
	}
	s.grid = sync.OnceValues(func() (*jevons.Coverage, error) {
		table, err := jevons.Compute(p, all)
		if err != nil {
			return nil, err
		}
		return jevons.NewCoverage(p, s.Rows, table), nil
	})
	s.attrition = lastAttrition(p)
	s.prices = sync.OnceValue(func() *priceRows { return newPriceRows(s) })
	s.catalog = sync.OnceValue(func() []wire.Product { return newCatalog(p.Products()) })
	s.events = sync.OnceValue(func() []*panel.ShrinkEvent { return newEvents(s) })
	s.projection = sync.OnceValue(func() *compare.Projection { return compare.NewProjection(p, s.Rows) })
	s.shopping = sync.OnceValues(func() (*reply.Document, error) { return newShoppingCatalog(s.projection()) })
	return s
}

// nationalQuality computes the national rows of v2 with their quality. It copies them, so
// that the others can go.
func nationalQuality(p *panel.Panel) (*jevons.Table, error) {
	all, err := jevons.Compute(p, jevons.Options{Through: lastWeek(p), Quality: true})
	if err != nil {
		return nil, err
	}
	table := &jevons.Table{Options: all.Options}
	for _, r := range all.Select(jevons.Filter{Level: jevons.National}) {
		quality := *r.Extra.Quality
		r.Extra = &jevons.Extra{Quality: &quality}
		table.Rows = append(table.Rows, r)
	}
	return table, nil
}

// companionRows makes the rows of a companion series when they are first asked for.
func companionRows(compute func() (*jevons.Table, error)) func() (*indexRows, error) {
	return sync.OnceValues(func() (*indexRows, error) {
		table, err := compute()
		if err != nil {
			return nil, err
		}
		return &indexRows{rows: table.Rows}, nil
	})
}

// lastAttrition keeps what it found last: it depends on the last closed week.
func lastAttrition(p *panel.Panel) func(closed panel.Week) *panel.Attrition {
	var mu sync.Mutex
	var last panel.Week
	var found *panel.Attrition
	return func(closed panel.Week) *panel.Attrition {
		mu.Lock()
		defer mu.Unlock()
		if found == nil || last != closed {
			last, found = closed, p.Attrition(closed)
		}
		return found
	}
}

// about says whose prices are served. Without a snapshot it has the texts of one
// without settings.
func (s *Served) about() *panel.About {
	if s == nil {
		return &panel.About{BaseWeek: panel.DefaultBaseWeek}
	}
	return s.Panel.About()
}

// name sets the headers that name the snapshot and the release of an answer.
func (s *Served) name(h http.Header) {
	if s != nil {
		s.vintage.name(h)
	}
}

// rereleased returns the same snapshot with the index of another release of it.
func (s *Served) rereleased(index *vintage) *Served {
	next := *s
	next.vintage = index
	return &next
}

// byKey points into a list of the panel.
func byKey[K comparable, T any](list []T, key func(*T) K) map[K]*T {
	m := make(map[K]*T, len(list))
	for i := range list {
		m[key(&list[i])] = &list[i]
	}
	return m
}
