package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/compare/internal/oracle"
)

// TestEqualsOracle compares every member of the answer with an independent slow
// evaluation, on thousands of requests to random worlds.
func TestEqualsOracle(t *testing.T) {
	statuses := map[string]int{}
	for seed := range uint64(3000) {
		w, requests := oracle.RandomWorld(seed)
		p, rows, err := w.Build()
		if err != nil {
			t.Fatal(err)
		}
		pr := compare.NewProjection(p, rows)
		for _, r := range requests {
			want, refused := oracle.Compare(w, r)
			if refused != "" {
				t.Fatalf("seed %d: the oracle refuses %v: %s", seed, r, refused)
			}
			got, err := compare.Evaluate(pr, request(t, r), w.Now)
			if err != nil {
				t.Fatalf("seed %d, %v: %v", seed, r, err)
			}
			if diff := cmp.Diff(want, asOracle(got)); diff != "" {
				t.Fatalf("seed %d, at %s, %v (-want +got):\n%s", seed, w.Now, r, diff)
			}
			statuses[want.Recommendation.Status]++
		}
	}
	for _, s := range []compare.Status{compare.Lowest, compare.TooCloseToCall, compare.InsufficientCoverage, compare.SizeBasisDisagrees} {
		if statuses[string(s)] < 10 {
			t.Errorf("%s came up %d times only", s, statuses[string(s)])
		}
	}
}

func request(t *testing.T, r oracle.Request) compare.Request {
	t.Helper()
	x := compare.Request{City: r.City, Stores: r.Stores}
	for _, item := range r.Items {
		text := strings.TrimRight(strings.TrimRight(item.Qty.FloatString(2), "0"), ".")
		q, err := compare.ParseQuantity(text)
		if err != nil {
			t.Fatal(err)
		}
		x.Items = append(x.Items, compare.Item{ID: item.ID, Qty: q})
	}
	return x
}

// asOracle puts a result into the oracle's form.
func asOracle(r *compare.Result) *oracle.Result {
	x := &oracle.Result{
		EvaluatedOn: r.EvaluatedOn.String(), ComparisonScope: string(r.ComparisonScope),
		RequestedItemIDs: r.RequestedItemIDs, ComparedItemIDs: r.ComparedItemIDs, UntrackedItemIDs: r.UntrackedItemIDs,
		WeightedItemIDs: r.WeightedItemIDs, NormalizedCountItemIDs: r.NormalizedCountItemIDs, UnsupportedQuantityItemIDs: r.UnsupportedQuantityItemIDs,
		Oldest: r.ObservationSpan.Oldest.String(), Newest: r.ObservationSpan.Newest.String(),
		ExcludedStores: []oracle.Excluded{}, Exclusions: []oracle.Exclusion{}, Stores: []oracle.Store{},
		Recommendation: oracle.Recommendation{
			Status: string(r.Recommendation.Status), StoreKeys: r.Recommendation.StoreKeys,
			CloseStoreKeys: r.Recommendation.CloseStoreKeys, ReasonCodes: []string{},
		},
	}
	x.City.Slug, x.City.Name, x.City.Province = r.City.Slug, r.City.Name, r.City.Province
	for _, reason := range r.Recommendation.Reasons {
		code, _, _ := strings.Cut(reason, ":")
		if n := len(x.Recommendation.ReasonCodes); n == 0 || x.Recommendation.ReasonCodes[n-1] != code {
			x.Recommendation.ReasonCodes = append(x.Recommendation.ReasonCodes, code)
		}
	}
	for _, e := range r.ExcludedStores {
		x.ExcludedStores = append(x.ExcludedStores, oracle.Excluded{Key: e.Key, Name: e.Name, Reason: fmt.Sprint(e.Reason)})
	}
	for _, e := range r.Exclusions {
		x.Exclusions = append(x.Exclusions, oracle.Exclusion{StoreKey: e.StoreKey, ItemID: e.ItemID, Reason: fmt.Sprint(e.Reason)})
	}
	for _, s := range r.Stores {
		y := oracle.Store{
			Key: s.Key, Name: s.Name, TotalCents: cents(s.TotalCAD), SizeAdjustedCents: cents(s.SizeAdjustedTotalCAD),
			TotalScope: string(s.TotalScope), CompleteRequestedList: s.CompleteRequestedList,
			PricedItemIDs: s.PricedItemIDs, MissingItemIDs: s.MissingItemIDs, Oldest: s.Oldest.String(), Newest: s.Newest.String(),
			OnSaleItemIDs: s.OnSaleItemIDs, ConditionalPromotionItemIDs: s.ConditionalPromotionItemIDs,
			DifferentSizeItemIDs: s.DifferentSizeItemIDs, ItemObservationDates: []oracle.ItemDate{},
		}
		for _, d := range s.ItemObservationDates {
			y.ItemObservationDates = append(y.ItemObservationDates, oracle.ItemDate{ItemID: d.ItemID, ObservedAt: d.ObservedAt.String()})
		}
		x.Stores = append(x.Stores, y)
	}
	return x
}

func cents(m compare.Money) *int64 {
	if !m.Valid {
		return nil
	}
	return &m.Cents
}
