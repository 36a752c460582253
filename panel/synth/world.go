package synth

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// world has everything that rows are computed from. It does not change after
// Generate returns. Weeks are numbered from the base week, 0. Week -1 is the
// run-up to the base week, and week `weeks` is still open.
type world struct {
	country
	seed     seed
	base     panel.Week
	weeks    int // closed weeks
	through  panel.Date
	products []basket.Product // in the order of Goods
	stores   []store
	listings []*listing
	trend    [][]int64 // by product, then week + lead
	stride   int64     // the ids of a week start at a multiple of it
}

// lead is how many weeks before the base week the trend starts. The base week's
// prices may have been set some weeks earlier.
const lead = 12

const never = 1 << 30

// store is a shop with the habits of its collection.
type store struct {
	panel.Store
	chain, city int
	level       int64
	weekday     int // of the visit: 0 is Monday
	hour        int
	minute      int
	from, to    int // first and last week with a visit
	skip        int // a week without a visit in the whole city
	frozen      int // from this week on, prices stay the same
	series      []*series
}

// listing adds to a listing the sources of its price and its pack.
type listing struct {
	panel.Listing
	good     int // place in Goods: the product's id less 1
	chain    int
	size     int64 // of the pack, in the product's unit
	sizeText string
	level    int64
	from, to int // first and last week on the shelves
	shrink   *shrinking
	expired  bool // its last rows have a sale that has ended
	series   []*series
}

// series is a listing at one store.
type series struct {
	*listing
	store   *store
	title   string
	factor  int64 // of its price; not one on a wrong basis
	change  int   // week of its smaller pack
	oddWeek int   // of the row that odd spoils; odd may be nil
	odd     func(*panel.Observation)
}

func newWorld(cfg Config, base panel.Week) *world {
	w := &world{seed: seed(mix(cfg.Seed)), base: base, weeks: cfg.Weeks, through: cfg.Through, country: newCountry()}
	w.products = append(basket.Canada().Products, w.Former)
	w.stride = 1000
	for w.stride < int64(cfg.Stores)*int64(len(w.Goods))*3/2 {
		w.stride *= 10
	}
	w.makeTrend()
	w.makeStores(cfg.Stores)
	w.makeListings()
	for _, l := range w.listings {
		w.stock(l, 1)
	}
	return w
}

// makeTrend draws the country's price level of every product by week.
func (w *world) makeTrend() {
	w.trend = make([][]int64, len(w.Goods))
	for g, x := range w.Goods {
		level := int64(one)
		t := make([]int64, w.weeks+1+lead)
		for i := range t {
			t[i] = level
			level = times(level, one+x.Drift+among(w.seed.at(tagTrend, g, i, 0), -x.Noise, x.Noise))
		}
		w.trend[g] = t
	}
}

func (w *world) makeStores(n int) {
	cities := basket.Canada().Cities
	for _, p := range w.sites(n) {
		s := store{
			chain: slices.IndexFunc(w.Chains, func(c chain) bool { return c.Key == p.banner }),
			city:  slices.IndexFunc(cities, func(c basket.City) bool { return c.Slug == p.city }),
			from:  -1, to: never, skip: never, frozen: never,
		}
		s.Banner, s.City, s.Active, s.LocationCertain = p.banner, p.city, true, true
		w.stores = append(w.stores, s)
	}
	slices.SortStableFunc(w.stores, func(a, b store) int {
		return cmp.Or(a.city-b.city, a.chain-b.chain)
	})
	for i := range w.stores {
		s := &w.stores[i]
		s.ID = int64(i + 1)
		bits := w.seed.at(tagVisit, i, 0, 0)
		s.level = among(bits, 975_000, 1_025_000)
		s.weekday, s.hour, s.minute = below(mix(bits), 7), 6+below(mix(bits+1), 12), below(mix(bits+2), 40)
		switch i % 13 {
		case 4: // Sunday evening in Toronto, Monday in UTC
			s.weekday, s.hour = 6, 21+below(mix(bits+3), 3)
		case 9: // the first minutes of the week
			s.weekday, s.hour = 0, 0
		}
	}
}

