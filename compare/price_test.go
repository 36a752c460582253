package compare_test

import (
	"slices"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// with returns edits in a list of their own.
func with(edits ...edit) []edit { return edits }

// One row at one chain: its price, or why it is none. Item 1 is 750 g of yogurt,
// 2 a dozen eggs, 3 4 L of milk, 7 chicken by the kilogram, 9 salmon by the
// kilogram.
func TestCurrentPrice(t *testing.T) {
	const five = 5_0000
	for _, c := range []struct {
		name  string
		items string
		price panel.Price
		edits []edit
		want  string
	}{
		// Lines.
		{"a package", "1", five, nil, "5.00"},
		{"packages", "1x20", 4_9900, nil, "99.80"},
		{"rounded half up, each package", "1x3", 1_0050, nil, "3.03"},
		{"rounded down below a half", "1x3", 1_0049, nil, "3.00"},
		{"a larger package", "1", five, with(size("900 g")), "6.00"},
		{"a smaller package, rounded then multiplied", "1x7", 1_0000, with(size("650 g")), "6.09"}, // 0.8667
		{"half a cent by size", "3x2", 1_0000, with(size("3.98 L")), "2.00"},                       // 0.995 is 1.00
		{"a size in another unit", "1", five, with(size("500 mL")), "5.00"},
		{"a size that says nothing", "1", five, with(size("large")), "5.00"},
		{"a size of a weight", "1", five, with(size("per kg")), "5.00"},
		{"kilograms", "7x0.25", 17_9900, nil, "4.50"}, // 4.4975
		{"kilograms, half a cent", "7x0.5", 10_0100, nil, "5.01"},
		{"kilograms, below half a cent", "7x0.5", 10_0099, nil, "5.00"},
		{"ten kilograms", "7x10", 17_9999, nil, "180.00"},
		{"kilograms know no package", "7x2", 10_0000, with(size("approx. 1.2 kg")), "20.00"},

		// Age: 8 days pass, 9 don't, in UTC whatever the hour.
		{"8 days", "1", five, with(seen(clock("2026-11-12T00:00:00Z"))), "5.00"},
		{"9 days", "1", five, with(seen(clock("2026-11-11T23:59:59.999999999Z"))), "stale_price"},
		{"8 days in another zone", "1", five, with(seen(clock("2026-11-11T19:30:00-05:00"))), "5.00"},
		{"the same instant", "1", five, with(seen(noon)), "5.00"},
		{"a nanosecond later", "1", five, with(seen(noon.Add(1))), "no_observation"},

		// Promotions.
		{"ends today", "1", five, with(regular(6_0000), sale(today)), "5.00"},
		{"ended yesterday", "1", five, with(regular(6_0000), sale("2026-11-19")), "expired_promotion"},
		{"no end known", "1", five, with(regular(6_0000), sale("")), "5.00"},
		{"ended, regular price unknown", "1", five, with(regular(0), sale("2026-11-19")), "expired_promotion"},
		{"ended, no cut", "1", five, with(regular(five), sale("2026-11-19")), "5.00"},
		{"ended, but not on sale", "1", five, with(regular(6_0000), func(o *panel.Observation) { o.SaleEndsOn = day("2026-11-01") }), "5.00"},
		{"ended, of an impossible regular price", "1", five, with(regular(20_0001), sale("2026-11-19")), "5.00"},
		{"ended, of four times the price", "1", five, with(regular(20_0000), sale("2026-11-19")), "expired_promotion"},
		{"ended, regular price below", "1", five, with(regular(4_9999), sale("2026-11-19")), "5.00"},

		// Conditions.
		{"members, regular price above", "1x2", five, with(regular(6_0000), sale(""), condition(panel.Member)), "12.00"},
		{"several, regular price above, by size", "1", five, with(regular(6_0000), sale(""), condition(panel.MultiBuy), size("900 g")), "7.20"},
		{"members, regular price unknown", "1", five, with(regular(0), sale(""), condition(panel.Member)), "conditional_promotion"},
		{"several, regular price the same", "1", five, with(sale(""), condition(panel.MultiBuy)), "conditional_promotion"},
		{"several, impossible regular price", "1", five, with(regular(20_0001), sale(""), condition(panel.MultiBuy)), "5.00"},
		{"members, not on sale", "1", five, with(regular(6_0000), condition(panel.Member)), "5.00"},
		{"members, by weight", "7x0.5", five, with(regular(6_0000), sale(""), condition(panel.Member)), "3.00"},
		{"members, placeholder", "1", five, with(regular(6_0000), sale(""), condition(panel.Member), source(panel.AssumedEqual)), "conditional_promotion"},
		{"members, derived", "1", five, with(regular(6_0000), sale(""), condition(panel.Member), source(panel.Derived)), "6.00"},
		{"members, no basis", "1", five, with(regular(6_0000), sale(""), condition(panel.Member), detail(`{"regularPriceBasisUnavailable":true}`)), "conditional_promotion"},
		{"members, basis said to be there", "1", five, with(regular(6_0000), sale(""), condition(panel.Member), detail(`{"regularPriceBasisUnavailable":false}`)), "6.00"},
		{"members, detail of something else", "1", five, with(regular(6_0000), sale(""), condition(panel.Member), detail(`{"packagePrice":5}`)), "6.00"},
		{"ended, placeholder", "1", five, with(sale("2026-11-19"), source(panel.AssumedEqual)), "expired_promotion"},

		// Counted goods.
		{"the count", "2", five, with(size("dozen")), "5.00"},
		{"another count", "2", five, with(size("18 un")), "ambiguous_checkout"},
		{"one less", "2", five, with(size("11 ct")), "ambiguous_checkout"},
		{"no count", "2", five, with(size("")), "5.00"},
		{"the count beside a weight", "14", five, with(size("6 bagels, 450 g")), "5.00"},
		{"another count beside a weight", "14", five, with(size("8 bagels, 600 g")), "ambiguous_checkout"},

		// Fixed packs of what is sold by weight.
		{"whole packs", "9x2", 20_0000, with(size("0.4 kg")), "40.00"}, // five
		{"no whole packs", "9x0.5", 20_0000, with(size("0.4 kg")), "unsupported_quantity"},
		{"less than a pack", "9x0.25", 20_0000, with(size("400 g")), "unsupported_quantity"},
		{"one pack", "9x0.5", 20_0000, with(size("500 g")), "10.00"},
		{"packs in a pack", "9x1", 20_0000, with(size("2 x 250 g")), "20.00"},
		{"a pound never fits", "9x10", 20_0000, with(size("1 lb")), "unsupported_quantity"},
		{"approximate", "9x0.75", 20_0000, with(size("approx. 1.2 kg")), "15.00"},
		{"a range", "9x0.75", 20_0000, with(size("0.40 - 0.50 kg")), "15.00"},
		{"per kilogram", "9x0.75", 20_0000, with(size("per kg")), "15.00"},
		{"per pound", "9x0.75", 20_0000, with(size("/lb")), "15.00"},
		{"a pack stated in pieces", "9x0.75", 20_0000, with(size("2 ct")), "15.00"},

		// The first reason that holds is given.
		{"stale before expired", "1", five, with(seen(clock("2026-11-11T12:00:00Z")), regular(6_0000), sale("2026-11-12")), "stale_price"},
		{"expired before another count", "2", five, with(regular(6_0000), sale("2026-11-19"), size("18 ct")), "expired_promotion"},
		{"another count before a condition", "2", five, with(regular(0), sale(""), condition(panel.Member), size("18 ct")), "ambiguous_checkout"},
		{"expired before a fixed pack", "9x0.5", five, with(regular(0), sale("2026-11-19"), size("400 g")), "expired_promotion"},
		{"a fixed pack before a condition", "9x0.5", five, with(regular(0), sale(""), condition(panel.Member), size("400 g")), "unsupported_quantity"},
		{"a condition after a fixed pack that fits", "9x2", five, with(regular(0), sale(""), condition(panel.Member), size("400 g")), "conditional_promotion"},
		{"expired before a condition", "1", five, with(regular(6_0000), sale("2026-11-19"), condition(panel.Member)), "expired_promotion"},

		// Stock plays no part.
		{"out of stock", "1", five, with(func(o *panel.Observation) { o.InStock = panel.No }), "5.00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMarket(t)
			m.sells("alder", itemOf(t, c.items), c.price, c.edits...)
			if got := outcome(t, m.compare(c.items), "alder"); got != c.want {
				t.Errorf("%s: %s, want %s", c.items, got, c.want)
			}
		})
	}
}

