package compare_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
)

// TestNamedReasons compares the reasons in words. Items 1, 7 and 9 are yogurt, chicken
// and salmon, the last two by the kilogram.
func TestNamedReasons(t *testing.T) {
	const yogurt, chicken, salmon = "'Greek yogurt, plain, 750 g'", "'Chicken breast, boneless skinless, per kg'", "'Salmon fillet, per kg'"
	market := func(t *testing.T, prices map[string][3]panel.Price) *market {
		m := newMarket(t)
		for _, chain := range []string{"alder", "birch", "cedar"} {
			m.store(chain, "halifax")
			for i, item := range []int64{1, 7, 9} {
				if p := prices[chain][i]; p != 0 {
					m.sells(chain, item, p)
				}
			}
		}
		return m
	}
	for _, c := range []struct {
		name   string
		prices map[string][3]panel.Price
		want   []string
	}{
		{"the lowest of two complete chains", map[string][3]panel.Price{"alder": {5_0000, 10_0000, 20_0000}, "birch": {6_0000, 11_0000, 22_0000}, "cedar": {1_0000, 2_0000, 0}}, []string{
			"lowest_complete_total: The alder at 35.00 CAD is the lowest of the 2 chains (of 3) that have everything; it is 4.00 CAD (11.43%) below The birch, the next; up to 0.70 CAD apart (2%, at least 0.05 CAD) is too close to call",
		}},
		{"one complete chain", map[string][3]panel.Price{"alder": {5_0000, 10_0000, 20_0000}, "birch": {0, 0, 22_0000}, "cedar": {1_0000, 2_0000, 0}}, []string{
			"fewer_than_two_complete_chains: 1 of 3 chains has fresh prices for all 3 items; without a usable price: " + yogurt + " (at 1 chain), " + chicken + " (at 1 chain), " + salmon + " (at 1 chain)",
		}},
		{"too close, the margin in cents", map[string][3]panel.Price{"alder": {5_0000, 10_0000, 20_9900}, "birch": {5_0000, 10_0000, 21_0000}}, []string{
			"close_total: The birch at 36.00 CAD is 0.01 CAD (0.03%) above The alder at 35.99 CAD; up to 0.71 CAD apart (2%, at least 0.05 CAD) is too close to call",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, market(t, c.prices).compare("1,7,9").Reasons()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestWideSpread looks at the listings of yogurt at one chain: the last is 9 days old.
func TestWideSpread(t *testing.T) {
	for _, c := range []struct {
		prices []panel.Price
		wide   bool
	}{{[]panel.Price{3_0000, 6_0000, 9_0000}, false}, {[]panel.Price{3_0000, 6_0001, 9_0000}, true}, {[]panel.Price{6_0001, 3_0000, 9_0000}, true}} {
		m := newMarket(t)
		s := m.store("alder", "halifax")
		for i, p := range c.prices {
			m.row(m.list("alder", 1, func(l *panel.Listing) { l.Name = p.String() }), s, p, seen(noon.AddDate(0, 0, -9*(i/2))))
		}
		if l := m.compare("1").Lines()[0]; l.WideSpread != c.wide || *l.Title != "3.00" {
			t.Errorf("%v: %+v", c.prices, l)
		}
	}
}

// TestUnitPrices compares packs by the kilogram, the litre and the piece. The price of
// yogurt and milk is lower at birch for the pack, and higher for as much.
func TestUnitPrices(t *testing.T) {
	m := newMarket(t)
	m.sells("alder", 1, 4_9900, size("1.5 kg")) // 750 g: 4.99 / 0.75 = 6.65(3), the pack 9.98
	m.sells("birch", 1, 4_9901, size("500 g"))
	m.sells("alder", 3, 5_9000) // 4 L: 5.90 / 4 = 1.475
	m.sells("birch", 3, 8_0000, size("2 L"))
	m.sells("alder", 2, 4_8000) // 12: 0.40, as at birch
	m.sells("birch", 2, 4_8000)
	m.sells("birch", 7, 15_0050) // by weight
	var got []string
	for _, l := range m.compare("1,2,3,7x0.5").Lines() {
		if p := l.Unit; p != nil {
			got = append(got, fmt.Sprint(l.StoreKey, l.ItemID, " ", p.Price, "/", p.Unit, " ", p.Lowest))
		}
	}
	want := []string{
		"birch1 6.65/kg false", "birch2 0.40/unit false", "birch3 2.00/L false", "birch7 15.01/kg false",
		"alder1 6.65/kg true", "alder2 0.40/unit false", "alder3 1.48/L true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
