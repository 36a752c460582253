package oracle

import (
	"cmp"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// activeStores lists a chain's active stores in a city, certain or not.
func (w *World) activeStores(chain, city string) []panel.Store {
	var stores []panel.Store
	for _, s := range w.Stores {
		if s.Banner == chain && s.City == city && s.Active {
			stores = append(stores, s)
		}
	}
	return stores
}

// certainStores lists those of them whose location is certain: "rows of
// uncertain stores are never used".
func (w *World) certainStores(chain, city string) []panel.Store {
	return slices.DeleteFunc(w.activeStores(chain, city), func(s panel.Store) bool { return !s.LocationCertain })
}

// chains lists the chains that the request is about, by key. "Chains of a city:
// banners with the shopper flag and an active store there. A chain all of whose
// active stores in the city have an uncertain location is in excludedStores;
// the rest are eligible. With a stores filter everything below is over the
// requested chains only."
func (w *World) chains(r Request) (eligible, excluded []basket.Banner) {
	for _, b := range w.Banners {
		switch {
		case !b.InShopper || len(w.activeStores(b.Key, r.City)) == 0:
		case len(r.Stores) > 0 && !slices.Contains(r.Stores, b.Key):
		case len(w.certainStores(b.Key, r.City)) == 0:
			excluded = append(excluded, b)
		default:
			eligible = append(eligible, b)
		}
	}
	byKey := func(a, b basket.Banner) int { return cmp.Compare(a.Key, b.Key) }
	slices.SortFunc(eligible, byKey)
	slices.SortFunc(excluded, byKey)
	return eligible, excluded
}

// activeListings lists a chain's listings of a product that count: none of an
// inactive product's.
func (w *World) activeListings(chain string, product basket.Product) []panel.Listing {
	var listings []panel.Listing
	for _, m := range w.Listings {
		if m.Banner == chain && m.ProductID == product.ID && m.Active && product.Active {
			listings = append(listings, m)
		}
	}
	return listings
}
