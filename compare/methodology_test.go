package compare_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// The example of docs/methodology.md: two loaves, half a kilogram of bananas and
// a dozen eggs at three chains in Halifax; then the same with a dearer loaf at
// Heron, whose place at the top is then owed to its smaller packages.
func TestMethodologyExample(t *testing.T) {
	on := func(d int) edit { return seen(time.Date(2026, 11, d, 15, 0, 0, 0, time.UTC)) }
	const others = "tern 2 4.99 4.99\ntern 12 8.58 8.58\ntern 18 0.87 0.87\n" +
		"plover 2 ambiguous_checkout\nplover 12 expired_promotion\nplover 18 0.65 0.65\n"
	for bread, want := range map[panel.Price]string{
		4_0000: "heron 2 5.29 5.29\nheron 12 6.76 8.00\nheron 18 0.75 0.75\n" + others +
			"heron 12.80 14.04 complete_requested_list\ntern 14.44 14.44 complete_requested_list\nplover 0.65 0.65 observed_subtotal\n" +
			"lowest_complete_total: heron has all 3 items for 12.80 CAD, 1.64 CAD (12.81%) below tern, the next of 2 complete chains; up to 0.256 CAD apart (2%, at least 0.05 CAD) is too close to call",
		4_2500: "heron 2 5.29 5.29\nheron 12 7.18 8.50\nheron 18 0.75 0.75\n" + others +
			"heron 13.22 14.54 complete_requested_list\ntern 14.44 14.44 complete_requested_list\nplover 0.65 0.65 observed_subtotal\n" +
			"size_basis_conflict: heron at 13.22 CAD is the lowest total, but at standard sizes it costs 14.54 CAD, 0.10 CAD more than tern at 14.44 CAD; other sizes: item 12",
	} {
		m := newMarket(t)
		m.sells("tern", 12, 4_2900, size("675 g"), on(18))
		m.row(m.list("tern", 12), 1, 3_9000, size("450 g"), on(19))
		m.sells("tern", 18, 1_7400, size("per kg"), on(18))
		m.sells("tern", 2, 3_9900, regular(4_9900), sale(""), condition(panel.Member), size("12 ct"), on(18))
		m.sells("heron", 12, bread, size("570 g"), on(19))
		m.sells("heron", 18, 1_4900, size("per kg"), on(12))
		m.sells("heron", 2, 5_2900, size("12 ct"), on(19))
		m.sells("plover", 12, 2_9900, regular(4_9900), sale("2026-11-19"), size("675 g"), on(18))
		m.sells("plover", 18, 1_2900, size("per kg"), on(18))
		m.sells("plover", 2, 3_4900, size("18 ct"), on(19))
		res := m.compare("12x2,18x0.5,2")
		var got strings.Builder
		for _, l := range res.Lines() {
			if l.Reason != compare.Priced {
				fmt.Fprintln(&got, l.StoreKey, l.ItemID, l.Reason)
				continue
			}
			fmt.Fprintln(&got, l.StoreKey, l.ItemID, l.LineTotal, l.SizeAdjusted)
		}
		for _, s := range res.Stores {
			fmt.Fprintln(&got, s.Key, s.Total, s.SizeAdjustedTotal, s.TotalScope)
		}
		if diff := cmp.Diff(want, got.String()+res.Recommendation.Reasons[0]); diff != "" {
			t.Error(diff)
		}
	}
}