// makeListings gives every banner with a store its list of products.
func (w *world) makeListings() {
	for c := range w.Chains {
		if !slices.ContainsFunc(w.stores, func(s store) bool { return s.chain == c }) {
			continue
		}
		order := make([]int, len(w.Goods)-1)
		for g := range order {
			order[g] = g
		}
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Compare(w.seed.at(tagCarry, c, a, 0), w.seed.at(tagCarry, c, b, 0))
		})
		order = order[:w.Chains[c].Carries]
		slices.Sort(order)
		for _, g := range order {
			w.list(c, g, 0)
		}
	}
}

// list adds a banner's listing of a good. Several of the same good have different
// variants.
func (w *world) list(c, g, variant int) *listing {
	ch, x, p := &w.Chains[c], &w.Goods[g], w.products[g]
	l := &listing{good: g, chain: c, size: int64(p.StandardSize), from: -1, to: never}
	l.ID, l.ProductID, l.Banner, l.Active = int64(len(w.listings)+1), p.ID, ch.Key, true
	bits := w.seed.at(tagTitle, c, g, variant)
	l.SKU = strconv.FormatUint(10_000_000+bits%90_000_000, 10)
	l.level = times(ch.Level, among(w.seed.at(tagBannerGood, c, g, variant), 950_000, 1_050_000))
	if sizes := w.seed.at(tagSize, c, g, variant); len(x.Sizes) > 0 && below(sizes, 4) == 0 {
		l.size = x.Sizes[below(mix(sizes), len(x.Sizes))]
	}
	if below(mix(bits+1), 25) != 0 {
		l.sizeText = ch.packText(p, l.size)
	}
	titles := x.titles(ch.French)
	title := titles[below(mix(bits+2), len(titles))]
	if !x.Fresh {
		l.Brand, l.IsStoreBrand = ch.Brand, panel.Yes
		if variant > 0 || below(mix(bits+3), 2) == 0 {
			l.Brand, l.IsStoreBrand = w.Brands[below(mix(bits+4), len(w.Brands))], panel.No
		}
		title = l.Brand + " " + title
	}
	if l.sizeText != "" && ch.Style%2 == 0 && !p.PerKg() {
		title += ", " + packText(0, ch.French, p, l.size)
	}
	l.Name = title
	w.listings = append(w.listings, l)
	return l
}

// stock puts a listing on the shelves of its banner's stores, except a few. With
// every above 1, only every second, third or later one of the others gets it.
func (w *world) stock(l *listing, every int) {
	n := 0
	for i := range w.stores {
		s := &w.stores[i]
		if s.chain != l.chain || below(w.seed.at(tagStoreCarry, i, int(l.ID), 0), 100) < 5 {
			continue
		}
		if n++; (n-1)%every == 0 {
			x := &series{listing: l, store: s, title: l.Name, factor: one, change: never, oddWeek: never}
			s.series = append(s.series, x)
			l.series = append(l.series, x)
		}
	}
}

// rename gives a listing another title at all its stores.
func (l *listing) rename(title string) {
	l.Name = title
	for _, x := range l.series {
		x.title = title
	}
}

// end is the moment up to which prices are seen.
func (w *world) end() time.Time { return (w.through + 1).Time(panel.Toronto) }

// visit returns the time of a store's visit in a week, in Toronto.
func (w *world) visit(s *store, week int) time.Time {
	monday := w.base.Add(week).Date() - 6
	y, m, d := (monday + panel.Date(s.weekday)).Time(time.UTC).Date()
	late := below(w.seed.at(tagJitter, int(s.ID), week, 0), 12)
	return time.Date(y, m, d, s.hour, s.minute+late, 0, 0, panel.Toronto)
}

// visited reports whether a store has a visit in a week.
func (w *world) visited(s *store, week int) bool {
	if week < s.from || week > s.to || week == s.skip {
		return false
	}
	switch week {
	case -1:
		// The run-up has only Sunday evenings, which are in the base week in UTC.
		return s.weekday == 6 && s.hour >= 20
	case 0:
		return true
	}
	return below(w.seed.at(tagClosed, int(s.ID), week, 0), 160) != 0
}
