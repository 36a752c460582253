package compare_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// Chains that have one item each, at the given prices. The close call is 2% of
// the lowest total or 5 cents, whichever is more, bounds included.
func TestRecommendation(t *testing.T) {
	for _, c := range []struct {
		name   string
		prices []string // of alder, birch and cedar; a size may follow
		want   string   // status, store or close stores
		reason string   // all of them
	}{
		{"nobody", nil, "insufficient_coverage", "fewer_than_two_complete_chains: 0 of 1 chain have fresh prices for the 1 item; without a usable price: item 1 (at 1 chain)"},
		{"one chain", []string{"10.00"}, "insufficient_coverage", "fewer_than_two_complete_chains: 1 of 1 chain has fresh prices for the 1 item"},
		{"exactly 2%", []string{"50.00", "51.00"}, "too_close_to_call alder birch",
			"close_total: birch at 51.00 CAD is 1.00 CAD (2.00%) above alder at 50.00 CAD; up to 1.00 CAD apart (2%, at least 0.05 CAD) is too close to call"},
		{"a cent below 2%", []string{"50.00", "50.99"}, "too_close_to_call alder birch", ""},
		{"a cent above 2%", []string{"51.01", "50.00"}, "lowest birch",
			"lowest_complete_total: birch has the 1 item for 50.00 CAD, 1.01 CAD (2.02%) below alder, the next of 2 complete chains; up to 1.00 CAD apart (2%, at least 0.05 CAD) is too close to call"},
		{"2% is a fraction of a cent", []string{"50.40", "51.41"}, "lowest alder", "lowest_complete_total: alder has the 1 item for 50.40 CAD, 1.01 CAD (2.00%) below birch, the next of 2 complete chains; up to 1.008 CAD apart (2%, at least 0.05 CAD) is too close to call"},
		{"just within that fraction", []string{"50.40", "51.40"}, "too_close_to_call alder birch", ""},
		{"5 cents", []string{"1.00", "1.05"}, "too_close_to_call alder birch", ""},
		{"6 cents", []string{"1.00", "1.06"}, "lowest alder", ""},
		{"2% and 5 cents are the same", []string{"2.50", "2.55"}, "too_close_to_call alder birch", ""},
		{"2% and 5 cents are the same, one more", []string{"2.50", "2.56"}, "lowest alder", ""},
		{"a tie", []string{"9.00", "9.00", "9.00"}, "too_close_to_call alder birch cedar", ""},
		{"two of three, by total", []string{"51.00", "60.00", "50.00"}, "too_close_to_call cedar alder", ""},
		{"close is close to the lowest", []string{"50.00", "51.00", "52.00"}, "too_close_to_call alder birch", ""},
		// 750 g is the standard: 8.00 of 600 g is 10.00, dearer than 9.00.
		{"the lowest by a smaller package", []string{"10.00 600 g", "9.00"}, "size_basis_disagrees",
			"size_basis_conflict: alder at 8.00 CAD is the lowest total, but at standard sizes it costs 10.00 CAD, 1.00 CAD more than birch at 9.00 CAD; other sizes: item 1"},
		{"the same at standard sizes", []string{"9.00 600 g", "9.00"}, "lowest alder", ""},
		{"a larger package that is cheaper anyway", []string{"7.00 900 g", "9.00"}, "lowest alder", ""},
		{"the dearer package is larger", []string{"9.00", "8.00 900 g"}, "size_basis_disagrees", ""},
		{"close before sizes", []string{"10.00 600 g", "8.10"}, "too_close_to_call alder birch", ""},
		{"sizes of a third chain", []string{"10.00 600 g", "12.00", "9.50"}, "size_basis_disagrees", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMarket(t)
			if len(c.prices) == 0 {
				m.store("alder", "halifax")
				m.list("alder", 1)
			}
			for i, p := range c.prices {
				price, pack, _ := strings.Cut(p, " ")
				m.sells([]string{"alder", "birch", "cedar"}[i], 1, dollars("%s", price), size(pack))
			}
			r := m.compare("1").Recommendation
			got := strings.Join(slices.Concat([]string{string(r.Status)}, r.StoreKeys, r.CloseStoreKeys), " ")
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if reasons := strings.Join(r.Reasons, "\n"); c.reason != "" && reasons != c.reason {
				t.Errorf("reasons:\n%s\nwant:\n%s", reasons, c.reason)
			}
		})
	}
}

