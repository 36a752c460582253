package compare_test

import (
	"testing"
	"time"

	"github.com/larder-index/larder/panel"
)

// offer is the row of one more listing at one more store.
type offer struct {
	price panel.Price
	edits []edit
}

// offered is a market with one chain whose listings of an item, each at a store
// of its own, are the offers, in their order of ids.
func offered(t *testing.T, item int, offers ...offer) *market {
	m := newMarket(t)
	for _, o := range offers {
		s := m.store("alder", "halifax")
		m.row(m.list("alder", item), s, o.price, o.edits...)
	}
	return m
}

// Which of several usable rows is the price. Yogurt's standard is 750 g: 742.5
// to 757.5 g are within 1%.
func TestChoice(t *testing.T) {
	for _, c := range []struct {
		name   string
		items  string
		offers []offer
		want   string // total
	}{
		{"the lower", "1", []offer{{5_0000, nil}, {4_9900, nil}, {5_0100, nil}}, "4.99"},
		{"the standard size before a cheaper one", "1", []offer{{5_0000, with(size("750 g"))}, {4_0000, with(size("500 g"))}}, "5.00"},
		{"an unknown size counts as the standard", "1", []offer{{5_0000, nil}, {4_0000, with(size("500 g"))}}, "5.00"},
		{"1% below is the standard", "1", []offer{{5_0000, with(size("750 g"))}, {4_0000, with(size("742.5 g"))}}, "3.96"},
		{"1% above is the standard", "1", []offer{{5_0000, with(size("750 g"))}, {4_0000, with(size("757.5 g"))}}, "4.04"},
		{"a little more than 1% below is not", "1", []offer{{5_0000, with(size("750 g"))}, {4_0000, with(size("742.4 g"))}}, "5.00"},
		{"a little more than 1% above is not", "1", []offer{{5_0000, with(size("750 g"))}, {4_0000, with(size("757.6 g"))}}, "5.00"},
		{"within 1% the line total decides, not the size", "1", []offer{{5_0000, with(size("750 g"))}, {5_0000, with(size("745 g"))}}, "4.97"},
		// ln(750/500) = 0.405, ln(1000/750) = 0.288: the larger is nearer.
		{"else the nearest in log ratio", "1", []offer{{1_0000, with(size("500 g"))}, {9_0000, with(size("1 kg"))}}, "12.00"},
		// ln(750/600) = 0.223, ln(950/750) = 0.236: the smaller is nearer.
		{"nearest from below", "1", []offer{{9_0000, with(size("600 g"))}, {1_0000, with(size("950 g"))}}, "7.20"},
		// 750/500 = 1125/750: equally far, so the line total decides.
		{"equally far", "1", []offer{{6_0000, with(size("500 g"))}, {2_0000, with(size("1125 g"))}}, "3.00"},
		// Of 4540 g: ln(9/4.54) = 0.684, ln(4.54/2) = 0.820.
		{"nearest of large packages", "26", []offer{{1_0000, with(size("2 kg"))}, {4_5400, with(size("9 kg"))}}, "9.00"},
		{"a dropped row plays no part", "1", []offer{{1_0000, with(seen(noon.AddDate(0, 0, -9)), size("750 g"))}, {5_0000, with(size("900 g"))}}, "6.00"},
		{"packs that don't fit give way", "9x0.5", []offer{{10_0000, with(size("1 kg"))}, {20_0000, with(size("500 g"))}}, "10.00"},
		{"packs that fit win by size", "9x1", []offer{{20_0000, with(size("1 kg"))}, {10_0000, with(size("500 g"))}}, "20.00"},
		{"what the shopper pays decides", "1", []offer{{3_0000, with(regular(6_0000), sale(""), condition(panel.Member))}, {5_0000, nil}}, "5.00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := outcome(t, offered(t, itemOf(t, c.items), c.offers...).compare(c.items), "alder"); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Of equal line totals the newest wins, then the lowest id. Sales tell the rows
// apart.
func TestTies(t *testing.T) {
	older, newer := seen(noon.Add(-2*time.Hour)), seen(noon.Add(-time.Hour))
	for _, c := range []struct {
		name   string
		items  string
		offers []offer
		onSale bool
	}{
		{"the newest", "1", []offer{{5_0000, with(older)}, {5_0000, with(newer, sale(""))}}, true},
		{"the newest, the other way round", "1", []offer{{5_0000, with(newer)}, {5_0000, with(older, sale(""))}}, false},
		{"the lowest id", "1", []offer{{5_0000, with(sale(""))}, {5_0000, nil}, {5_0000, nil}}, true},
		{"not the highest id", "1", []offer{{5_0000, nil}, {5_0000, nil}, {5_0000, with(sale(""))}}, false},
		// Both cost 2.50: it is the line that ties, not the price.
		{"equal lines of unequal prices", "7x0.25", []offer{{10_0100, with(newer, sale(""))}, {10_0000, with(older)}}, true},
		{"unequal lines of the same prices", "7x1", []offer{{10_0100, with(newer, sale(""))}, {10_0000, with(older)}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := shop(t, offered(t, itemOf(t, c.items), c.offers...).compare(c.items), "alder")
			if got := len(s.OnSaleItemIDs) == 1; got != c.onSale {
				t.Errorf("the row on sale won: %t, want %t", got, c.onSale)
			}
		})
	}
}

// Of a series the latest row counts, of one moment that of the highest id.
func TestLatest(t *testing.T) {
	m := newMarket(t)
	m.sells("alder", 1, 5_0000)
	m.sells("alder", 1, 6_0000)
	m.sells("alder", 1, 4_0000, seen(noon.AddDate(0, 0, -2)))
	if got := outcome(t, m.compare("1"), "alder"); got != "6.00" {
		t.Errorf("%s, want that of the second row, 6.00", got)
	}
}

// Where no row is usable the newest names the reason.
func TestNewestNamesTheReason(t *testing.T) {
	stale := offer{5_0000, with(seen(noon.AddDate(0, 0, -20)))}
	expired := func(hours int) offer {
		return offer{5_0000, with(regular(6_0000), sale("2026-11-19"), seen(noon.Add(time.Duration(hours)*time.Hour)))}
	}
	terms := func(hours int) offer {
		return offer{5_0000, with(regular(0), sale(""), condition(panel.Member), seen(noon.Add(time.Duration(hours)*time.Hour)))}
	}
	for _, c := range []struct {
		name   string
		offers []offer
		want   string
	}{
		{"the newest of two", []offer{stale, expired(-1)}, "expired_promotion"},
		{"the newest, not the last by id", []offer{terms(-1), expired(-2)}, "conditional_promotion"},
		{"the highest id of one moment", []offer{expired(-1), terms(-1)}, "conditional_promotion"},
		{"the highest id, the other way round", []offer{terms(-1), expired(-1)}, "expired_promotion"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := offered(t, 1, c.offers...).compare("1")
			if got := outcome(t, res, "alder"); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	t.Run("a row that fails the gate takes part", func(t *testing.T) {
		m := offered(t, 1, expired(-3))
		l := m.list("alder", 1)
		m.row(l, m.store("alder", "halifax"), 5_0000, seen(noon.Add(-time.Hour)))
		m.Quarantine = []panel.Quarantine{{Listing: l, Reason: "odd"}}
		if got := outcome(t, m.compare("1"), "alder"); got != "quality_gate" {
			t.Errorf("%s, want quality_gate", got)
		}
	})
}
