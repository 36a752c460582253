package synth

import (
	"slices"

	"golang.org/x/text/encoding/charmap"

	"github.com/larder-index/larder/panel"
)

// oddity is one strange thing of a real collection, at a banner's listing of a product.
type oddity struct {
	product int // id
	banner  string
	plant   func(*world, *listing)
}

// oddities are those of listings. Where the panel lacks a listing, it lacks the oddity.
var oddities = []oddity{
	{5, "tillbrook", replaced(2)}, {32, "ottermill", replaced(3)}, {30, "prairiekeel", replaced(4)},
	{42, "boisverin", replaced(5)}, {3, "gullhaven", replaced(6)}, {7, "cedarquay", replaced(7)},
	{43, "northlarch", second}, {1, "northlarch", second}, {12, "gullhaven", second},
	{51, "northlarch", former}, {51, "pennywold", former}, {51, "boisverin", former},
	{4, "grangelys", misread},

	{1, "tillbrook", shrinks(0, 750, 650, one)},             // size -13.3%, unit price +15.4%
	{43, "boisverin", shrinks(1, 930, 860, one)},            // -7.5%, +8.1%
	{33, "pennywold", shrinks(2, 400, 350, 1_150_000)},      // -12.5%, +31.4%
	{4, "tillbrook", shrinks(3, 454, 450, one)},             // -0.9%, +0.9%
	{42, "ottermill", shrinks(4, 1500, 1200, one)},          // -20%, +25%
	{12, "prairiekeel", shrinks(5, 675, 500, one)},          // -25.9%, held at -20%
	{38, "gullhaven", shrinks(0, 750, 660, 680_000)},        // -12%, -22.7%
	{22, "cedarquay", shrinks(1, 454, 400, one)},            // -11.9%, +13.5%
	{2, "quartermoss", eighteen}, {2, "tidewren", eighteen}, // eggs
	{9, "tillbrook", packed("0.4 kg")}, {8, "pennywold", packed("450 g")},

	{1, "ottermill", titled(all, "Yogurt-Flavoured Granola Bars")}, {19, "pennywold", titled(all, "Gala Apple Juice")},
	{26, "rimfield", titled(all, "Yellow Potato Chips")}, {33, "harthollow", titled(all, "Chocolate Covered Almonds")},
	{22, "boisverin", titled(all, "Confiture de fraises")},
	{31, "northlarch", titled(1, "Brown Rice Crackers")}, {45, "tillbrook", titled(1, "Almond Milk Chocolate Bar")},
	{10, "aspenreach", priced(all, 6*one)}, {36, "northlarch", priced(0, 5*one)}, // a case
	{21, "northlarch", priced(0, one/10)}, {48, "grangelys", priced(0, one/4)}, // 100 g, a part of the pack

	{1, "pennywold", row(0, 2, strayTitle("Yogurt-Flavoured Granola Bars"))}, {19, "northlarch", row(0, 2, strayTitle("Gala Apple Juice"))},
	{33, "gullhaven", row(0, 3, strayTitle("Chocolate Covered Almonds"))}, {5, "northlarch", row(0, 2, strayPack)}, {32, "pennywold", row(0, 3, strayPack)},
	{7, "northlarch", row(2, 9, perPound)}, {8, "cedarquay", row(0, 9, perPound)}, {9, "pennywold", row(0, 9, perPound)}, {11, "ottermill", row(0, 8, perPound)},
	{18, "tillbrook", row(0, 10, perPound)}, {21, "gullhaven", row(0, 10, perPound)}, {27, "boisverin", row(0, 10, perPound)}, {50, "prairiekeel", row(0, 9, perPound)},
	{34, "pennywold", expiring}, {47, "pennywold", expiring}, {14, "pennywold", expiring},
}

// plant puts the oddities of places and listings into the panel.
func (w *world) plant() {
	w.plantPlaces()
	for _, o := range oddities {
		c := slices.IndexFunc(w.Chains, func(c chain) bool { return c.Key == o.banner })
		if o.product == w.Former.ID {
			w.stock(w.list(c, len(w.Goods)-1, 0), 1)
		}
		i := slices.IndexFunc(w.listings, func(l *listing) bool { return l.Banner == o.banner && l.ProductID == o.product })
		if i >= 0 {
			o.plant(w, w.listings[i])
		}
	}
}

// plantPlaces plants a city that comes late, one that lacks a week, stores that closed, fell
// silent or repeat their prices, and uncertain locations.
func (w *world) plantPlaces() {
	for i := range w.stores {
		switch s := &w.stores[i]; {
		case s.City == "charlottetown" && w.weeks >= 4:
			s.from = min(5, w.weeks/3)
		case s.City == "saskatoon" && w.weeks >= 3:
			s.skip = 2 * w.weeks / 3
		}
	}
	if s := w.lastStore("ottermill", "toronto"); s != nil {
		s.Active, s.to = false, w.weeks/2
	}
	for _, at := range []site{{"vancouver", "tidewren"}, {"ottawa", "quartermoss"}} {
		if s := w.lastStore(at.banner, at.city); s != nil && w.weeks >= 4 {
			s.to = w.weeks - 3
		}
	}
	if s := w.lastStore("wheatlark", "winnipeg"); s != nil && w.weeks >= 6 {
		s.frozen = w.weeks / 2
	}
	chains := []site{{"montreal", "depotgris"}, {"halifax", "tillbrook"}}
	for i := range w.stores {
		s := &w.stores[i]
		s.LocationCertain = i%29 != 7 && !slices.Contains(chains, site{s.City, s.Banner})
	}
}

