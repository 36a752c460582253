package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

// gated builds a small panel for the gate. Products 1 and 2 are sold by the
// package in grams, 3 per kg, and have the listings 10 and 11, 20 and 30.
// Stores 1 to 3 are of an index banner, store 9 is not. The spec of product 1
// asks for "milk"; the others have none.
type gated struct {
	GateData
}

func newGated() *gated {
	g := &gated{GateData{
		Data: &Data{
			Cities:  []City{{"toronto", "Toronto"}},
			Banners: []Banner{{"acme", true}, {"pilot", false}},
			Stores: []Store{
				{1, "acme", "toronto", true}, {2, "acme", "toronto", true}, {3, "acme", "toronto", true},
				{9, "pilot", "toronto", true},
			},
			Listings: []Listing{{10, 1, "acme", true}, {11, 1, "acme", true}, {20, 2, "acme", true}, {30, 3, "acme", true}},
		},
		Unit:  map[int64]basket.Unit{},
		PerKg: map[int64]bool{3: true},
		Specs: map[int64]Spec{1: {Require: [][]string{{"milk"}}}},
		Seen:  map[int64]Seen{},
	}}
	for id := int64(1); id <= 3; id++ {
		g.Data.Products = append(g.Data.Products, product(id, "dairy", 1))
		g.Unit[id] = basket.Gram
	}
	return g
}

// row observes a price; its id counts from 1.
func (g *gated) row(listing, store int64, price, title string) int64 {
	id := int64(len(g.Data.Observations) + 1)
	g.Data.Observations = append(g.Data.Observations, Observation{
		ID: id, ListingID: listing, StoreID: store,
		EffectivePrice: 1, // the gate goes by Seen
		ObservedAt:     addDays(w0, int(id)) + "T12:00:00Z",
	})
	g.Seen[id] = Seen{Title: title, Price: decimal(price)}
	return id
}

// prices observes rows whose titles pass every spec here.
func (g *gated) prices(listing, store int64, prices string) {
	for _, price := range strings.Fields(prices) {
		g.row(listing, store, price, "milk")
	}
}

// titles observes rows at a price of 1: m is milk, j is juice.
func (g *gated) titles(listing, store int64, kinds string) {
	for _, kind := range kinds {
		g.row(listing, store, "1", map[rune]string{'m': "milk", 'j': "juice"}[kind])
	}
}

func (g *gated) store(id int64) *Store {
	return &g.Data.Stores[slices.IndexFunc(g.Data.Stores, func(s Store) bool { return s.ID == id })]
}

func (g *gated) listing(id int64) *Listing {
	return &g.Data.Listings[slices.IndexFunc(g.Data.Listings, func(m Listing) bool { return m.ID == id })]
}

func (g *gated) entry(listing, store, observation int64, rule string, released bool) {
	g.Entries = append(g.Entries, Entry{listing, store, observation, rule, released})
}

func (g *gated) judge(t *testing.T) *Judgement {
	t.Helper()
	j, err := Gate(&g.GateData)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// wantDerived checks the derived entries, in their order.
func (g *gated) wantDerived(t *testing.T, want ...Entry) {
	t.Helper()
	if got := g.judge(t).Derived; !slices.Equal(got, want) {
		t.Errorf("derived %v, want %v", got, want)
	}
}

// wantVerdicts checks the verdicts of the rows in order: "pass", "identity" or
// the rule of a quarantine.
func (g *gated) wantVerdicts(t *testing.T, want string) {
	t.Helper()
	verdicts := g.judge(t).Verdicts
	var got []string
	for _, id := range slices.Sorted(maps.Keys(verdicts)) {
		v := verdicts[id]
		switch {
		case (v.Verdict == Quarantine) != (v.Rule != ""):
			t.Errorf("row %d: %s by rule %q", id, v.Verdict, v.Rule)
		case v.Rule != "":
			got = append(got, v.Rule)
		default:
			got = append(got, v.Verdict)
		}
	}
	if joined := strings.Join(got, " "); joined != want {
		t.Errorf("verdicts %s\n    want %s", joined, want)
	}
}

// newSpec reads a spec as from a file.
func newSpec(t *testing.T, require, forbid, low, high string) Spec {
	t.Helper()
	var bad error
	r := record{
		map[string]int{"require": 0, "forbid": 1, "min_size": 2, "max_size": 3},
		[]string{require, forbid, low, high}, &bad,
	}
	s := r.spec()
	if bad != nil {
		t.Fatal(bad)
	}
	return s
}
