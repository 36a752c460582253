package synth

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

const (
	lead  = 12 // weeks before the base week that the trend starts; prices may be set that early
	never = 1 << 30
)

// store is a panel.Store with the habits of its collection.
type store struct {
	panel.Store
	chain, city   int
	weekday, hour int // of the visit: 0 is Monday
	listings      []*listing
}

// listing adds to a listing its price and its pack.
type listing struct {
	panel.Listing
	good, chain int   // places in Goods and Chains
	level       int64 // of its price
	size        int64 // of the pack, in the product's unit
	sizeText    string

	shrinks   int   // first week of a smaller pack
	small     int64 // its size
	smallText string
	shelf     int64 // factor of the shelf price at the change
}

func (d *Data) build() {
	for g, x := range d.country.Goods {
		trend := []int64{one}
		for i := range d.Weeks + lead {
			trend = append(trend, times(trend[i], one+x.Drift+d.draw(-x.Noise, x.Noise, "trend", g, i)))
		}
		d.trend = append(d.trend, trend)
	}
	for _, at := range d.country.sites(d.Config.Stores) {
		d.stores = append(d.stores, store{
			Store: panel.Store{
				Banner: at.banner, City: at.city, Active: at != closed, LocationCertain: at != uncertain,
			},
			chain: slices.IndexFunc(d.country.Chains, func(c chain) bool { return c.Key == at.banner }),
			city:  slices.IndexFunc(d.Cities, func(c basket.City) bool { return c.Slug == at.city }),
		})
	}
	first := min(firstStores, len(d.stores))
	for _, lot := range [][]store{d.stores[:first], d.stores[first:]} { // those that joined have the last ids
		slices.SortStableFunc(lot, func(a, b store) int { return cmp.Or(a.city-b.city, a.chain-b.chain) })
	}
	for c := range d.country.Chains {
		if slices.ContainsFunc(d.stores, func(s store) bool { return s.chain == c }) {
			d.list(c)
		}
		d.Banners = append(d.Banners, d.country.Chains[c].Banner)
	}
	for i := range d.stores {
		d.open(i)
		d.Stores = append(d.Stores, d.stores[i].Store)
	}
}

func (d *Data) list(c int) {
	ch := &d.country.Chains[c]
	for g, p := range d.Products {
		if d.draw(1, 50, "carries", c, g) > ch.Carries {
			continue
		}
		x, l := &d.country.Goods[g], &listing{good: g, chain: c, size: int64(p.StandardSize), shrinks: never}
		l.ID, l.ProductID, l.Banner, l.Active = int64(len(d.listings)+1), p.ID, ch.Key, true
		l.SKU = strconv.FormatInt(d.draw(10_000_000, 99_999_999, "sku", c, g), 10)
		l.level = times(ch.Level, d.draw(950_000, 1_050_000, "level", c, g))
		if len(x.Sizes) > 0 && d.chance(250, "size", c, g) {
			l.size = x.Sizes[0]
		}
		l.sizeText = ch.packText(p, l.size)
		titles := x.En
		if ch.French {
			titles = x.Fr
		}
		l.Name = titles[d.draw(0, int64(len(titles)-1), "title", c, g)]
		if !x.Fresh {
			l.Brand, l.IsStoreBrand = ch.Brand, panel.Yes
			if d.chance(500, "brand", c, g) {
				l.Brand, l.IsStoreBrand = d.country.Brands[g%len(d.country.Brands)], panel.No
			}
			l.Name = l.Brand + " " + l.Name
		}
		d.plant(l)
		d.listings = append(d.listings, l)
		d.Listings = append(d.Listings, l.Listing)
	}
}

// open gives a store its id, the time of its visits, and nearly all of its banner's listings.
func (d *Data) open(i int) {
	s := &d.stores[i]
	s.ID = int64(i + 1)
	s.weekday, s.hour = int(d.draw(0, 6, "weekday", i)), int(d.draw(6, 17, "hour", i))
	if (site{s.City, s.Banner}) == late {
		s.weekday, s.hour = 6, 22
	}
	for _, l := range d.listings {
		if l.chain == s.chain && !d.chance(50, "lacks", i, int(l.ID)) {
			s.listings = append(s.listings, l)
		}
	}
}

// mix is the output function of SplitMix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// draw returns a number from lo to hi, both included. It depends on the seed, on what is drawn
// and on the ids of what it is drawn for, and on no earlier draw: so any week can be made alone.
// Only integers are drawn, so every platform draws the same.
func (d *Data) draw(lo, hi int64, what string, ids ...int) int64 {
	x := d.Seed
	for _, c := range []byte(what) {
		x = mix(x ^ uint64(c))
	}
	for _, id := range ids {
		x = mix(x ^ uint64(id))
	}
	return lo + int64(x>>11%uint64(hi-lo+1))
}

// chance reports whether something happens that has a chance of so many in a thousand.
func (d *Data) chance(perMille int64, what string, ids ...int) bool {
	return d.draw(0, 999, what, ids...) < perMille
}

// one is a factor of 1: factors are whole millionths.
const one = 1_000_000

// times multiplies by a factor and rounds down; x and f are positive.
func times(x, f int64) int64 { return x * f / one }

// ratio returns x*num/den, rounded half up; all three are positive.
func ratio(x, num, den int64) int64 { return (x*num + den/2) / den }