// lastStore returns the last store of a banner with several stores in a city, or nil.
func (w *world) lastStore(banner, city string) (last *store) {
	n := 0
	for i := range w.stores {
		if s := &w.stores[i]; s.Banner == banner && s.City == city {
			last = s
			n++
		}
	}
	if n < 2 {
		return nil
	}
	return last
}

// replaced has another listing at a price that is a quarter higher take over after some
// ninths of the weeks.
func replaced(ninths int) func(*world, *listing) {
	return func(w *world, old *listing) {
		week := max(1, w.weeks*ninths/9)
		old.to, old.Active = week-1, false
		next := w.list(old.chain, old.good, 2)
		next.from, next.level = week, times(old.level, 1_250_000)
		w.stock(next, 1)
	}
}

// second adds another listing of the product at every other store.
func second(w *world, l *listing) {
	x := w.list(l.chain, l.good, 1)
	x.level = times(l.level, 1_060_000)
	w.stock(x, 2)
}

// former ends a listing of the product of an earlier basket.
func former(w *world, l *listing) { l.to = w.weeks / 3 }

// misread spoils the name and brand of a listing, whose UTF-8 was read as windows-1252.
func misread(_ *world, l *listing) {
	l.Brand, _ = charmap.Windows1252.NewDecoder().String(l.Brand)
	name, _ := charmap.Windows1252.NewDecoder().String(l.Name)
	l.rename(name)
}

// shrinking is a pack that gets smaller, store by store.
type shrinking struct {
	from, to int // first and last week of the roll-out
	size     int64
	text     string
	shelf    int64 // factor of the shelf price at the change
}

const (
	rollout   = 4 // weeks
	quiet     = 4 // weeks before a roll-out without a change of price
	minShrink = 10
)

// shrinks has a pack get smaller near the end. A shelf price that stays the same raises the
// unit price by about as much as the size lost.
func shrinks(turn int, before, after, shelf int64) func(*world, *listing) {
	return func(w *world, l *listing) {
		if w.weeks < minShrink {
			return
		}
		c, p := &w.Chains[l.chain], w.products[l.good]
		from := max(2, w.weeks-12+turn)
		l.size, l.sizeText = before, c.packText(p, before)
		l.shrink = &shrinking{from: from, to: from + rollout, size: after, text: c.packText(p, after), shelf: shelf}
		l.rename(l.Brand + " " + w.Goods[l.good].titles(c.French)[0])
		for n, s := range l.series {
			if s.change = from + n*(rollout+1)/len(l.series); n == 5 {
				s.change = -1 - lead // always with the smaller pack
			}
		}
	}
}

// eighteen has eggs come in eighteens.
func eighteen(w *world, l *listing) {
	l.size = 18
	l.sizeText = w.Chains[l.chain].packText(w.products[l.good], l.size)
	l.rename(l.Brand + " Large Eggs")
}

// packed has goods by weight come in fixed packs.
func packed(text string) func(*world, *listing) {
	return func(_ *world, l *listing) { l.sizeText = text }
}

// expiring has the listing's last rows claim a sale that has ended.
func expiring(_ *world, l *listing) { l.expired = true }

// all chooses all series of a listing; a number chooses one.
const all = -1

func (l *listing) chosen(n int) []*series {
	switch {
	case n == all:
		return l.series
	case n < len(l.series):
		return l.series[n : n+1]
	}
	return nil
}

// The gate needs that many weeks and stores to tell the rows of one store from others.
const minWeeks, minStores = 6, 5

// titled gives series the title of another thing, which a search for the product finds.
func titled(n int, title string) func(*world, *listing) {
	return func(w *world, l *listing) {
		if w.weeks < minWeeks || n != all && len(l.series) < minStores {
			return
		}
		if n == all {
			l.Name = title
		}
		for _, x := range l.chosen(n) {
			x.title = title
		}
	}
}

// priced gives series prices on a wrong basis.
func priced(n int, factor int64) func(*world, *listing) {
	return func(w *world, l *listing) {
		if w.weeks < minWeeks || n != all && len(l.series) < minStores {
			return
		}
		for _, x := range l.chosen(n) {
			x.factor = factor
		}
	}
}

// row spoils the row of a series in one week of the default panel. In others the gate would
// find the row at one time and not at another, as prices move.
func row(n, week int, spoil func(*world, *listing, *panel.Observation)) func(*world, *listing) {
	return func(w *world, l *listing) {
		if w.seed != seed(mix(DefaultSeed)) || len(w.stores) != DefaultStores || w.weeks < minWeeks || w.weeks > 26 {
			return
		}
		for _, x := range l.chosen(n) {
			x.oddWeek, x.odd = week, func(o *panel.Observation) { spoil(w, l, o) }
		}
	}
}

func strayTitle(title string) func(*world, *listing, *panel.Observation) {
	return func(_ *world, _ *listing, o *panel.Observation) { o.ScrapedName = title }
}

// strayPack misreads a pack by a factor of ten.
func strayPack(w *world, l *listing, o *panel.Observation) {
	o.PackageSize = w.Chains[l.chain].packText(w.products[l.good], l.size/10)
}

// perPound prices a pound instead of a kilogram.
func perPound(_ *world, _ *listing, o *panel.Observation) {
	o.Effective = panel.Price(ratio(int64(o.Effective), 10_000, 22_046*100) * 100)
	o.Regular, o.Sale, o.OnSale = o.Effective, 0, false
	o.SaleEndsOn, o.SaleCondition = 0, panel.NoCondition
}
