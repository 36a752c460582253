package synth

import "github.com/larder-index/larder/panel"

// shelf is a store's price of one pack in a week, or of a kilogram.
type shelf struct {
	regular, price int64 // cents; on a sale the price is the lower one
	sale           bool
	endsOn         panel.Date // 0: unknown
	condition      panel.SaleCondition
}

// regular returns the regular shelf price in cents.
func (w *world) regular(x *series, week int) int64 {
	week = min(week, x.store.frozen)
	set := w.lastSet(x, week)
	g := &w.Goods[x.good]
	// Ten-thousandths of a cent, so that no factor's rounding shows.
	v := times(g.Cents*10_000, w.trend[x.good][max(set+lead, 0)])
	v = times(v, seasonal(g, w.base, set))
	v = times(v, x.level)
	v = times(v, x.store.level)
	v = times(v, among(w.seed.at(tagCityGood, x.chain, x.store.city, x.good), 980_000, 1_020_000))
	v = times(v, among(w.seed.at(tagStoreGood, int(x.store.ID), int(x.ID), 0), 990_000, 1_010_000))
	v = times(v, among(w.seed.at(tagResetNoise, x.chain*64+x.store.city, x.good, set), 988_000, 1_012_000))
	v = ratio(v, x.size, int64(w.products[x.good].StandardSize))
	cents := w.Chains[x.chain].endIn(v / 10_000)
	if s := x.shrink; s != nil && week >= x.change {
		cents = times(cents, s.shelf)
	}
	return cents
}

// lastSet returns the week in which the price of a week was set. Each banner sets
// prices every few weeks in a rhythm of its own, and those of fresh food more often.
func (w *world) lastSet(x *series, week int) int {
	if x.still(week) {
		week = x.shrink.from - quiet
	}
	bits := w.seed.at(tagReset, x.chain, x.store.city, x.good)
	every := 3 + below(bits, 5)
	if w.Goods[x.good].Season > 0 {
		every = 1 + below(bits, 3)
	}
	set := week - (week+lead+below(mix(bits), every))%every
	return max(set, -lead)
}

// still reports whether the price is held because packs shrink: nothing else
// should move the unit price.
func (l *listing) still(week int) bool {
	return l.shrink != nil && week >= l.shrink.from-quiet && week <= l.shrink.to+2
}

// seasonal is a triangle wave over the year.
func seasonal(g *good, base panel.Week, week int) int64 {
	if g.Season == 0 {
		return one
	}
	day := int64(base.Date()) + int64(week)*7
	position := (day*4 - int64(g.Peak)*28) % 1461 // in quarter days; a mean year has 1461
	if position < 0 {
		position += 1461
	}
	distance := min(position, 1461-position) // 0 at the peak, 730 opposite
	return one + g.Season - 2*g.Season*distance/730
}

// endIn moves a price to the nearest one with the banner's ending.
func (c *chain) endIn(cents int64) int64 {
	step, last := int64(10), c.Ending
	if c.Halves && cents >= 400 {
		step, last = 50, last+40
	}
	return max(cents-last+step/2, 0)/step*step + last
}

// at returns the shelf price of a series in a week.
func (w *world) at(x *series, week int) shelf {
	week = min(week, x.store.frozen)
	r := w.regular(x, week)
	s := shelf{regular: r, price: r}
	if x.still(week) || (x.expired && week >= w.weeks-1) {
		return s
	}
	start, length := w.promotion(x, week)
	if length == 0 || below(w.seed.at(tagPromoJoin, int(x.store.ID), x.good, start), 100) < 12 {
		return s
	}
	w.discount(&s, x, start, length)
	return s
}

// promotion returns the first week and the length in weeks of the promotion that
// covers a week. Length 0 means that there is no promotion.
func (w *world) promotion(x *series, week int) (start, length int) {
	for back := range 2 {
		bits := w.seed.at(tagPromo, x.chain, x.good, week-back+lead)
		if below(bits, 100) < 7 {
			if length = 1 + below(mix(bits), 2); length > back {
				return week - back, length
			}
		}
	}
	return 0, 0
}

// discount takes 10 to 30 percent off, and a few cents more so that the price
// ends in 9. It takes at most 25 percent off fresh food, whose season moves it
// already.
func (w *world) discount(s *shelf, x *series, start, length int) {
	bits := w.seed.at(tagPromo, x.chain, x.good, start+lead)
	steps := 5
	if w.Goods[x.good].Fresh {
		steps = 4
	}
	off := int64(10 + 5*below(mix(bits+1), steps))
	price := s.regular * (100 - off) / 100
	if price%10 < 9 && price > 10 {
		price -= price%10 + 1 // x.79, x.89
	}
	if price*4 < s.regular*2 || price >= s.regular || price <= 0 {
		return
	}
	s.price, s.sale = price, true
	end := w.base.Add(start + length - 1).Date()
	switch below(mix(bits+2), 20) {
	case 0, 1, 2, 3, 4, 5, 6: // the end is unknown
	case 7, 8, 9, 10:
		s.endsOn = end + 3
	default:
		s.endsOn = end
	}
	switch below(mix(bits+3), 20) {
	case 0, 1:
		s.condition = panel.MultiBuy
	case 2:
		s.condition = panel.Member
	}
}
