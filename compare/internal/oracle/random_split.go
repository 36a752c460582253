package oracle

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// RandomMarket makes a world in which nothing is odd, for splits, and a request
// for everything in it: 2 to 7 chains, 2 to 6 goods, many of which a chain lacks,
// at prices of which many are equal or near each other, in sizes that differ.
func RandomMarket(seed uint64) (*World, Request) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0x73706c6974))}
	at := time.Date(2026, 11, 16, 15, 0, 0, 0, time.UTC)
	w := &World{Cities: []basket.City{{Slug: "halifax", Name: "Halifax", Province: "NS"}}, Now: at}
	r := Request{City: "halifax"}
	for i := range 2 + g.IntN(5) {
		w.Products = append(w.Products, basket.Product{
			ID: i + 1, Name: "Goods", Category: basket.Pantry, Weight: 1, StandardSize: 100, Unit: basket.Gram, SoldBy: basket.ByPackage, Active: true,
		})
		r.Items = append(r.Items, Item{i + 1, big.NewRat(int64(1+g.IntN(3)), 1)})
	}
	lacks, other := pick(g, 0, 0.1, 0.3, 0.5), pick(g, 0, 0.1, 0.4)
	prices := pick(g, ladders...)
	for i := range 2 + g.IntN(6) {
		key := fmt.Sprintf("chain-%d", i)
		w.Banners = append(w.Banners, basket.Banner{Key: key, Name: key, Retailer: key, InShopper: true})
		store := panel.Store{ID: int64(i + 1), Banner: key, City: "halifax", Active: true, LocationCertain: true}
		w.Stores = append(w.Stores, store)
		for _, p := range w.Products {
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
