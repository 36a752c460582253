package oracle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
)

// Every outcome must be common enough for a comparison of two evaluations over
// a few thousand requests to see it. The shares are of requests.
func TestRandomWorldsHaveEverything(t *testing.T) {
	seen := map[string]int{}
	requests := 0
	for seed := range uint64(1000) {
		w, list := RandomWorld(seed)
		for _, r := range list {
			requests++
			result, code := Compare(w, r)
			if code != "" {
				t.Fatalf("seed %d: %v is refused: %s", seed, r, code)
			}
			for what := range outcomes(result) {
				seen[what]++
			}
		}
	}
	for _, what := range []string{
		"lowest", "too_close_to_call", "insufficient_coverage", "size_basis_disagrees", "three close",
		"complete_requested_list", "partial_requested_list", "no_comparable_items",
		"observed_subtotal", "no_observed_prices",
		stale, expired, ambiguous, unsupported, conditional, failsGate, unobserved,
		"excluded", "untracked", "weighted", "normalized", "unsupported", "on sale", "conditional", "different size",
		"dropped and yet priced", "adjusted total differs",
	} {
		if 200*seen[what] < requests {
			t.Errorf("%s: in %d of %d requests", what, seen[what], requests)
		}
	}
}

func outcomes(r *Result) map[string]bool {
	seen := map[string]bool{r.Recommendation.Status: true, r.ComparisonScope: true}
	seen["three close"] = len(r.Recommendation.CloseStoreKeys) > 2
	seen["excluded"] = len(r.ExcludedStores) > 0
	seen["untracked"] = len(r.UntrackedItemIDs) > 0
	seen["weighted"] = len(r.WeightedItemIDs) > 0
	seen["normalized"] = len(r.NormalizedCountItemIDs) > 0
	seen["unsupported"] = len(r.UnsupportedQuantityItemIDs) > 0
	for _, e := range r.Exclusions {
		seen[e.Reason] = true
	}
	if !seen[unsupported] && seen["unsupported"] || !seen[ambiguous] && seen["normalized"] {
		seen["dropped and yet priced"] = true
	}
	for _, s := range r.Stores {
		for what, yes := range map[string]bool{
			s.TotalScope: true, "on sale": len(s.OnSaleItemIDs) > 0, "conditional": len(s.ConditionalPromotionItemIDs) > 0,
			"different size":         len(s.DifferentSizeItemIDs) > 0,
			"adjusted total differs": s.TotalCents != nil && *s.TotalCents != *s.SizeAdjustedCents,
		} {
			seen[what] = seen[what] || yes
		}
	}
	for what, yes := range seen {
		if !yes {
			delete(seen, what)
		}
	}
	return seen
}

// Worlds are panels, whose rows pass the gate as the world says.
func TestRandomWorldsBuild(t *testing.T) {
	for seed := range uint64(300) {
		w, _ := RandomWorld(seed)
		_, rows, err := w.Build()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		passes := map[int64]bool{}
		for _, o := range w.Observations {
			passes[o.ID] = o.Verdict == panel.Pass
		}
		if rows.Len() != len(passes) {
			t.Fatalf("seed %d: %d rows, %d ids", seed, rows.Len(), len(passes))
		}
		for i := range rows.Len() {
			if o := rows.At(i); passes[o.ID] != (o.Verdict == panel.Pass) {
				t.Errorf("seed %d: row %d: verdict %s", seed, o.ID, o.Verdict)
			}
		}
	}
}

// A world is that of its seed, and the order of its records plays no part.
func TestRandomWorldAgain(t *testing.T) {
	for seed := range uint64(200) {
		w, list := RandomWorld(seed)
		again, _ := RandomWorld(seed)
		same(t, "world", w, again)
		reversed := *w
		reversed.Observations = reverse(w.Observations)
		reversed.Listings = reverse(w.Listings)
		reversed.Stores = reverse(w.Stores)
		reversed.Banners = reverse(w.Banners)
		reversed.Products = reverse(w.Products)
		for _, r := range list {
			want, _ := Compare(w, r)
			got, _ := Compare(&reversed, Request{r.City, reverse(r.Items), reverse(r.Stores)})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d: in order - reversed +\n%s", seed, diff)
			}
		}
	}
}

func reverse[T any](list []T) []T {
	var r []T
	for i := range list {
		r = append(r, list[len(list)-1-i])
	}
	return r
}

// Missing and priced items part the list, and exclusions explain what is
// missing at the chains shown, and nothing else.
func TestExclusionsExplain(t *testing.T) {
	for seed := range uint64(500) {
		w, list := RandomWorld(seed)
		for _, r := range list {
			result, _ := Compare(w, r)
			missing, explained := map[Exclusion]bool{}, map[Exclusion]bool{}
			for _, s := range result.Stores {
				for _, id := range s.MissingItemIDs {
					missing[Exclusion{s.Key, id, ""}] = true
				}
				if len(s.MissingItemIDs)+len(s.PricedItemIDs) != len(r.Items) || len(s.ItemObservationDates) != len(s.PricedItemIDs) {
					t.Errorf("seed %d: %+v", seed, s)
				}
			}
			for _, e := range result.Exclusions {
				explained[Exclusion{e.StoreKey, e.ItemID, ""}] = true
			}
			same(t, "missing and explained", missing, explained)
		}
	}
}

// Of a world in which one chain has a stale price, that one row is left.
func TestMinimize(t *testing.T) {
	w := totals("1", "2", "3")
	w.see(wren, fish, "1", daysAgo(9))
	isStale := func(w *World) bool {
		r, code := Compare(w, list(oats, "1", fish, "1"))
		return code == "" && r.reason(wren, fish) == stale
	}
	small := Minimize(&w.World, isStale)
	if len(small.Observations) != 1 || small.Observations[0].ID != 4 || len(small.Listings) != 1 || len(small.Stores) != 1 {
		t.Errorf("left: %+v, %+v, %+v", small.Observations, small.Listings, small.Stores)
	}
	if len(w.Observations) != 4 || len(w.Stores) != 3 {
		t.Error("the world itself was changed")
	}
}
