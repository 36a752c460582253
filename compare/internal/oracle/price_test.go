package oracle

import (
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// priced is one row, or several, of one chain and item, and what comes of them:
// the line in cents, with the size-adjusted one, or a reason.
type priced struct {
	name     string
	item     int
	qty      string
	verified bool
	see      func(w *tiny)

	line, adjusted             int64
	reason                     string
	onSale, conditional, sized bool
}

func one(item int, price string, with ...detail) func(w *tiny) {
	return func(w *tiny) { w.see(auk, item, price, with...) }
}

func runPriced(t *testing.T, tests []priced) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newTiny()
			w.Banners[0].Verified = test.verified
			test.see(w)
			r := w.compare(t, list(test.item, test.qty))
			s := r.of(t, auk)
			same(t, "reason", test.reason, r.reason(auk, test.item))
			if test.reason != "" {
				if s.TotalCents != nil {
					t.Errorf("total %d for an excluded item", *s.TotalCents)
				}
				return
			}
			wantTotals(t, s, test.line, test.adjusted)
			same(t, "on sale", test.onSale, len(s.OnSaleItemIDs) == 1)
			same(t, "conditional", test.conditional, len(s.ConditionalPromotionItemIDs) == 1)
			same(t, "different size", test.sized, len(s.DifferentSizeItemIDs) == 1)
		})
	}
}

func TestLines(t *testing.T) {
	runPriced(t, []priced{
		{name: "size unknown", item: oats, qty: "3", see: one(oats, "3.49"), line: 1047, adjusted: 1047},
		{name: "size unread", item: oats, qty: "1", see: one(oats, "3.49", size("Family Size")), line: 349, adjusted: 349},
		{name: "size in another unit", item: oats, qty: "1", see: one(oats, "3.49", size("2 L")), line: 349, adjusted: 349},
		{name: "standard size", item: oats, qty: "2", see: one(oats, "3.49", size("500 g")), line: 698, adjusted: 698},
		{name: "twice the size", item: oats, qty: "2", see: one(oats, "3.49", size("1 kg")), line: 1396, adjusted: 698, sized: true},
		// 3.49 * 505 / 500 = 3.5249
		{name: "1% above", item: oats, qty: "1", see: one(oats, "3.49", size("505 g")), line: 352, adjusted: 349},
		{name: "beyond 1% above", item: oats, qty: "1", see: one(oats, "3.49", size("505.01 g")), line: 352, adjusted: 349, sized: true},
		// 3.49 * 0.99 = 3.4551
		{name: "1% below", item: oats, qty: "1", see: one(oats, "3.49", size("495 g")), line: 346, adjusted: 349},
		// 3.49 * 0.98998 = 3.45503
		{name: "beyond 1% below", item: oats, qty: "1", see: one(oats, "3.49", size("494.99 g")), line: 346, adjusted: 349, sized: true},
		{name: "half a cent goes up, before the quantity", item: oats, qty: "20", see: one(oats, "1.005"), line: 2020, adjusted: 2020},
		{name: "just under half a cent", item: oats, qty: "20", see: one(oats, "1.0049"), line: 2000, adjusted: 2000},
		// 0.33 * 750 / 500 = 0.495; as binary fractions it may be less
		{name: "half a cent from the size", item: oats, qty: "2", see: one(oats, "0.33", size("750 g")), line: 100, adjusted: 66, sized: true},
		// 1.33 * 0.25 = 0.3325
		{name: "per kg is rounded once", item: fish, qty: "0.25", see: one(fish, "1.33"), line: 33, adjusted: 33},
		// 1.0033 * 10 = 10.033; rounded before the quantity 10.00
		{name: "per kg is rounded after the quantity", item: fish, qty: "10", see: one(fish, "1.0033"), line: 1003, adjusted: 1003},
		// 1.10 * 1.25 = 1.375
		{name: "per kg, half a cent", item: fish, qty: "1.25", see: one(fish, "1.10"), line: 138, adjusted: 138},
		{name: "approximate size", item: oats, qty: "1", see: one(oats, "3", size("approx. 600 g")), line: 360, adjusted: 300, sized: true},
		{name: "middle of a range", item: oats, qty: "1", see: one(oats, "3", size("0.40 - 0.50 kg")), line: 270, adjusted: 300, sized: true},
		{name: "per weight is no size", item: oats, qty: "1", see: one(oats, "3", size("/lb")), line: 300, adjusted: 300},
		{name: "per weight is no size, per kg", item: fish, qty: "1", see: one(fish, "3", size("/lb")), line: 300, adjusted: 300},
		{name: "nor with a weight", item: oats, qty: "1", see: one(oats, "3", size("approx 1.2 kg per kg")), line: 300, adjusted: 300},
	})
}

