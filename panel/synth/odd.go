package synth

import "github.com/larder-index/larder/panel"

// Odd stores, each the only ones of their banner in their city.
var (
	late      = site{"toronto", "harthollow"} // collected late on Sunday: in UTC it is Monday
	closed    = site{"toronto", "lakequill"}  // since, so that its rows do not count
	uncertain = site{"montreal", "depotgris"} // where they stand
	silent    = site{"vancouver", "milletgate"}
	frozen    = site{"winnipeg", "nickelbasket"} // the same prices again and again, from the middle on
)

const minWeeks = 6 // of a panel with these oddities

// visited reports whether a store has a visit in a week. The run-up has only Sunday evenings,
// which are in the base week in UTC.
func (d *Data) visited(s *store, week int) bool {
	at := site{s.City, s.Banner}
	switch {
	case week == -1:
		return s.hour == 22
	case d.Weeks >= minWeeks && (at == silent && week > d.Weeks-3 ||
		s.City == "charlottetown" && week < min(5, d.Weeks/3) || // collected later than the others
		s.City == "saskatoon" && week == 2*d.Weeks/3): // a gap
		return false
	}
	return week == 0 || !d.chance(6, "no visit", int(s.ID), week)
}

// item is a banner's listing of a product.
type item struct {
	product int64 // id
	banner  string
}

func (d *Data) plant(l *listing) {
	if d.Weeks < minWeeks {
		return
	}
	switch (item{l.ProductID, l.Banner}) {
	case item{9, "tillbrook"}: // by weight, in a fixed pack
		l.sizeText = "0.4 kg"
	case item{19, "pennywold"}: // another thing, which a search finds and the gate quarantines
		l.Name = "Gala Apple Juice"
	case item{1, "tillbrook"}: // unit price +15.4%
		d.shrink(l, 750, 650, one)
	case item{33, "pennywold"}: // a dearer pack, too: +31.4%
		d.shrink(l, 400, 350, 1_150_000)
	case item{4, "tillbrook"}: // hardly any: -0.9%
		d.shrink(l, 454, 450, one)
	}
}

// spoil makes rows of single stores odd, so that the gate filters or quarantines them.
func (s *store) spoil(o *panel.Observation, l *listing, week int) {
	switch it := (item{l.ProductID, l.Banner}); {
	case it == item{36, "northlarch"} && s.City == "winnipeg": // the price of a case
		scale(o, 5, 1)
	case it == item{7, "northlarch"} && s.City == "winnipeg" && week == 4: // the price of a pound
		scale(o, 10_000, 22_046)
	case it == item{33, "tillbrook"} && s.City == "halifax" && week == 3: // another thing
		o.ScrapedName = "Chocolate Covered Almonds"
	}
}

// scale puts a row's prices on another basis and takes it off sale.
func scale(o *panel.Observation, num, den int64) {
	o.Effective = panel.Price(ratio(int64(o.Effective), num, den*100) * 100)
	o.Regular = o.Effective
	o.OnSale, o.SaleEndsOn, o.SaleCondition = false, 0, panel.NoCondition
}

// shrink has a pack get smaller near the end, store by store over five weeks. A shelf price that
// stays the same raises the unit price by about as much as the size lost.
func (d *Data) shrink(l *listing, before, after, shelf int64) {
	ch, p := &d.country.Chains[l.chain], d.Products[l.good]
	l.size, l.sizeText = before, ch.packText(p, before)
	l.shrinks, l.shelf = max(2, d.Weeks-12), shelf
	l.small, l.smallText = after, ch.packText(p, after)
}

// shrunk reports whether a store has the smaller pack of a listing.
func (l *listing) shrunk(s *store, week int) bool { return week >= l.shrinks+int(s.ID)%5 }
