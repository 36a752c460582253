package mcp

import (
	"strings"
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
		Recommendation: compare.Recommendation{Status: compare.Lowest, StoreKeys: []string{"tern"}, Reasons: []string{"lowest_complete_total: Tern Foods has 'Large eggs, dozen' and 'Cucumber'; up to 5 CAD"}},
		Stores: []compare.Store{
			{Key: "tern", Name: "Tern Foods", TotalCAD: compare.CentsOf(2050), SizeAdjustedTotalCAD: compare.CentsOf(2050), TotalScope: compare.CompleteRequestedList,
				Lines: []compare.Line{
					{ItemID: 2, Quantity: 100, LineTotalCAD: compare.CentsOf(300), Title: new("Eggs, white, 12 ct")},
					{ItemID: 3, Quantity: 200, LineTotalCAD: compare.CentsOf(550), Title: new("Tern 2% Milk, 4 L"), Brand: new("Tern"), OnSale: true},
					{ItemID: 9, Quantity: 50, LineTotalCAD: compare.CentsOf(1200), Title: new("Atlantic salmon, boneless portions without the skin, frozen"), WideSpread: true},
				}},
			{Key: "puffin", Name: "Puffin", TotalCAD: compare.CentsOf(705), SizeAdjustedTotalCAD: compare.CentsOf(800), TotalScope: compare.ObservedSubtotal,
				PricedItemIDs: []int{2}},
			{Key: "gull", Name: "Gull", TotalScope: compare.NoObservedPrices},
		},
		ExcludedStores: []compare.ExcludedStore{{Key: "auk", Name: "Auk", Reason: compare.UncertainLocation}},
		Exclusions: []compare.Exclusion{
			{StoreKey: "gull", ItemID: 2, Reason: compare.StalePrice}, {StoreKey: "gull", ItemID: 3, Reason: compare.NoObservation}, {StoreKey: "gull", ItemID: 9, Reason: compare.StalePrice},
			{StoreKey: "puffin", ItemID: 3, Reason: compare.QualityGate}, {StoreKey: "puffin", ItemID: 9, Reason: compare.QualityGate},
		},
		ObservationSpan: compare.Span{Oldest: compare.DateOf(panel.DateOf(2026, 11, 13)), Newest: compare.DateOf(panel.DateOf(2026, 11, 19))},
		Caveats:         []string{"Stock is not promised.", "Sales are not counted: items in aItemIds are so.", "Items in bItemIds differ: so."},
		Hints:           &compare.Hints{},
	}
}

func TestResultText(t *testing.T) {
	const chains = `Tern Foods: 20.50, complete
Puffin: 7.05 without Milk, Salmon fillet (quality_gate)
Chains that lack more items: Gull 3

What was priced at Tern Foods:
Large eggs (Eggs, white): 3.00
2% Milk x 2: 5.50 on sale
Salmon fillet (boneless portions without the skin, frozen) x 0.5: 12.00
May be another kind of goods, since listings of it cost more than twice as much as others: Salmon fillet

Auk: left out, uncertain_location.
Note: Stock is not promised.
Note: Sales are not counted.
Cite this evaluation of 2026-11-20 (UTC). A page, with older prices too: https://larder.example/shopper#city=halifax&items=`
	request := compare.Request{City: "halifax", Items: []compare.Item{{ID: 2, Qty: 100}, {ID: 3, Qty: 200}, {ID: 9, Qty: 50}}}
	lowest := result()
	close := result()
	close.Recommendation = compare.Recommendation{Status: compare.TooCloseToCall, Reasons: []string{"close_total: a", "close_total: b"}, CloseStoreKeys: []string{"puffin", "tern"}}
	nothing := result()
	nothing.Recommendation = compare.Recommendation{Status: compare.InsufficientCoverage, Reasons: []string{"untracked_items: all"}}
	nothing.ComparisonScope, nothing.ComparedItemIDs, nothing.ObservationSpan = compare.NoComparableItems, nil, compare.Span{}
	const seen = "Halifax, NS, in CAD, at prices seen from 2026-11-13 to 2026-11-19.\n"
	for name, c := range map[string]struct {
		result *compare.Result
		want   string
	}{
		"lowest":    {lowest, seen + "Recommendation: lowest: Tern Foods.\n- lowest_complete_total: Tern Foods has Large eggs and 'Cucumber'\n" + chains},
		"too close": {close, seen + "Recommendation: too_close_to_call: no chain may be called the cheapest; close to each other: Puffin, Tern Foods.\n- close_total: a\n- close_total: b\n" + chains},
		"nothing":   {nothing, "Halifax, NS, in CAD.\nRecommendation: insufficient_coverage: no chain may be called the cheapest.\n- untracked_items: all\n" + chains},
	} {
		if diff := cmp.Diff(c.want, text("comparison", newComparison(demo(), request, c.result, false, "https://larder.example"))); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// TestCatalogText makes sure that the text of the catalog has all slugs, ids and keys.
func TestCatalogText(t *testing.T) {
	c := catalogOf(demo())
	text := text("catalog", c)
	has(t, text, "\npackage, 1 to 20 in steps of 1: 1 ", "\nkg, 0.25 to 10 in steps of 0.25: 7 ", "toronto (Toronto, ON)", "northlarch (Northlarch)", "8 days", "2% (at least 0.05 CAD)")
	for _, x := range c.Cities {
		has(t, text, x.Slug+" ("+x.Name+", "+x.Province+"): "+strings.Join(c.ChainsByCity[x.Slug], ", "))
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
