package oracle

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Everything of one answer, worked out by hand. E is 2026-11-16.
//
// Oats, two packages of 500 g; a dozen eggs; half a kilogram of fish. The inactive
// product is untracked.
//
//   - auk: oats 3.00 for the standard size, in 1 kg packs: 6.00 * 2 = 12.00,
//     adjusted 6.00. Eggs of 18: ambiguous. Fish at 9.99 on sale: 4.995 is 5.00.
//     In all 17.00 and 11.00.
//   - tern: oats for members 2.50, otherwise 3.25: 6.50. Eggs 4.00. Fish in
//     packs of 2 kg: unsupported. In all 10.50.
//   - wren: its only store is uncertain.
func TestWholeAnswer(t *testing.T) {
	w := newTiny()
	w.Stores[wren-1].LocationCertain = false
	w.see(auk, oats, "3.00", size("1 kg"), daysAgo(2))
	w.see(auk, eggs, "6.00", size("18 ct"))
	w.see(auk, fish, "9.99", sale, regular("12"), daysAgo(8))
	w.see(tern, oats, "2.50", sale, members, regular("3.25"), daysAgo(1))
	w.see(tern, eggs, "4.00", daysAgo(3))
	w.see(tern, fish, "8.00", size("2 kg"))
	w.see(wren, oats, "0.50")
	got := w.compare(t, list(tofu, "1", fish, "0.5", oats, "2", eggs, "1"))
	cents := func(n int64) *int64 { return &n }
	want := &Result{
		City: w.Cities[0], EvaluatedOn: "2026-11-16", ComparisonScope: "partial_requested_list",
		Recommendation: Recommendation{"insufficient_coverage", []string{},
			[]string{"fewer_than_two_complete_chains", "untracked_items", "unsupported_quantity"}, []string{}},
		Stores: []Store{{
			Key: "tern", Name: "The tern", TotalCents: cents(1050), SizeAdjustedCents: cents(1050),
			TotalScope: "observed_subtotal", PricedItemIDs: []int{oats, eggs}, MissingItemIDs: []int{fish, tofu},
			OnSaleItemIDs: []int{}, ConditionalPromotionItemIDs: []int{oats}, DifferentSizeItemIDs: []int{},
			Oldest: "2026-11-13", Newest: "2026-11-15",
			ItemObservationDates: []ItemDate{{oats, "2026-11-15"}, {eggs, "2026-11-13"}},
		}, {
			Key: "auk", Name: "The auk", TotalCents: cents(1700), SizeAdjustedCents: cents(1100),
			TotalScope: "observed_subtotal", PricedItemIDs: []int{oats, fish}, MissingItemIDs: []int{eggs, tofu},
			OnSaleItemIDs: []int{fish}, ConditionalPromotionItemIDs: []int{}, DifferentSizeItemIDs: []int{oats},
			Oldest: "2026-11-08", Newest: "2026-11-14",
			ItemObservationDates: []ItemDate{{oats, "2026-11-14"}, {fish, "2026-11-08"}},
		}},
		ExcludedStores: []Excluded{{"wren", "The wren", "uncertain_location"}},
		Exclusions: []Exclusion{
			{"auk", eggs, "ambiguous_checkout"}, {"auk", tofu, "no_observation"},
			{"tern", fish, "unsupported_quantity"}, {"tern", tofu, "no_observation"},
		},
		RequestedItemIDs: []int{oats, eggs, fish, tofu}, ComparedItemIDs: []int{oats, eggs, fish}, UntrackedItemIDs: []int{tofu},
		WeightedItemIDs: []int{fish, tofu}, NormalizedCountItemIDs: []int{eggs}, UnsupportedQuantityItemIDs: []int{fish},
		Oldest: "2026-11-08", Newest: "2026-11-15",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// One chain has no listing, one only a retired one, one no price: all are
// shown, by key, with null totals.
func TestNothingToCompare(t *testing.T) {
	w := newTiny()
	w.Listings = w.Listings[:0]
	w.listing(301, wren, oats)
	w.listing(201, tern, oats).Active = false
	r := w.compare(t, list(oats, "1"))
	same(t, "scope", "no_comparable_items", r.ComparisonScope)
	same(t, "compared", []int{}, r.ComparedItemIDs)
	same(t, "untracked", []int{}, r.UntrackedItemIDs)
	same(t, "span", "", r.Oldest+r.Newest)
	for i, s := range r.Stores {
		same(t, "key", chainKeys[i+1], s.Key)
		same(t, "scope", "no_observed_prices", s.TotalScope)
		same(t, "dates", "", s.Oldest+s.Newest)
		if s.TotalCents != nil || s.SizeAdjustedCents != nil || s.CompleteRequestedList {
			t.Errorf("%s has a total", s.Key)
		}
	}
	w.Listings[0].Active = false
	same(t, "untracked", []int{oats}, w.compare(t, list(oats, "1")).UntrackedItemIDs)
}

// Complete lists first, by total; then by the number of items, total and key.
func TestOrderOfStores(t *testing.T) {
	keys := func(w *tiny, r Request) []string {
		var keys []string
		for _, s := range w.compare(t, r).Stores {
			keys = append(keys, s.Key)
		}
		return keys
	}
	both := list(oats, "1", milk, "1")
	w := totals("1", "9", "8")
	w.see(tern, milk, "9")
	w.see(wren, milk, "9")
	same(t, "complete ones first", []string{"wren", "tern", "auk"}, keys(w, both))
	w = totals("2", "", "1")
	same(t, "by total, then those without", []string{"wren", "auk", "tern"}, keys(w, both))
	w = totals("1", "5", "1")
	w.see(tern, milk, "5")
	same(t, "more items first", []string{"tern", "auk", "wren"}, keys(w, list(oats, "1", milk, "1", eggs, "1")))
	same(t, "equal totals by key", []string{"auk", "wren", "tern"}, keys(totals("1", "2", "1"), list(oats, "1")))
}

func TestScopes(t *testing.T) {
	w := totals("1")
	w.see(tern, milk, "1")
	r := w.compare(t, list(oats, "1", milk, "1"))
	same(t, "each item somewhere", "complete_requested_list", r.ComparisonScope)
	same(t, "no chain complete", "observed_subtotal", r.of(t, auk).TotalScope)
	r = w.compare(t, list(oats, "1"))
	same(t, "complete", "complete_requested_list", r.of(t, auk).TotalScope)
	same(t, "complete", true, r.of(t, auk).CompleteRequestedList)
	w.Stores[auk-1].LocationCertain = false
	same(t, "only where it is uncertain", "no_comparable_items", w.compare(t, list(oats, "1")).ComparisonScope)
}
