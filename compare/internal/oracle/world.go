package oracle

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// World is everything that a comparison looks at. Records are taken as valid;
// an observation's Verdict is the gate's.
type World struct {
	Products     []basket.Product
	Cities       []basket.City
	Banners      []basket.Banner
	Stores       []panel.Store
	Listings     []panel.Listing
	Matches      []panel.Match
	Observations []panel.Observation
	Now          time.Time // the instant of the request
	Currency     string    // empty: CAD

	// What Build gives the gate beside Verdicts.
	Specs      []basket.Spec
	Quarantine []panel.Quarantine
}

// Request is a shopping list for a city.
type Request struct {
	City   string // slug
	Items  []Item
	Stores []string // chain keys; empty: all

	Conditions []panel.SaleCondition // of sales that the shopper meets

	Variants bool             // all are accepted
	Accepted []compare.Choice // whose variant is accepted
	Rejected []compare.Choice // listings to leave out
}

// Item is one line of a shopping list.
type Item struct {
	ID  int64
	Qty *big.Rat // packages, or kg
}

// String writes an item as a query does: 7x0.5.
func (i Item) String() string { return fmt.Sprintf("%dx%s", i.ID, i.Qty.FloatString(2)) }

// entries returns Quarantine and an entry for each row that does not pass by its
// Verdict.
func (w *World) entries() []panel.Quarantine {
	entries := slices.Clone(w.Quarantine)
	for _, o := range w.Observations {
		if o.Verdict != panel.Pass {
			entries = append(entries, panel.Quarantine{Listing: o.Listing, Observation: o.ID, Reason: "planted"})
		}
	}
	return entries
}

// Build returns the world as a panel and its rows. It panics on a record that is
// not valid.
func (w *World) Build() (*panel.Panel, *panel.Rows) {
	b := panel.NewBuilder(panel.DefaultBaseWeek)
	if w.Currency != "" {
		must(b.AddSetting(panel.Setting{Key: "currency", Value: w.Currency}))
	}
	add(b.AddProduct, w.Products)
	add(b.AddCity, w.Cities)
	add(b.AddBanner, w.Banners)
	add(b.AddStore, w.Stores)
	add(b.AddListing, w.Listings)
	add(b.AddMatch, w.Matches)
	add(func(o panel.Observation) error { return b.Observe(&o) }, w.Observations)
	p, err := b.Build()
	must(err)
	rows, err := panel.NewRows(panel.NewGate(panel.Calendar{}, w.Products, w.Stores, w.Listings, w.Specs, w.entries()), w.each)
	must(err)
	return p, rows
}

func add[T any](add func(T) error, records []T) {
	for _, r := range records {
		must(add(r))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (w *World) each(yield func(*panel.Observation, error) bool) {
	for _, o := range w.Observations {
		if !yield(&o, nil) {
			return
		}
	}
}

// digits are the decimals of the currency: "amounts have those of its smallest unit".
func (w *World) digits() int {
	switch w.Currency {
	case "JPY":
		return 0
	case "KWD":
		return 3
	}
	return 2
}

// wholeCents returns cents as an amount.
func (w *World) wholeCents(x *big.Rat) compare.Money {
	if !x.IsInt() || !x.Num().IsInt64() {
		panic("oracle: a total is not a whole number of cents")
	}
	return compare.Money{Cents: x.Num().Int64(), Valid: true, Finer: int8(w.digits() - 2)}
}

func (w *World) product(id int64) (basket.Product, bool) {
	return find(w.Products, func(p basket.Product) bool { return p.ID == id })
}

func (w *World) city(slug string) (basket.City, bool) {
	return find(w.Cities, func(c basket.City) bool { return c.Slug == slug })
}

func (w *World) banner(key string) (basket.Banner, bool) {
	return find(w.Banners, func(b basket.Banner) bool { return b.Key == key })
}

func find[T any](list []T, is func(T) bool) (found T, ok bool) {
	i := slices.IndexFunc(list, is)
	if i < 0 {
		return found, false
	}
	return list[i], true
}