// 99.5 * 0.01 = 0.995: decimal sizes lie on the bounds, though the nearest binary
// fractions may not.
func TestSizesAreDecimal(t *testing.T) {
	for _, text := range []string{"98.505 g", "100.495 g"} {
		w := newTiny()
		w.Products[0].StandardSize = 99.5
		w.see(auk, oats, "1", size(text))
		same(t, text, []int{}, w.compare(t, list(oats, "1")).of(t, auk).DifferentSizeItemIDs)
	}
	w := newTiny()
	w.Products[0].StandardSize = 0.7
	w.see(auk, oats, "0.01", size("1.05 g")) // 0.015
	wantTotals(t, w.compare(t, list(oats, "1")).of(t, auk), 2, 1)
}

func TestCounts(t *testing.T) {
	runPriced(t, []priced{
		{name: "standard count", item: eggs, qty: "2", see: one(eggs, "4.10", size("dozen")), line: 820, adjusted: 820},
		{name: "count unknown", item: eggs, qty: "1", see: one(eggs, "4.10"), line: 410, adjusted: 410},
		{name: "a weight is no count", item: eggs, qty: "1", see: one(eggs, "4.10", size("700 g")), line: 410, adjusted: 410},
		{name: "pieces beside a weight", item: eggs, qty: "1", see: one(eggs, "4.10", size("12 bagels, 900 g")), line: 410, adjusted: 410},
		{name: "other pieces beside a weight", item: eggs, qty: "1", see: one(eggs, "4.10", size("6 bagels, 450 g")), reason: ambiguous},
		{name: "another count", item: eggs, qty: "1", see: one(eggs, "4.10", size("18 ct")), reason: ambiguous},
		{name: "one less", item: eggs, qty: "1", see: one(eggs, "4.10", size("11 ct")), reason: ambiguous},
		{name: "middle of a range", item: eggs, qty: "1", see: one(eggs, "4.10", size("10-14 ct")), line: 410, adjusted: 410},
		{name: "other middle", item: eggs, qty: "1", see: one(eggs, "4.10", size("10-16 ct")), reason: ambiguous},
		{name: "pieces by weight", item: eggs, qty: "1", see: one(eggs, "4.10", size("450 g in 6 pieces by weight")), line: 410, adjusted: 410},
	})
	t.Run("within 1% is another count all the same", func(t *testing.T) {
		w := newTiny()
		w.Products[2].StandardSize = 200
		w.see(auk, eggs, "4.10", size("201 ct"))
		same(t, "reason", ambiguous, w.compare(t, list(eggs, "1")).reason(auk, eggs))
	})
}

// W is a weight, whatever the product's unit.
func TestFixedPackOfAnotherUnit(t *testing.T) {
	w := newTiny()
	w.Products[3].Unit = basket.Millilitre
	w.see(auk, fish, "1", size("500 g"))
	same(t, "reason", unsupported, w.compare(t, list(fish, "0.25")).reason(auk, fish))
}

// An item is listed as soon as one row is dropped, priced or not.
func TestNormalizedAndPriced(t *testing.T) {
	w := newTiny()
	w.listing(150, auk, eggs)
	w.see(auk, eggs, "4.10")
	w.see(auk, eggs, "6.10", listing(150), size("18 ct"))
	r := w.compare(t, list(eggs, "1"))
	same(t, "normalized", []int{eggs}, r.NormalizedCountItemIDs)
	wantTotals(t, r.of(t, auk), 410, 410)
}

