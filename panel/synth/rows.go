package synth

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// rows yields every observation by time, then id. It holds the rows of one week
// at a time.
func (w *world) rows() iter.Seq[panel.Observation] {
	return func(yield func(panel.Observation) bool) {
		var week []panel.Observation
		for k := -1; k <= w.weeks; k++ {
			week = w.week(week[:0], k)
			for i := range week {
				if !yield(week[i]) {
					return
				}
			}
		}
	}
}

// week appends the observations of one week, sorted and numbered.
func (w *world) week(rows []panel.Observation, week int) []panel.Observation {
	end := w.end()
	for i := range w.stores {
		s := &w.stores[i]
		if !w.visited(s, week) {
			continue
		}
		at := w.visit(s, week)
		if !at.Before(end) {
			continue
		}
		at = at.UTC()
		for n, x := range s.series {
			if !w.seen(x, week) {
				continue
			}
			seconds := time.Duration(n) * 2 * time.Second
			rows = append(rows, panel.Observation{})
			w.fill(&rows[len(rows)-1], x, week, at.Add(seconds))
			if later := s.later(at).Add(seconds); w.twice(x, week) && later.Before(end) {
				rows = append(rows, rows[len(rows)-1])
				again(&rows[len(rows)-1], later)
			}
		}
	}
	slices.SortFunc(rows, func(a, b panel.Observation) int {
		return cmp.Or(a.ObservedAt.Compare(b.ObservedAt), cmp.Compare(a.Store, b.Store), cmp.Compare(a.Listing, b.Listing))
	})
	for i := range rows {
		rows[i].ID = int64(week+1)*w.stride + int64(i) + 1
	}
	return rows
}

// seen reports whether a series has a price in a week in which its store is
// visited.
func (w *world) seen(x *series, week int) bool {
	return week >= x.from && week <= x.to &&
		below(w.seed.at(tagMissing, int(x.store.ID), int(x.ID), week), 1000) >= 60
}

// twice reports whether a series is observed a second time in a week.
func (w *world) twice(x *series, week int) bool {
	return week >= 0 && week != x.oddWeek &&
		below(w.seed.at(tagTwice, int(x.store.ID), int(x.ID), week), 900) == 0
}

// later returns the time of a store's second visit: a day later, or a day earlier
// where a day later would be the next week.
func (s *store) later(at time.Time) time.Time {
	if s.weekday >= 5 {
		return at.Add(-26 * time.Hour)
	}
	return at.Add(26 * time.Hour)
}

// again turns a copy of a row into the week's second one, at a lower price.
func again(o *panel.Observation, at time.Time) {
	o.ObservedAt = at
	if !o.OnSale && o.RegularSource == panel.NoSource {
		cut := o.Effective / 50
		o.Effective -= cut - cut%100
		o.Regular = o.Effective
		o.UnitPrice = 0
	}
}

// fill writes the observation of a series in a week.
func (w *world) fill(o *panel.Observation, x *series, week int, at time.Time) {
	ch, p := &w.Chains[x.chain], &w.products[x.good]
	s := w.at(x, week)
	if x.expired && week >= w.weeks-1 {
		w.expire(&s, at)
	}
	size, text := x.size, x.sizeText
	if x.shrink != nil && week >= x.change {
		size, text = x.shrink.size, x.shrink.text
	}
	*o = panel.Observation{
		Listing: x.ID, Store: x.store.ID, PackageSize: text, ScrapedName: x.title,
		ObservedAt: at, InStock: panel.Yes,
		Regular: w.standard(x, s.regular, size), Effective: w.standard(x, s.price, size),
		OnSale: s.sale, SaleEndsOn: s.endsOn, SaleCondition: s.condition,
	}
	if s.sale {
		o.Sale = o.Effective
	}
	bits := w.seed.at(tagStock, int(x.store.ID), int(x.ID), week)
	switch {
	case ch.NoStock:
		o.InStock = panel.Unknown
	case below(bits, 100) < 3:
		o.InStock = panel.No
	}
	odd := week == x.oddWeek
	if odd {
		x.odd(o)
	}
	switch {
	case ch.Verified:
		w.review(o, x, week, s)
	case odd:
	case x.shrink == nil && below(mix(bits), 100) < 4:
		o.Regular = 0
	default:
		w.makeLegacy(o, x, week)
	}
	if !ch.NoUnit {
		o.UnitPrice = unitPrice(o.Effective, p)
	}
}

// standard restates a pack's price in cents on the product's basis.
func (w *world) standard(x *series, cents, size int64) panel.Price {
	v := cents * 100
	if p := &w.products[x.good]; !p.PerKg() {
		v = ratio(v, int64(p.StandardSize), size)
	}
	return panel.Price(times(v, x.factor))
}

// unitPrice returns dollars per 100 g or mL, per piece of counted goods, or per
// kilogram of goods sold by weight.
func unitPrice(price panel.Price, p *basket.Product) float64 {
	v := int64(price)
	switch {
	case p.PerKg():
	case p.Unit == basket.Count:
		v = ratio(v, 1, int64(p.StandardSize))
	default:
		v = ratio(v, 100, int64(p.StandardSize))
	}
	return float64(v/100) / 100
}

func (w *world) legacyWeeks() int { return max(w.weeks/4, 1) }

// makeLegacy gives a few early rows of some banners the regular price of another
// pack or of a case: below the effective price or above four times it. The row
// claims a sale.
func (w *world) makeLegacy(o *panel.Observation, x *series, week int) {
	if week < 0 || week >= w.legacyWeeks() || x.factor != one || x.shrink != nil || !w.Chains[x.chain].Legacy {
		return
	}
	switch below(w.seed.at(tagLegacy, int(x.store.ID), int(x.ID), week), 50) {
	case 0:
		o.Regular = o.Effective * 4 / 5
	case 1:
		o.Regular = o.Effective * 5
	default:
		return
	}
	o.OnSale, o.Sale, o.SaleEndsOn, o.SaleCondition = true, o.Effective, 0, panel.NoCondition
}

// review adds the verified banner's source of the regular price and its details
// of the promotion. One row in twenty is not approved yet and has neither.
func (w *world) review(o *panel.Observation, x *series, week int, s shelf) {
	bits := below(w.seed.at(tagSource, int(x.store.ID), int(x.ID), week), 100)
	switch {
	case bits < 5:
		return
	case bits < 25 && !s.sale:
		o.RegularSource, o.Regular = panel.AssumedEqual, o.Effective
	case bits < 50:
		o.RegularSource = panel.Derived
	default:
		o.RegularSource = panel.Scraped
	}
	switch {
	case !s.sale:
		return
	case bits%6 == 0:
		o.PromoDetail = `{"regularPriceBasisUnavailable":true}`
		return
	}
	// Package figures are totals of the pack; by weight that is a tray.
	price, was := s.price, s.regular
	if w.products[x.good].PerKg() {
		grams := int64(450 + 50*(bits%10))
		price, was = ratio(price, grams, 1000), ratio(was, grams, 1000)
	}
	o.PromoDetail = `{"packagePrice":` + hundredth(price) + `,"packageWasPrice":` + hundredth(was) + `}`
}

// expire puts a price on a sale that ends the day before the data does.
func (w *world) expire(s *shelf, at time.Time) {
	if end := w.through - 1; panel.DateIn(at, panel.Toronto) <= end {
		s.price, s.sale, s.endsOn = s.regular*4/5, true, end
	}
}
