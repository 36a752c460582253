package oracle

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// RandomWorld makes a small world in which everything odd is common, and some
// valid requests to it. The same seed makes the same world. World.Build accepts
// every one.
//
// Worlds differ in how much is odd. In calm ones most rows are usable, and prices
// are always few and near each other, so that complete lists, ties and close
// calls are common; in the worst ones most rows have a fault.
func RandomWorld(seed uint64) (*World, []Request) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x6c61726465720a)), w: &World{}, ladder: map[int64][]panel.Price{}}
	g.oddity, g.flaw = pick(g, 0.01, 0.04, 0.15, 0.4), pick(g, 0, 0.03, 0.15)
	g.clock()
	g.places()
	g.listings()
	for _, s := range g.w.Stores {
		for _, m := range g.w.Listings {
			if s.Banner == m.Banner && !g.flawed() {
				g.series(s, m)
			}
		}
	}
	g.Shuffle(len(g.w.Observations), func(i, j int) {
		o := g.w.Observations
		o[i], o[j] = o[j], o[i]
	})
	var requests []Request
	for range 3 {
		requests = append(requests, g.request())
	}
	if seed%2 == 1 {
		g.renumber(requests)
		last := g.w.Products[0]
		last.ID, last.Active = basket.MaxID, true // with it inactive ones can be asked for
		g.w.Products = append(g.w.Products, last)
	}
	g.w.Currency = currencyOf(seed)
	return g.w, requests
}

// currencyOf gives every fourth world a currency with other decimals.
func currencyOf(seed uint64) string { return []string{"", "EUR", "", "JPY", "", "", "", "KWD"}[seed%8] }

// renumber gives products nearly the largest ids that there are, in the opposite order.
func (g *generator) renumber(requests []Request) {
	renew := func(id *int64) { *id = basket.MaxID - *id }
	for i := range g.w.Products {
		renew(&g.w.Products[i].ID)
	}
	for i := range g.w.Listings {
		renew(&g.w.Listings[i].ProductID)
	}
	for _, r := range requests {
		for i := range r.Items {
			renew(&r.Items[i].ID)
		}
		for _, list := range [][]compare.Choice{r.Accepted, r.Rejected} {
			for i := range list {
				renew(&list[i].ItemID)
			}
		}
	}
}

type generator struct {
	*rand.Rand
	w      *World
	oddity float64 // the share of rows that are odd in any one way
	flaw   float64 // the share of stores, listings and products that are
	ids    []int64 // of the observations, not yet used

	ladder map[int64][]panel.Price // by product: the prices of its rows
}

func (g *generator) chance(p float64) bool { return g.Float64() < p }
func (g *generator) odd() bool             { return g.chance(g.oddity) }
func (g *generator) flawed() bool          { return g.chance(g.flaw) }

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

// clock sets the request's instant: within a day, at its ends, and near the
// midnight that Toronto and UTC do not share.
func (g *generator) clock() {
	day := time.Date(2026, 11, 1+g.IntN(20), 0, 0, 0, 0, time.UTC)
	g.w.Now = day.Add(pick(g, 0, 1, 2*time.Hour, 15*time.Hour, 24*time.Hour-1))
	if g.chance(0.3) {
		g.w.Now = g.w.Now.In(panel.Calendar{}.Zone())
	}
}

// places makes cities, chains and stores.
func (g *generator) places() {
	w := g.w
	w.Cities = []basket.City{
		{Slug: "halifax", Name: "Halifax", Province: "NS"},
		{Slug: "moncton", Name: "Moncton", Province: "NB"},
	}[:1+g.IntN(2)]
	names := map[string]string{"auk": "Auk Market", "heron": "Heron Foods", "plover": "Plover", "tern": "Tern Foods", "wren": "Wren & Co"}
	keys := []string{"auk", "heron", "plover", "tern", "wren"}
	g.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	for i, key := range keys[:pick(g, 1, 2, 2, 3, 4, 5)] {
		w.Banners = append(w.Banners, basket.Banner{
			Key: key, Name: names[key], Retailer: names[key],
			InIndex: g.chance(0.5), InShopper: i == 0 || !g.flawed(), Verified: g.chance(0.3),
		})
	}
	for _, b := range w.Banners {
		uncertain := g.flawed() // wholly
		for _, c := range w.Cities {
			if g.flawed() {
				continue
			}
			for range pick(g, 1, 1, 2, 3) {
				w.Stores = append(w.Stores, panel.Store{
					ID: int64(len(w.Stores) + 1), Banner: b.Key, City: c.Slug,
					Active: !g.flawed(), LocationCertain: !uncertain && !g.flawed(),
				})
			}
		}
	}
}