func TestFixedPacks(t *testing.T) {
	pack := func(text string) func(w *tiny) { return one(fish, "10", size(text)) }
	runPriced(t, []priced{
		{name: "one pack", item: fish, qty: "0.5", see: pack("500 g"), line: 500, adjusted: 500, sized: true},
		{name: "three packs", item: fish, qty: "1.5", see: pack("500 g"), line: 1500, adjusted: 1500, sized: true},
		{name: "half a pack", item: fish, qty: "0.25", see: pack("500 g"), reason: unsupported},
		{name: "one and a half", item: fish, qty: "0.75", see: pack("500 g"), reason: unsupported},
		{name: "half of a large pack", item: fish, qty: "1", see: pack("2 kg"), reason: unsupported},
		{name: "a pound", item: fish, qty: "1", see: pack("1 lb"), reason: unsupported},
		{name: "a third", item: fish, qty: "1", see: pack("1/3 kg"), reason: unsupported},
		{name: "pieces with a weight", item: fish, qty: "0.5", see: pack("6 bagels, 450 g"), reason: unsupported},
		{name: "two packs together", item: fish, qty: "1", see: pack("2 x 250 g"), line: 1000, adjusted: 1000, sized: true},
		{name: "approximate", item: fish, qty: "0.75", see: pack("approx. 500 g"), line: 750, adjusted: 750, sized: true},
		{name: "range", item: fish, qty: "1", see: pack("0.40 - 0.50 kg"), line: 1000, adjusted: 1000, sized: true},
		{name: "per kg", item: fish, qty: "0.25", see: pack("per kg"), line: 250, adjusted: 250},
		{name: "by weight", item: fish, qty: "0.25", see: pack("approx 1.2 kg per kg"), line: 250, adjusted: 250},
		{name: "unknown", item: fish, qty: "0.25", see: pack(""), line: 250, adjusted: 250},
		{name: "package goods have no such rule", item: oats, qty: "1", see: one(oats, "1", size("2 kg")), line: 400, adjusted: 100, sized: true},
	})
}

func TestAge(t *testing.T) {
	midnight := time.Date(2026, 11, 8, 0, 0, 0, 0, time.UTC) // 8 days before
	runPriced(t, []priced{
		{name: "8 days", item: oats, qty: "1", see: one(oats, "1", at(midnight)), line: 100, adjusted: 100},
		{name: "9 days in UTC", item: oats, qty: "1", see: one(oats, "1", at(midnight.Add(-1))), reason: stale},
		{name: "8 days in UTC, 9 in Toronto", item: oats, qty: "1", see: one(oats, "1", at(midnight.In(panel.Toronto))), line: 100, adjusted: 100},
		{name: "this instant", item: oats, qty: "1", see: one(oats, "1", at(now)), line: 100, adjusted: 100},
		{name: "the next one", item: oats, qty: "1", see: one(oats, "1", at(now.Add(1))), reason: unobserved},
		{name: "later rows hide nothing", item: oats, qty: "1", see: func(w *tiny) {
			w.see(auk, oats, "1")
			w.see(auk, oats, "2", at(now.Add(time.Second)))
		}, line: 100, adjusted: 100},
	})
	t.Run("the request's day is UTC's", func(t *testing.T) {
		w := newTiny()
		w.Now = time.Date(2026, 11, 15, 23, 0, 0, 0, panel.Toronto) // 2026-11-16 in UTC
		w.see(auk, oats, "1", at(midnight))
		w.see(tern, oats, "1", at(midnight.Add(-1)))
		r := w.compare(t, list(oats, "1"))
		same(t, "evaluatedOn", "2026-11-16", r.EvaluatedOn)
		same(t, "reason", stale, r.reason(tern, oats))
		same(t, "date", []ItemDate{{oats, "2026-11-08"}}, r.of(t, auk).ItemObservationDates)
	})
}

