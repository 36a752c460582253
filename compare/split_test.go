package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
)

// TestSplit has alder, birch and cedar sell the items 1, 3, 4 and 5 at the given
// prices; "-" is no price. A size may follow; the standard ones are 750 g, 4 L,
// 454 g and 400 g.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name   string
		prices []string // by chain
		want   string   // as splitText writes it
	}{
		{"nobody", []string{"- - -"}, "insufficient_coverage, not 1 3 4"},
		{"one chain alone", []string{"1 2 3"}, "one_chain on alder 6.00"},
		{"one item", []string{"2", "1", "1"}, "no_saving on birch 1.00"},
		{"each is cheaper at something", []string{"10 20 30", "20 10 40"}, "saves 10.00 on alder 60.00: 50.00 = alder 1 4 (40.00) + birch 3 (10.00)"},
		{"one is cheaper at all", []string{"10 20 30", "20 30 40"}, "no_saving on alder 60.00"},
		{"one is no dearer at anything", []string{"10 20 30", "10 30 30"}, "no_saving on alder 60.00"},
		{"the same everywhere", []string{"10 20 30", "10 20 30"}, "no_saving on alder 60.00"},
		{"equal lines go where more is bought", []string{"10 20 30 5", "15 10 20 5"}, "saves 5.00 on birch 50.00: 45.00 = alder 1 (10.00) + birch 3 4 5 (35.00)"},
		{"to the one that alone has the others", []string{"10 5 - -", "15 5 20 5"}, "saves 5.00 on birch 45.00: 40.00 = alder 1 (10.00) + birch 3 4 5 (30.00)"},
		{"of as many, to the first by key", []string{"10 20 30", "20 10 30"}, "saves 10.00 on alder 60.00: 50.00 = alder 1 4 (40.00) + birch 3 (10.00)"},
		{"no chain has all", []string{"10 20 -", "- 15 30"}, "covers_list: 55.00 = alder 1 (10.00) + birch 3 4 (45.00)"},
		{"no two have all", []string{"10 - -", "- 15 -", "- - 3"}, "insufficient_coverage"},
		{"nobody has one", []string{"10 - 2", "- - 3"}, "insufficient_coverage, not 3"},
		{"a pair without the cheapest chain", []string{"20 20 20", "10 5 -", "50 50 10"}, "saves 35.00 on alder 60.00: 25.00 = birch 1 3 (15.00) + cedar 4 (10.00)"},
		{"the baseline is the first of two", []string{"- - 1", "10 20 30", "10 20 30"}, "saves 29.00 on birch 60.00: 31.00 = alder 4 (1.00) + birch 1 3 (30.00), close: alder + cedar 31.00 saves 29.00"},
		{"a cent", []string{"10 20", "20 19.99"}, "saves 0.01 on alder 30.00 nearby: 29.99 = alder 1 (10.00) + birch 3 (19.99)"},

		// The margin is 2% of the best pair's total or 5 cents, bounds included.
		{"another pair 2% above", []string{"20 20 -", "- - 10", "- - 11"}, "covers_list: 50.00 = alder 1 3 (40.00) + birch 4 (10.00), close: alder + cedar 51.00"},
		{"a cent more", []string{"20 20 -", "- - 10", "- - 11.01"}, "covers_list: 50.00 = alder 1 3 (40.00) + birch 4 (10.00)"},
		{"another pair 5 cents above", []string{"0.50 0.25 -", "- - 0.25", "- - 0.30"}, "covers_list: 1.00 = alder 1 3 (0.75) + birch 4 (0.25), close: alder + cedar 1.05"},
		{"6 cents", []string{"0.50 0.25 -", "- - 0.25", "- - 0.31"}, "covers_list: 1.00 = alder 1 3 (0.75) + birch 4 (0.25)"},
		{"the baseline 2% above", []string{"20 20 11", "- - 10"}, "saves 1.00 on alder 51.00 nearby: 50.00 = alder 1 3 (40.00) + birch 4 (10.00)"},
		{"the baseline a cent more", []string{"20 20 11.01", "- - 10"}, "saves 1.01 on alder 51.01: 50.00 = alder 1 3 (40.00) + birch 4 (10.00)"},
		{"a close pair saves less", []string{"20 20 10.50", "- - 10", "20.10 20.10 -"},
			"saves 0.50 on alder 50.50 nearby: 50.00 = alder 1 3 (40.00) + birch 4 (10.00), close: birch + cedar 50.20 saves 0.30"},
		{"a close pair saves nothing", []string{"20 20 10.50", "- - 10", "20.25 20.30 -"},
			"saves 0.50 on alder 50.50 nearby: 50.00 = alder 1 3 (40.00) + birch 4 (10.00), close: birch + cedar 50.55"},
		// 765 g at 20.00 for 750 g are 20.40.
		{"a close pair costs as much as one stop", []string{"20 20 10.50", "- - 10", "20/765g 20.10 -"},
			"saves 0.50 on alder 50.50 nearby: 50.00 = alder 1 3 (40.00) + birch 4 (10.00), close: birch + cedar 50.50 [50.10]"},
		// 720 g at 21.00 for 750 g are 20.16.
		{"a close pair saves by its sizes only", []string{"20 20 10.50", "- - 10", "21/720g 20.10 -"},
			"saves 0.50 on alder 50.50 nearby: 50.00 = alder 1 3 (40.00) + birch 4 (10.00), close: birch + cedar 50.26 [51.10]"},

		// 600 g at 10.00 for 750 g are 8.00.
		{"the saving is one of sizes", []string{"10 20 30", "10/600g 25 35"}, "size_basis_disagrees on alder 60.00"},
		{"but for a cent", []string{"10 20 30", "9.99/600g 25 35"}, "saves 2.01 on alder 60.00: 57.99 [59.99] = alder 3 4 (50.00) + birch 1 (7.99)"},
		{"a chain alone is cheaper at standard sizes", []string{"10 20 30", "8 25 35", "5/7500g 21 31"}, "size_basis_disagrees on alder 60.00"},
		{"it is dearer there too", []string{"10 20 30", "8 25 35", "6.01/7500g 21 31"}, "saves 2.00 on alder 60.00: 58.00 = alder 3 4 (50.00) + birch 1 (8.00)"},
		// 500 g at 29.00 for 454 g are 31.94, 470 g are 30.02.
		{"another pair is cheaper at standard sizes", []string{"10/600g 20 -", "- - 30", "- - 29/500g"}, "size_basis_disagrees"},
		{"it is as cheap there", []string{"10/600g 20 -", "- - 30", "- - 30/500g"}, "covers_list: 58.00 [60.00] = alder 1 3 (28.00) + birch 4 (30.00)"},
		{"it is close", []string{"10/600g 20 -", "- - 30", "- - 29/470g"}, "covers_list: 58.00 [60.00] = alder 1 3 (28.00) + birch 4 (30.00), close: alder + cedar 58.02 [59.00]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := splitText(splitMarket(t, c.prices).Split()); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

func splitMarket(t *testing.T, prices []string) *compare.Result {
	t.Helper()
	m := newMarket(t)
	var items string
	for i, chain := range prices {
		key := []string{"alder", "birch", "cedar"}[i]
		m.store(key, "halifax")
		for k, text := range strings.Fields(chain) {
			id := []int{1, 3, 4, 5}[k]
			if i == 0 {
				items += fmt.Sprintf(",%d", id)
			}
			if price, pack, _ := strings.Cut(text, "/"); price != "-" {
				m.sells(key, id, dollars("%s", price), size(pack))
			}
		}
	}
	return m.compare(items[1:])
}

// splitText writes a split on one line.
func splitText(s compare.Split) string {
	text := string(s.Status)
	if p := s.Best; p != nil && p.SavingCAD.Valid {
		text += " " + p.SavingCAD.String()
	}
	if b := s.Baseline; b != nil {
		text += fmt.Sprintf(" on %s %s", b.StoreKey, b.TotalCAD)
		if b.SizeAdjustedTotalCAD != b.TotalCAD {
			text += fmt.Sprintf(" [%s]", b.SizeAdjustedTotalCAD)
		}
	}
	if s.BaselineIsClose {
		text += " nearby"
	}
	if p := s.Best; p != nil {
		text += fmt.Sprintf(": %s", p.TotalCAD)
		if p.SizeAdjustedTotalCAD != p.TotalCAD {
			text += fmt.Sprintf(" [%s]", p.SizeAdjustedTotalCAD)
		}
		text += " ="
		for i, stop := range p.Stops {
			if i > 0 {
				text += " +"
			}
			text += fmt.Sprintf(" %s %s (%s)", stop.StoreKey, strings.Trim(fmt.Sprint(stop.ItemIDs), "[]"), stop.TotalCAD)
		}
	}
	for _, p := range s.ClosePairs {
		text += fmt.Sprintf(", close: %s %s", strings.Join(p.StoreKeys, " + "), p.TotalCAD)
		if p.SizeAdjustedTotalCAD != p.TotalCAD {
			text += fmt.Sprintf(" [%s]", p.SizeAdjustedTotalCAD)
		}
		if p.SavingCAD.Valid {
			text += " saves " + p.SavingCAD.String()
		}
	}
	if len(s.UncoveredItemIDs) > 0 {
		text += ", not " + strings.Trim(fmt.Sprint(s.UncoveredItemIDs), "[]")
	}
	return text
}
