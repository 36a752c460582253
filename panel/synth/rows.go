package synth

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// rows yields every observation by time, then id. The rows of a week are made
// together and dropped before the next.
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
	end := (w.through + 1).Time(panel.Toronto) // what comes later is not seen yet
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
			if again := w.again(s, at).Add(seconds); w.twice(x, week) && again.Before(end) {
				rows = append(rows, rows[len(rows)-1])
				w.second(&rows[len(rows)-1], again)
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
	return week >= 0 && x.odd[week] == plain &&
		below(w.seed.at(tagTwice, int(x.store.ID), int(x.ID), week), 900) == 0
}

// again is when a store is seen a second time: a day later, or a day before
// where that would be the next week.
func (w *world) again(s *store, at time.Time) time.Time {
	if s.weekday >= 5 {
		return at.Add(-26 * time.Hour)
	}
	return at.Add(26 * time.Hour)
}

// second makes a row the week's other one: a price cut came or went between.
func (w *world) second(o *panel.Observation, at time.Time) {
	o.ObservedAt = at
	if !o.OnSale && o.RegularSource == panel.NoSource && o.Verdict == panel.Pass {
		cut := o.Effective / 50
		o.Effective -= cut - cut%100
		o.Regular = o.Effective
		o.UnitPrice = 0
	}
}

// fill writes the observation of a series in a week.
func (w *world) fill(o *panel.Observation, x *series, week int, at time.Time) {
	ch, p := &w.chains[x.chain], &w.products[x.good]
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
		ObservedAt: at, Verdict: x.verdict, InStock: panel.Yes,
		Regular: w.standard(x, s.regular, size), Effective: w.standard(x, s.price, size),
		OnSale: s.sale, SaleEndsOn: s.endsOn, SaleCondition: s.condition,
	}
	if s.sale {
		o.Sale = o.Effective
	}
	bits := w.seed.at(tagStock, int(x.store.ID), int(x.ID), week)
	switch {
	case ch.noStock:
		o.InStock = panel.Unknown
	case below(bits, 100) < 3:
		o.InStock = panel.No
	}
	w.makeOdd(o, x, x.odd[week])
	switch {
	case ch.Verified:
		w.review(o, x, week, s)
	case x.odd[week] != plain:
	case x.shrink == nil && below(mix(bits), 100) < 4:
		o.Regular = 0
	default:
		w.makeLegacy(o, x, week)
	}
	if !ch.noUnit {
		o.UnitPrice = unitPrice(o.Effective, p)
	}
}

// standard restates a price in cents of a pack on the product's basis.
func (w *world) standard(x *series, cents, size int64) panel.Price {
	v := cents * 100
	if p := &w.products[x.good]; !p.PerKg() {
		v = ratio(v, int64(p.StandardSize), size)
	}
	return panel.Price(times(v, x.factor))
}

// unitPrice is per 100 g or mL, per piece of goods that are counted, and per
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