func TestSales(t *testing.T) {
	const unavailable = `{"packagePrice":1,"regularPriceBasisUnavailable":true}`
	see := func(with ...detail) func(w *tiny) { return one(oats, "5.00", with...) }
	runPriced(t, []priced{
		{name: "not on sale", item: oats, qty: "1", see: see(regular("6")), line: 500, adjusted: 500},
		{name: "on sale", item: oats, qty: "1", see: see(sale, regular("6")), line: 500, adjusted: 500, onSale: true},
		{name: "ends today", item: oats, qty: "1", see: see(sale, regular("6"), ends(today)), line: 500, adjusted: 500, onSale: true},
		{name: "ended", item: oats, qty: "1", see: see(sale, regular("6"), ends(today-1)), reason: expired},
		{name: "ended, regular unknown", item: oats, qty: "1", see: see(sale, ends(today-1)), reason: expired},
		{name: "ended, regular the same", item: oats, qty: "1", see: see(sale, regular("5"), ends(today-1)), line: 500, adjusted: 500, onSale: true},
		{name: "an end without a sale", item: oats, qty: "1", see: see(regular("6"), ends(today-1)), line: 500, adjusted: 500},
		{name: "a condition without a sale", item: oats, qty: "1", see: see(regular("6"), members), line: 500, adjusted: 500},
		{name: "conditional", item: oats, qty: "2", see: see(sale, members, regular("6")), line: 1200, adjusted: 1200, conditional: true},
		{name: "conditional, other size", item: oats, qty: "1", see: see(sale, members, regular("6"), size("1 kg")), line: 1200, adjusted: 600, conditional: true, sized: true},
		{name: "conditional per kg", item: fish, qty: "0.5", see: one(fish, "5", sale, members, regular("6")), line: 300, adjusted: 300, conditional: true},
		{name: "conditional, regular unknown", item: oats, qty: "1", see: see(sale, members), reason: conditional},
		{name: "conditional, regular the same", item: oats, qty: "1", see: see(sale, members, regular("5")), reason: conditional},
		{name: "conditional and ended", item: oats, qty: "1", see: see(sale, members, regular("6"), ends(today-1)), reason: expired},
		{name: "conditional and ended, regular the same", item: oats, qty: "1", see: see(sale, members, regular("5"), ends(today-1)), reason: conditional},

		{name: "regular four times as high", item: oats, qty: "1", see: see(sale, members, regular("20")), line: 2000, adjusted: 2000, conditional: true},
		{name: "regular higher than that", item: oats, qty: "1", see: see(sale, members, regular("20.0001")), line: 500, adjusted: 500},
		{name: "regular below", item: oats, qty: "1", see: see(sale, regular("4.9999"), ends(today-1)), line: 500, adjusted: 500},
		{name: "regular below, verified", item: oats, qty: "1", verified: true, see: see(sale, regular("4"), ends(today-1), source(panel.Scraped)), line: 500, adjusted: 500, onSale: true},
		{name: "regular too high, verified", item: oats, qty: "1", verified: true, see: see(sale, members, regular("30"), source(panel.Derived)), line: 3000, adjusted: 3000, conditional: true},
		{name: "regular below, conditional, verified", item: oats, qty: "1", verified: true, see: see(sale, members, regular("4"), source(panel.Scraped)), reason: conditional},

		{name: "assumed equal", item: oats, qty: "1", verified: true, see: see(sale, regular("5"), ends(today-1), source(panel.AssumedEqual)), reason: expired},
		{name: "assumed equal, no sale", item: oats, qty: "1", verified: true, see: see(regular("5"), source(panel.AssumedEqual)), line: 500, adjusted: 500},
		{name: "assumed equal, conditional", item: oats, qty: "1", see: see(sale, members, regular("6"), source(panel.AssumedEqual)), reason: conditional},
		{name: "the rule comes before assumed equal", item: oats, qty: "1", see: see(sale, members, regular("21"), source(panel.AssumedEqual)), line: 500, adjusted: 500},
		{name: "basis unavailable", item: oats, qty: "1", see: see(sale, members, regular("6"), promo(unavailable)), reason: conditional},
		{name: "basis available", item: oats, qty: "1", see: see(sale, members, regular("6"), promo(`{"regularPriceBasisUnavailable":false}`)), line: 600, adjusted: 600, conditional: true},
	})
}

// Each row has two faults; the first in the order counts.
func TestOrderOfReasons(t *testing.T) {
	runPriced(t, []priced{
		{name: "stale and expired", item: oats, qty: "1", see: one(oats, "1", daysAgo(9), sale, ends(today-2)), reason: stale},
		{name: "expired and ambiguous", item: eggs, qty: "1", see: one(eggs, "1", sale, ends(today-2), size("6 ct")), reason: expired},
		{name: "expired and unsupported", item: fish, qty: "1", see: one(fish, "1", sale, ends(today-2), size("2 kg")), reason: expired},
		{name: "ambiguous and conditional", item: eggs, qty: "1", see: one(eggs, "1", sale, members, size("6 ct")), reason: ambiguous},
		{name: "unsupported and conditional", item: fish, qty: "1", see: one(fish, "1", sale, members, size("2 kg")), reason: unsupported},
	})
	t.Run("a stale row of another count is not normalized", func(t *testing.T) {
		w := newTiny()
		w.see(auk, eggs, "1", daysAgo(9), size("6 ct"))
		same(t, "normalized", []int{}, w.compare(t, list(eggs, "1")).NormalizedCountItemIDs)
	})
}
