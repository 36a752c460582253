// Package oracle is a slow, plain reference computation of the price index,
// for tests only. It follows the text of the methodology paragraph by
// paragraph and shares no code with the engine it is compared with.
//
// Section numbers in the comments are those of the methodology.
package oracle

// DefaultBaseWeek names the base week when the settings do not (section 1).
const DefaultBaseWeek = "2026-07-19"

// Product is one canonical product.
type Product struct {
	ID          int64
	Category    string
	Subcategory string
	Weight      float64 // basket_weight
	Active      bool
}

// City gives the display name of a city slug.
type City struct {
	Slug, Name string
}

// Banner is one retailer banner.
type Banner struct {
	Key      string
	InIndex  bool
	Verified bool // its rows keep their reviewed regular prices (section 11)
}

// Store is one store of a banner in a city.
type Store struct {
	ID     int64
	Banner string
	City   string // slug
	Active bool
}

// Listing is one retailer product, tied to its canonical product.
type Listing struct {
	ID        int64
	ProductID int64
	Banner    string
	Brand     string
	Active    bool
}

// Observation is one observed price of a listing at a store.
type Observation struct {
	ID             int64
	ListingID      int64
	StoreID        int64
	EffectivePrice float64
	ObservedAt     string // RFC 3339

	// What the regular companion reads besides (sections 11 and 15).
	RegularPrice  float64 // 0: unknown
	OnSale        bool
	RegularSource string // "", scraped, derived, assumed_equal
	PromoDetail   string // JSON; "" is none
}

// Data is a panel. It must be valid; nothing is checked.
type Data struct {
	BaseWeek     string // a Sunday; empty means DefaultBaseWeek
	Products     []Product
	Cities       []City
	Banners      []Banner
	Stores       []Store
	Listings     []Listing
	Categories   []string // slugs in published order; nil: the nine of the document
	Observations []Observation

	// Excluded holds the ids of observations to leave out, whatever the
	// reason, such as the quality gate (section 8).
	Excluded map[int64]bool
}

// lookup is Data by key.
type lookup struct {
	products map[int64]Product
	cities   map[string]City
	banners  map[string]Banner
	stores   map[int64]Store
	listings map[int64]Listing
}

func newLookup(d *Data) *lookup {
	return &lookup{
		byKey(d.Products, func(p Product) int64 { return p.ID }),
		byKey(d.Cities, func(c City) string { return c.Slug }),
		byKey(d.Banners, func(b Banner) string { return b.Key }),
		byKey(d.Stores, func(s Store) int64 { return s.ID }),
		byKey(d.Listings, func(m Listing) int64 { return m.ID }),
	}
}

func byKey[K comparable, T any](list []T, key func(T) K) map[K]T {
	all := map[K]T{}
	for _, x := range list {
		all[key(x)] = x
	}
	return all
}
