package compare_test

import (
	"slices"
	"strings"
	"testing"
)

// TestRecommendation reads the reasons of chains that have one item each, at the given prices. The oracle
// holds the bounds.
func TestRecommendation(t *testing.T) {
	for _, c := range []struct {
		name   string
		prices []string // of alder, birch and cedar; a size may follow
		want   string   // status, store or close stores
		reason string
	}{
		{"nobody", nil, "insufficient_coverage", "fewer_than_two_complete_chains: 0 of 1 chain have fresh prices for the 1 item; without a usable price: item 1 (at 1 chain)"},
		{"one chain", []string{"10.00"}, "insufficient_coverage", "fewer_than_two_complete_chains: 1 of 1 chain has fresh prices for the 1 item"},
		{"exactly 2%", []string{"50.00", "51.00"}, "too_close_to_call alder birch",
			"close_total: birch at 51.00 CAD is 1.00 CAD (2.00%) above alder at 50.00 CAD; up to 1.00 CAD apart (2%, at least 0.05 CAD) is too close to call"},
		{"a cent above 2%", []string{"51.01", "50.00"}, "lowest birch",
			"lowest_complete_total: birch has the 1 item for 50.00 CAD, 1.01 CAD (2.02%) below alder, the next of 2 complete chains; up to 1.00 CAD apart (2%, at least 0.05 CAD) is too close to call"},
		{"2% is a fraction of a cent", []string{"50.40", "51.41"}, "lowest alder", "lowest_complete_total: alder has the 1 item for 50.40 CAD, 1.01 CAD (2.00%) below birch, the next of 2 complete chains; up to 1.008 CAD apart (2%, at least 0.05 CAD) is too close to call"},
		// 750 g is the standard: 8.00 of 600 g is 10.00, dearer than 9.00.
		{"the lowest by a smaller package", []string{"10.00 600 g", "9.00"}, "size_basis_disagrees",
			"size_basis_conflict: alder at 8.00 CAD is the lowest total, but at standard sizes it costs 10.00 CAD, 1.00 CAD more than birch at 9.00 CAD; other sizes: item 1"},
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
			if reasons := strings.Join(r.Reasons, "\n"); reasons != c.reason {
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
