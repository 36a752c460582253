package panel

import (
	"maps"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
)

// Panel is an immutable price panel in memory: the reference records, and the
// log prices of every series that counts in the index. It is safe for
// concurrent use. The slices that its methods return are the panel's own and
// must not be changed.
type Panel struct {
	base     Week
	about    About
	products []basket.Product // by id
	cities   []basket.City    // by display name, in byte order
	banners  []basket.Banner  // by key, in byte order
	stores   []Store          // by id
	listings []Listing        // by id
	pilot    []PilotRow       // as given
	counts   Counts

	words   []basket.Word // by product and text
	matches []Match       // by listing and time

	productAt, storeAt, listingAt map[int64]int32 // places in the lists, by id

	series []Series
	weeks  []Week
	logs   [][]float64 // by week, then series; NaN: no price
	open   []cell      // the prices of the last week, by series

	regular bool // of regular prices
}

// Series is one listing at one store: the model of a matched-model index. Each
// member is a position in the panel's list of that name.
type Series struct {
	Product, City, Banner, Store, Listing int32
}

// Counts says what became of the observations that a panel was given. An
// observation that several rules leave out is counted under the first of them, in
// the order of the members.
type Counts struct {
	Observations    int `json:"all"` // all that were added
	InactiveStore   int `json:"inactive_store"`
	RetiredListing  int `json:"retired_listing"`
	InactiveProduct int `json:"inactive_product"`
	OutsideIndex    int `json:"outside_index"` // of banners outside the index
	Quarantined     int `json:"quarantined"`
	FailsIdentity   int `json:"fails_identity"`
	Used            int `json:"used"` // those that count in the index
}

// BaseWeek returns the base week of the index, unless the caller of the index
// chooses another. It is also the first week that is published.
func (p *Panel) BaseWeek() Week { return p.base }

// About says whose prices these are. Callers leave it unchanged.
func (p *Panel) About() *About { return &p.about }

// Calendar returns the calendar by which the prices are dated.
func (p *Panel) Calendar() Calendar { return p.about.calendar }

// Categories returns the categories in published order.
func (p *Panel) Categories() basket.Categories { return p.about.Categories() }

// Products returns all products by id, inactive ones included.
func (p *Panel) Products() []basket.Product { return p.products }

// Cities returns the cities by display name, in byte order.
func (p *Panel) Cities() []basket.City { return p.cities }

// Banners returns the banners by key, in byte order.
func (p *Panel) Banners() []basket.Banner { return p.banners }

// Stores returns the stores by id.
func (p *Panel) Stores() []Store { return p.stores }

// Listings returns the listings by id.
func (p *Panel) Listings() []Listing { return p.listings }

// ProductAt returns the place of a product in Products, and false for an unknown id.
func (p *Panel) ProductAt(id int64) (int32, bool) {
	at, ok := p.productAt[id]
	return at, ok
}

// StoreAt returns the place of a store in Stores, and false for an unknown id.
func (p *Panel) StoreAt(id int64) (int32, bool) {
	at, ok := p.storeAt[id]
	return at, ok
}

// ListingAt returns the place of a listing in Listings, and false for an unknown id.
func (p *Panel) ListingAt(id int64) (int32, bool) {
	at, ok := p.listingAt[id]
	return at, ok
}

// Pilot returns the stored rows of the pilot series (v1), as they were added.
func (p *Panel) Pilot() []PilotRow { return p.pilot }

// Matches returns the operators' verdicts on listings, by listing and time.
func (p *Panel) Matches() []Match { return p.matches }

// Words returns the panel's own words of titles, by product and text, and whether the bundled ones count besides.
func (p *Panel) Words() (own []basket.Word, bundled bool) { return p.words, !p.about.OwnWords }

// Counts returns how many observations count in the index, and why others do
// not.
func (p *Panel) Counts() Counts { return p.counts }

// Series returns the series that have a price in some week, sorted by product,
// city, banner, store and listing. The series of one product in one city, or of
// one banner in that city, are neighbours.
func (p *Panel) Series() []Series { return p.series }

// Weeks returns the weeks in which any series has a price, ascending. A week
// without a single price is not among them.
func (p *Panel) Weeks() []Week { return p.weeks }

// LogPrices returns the natural logarithms of the series' prices in the k-th
// of Weeks, NaN where a series has none. The price of a series in a week is the
// geometric mean of its effective prices in that week.
func (p *Panel) LogPrices(k int) []float64 { return p.logs[k] }

// Priced returns the display names of the cities that have a price in a week, in the order of Cities, and
// how many stores and products have one.
func (p *Panel) Priced(week Week) (cities []string, stores, products int) {
	k, ok := slices.BinarySearch(p.weeks, week)
	if !ok {
		return nil, 0, 0
	}
	city, store, product := map[int32]bool{}, map[int32]bool{}, map[int32]bool{}
	for i, log := range p.logs[k] {
		if math.IsNaN(log) {
			continue
		}
		s := p.series[i]
		city[s.City], store[s.Store] = true, true
		if p.products[s.Product].Active {
			product[s.Product] = true
		}
	}
	for _, at := range slices.Sorted(maps.Keys(city)) {
		cities = append(cities, p.cities[at].Name)
	}
	return cities, len(store), len(product)
}
