package mcp

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// result is a comparison of three items at three chains, written by hand.
func result() *compare.Result {
	return &compare.Result{
		Version: "1", Currency: "CAD", City: basket.City{Slug: "halifax", Name: "Halifax", Province: "NS"},
		EvaluatedOn: compare.Date{Day: panel.DateOf(2026, 11, 20), Valid: true}, ComparisonScope: "complete_requested_list",
		RequestedItemIDs: []int{2, 3, 9}, ComparedItemIDs: []int{2, 3, 9},
		Recommendation: compare.Recommendation{Status: compare.Lowest, StoreKeys: []string{"tern"}, Reasons: []string{"lowest_complete_total: Tern Foods has 'Large eggs, dozen' and 'Cucumber'; up to 5 CAD"}},
		Stores: []compare.Store{
			{Key: "tern", Name: "Tern Foods", TotalCAD: compare.Money{Cents: 2050, Valid: true}, SizeAdjustedTotalCAD: compare.Money{Cents: 2050, Valid: true}, TotalScope: "complete_requested_list",
				Lines: []compare.Line{
					{ItemID: 2, Quantity: 100, LineTotalCAD: compare.Money{Cents: 300, Valid: true}, Title: new("Eggs, white, 12 ct")},
					{ItemID: 3, Quantity: 200, LineTotalCAD: compare.Money{Cents: 550, Valid: true}, Title: new("Tern 2% Milk, 4 L"), Brand: new("Tern"), OnSale: true},
					{ItemID: 9, Quantity: 50, LineTotalCAD: compare.Money{Cents: 1200, Valid: true}, Title: new("Atlantic salmon, boneless portions without the skin, frozen"), Fit: basket.Variant, FitWords: []string{"frozen"}},
				}},
			{Key: "puffin", Name: "Puffin", TotalCAD: compare.Money{Cents: 705, Valid: true}, SizeAdjustedTotalCAD: compare.Money{Cents: 800, Valid: true}, TotalScope: "observed_subtotal",
				PricedItemIDs: []int{2}},
			{Key: "gull", Name: "Gull", TotalScope: "no_observed_prices"},
		},
		ExcludedStores: []compare.ExcludedStore{{Key: "auk", Name: "Auk", Reason: "uncertain_location"}},
		Exclusions: []compare.Exclusion{
			{StoreKey: "gull", ItemID: 2, Reason: compare.StalePrice}, {StoreKey: "gull", ItemID: 3, Reason: compare.NoObservation}, {StoreKey: "gull", ItemID: 9, Reason: compare.StalePrice},
			{StoreKey: "puffin", ItemID: 3, Reason: compare.QualityGate}, {StoreKey: "puffin", ItemID: 9, Reason: compare.QualityGate},
		},
		ObservationSpan: compare.Span{Oldest: compare.Date{Day: panel.DateOf(2026, 11, 13), Valid: true}, Newest: compare.Date{Day: panel.DateOf(2026, 11, 19), Valid: true}},
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
	nothing.ComparisonScope, nothing.ComparedItemIDs, nothing.ObservationSpan = "no_comparable_items", nil, compare.Span{}
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
	parts := []string{
		"\npackage, 1 to 20 in steps of 1: 1 ", "\nkg, 0.25 to 10 in steps of 0.25: 7 ", "toronto (Toronto, ON)", "northlarch (Northlarch)", "8 days", "2% (at least 0.05 CAD)",
	}
	for _, x := range c.Cities {
		parts = append(parts, x.Slug+" ("+x.Name+", "+x.Province+"): "+strings.Join(c.ChainsByCity[x.Slug], ", "))
	}
	for _, x := range c.Items {
		parts = append(parts, x.Name)
	}
	for _, x := range c.Chains {
		parts = append(parts, x.Key+" ("+x.Name+")")
	}
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("no %q in\n%s", p, text)
		}
	}
	if len(text) > 6000 {
		t.Errorf("it has %d bytes", len(text))
	}
}

// piece matches a text that a tokenizer makes one token of, or several if the text is long.
var piece = regexp.MustCompile(`\n|\pL+|\pN{1,3}|[^\s\pL\pN]`)

// tokens estimates the tokens of a text: a token for each five bytes of a word. On
// texts of compare this was at most 3% below what cl100k_base and o200k_base count,
// which is added.
func tokens(text string) float64 {
	n := 0
	for _, s := range piece.FindAllString(text, -1) {
		n += (len(s) + 4) / 5
	}
	return 1.03 * float64(n)
}

// TestTextLength compares twenty items in all cities. Each text has fewer than 1,500
// tokens, with every question.
func TestTextLength(t *testing.T) {
	s, _ := newServer()
	for _, city := range compare.Catalog(demo()).Cities {
		for first := 1; first <= 31; first += 10 {
			var items []string
			for id := first; id < first+20; id++ {
				items = append(items, fmt.Sprintf(`{"id":%d,"qty":%d}`, id, 1+id%2))
			}
			text, _, err := s.callCompare(t.Context(), snapshots().Current(), []byte(`{"city":"`+city.Slug+`","items":[`+strings.Join(items, ",")+`]}`))
			if n := tokens(text); err != nil || n >= 1500 || n < 100 {
				t.Errorf("%s from %d: %v, %.0f tokens\n%s", city.Slug, first, err, n, text)
			}
		}
	}
}
