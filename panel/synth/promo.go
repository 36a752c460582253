package synth

import (
	"time"

	"github.com/larder-index/larder/panel"
)

// legacyBanners kept regular prices of another pack, or of a case, in their
// first weeks.
var legacyBanners = []string{"prairiekeel", "fogharbour"}

// makeLegacy turns a few early rows into such rows: the regular price is below
// the effective one or more than four times it, and a sale is claimed.
func (w *world) makeLegacy(o *panel.Observation, x *series, week int) {
	if week < 0 || week >= w.legacyWeeks() || x.verdict != panel.Pass || x.shrink != nil ||
		(x.Banner != legacyBanners[0] && x.Banner != legacyBanners[1]) {
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

func (w *world) legacyWeeks() int { return max(w.weeks/4, 1) }

// review adds what the verified banner's reviewers state: where the regular
// price comes from and what the promotion said. One row in twenty is not
// approved yet and has neither.
func (w *world) review(o *panel.Observation, x *series, week int, s shelf) {
	bits := below(w.seed.at(tagSource, int(x.store.ID), int(x.ID), week), 100)
	if bits < 5 {
		return
	}
	switch {
	case bits < 25 && !s.sale:
		o.RegularSource, o.Regular = panel.AssumedEqual, o.Effective
	case bits < 50:
		o.RegularSource = panel.Derived
	default:
		o.RegularSource = panel.Scraped
	}
	if !s.sale {
		return
	}
	if bits%6 == 0 {
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
