package mcp

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// result is a comparison of three items at three chains, written by hand.
func result() *compare.Result {
	return &compare.Result{
		Version: "1", Currency: "CAD", City: compare.City{Slug: "halifax", Name: "Halifax", Province: "NS"},
		EvaluatedOn: compare.DateOf(panel.DateOf(2026, 11, 20)), ComparisonScope: compare.CompleteRequestedList,
		RequestedItemIDs: []int{2, 3, 9}, ComparedItemIDs: []int{2, 3, 9},
		Recommendation: compare.Recommendation{Status: compare.Lowest, StoreKeys: []string{"tern"}, Reasons: []string{"lowest_complete_total: tern is"}},
		Stores: []compare.Store{
			{Key: "tern", Name: "Tern Foods", TotalCAD: compare.CentsOf(2050), SizeAdjustedTotalCAD: compare.CentsOf(2050), TotalScope: compare.CompleteRequestedList,
				PricedItemIDs: []int{2, 3, 9}, OnSaleItemIDs: []int{2, 9}, ConditionalPromotionItemIDs: []int{3}},
			{Key: "puffin", Name: "Puffin", TotalCAD: compare.CentsOf(705), SizeAdjustedTotalCAD: compare.CentsOf(800), TotalScope: compare.ObservedSubtotal,
				PricedItemIDs: []int{2}, DifferentSizeItemIDs: []int{2}},
			{Key: "gull", Name: "Gull", TotalScope: compare.NoObservedPrices},
		},
		ExcludedStores: []compare.ExcludedStore{{Key: "auk", Name: "Auk", Reason: compare.UncertainLocation}},
		Exclusions: []compare.Exclusion{
			{StoreKey: "gull", ItemID: 2, Reason: compare.StalePrice}, {StoreKey: "gull", ItemID: 3, Reason: compare.NoObservation}, {StoreKey: "gull", ItemID: 9, Reason: compare.StalePrice},
			{StoreKey: "puffin", ItemID: 3, Reason: compare.QualityGate}, {StoreKey: "puffin", ItemID: 9, Reason: compare.QualityGate},
		},
		ObservationSpan: compare.Span{Oldest: compare.DateOf(panel.DateOf(2026, 11, 13)), Newest: compare.DateOf(panel.DateOf(2026, 11, 19))},
		Caveats:         []string{"Stock is not promised."},
		ComparisonURL:   "https://larder.example/shopper#city=halifax",
	}
}

func TestResultText(t *testing.T) {
	const chains = `Tern Foods: 20.50 for the complete list.
Puffin: 7.05 for 1 of 3 items only; missing: Milk, Salmon fillet (quality_gate).
Gull: no usable price; missing: Large eggs, Salmon fillet (stale_price), Milk (no_observation).
Auk: left out, uncertain_location.
Note: Stock is not promised.
Cite this evaluation of 2026-11-20. To look at, with older prices among the rest: https://larder.example/shopper#city=halifax&items=`
	lowest := result()
	close := result()
	close.Recommendation = compare.Recommendation{Status: compare.TooCloseToCall, Reasons: []string{"close_total: a", "close_total: b"}, CloseStoreKeys: []string{"puffin", "tern"}}
	nothing := result()
	nothing.Recommendation = compare.Recommendation{Status: compare.InsufficientCoverage, Reasons: []string{"untracked_items: all"}}
	nothing.ComparisonScope, nothing.ComparedItemIDs, nothing.ObservationSpan = compare.NoComparableItems, nil, compare.Span{}
	const head = "Halifax, NS, evaluated on 2026-11-20 (UTC), CAD.\n"
	for name, c := range map[string]struct {
		result *compare.Result
		want   string
	}{
		"lowest": {lowest, head + "Recommendation: lowest: Tern Foods.\n- lowest_complete_total: tern is\n" +
			"Usable prices for 3 of 3 items, seen from 2026-11-13 to 2026-11-19.\n" + chains},
		"too close": {close, head + "Recommendation: too_close_to_call: no chain may be called the cheapest; close to each other: Puffin, Tern Foods.\n- close_total: a\n- close_total: b\n" +
			"Usable prices for 3 of 3 items, seen from 2026-11-13 to 2026-11-19.\n" + chains},
		"nothing": {nothing, head + "Recommendation: insufficient_coverage: no chain may be called the cheapest.\n- untracked_items: all\n" +
			"Usable prices for 0 of 3 items.\n" + chains},
	} {
		if diff := cmp.Diff(c.want, text("comparison", newComparison(demo(), c.result, "https://larder.example"))); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// TestCatalogText makes sure that the text of the catalog has all slugs, ids and keys.
func TestCatalogText(t *testing.T) {
	c := compare.Catalog(demo())
	text := text("catalog", c)
	has(t, text, "\npackage, 1 to 20 in steps of 1: 1 ", "\nkg, 0.25 to 10 in steps of 0.25: 7 ", "toronto (Toronto, ON)", "northlarch (Northlarch)", "8 days", "2% (at least 0.05 CAD)")
	for _, x := range c.Cities {
		has(t, text, x.Slug+" ("+x.Name)
	}
	for _, x := range c.Items {
		has(t, text, x.Name)
	}
	for _, x := range c.Chains {
		has(t, text, x.Key+" ("+x.Name+")")
	}
	if len(text) > 6000 {
		t.Errorf("it has %d bytes", len(text))
	}
}

// TestByQuantity groups items that differ in one quantity at a time.
func TestByQuantity(t *testing.T) {
	item := compare.CatalogItem{ID: 1, QuantityUnit: "package", MinQuantity: 100, MaxQuantity: 2000, QuantityStep: 100}
	items := []compare.CatalogItem{item, item, item, item, item, item}
	items[1].QuantityUnit, items[2].MinQuantity, items[3].MaxQuantity, items[4].QuantityStep = "kg", 200, 1000, 50
	want := [][]compare.CatalogItem{{item, item}, {items[1]}, {items[2]}, {items[3]}, {items[4]}}
	if diff := cmp.Diff(want, byQuantity(items)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
