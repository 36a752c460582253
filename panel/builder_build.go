package panel

import (
	"errors"
	"slices"
	"strings"

	"github.com/larder-index/larder/basket"
)

// Build returns the panel. The builder must not be used afterwards.
func (b *Builder) Build() (*Panel, error) {
	if err := b.ready(); err != nil {
		return nil, err
	}
	p := &Panel{
		base: b.base, products: b.products, cities: b.cities, banners: b.banners,
		stores: b.stores, listings: b.listings, pilot: b.pilot, counts: b.counts,
	}
	series, rank := b.sortSeries()
	p.fill(series, rank, b.prices)
	*b = Builder{err: errors.New("panel: the builder was used already")}
	return p, nil
}

// sortSeries puts the reference lists into the panel's order and returns the
// series of the slots in theirs, with the rank of each slot.
func (b *Builder) sortSeries() (series []Series, rank []int32) {
	product := sortWithRank(b.products, func(x, y basket.Product) int { return x.ID - y.ID })
	city := sortWithRank(b.cities, func(x, y basket.City) int { return strings.Compare(x.Name, y.Name) })
	banner := sortWithRank(b.banners, func(x, y basket.Banner) int { return strings.Compare(x.Key, y.Key) })
	store := sortWithRank(b.stores, func(x, y Store) int { return compareInt(x.ID, y.ID) })
	listing := sortWithRank(b.listings, func(x, y Listing) int { return compareInt(x.ID, y.ID) })
	series = make([]Series, len(b.slots))
	for i, s := range b.slots {
		m, st := b.listingRef[s.listing], b.storeRef[s.store]
		series[i] = Series{
			Product: product[m.product], City: city[st.city], Banner: banner[st.banner],
			Store: store[s.store], Listing: listing[s.listing],
		}
	}
	return series, sortWithRank(series, Series.compare)
}

func (s Series) compare(t Series) int {
	for _, d := range [...]int32{s.Product - t.Product, s.City - t.City, s.Banner - t.Banner, s.Store - t.Store, s.Listing - t.Listing} {
		if d != 0 {
			return int(d)
		}
	}
	return 0
}

// sortWithRank sorts list in place and returns the new place of each old one.
func sortWithRank[T any](list []T, compare func(x, y T) int) []int32 {
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return compare(list[i], list[j]) })
	old := slices.Clone(list)
	rank := make([]int32, len(list))
	for place, i := range order {
		list[place] = old[i]
		rank[i] = int32(place)
	}
	return rank
}

func compareInt(x, y int64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
