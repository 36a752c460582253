package oracle

import (
	"math/big"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// now is in the afternoon of Monday 2026-11-16, in Halifax and in UTC.
var now = time.Date(2026, 11, 16, 15, 0, 0, 0, time.UTC)

var today = panel.DateOf(2026, 11, 16)

// Chains and products of a tiny world. The products' standard sizes are 500 g,
// 1 L, 12 pieces, and 1 kg by weight.
const (
	auk = iota + 1
	tern
	wren

	oats = 1
	milk = 2
	eggs = 3
	fish = 7
	tofu = 50 // an inactive product
)

var chainKeys = []string{"", "auk", "tern", "wren"}

// tiny is a world with three chains, of which each has one store in Halifax,
// whose id is the chain's number, and one listing of each product, whose id is
// 100 times the chain's number plus the product's.
type tiny struct{ World }

func newTiny() *tiny {
	w := &tiny{World{
		Cities: []basket.City{{Slug: "halifax", Name: "Halifax", Province: "NS"}, {Slug: "moncton", Name: "Moncton", Province: "NB"}},
		Now:    now,
	}}
	product := func(id int, size float64, unit basket.Unit, by basket.SoldBy) {
		w.Products = append(w.Products, basket.Product{ID: id, Name: "Goods", Category: basket.Pantry, StandardSize: size,
			Unit: unit, Weight: 1, SoldBy: by, Active: id != tofu})
	}
	product(oats, 500, basket.Gram, basket.ByPackage)
	product(milk, 1000, basket.Millilitre, basket.ByPackage)
	product(eggs, 12, basket.Count, basket.ByPackage)
	product(fish, 1000, basket.Gram, basket.ByKilogram)
	product(tofu, 1000, basket.Gram, basket.ByKilogram)
	for chain := auk; chain <= wren; chain++ {
		key := chainKeys[chain]
		w.Banners = append(w.Banners, basket.Banner{Key: key, Name: "The " + key, Retailer: key, InShopper: true})
		w.store(chain, chain)
		for _, p := range w.Products {
			w.listing(100*chain+p.ID, chain, p.ID)
		}
	}
	return w
}

func (w *tiny) store(id, chain int) *panel.Store {
	w.Stores = append(w.Stores, panel.Store{ID: int64(id), Banner: chainKeys[chain], City: "halifax", Active: true, LocationCertain: true})
	return &w.Stores[len(w.Stores)-1]
}

func (w *tiny) listing(id, chain, product int) *panel.Listing {
	w.Listings = append(w.Listings, panel.Listing{ID: int64(id), ProductID: product, Banner: chainKeys[chain], Active: true})
	return &w.Listings[len(w.Listings)-1]
}

// A detail is what a test says of a row. The rest is that of a row seen
// yesterday at noon.
type detail = func(*panel.Observation)

// see adds a row of a chain's first listing at its first store.
func (w *tiny) see(chain, product int, price string, with ...detail) {
	p, err := panel.ParsePrice(price)
	if err != nil {
		panic(err)
	}
	o := panel.Observation{
		ID: int64(len(w.Observations) + 1), Store: int64(chain), Listing: int64(100*chain + product),
		Effective: p, ObservedAt: now.Add(-27 * time.Hour),
	}
	for _, f := range with {
		f(&o)
	}
	w.Observations = append(w.Observations, o)
}

func id(n int64) detail                   { return func(o *panel.Observation) { o.ID = n } }
func store(n int64) detail                { return func(o *panel.Observation) { o.Store = n } }
func listing(n int64) detail              { return func(o *panel.Observation) { o.Listing = n } }
func size(text string) detail             { return func(o *panel.Observation) { o.PackageSize = text } }
func at(t time.Time) detail               { return func(o *panel.Observation) { o.ObservedAt = t } }
func daysAgo(n int) detail                { return at(now.AddDate(0, 0, -n)) }
func fails(o *panel.Observation)          { o.Verdict = panel.FailsIdentity }
func sale(o *panel.Observation)           { o.OnSale = true }
func members(o *panel.Observation)        { o.SaleCondition = panel.Member }
func ends(d panel.Date) detail            { return func(o *panel.Observation) { o.SaleEndsOn = d } }
func promo(text string) detail            { return func(o *panel.Observation) { o.PromoDetail = text } }
func source(s panel.RegularSource) detail { return func(o *panel.Observation) { o.RegularSource = s } }
func regular(price string) detail {
	p, err := panel.ParsePrice(price)
	if err != nil {
		panic(err)
	}
	return func(o *panel.Observation) { o.Regular = p }
}

// list makes a request: product, quantity, product, quantity, ...
func list(pairs ...any) Request {
	r := Request{City: "halifax"}
	for i := 0; i < len(pairs); i += 2 {
		qty, ok := new(big.Rat).SetString(pairs[i+1].(string))
		if !ok {
			panic("bad quantity")
		}
		r.Items = append(r.Items, Item{pairs[i].(int), qty})
	}
	return r
}

func (w *tiny) compare(t *testing.T, r Request) *Result {
	t.Helper()
	result, code := Compare(&w.World, r)
	if code != "" {
		t.Fatalf("refused: %s", code)
	}
	return result
}

// of returns the result of a chain.
func (r *Result) of(t *testing.T, chain int) Store {
	t.Helper()
	s, ok := find(r.Stores, func(s Store) bool { return s.Key == chainKeys[chain] })
	if !ok {
		t.Fatalf("no result for %s", chainKeys[chain])
	}
	return s
}

// reason returns why a chain has no price for an item; "" if it has.
func (r *Result) reason(chain, item int) string {
	e, _ := find(r.Exclusions, func(e Exclusion) bool { return e.StoreKey == chainKeys[chain] && e.ItemID == item })
	return e.Reason
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: -want +got\n%s", what, diff)
	}
}

// wantTotals checks a chain's total and size-adjusted total, in cents.
func wantTotals(t *testing.T, s Store, total, adjusted int64) {
	t.Helper()
	same(t, s.Key+": total", &total, s.TotalCents)
	same(t, s.Key+": size-adjusted total", &adjusted, s.SizeAdjustedCents)
}