// listings makes products and listings. Products sold by the kilogram have ids
// that they have in the basket of Canada, too.
func (g *generator) listings() {
	w := g.w
	kinds := []basket.Product{
		{ID: 1, StandardSize: 500, Unit: basket.Gram, SoldBy: basket.ByPackage},
		{ID: 2, StandardSize: 1000, Unit: basket.Millilitre, SoldBy: basket.ByPackage},
		{ID: 3, StandardSize: 12, Unit: basket.Count, SoldBy: basket.ByPackage},
		{ID: 4, StandardSize: 99.5, Unit: basket.Gram, SoldBy: basket.ByPackage},
		{ID: 5, StandardSize: 0.7, Unit: basket.Millilitre, SoldBy: basket.ByPackage}, // no such size; rounding
		{ID: 7, StandardSize: 1000, Unit: basket.Gram, SoldBy: basket.ByKilogram},
		{ID: 18, StandardSize: 1000, Unit: basket.Gram, SoldBy: basket.ByKilogram},
	}
	g.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	for _, p := range kinds[:1+g.IntN(4)] {
		p.Name, p.Category, p.Weight, p.Active = "Goods", "pantry", 1, !g.flawed()
		w.Products = append(w.Products, p)
		g.ladder[p.ID] = pick(g, ladders...)
	}
	for _, p := range w.Products {
		for _, b := range w.Banners {
			if g.flawed() {
				continue
			}
			for range pick(g, 1, 1, 1, 2, 3) {
				w.Listings = append(w.Listings, panel.Listing{
					ID: int64(len(w.Listings) + 1), ProductID: p.ID, Banner: b.Key, Active: !g.flawed(),
				})
			}
		}
	}
}

// request makes a valid request: of the products those it wants, of the chains
// those with an active store in the city.
func (g *generator) request() Request {
	w := g.w
	r := Request{City: pick(g, w.Cities...).Slug}
	for _, i := range g.Perm(len(w.Products)) {
		p := w.Products[i]
		if len(r.Items) > 0 && g.chance(0.4) {
			continue
		}
		qty := big.NewRat(pick[int64](g, 1, 1, 1, 2, 3, 7, 20), 1)
		if p.PerKg() {
			qty = big.NewRat(pick[int64](g, 1, 2, 3, 4, 4, 5, 6, 8, 12, 40), 4)
		}
		r.Items = append(r.Items, Item{p.ID, qty})
	}
	for _, condition := range []panel.SaleCondition{panel.Member, panel.MultiBuy} {
		if g.chance(0.2) {
			r.Conditions = append(r.Conditions, condition)
		}
	}
	r.Variants = g.chance(0.4)
	for _, list := range []*[]compare.Choice{&r.Rejected, &r.Accepted} {
		for range pick(g, 0, 0, 1, 2, 4) {
			b := pick(g, w.Banners...)
			if b.InShopper && len(w.activeStores(b.Key, r.City)) > 0 {
				*list = append(*list, compare.Choice{ItemID: pick(g, r.Items...).ID, Store: b.Key})
			}
		}
	}
	if g.chance(0.3) {
		for _, i := range g.Perm(len(w.Banners)) {
			b := w.Banners[i]
			if b.InShopper && len(w.activeStores(b.Key, r.City)) > 0 && g.chance(0.6) {
				r.Stores = append(r.Stores, b.Key)
			}
		}
	}
	return r
}

// RandomMarket makes a world in which nothing is odd, for splits, and a
// request for everything in it: 2 to 7 chains, 2 to most goods, many of which a chain
// lacks, at prices of which many are equal or near each other, in sizes that differ.
func RandomMarket(seed uint64, most int) (*World, Request) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x73706c6974))}
	w, r := g.market(2+g.IntN(most-1), func() int { return 2 + g.IntN(6) }, 1)
	w.Currency = currencyOf(seed)
	return w, r
}

// LargeMarket makes a market of so many goods and chains, each of which lists a tenth of the goods, and a
// request for the last fifty.
func LargeMarket(goods, chains int) (*World, Request) {
	g := &generator{Rand: rand.New(rand.NewPCG(1, 0x6c61726765))}
	w, r := g.market(goods, func() int { return chains }, 0.1)
	r.Items = r.Items[max(0, len(r.Items)-compare.MaxItems):]
	g.w = w
	g.renumber([]Request{r})
	return w, r
}

func (g *generator) market(goods int, chains func() int, listed float64) (*World, Request) {
	at := time.Date(2026, 11, 16, 15, 0, 0, 0, time.UTC)
	w := &World{Cities: []basket.City{{Slug: "halifax", Name: "Halifax", Province: "NS"}}, Now: at}
	r := Request{City: "halifax"}
	for i := range goods {
		w.Products = append(w.Products, basket.Product{
			ID: int64(i + 1), Name: "Goods", Category: "pantry", Weight: 1, StandardSize: 100, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true,
		})
		r.Items = append(r.Items, Item{int64(i + 1), big.NewRat(int64(1+g.IntN(3)), 1)})
	}
	lacks, other := pick(g, 0, 0.1, 0.3, 0.5), pick(g, 0, 0.1, 0.4)
	prices := pick(g, ladders...)
	for i := range chains() {
		key := fmt.Sprintf("chain-%d", i)
		w.Banners = append(w.Banners, basket.Banner{Key: key, Name: key, Retailer: key, InShopper: true})
		store := panel.Store{ID: int64(i + 1), Banner: key, City: "halifax", Active: true, LocationCertain: true}
		w.Stores = append(w.Stores, store)
		for _, p := range w.Products {
			if listed < 1 && !g.chance(listed) {
				continue
			}
			id := int64(len(w.Listings) + 1)
			w.Listings = append(w.Listings, panel.Listing{ID: id, ProductID: p.ID, Banner: key, Active: true})
			o := panel.Observation{ID: id, Listing: id, Store: store.ID, ObservedAt: at, Effective: pick(g, prices...), PackageSize: "100 g"}
			if g.chance(other) {
				o.PackageSize = pick(g, "80 g", "95 g", "120 g", "150 g")
			}
			if !g.chance(lacks) {
				w.Observations = append(w.Observations, o)
			}
		}
	}
	return w, r
}