func detail(text string) edit { return func(o *panel.Observation) { o.PromoDetail = text } }

// Rows that serve nobody: the item was never seen.
func TestRowsThatServeNobody(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(m *market, s, l int64)
		want string
	}{
		{"none", func(m *market, s, l int64) {}, "no_observation"},
		{"one that counts", func(m *market, s, l int64) { m.row(l, s, 5_0000) }, "5.00"},
		{"a store that closed", func(m *market, s, l int64) {
			m.row(l, m.store("alder", "halifax", func(x *panel.Store) { x.Active = false }), 5_0000)
		}, "no_observation"},
		{"a store that may stand elsewhere", func(m *market, s, l int64) {
			m.row(l, m.store("alder", "halifax", func(x *panel.Store) { x.LocationCertain = false }), 5_0000)
		}, "no_observation"},
		{"another city", func(m *market, s, l int64) { m.row(l, m.store("alder", "moncton"), 5_0000) }, "no_observation"},
		{"a retired listing", func(m *market, s, l int64) {
			m.row(m.list("alder", 1, func(x *panel.Listing) { x.Active = false }), s, 5_0000)
		}, "no_observation"},
		{"an inactive product", func(m *market, s, l int64) { m.row(l, s, 5_0000); m.Products[0].Active = false }, "no_observation"},
		{"one that fails identity", func(m *market, s, l int64) {
			m.Specs = []basket.Spec{{ProductID: 1, Forbid: []string{"bars"}}}
			m.row(l, s, 5_0000, func(o *panel.Observation) { o.ScrapedName = "Yogurt bars" })
		}, "quality_gate"},
		{"one that is quarantined, and stale", func(m *market, s, l int64) {
			m.Quarantine = []panel.Quarantine{{Listing: l, Reason: "odd"}}
			m.row(l, s, 5_0000, seen(noon.AddDate(0, 0, -30)))
		}, "quality_gate"},
		{"a failing row after one that passes", func(m *market, s, l int64) {
			m.row(l, s, 5_0000)
			m.Quarantine = []panel.Quarantine{{Listing: l, Observation: m.row(l, s, 6_0000, seen(noon)), Reason: "odd"}}
		}, "5.00"},
		{"a failing row after one that is stale", func(m *market, s, l int64) {
			m.row(l, s, 5_0000, seen(noon.AddDate(0, 0, -9)))
			m.Quarantine = []panel.Quarantine{{Listing: l, Observation: m.row(l, s, 6_0000, seen(noon)), Reason: "odd"}}
		}, "stale_price"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMarket(t)
			c.make(m, m.store("alder", "halifax"), m.list("alder", 1))
			res := m.compare("1")
			if got := outcome(t, res, "alder"); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			untracked := c.name == "an inactive product"
			if got := slices.Contains(res.UntrackedItemIDs, 1); got != untracked {
				t.Errorf("untracked: %t, want %t", got, untracked)
			}
		})
	}
}

// A verified banner's rows keep their regular price and count when they are
// approved.
func TestVerifiedBanner(t *testing.T) {
	verified := func(b *basket.Banner) { b.Verified = true }
	for _, c := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{"unapproved", nil, "no_observation"},
		{"approved", with(source(panel.Scraped)), "5.00"},
		{"its regular price stands", with(source(panel.Scraped), regular(30_0000), sale(""), condition(panel.Member)), "30.00"},
		{"a regular price below", with(source(panel.Scraped), regular(4_0000), sale("2026-11-19")), "5.00"},
		{"a placeholder", with(source(panel.AssumedEqual), sale(""), condition(panel.MultiBuy)), "conditional_promotion"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMarket(t)
			m.chain("moose", verified)
			m.sells("moose", 1, 5_0000, c.edits...)
			if got := outcome(t, m.compare("1"), "moose"); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	t.Run("an unapproved row hides no approved one", func(t *testing.T) {
		m := newMarket(t)
		m.chain("moose", verified)
		m.sells("moose", 1, 5_0000, source(panel.Derived))
		m.sells("moose", 1, 1_0000, seen(noon))
		if got := outcome(t, m.compare("1"), "moose"); got != "5.00" {
			t.Errorf("%s, want 5.00", got)
		}
	})
}