func TestReasonsNameWhatBlocks(t *testing.T) {
	m := newMarket(t)
	for id := int64(1); id <= 14; id++ {
		m.sells("alder", id, 5_0000)
		if id > 12 {
			m.sells("birch", id, 5_0000)
		}
	}
	m.sells("birch", 18, 2_0000, size("1 kg"))
	m.sells("alder", 18, 2_0000)
	r := m.compare("1,2,3,4,5,6,7,8,9,10,11,12,13,14,18x0.5,20").Recommendation
	want := []string{
		"fewer_than_two_complete_chains: 0 of 2 chains have fresh prices for all 16 items; without a usable price: item 20 (at 2 chains), " +
			"item 1 (at 1 chain), item 2 (at 1 chain), item 3 (at 1 chain), item 4 (at 1 chain), item 5 (at 1 chain), item 6 (at 1 chain), item 7 (at 1 chain), and 6 more",
		"untracked_items: none of the chains compared lists item 20",
		"unsupported_quantity: some chains sell only fixed packs, of which the quantity asked for is no multiple, of item 18",
	}
	if !slices.Equal(r.Reasons, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(r.Reasons, "\n"), strings.Join(want, "\n"))
	}
}

// Ordering: complete first, by total, then key; the others by how many items
// they have, then total, then key.
func TestOrderOfStores(t *testing.T) {
	m := newMarket(t)
	for _, x := range []struct {
		key    string
		prices []panel.Price // of items 1 and 3
	}{
		{"a", []panel.Price{1_0000}}, {"b", []panel.Price{0, 1_0000}}, {"c", []panel.Price{9_0000, 9_0000}}, {"d", nil},
		{"e", []panel.Price{5_0000}}, {"f", []panel.Price{8_0000, 1_0000}}, {"g", []panel.Price{1_0000, 8_0000}}, {"h", nil},
	} {
		m.store(x.key, "halifax")
		for i, p := range x.prices {
			if p > 0 {
				m.sells(x.key, []int64{1, 3}[i], p)
			}
		}
	}
	var keys string
	for _, s := range m.compare("1,3").Stores {
		keys += s.Key
	}
	if keys != "fgcabedh" {
		t.Errorf("order %s, want fgcabedh", keys)
	}
	if d := shop(t, m.compare("1,3"), "d"); d.Total.Valid || d.SizeAdjustedTotal.Valid || d.TotalScope != "no_observed_prices" || d.Oldest.Valid || d.Newest.Valid {
		t.Errorf("a chain without a price: %+v", d)
	}
}

// All chains of a city are excluded: a comparison of nothing.
func TestNobodyIsEligible(t *testing.T) {
	m := newMarket(t)
	m.store("alder", "halifax", func(s *panel.Store) { s.LocationCertain = false })
	m.row(m.list("alder", 1), 1, 5_0000)
	res := m.compare("1,7")
	if len(res.Stores) != 0 || len(res.ExcludedStores) != 1 || res.ComparisonScope != "no_comparable_items" ||
		!slices.Equal(res.UntrackedItemIDs, []int64{1, 7}) || res.ObservationSpan != (compare.Span{}) || len(res.Exclusions) != 0 {
		t.Errorf("%s", asJSON(t, res))
	}
	want := "fewer_than_two_complete_chains: 0 of 0 chains have fresh prices for all 2 items"
	if r := res.Recommendation; r.Status != compare.InsufficientCoverage || r.Reasons[0] != want {
		t.Errorf("%+v", r)
	}
	// With a certain store beside it the chain takes part, with that store's rows.
	m.row(1, m.store("alder", "halifax"), 6_0000)
	if got := outcome(t, m.compare("1"), "alder"); got != "6.00" {
		t.Errorf("%s, want 6.00", got)
	}
}
