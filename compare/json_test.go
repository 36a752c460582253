package compare_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// plainResult is a Result without its methods: encoding/json writes it member by
// member.
type plainResult compare.Result

func TestBodyIsWhatEncodingJSONWrites(t *testing.T) {
	bodies(t, 5, func(t *testing.T, r *rand.Rand, pr *compare.Projection, req compare.Request, res *compare.Result) {
		res.WithLinks("https://larder.example")
		want := asJSON(t, (*plainResult)(res))
		if got := string(res.AppendJSON(nil)); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
	t.Run("awkward strings", func(t *testing.T) {
		for _, name := range []string{"Marché \"Boisverin\"", "a\\b", "<&>", "\x00\x1f\x7f", "\u2028\u2029", "日本", "\xff", "\U0001F600", ""} {
			res := &compare.Result{ExcludedStores: []compare.ExcludedStore{{Key: "a", Name: name}}, Caveats: []string{name}}
			for _, list := range []*[]int{&res.RequestedItemIDs, &res.ComparedItemIDs, &res.UntrackedItemIDs, &res.WeightedItemIDs, &res.NormalizedCountItemIDs, &res.UnsupportedQuantityItemIDs} {
				*list = []int{}
			}
			for _, list := range []*[]string{&res.Recommendation.CloseStoreKeys, &res.Recommendation.Reasons, &res.Recommendation.StoreKeys, &res.SourceURLs} {
				*list = []string{}
			}
			res.Stores, res.Exclusions = []compare.Store{}, []compare.Exclusion{}
			if got, want := string(res.AppendJSON(nil)), asJSON(t, (*plainResult)(res)); !equalJSON(t, got, want) {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
	})
}

func equalJSON(t testing.TB, a, b string) bool {
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Fatalf("%s: %v", a, err)
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return cmp.Equal(x, y)
}

// One whole body, written by hand from the method.
func TestWholeBody(t *testing.T) {
	m := newMarket(t)
	m.sells("alder", 1, 5_0000, size("900 g"), regular(6_0000), sale(today))
	m.sells("alder", 7, 15_0000)
	m.sells("birch", 1, 7_0000)
	m.store("cedar", "halifax", func(s *panel.Store) { s.LocationCertain = false })
	res := m.compare("7x0.5,1x2").WithLinks("https://larder.example/")
	// 5 * 900 / 750 = 6.00, twice; 15 * 0.5 = 7.50.
	want := `{"version":"1","currency":"CAD","city":{"slug":"halifax","name":"Halifax","province":"NS"},"evaluatedOn":"2026-11-20",` +
		`"comparisonScope":"complete_requested_list","requestedItemIds":[1,7],"comparedItemIds":[1,7],"untrackedItemIds":[],"weightedItemIds":[7],` +
		`"normalizedCountItemIds":[],"unsupportedQuantityItemIds":[],"recommendation":{"status":"insufficient_coverage","storeKeys":[],"reasons":[` +
		`"fewer_than_two_complete_chains: 1 of 2 chains has fresh prices for all 2 items; without a usable price: item 7 (at 1 chain)"],"closeStoreKeys":[]},` +
		`"stores":[{"key":"alder","name":"The alder","totalCad":19.50,"sizeAdjustedTotalCad":17.50,"totalScope":"complete_requested_list",` +
		`"completeRequestedList":true,"pricedItemIds":[1,7],"missingItemIds":[],"oldest":"2026-11-19","newest":"2026-11-19","onSaleItemIds":[1],` +
		`"conditionalPromotionItemIds":[],"differentSizeItemIds":[1],"itemObservationDates":[{"itemId":1,"observedAt":"2026-11-19"},{"itemId":7,"observedAt":"2026-11-19"}]},` +
		`{"key":"birch","name":"The birch","totalCad":14.00,"sizeAdjustedTotalCad":14.00,"totalScope":"observed_subtotal","completeRequestedList":false,` +
		`"pricedItemIds":[1],"missingItemIds":[7],"oldest":"2026-11-19","newest":"2026-11-19","onSaleItemIds":[],"conditionalPromotionItemIds":[],` +
		`"differentSizeItemIds":[],"itemObservationDates":[{"itemId":1,"observedAt":"2026-11-19"}]}],` +
		`"excludedStores":[{"key":"cedar","name":"The cedar","reason":"uncertain_location"}],` +
		`"exclusions":[{"storeKey":"birch","itemId":7,"reason":"no_observation"}],"observationSpan":{"oldest":"2026-11-19","newest":"2026-11-19"},` +
		`"caveats":["Prices are the latest seen at a chain's stores in the city, up to 8 days old; stock and the price at the checkout are not promised.",` +
		`"Items in differentSizeItemIds come in packages of another size than the standard one: totalCad is what these packages cost, sizeAdjustedTotalCad what the standard size would cost at the same rate."],` +
		`"sourceUrls":["https://larder.example/api/shopper/catalog","https://larder.example/methodology"],` +
		`"comparisonUrl":"https://larder.example/shopper#city=halifax&items=1x2,7x0.5"}`
	if got := string(res.AppendJSON(nil)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// One whole body of lines, written by hand from the method.
func TestWholeBodyOfLines(t *testing.T) {
	m := newMarket(t)
	m.sells("alder", 1, 5_0000, size("900 g"), regular(6_0000), sale(today))
	m.sells("alder", 7, 15_0000)
	m.sells("birch", 1, 3_9999, regular(5_0000), sale("2026-11-25"), condition(panel.Member))
	m.sells("birch", 7, 10_0000, seen(noon.AddDate(0, 0, -9)))
	// 5 * 900 / 750 = 6.00, twice; 15 * 0.5 = 7.50. At birch 5.00 without the card.
	want := `{"version":"1","currency":"CAD","city":{"slug":"halifax","name":"Halifax","province":"NS"},"evaluatedOn":"2026-11-20","stores":[` +
		`{"key":"alder","name":"The alder","totalCad":19.50,"sizeAdjustedTotalCad":17.50,"completeRequestedList":true},` +
		`{"key":"birch","name":"The birch","totalCad":10.00,"sizeAdjustedTotalCad":10.00,"completeRequestedList":false}],"lines":[` +
		`{"storeKey":"alder","itemId":1,"quantity":2,"reason":null,"totalCad":12.00,"sizeAdjustedTotalCad":10.00,"shelfCad":6.00,` +
		`"priceCad":5.00,"regularPriceCad":6.00,"seenPriceCad":5.00,"size":{"amount":900,"unit":"g","text":"900 g"},` +
		`"standardSize":{"amount":750,"unit":"g","text":"750 g"},"otherSize":true,"onSale":true,"condition":null,"saleEndsOn":"2026-11-20","observedOn":"2026-11-19","ageDays":1},` +
		`{"storeKey":"alder","itemId":7,"quantity":0.5,"reason":null,"totalCad":7.50,"sizeAdjustedTotalCad":7.50,"shelfCad":null,` +
		`"priceCad":15.00,"regularPriceCad":15.00,"seenPriceCad":15.00,"size":null,` +
		`"standardSize":{"amount":1000,"unit":"g","text":"1000 g"},"otherSize":false,"onSale":false,"condition":null,"saleEndsOn":null,"observedOn":"2026-11-19","ageDays":1},` +
		`{"storeKey":"birch","itemId":1,"quantity":2,"reason":null,"totalCad":10.00,"sizeAdjustedTotalCad":10.00,"shelfCad":5.00,` +
		`"priceCad":5.00,"regularPriceCad":5.00,"seenPriceCad":3.9999,"size":null,` +
		`"standardSize":{"amount":750,"unit":"g","text":"750 g"},"otherSize":false,"onSale":false,"condition":"member","saleEndsOn":"2026-11-25","observedOn":"2026-11-19","ageDays":1},` +
		`{"storeKey":"birch","itemId":7,"quantity":0.5,"reason":"stale_price","totalCad":null,"sizeAdjustedTotalCad":null,"shelfCad":null,` +
		`"priceCad":null,"regularPriceCad":null,"seenPriceCad":null,"size":null,` +
		`"standardSize":{"amount":1000,"unit":"g","text":"1000 g"},"otherSize":false,"onSale":false,"condition":null,"saleEndsOn":null,"observedOn":"2026-11-11","ageDays":9}],` +
		`"split":{"status":"size_basis_disagrees","baseline":{"storeKey":"alder","name":"The alder","totalCad":19.50,"sizeAdjustedTotalCad":17.50},` +
		`"baselineIsClose":false,"best":null,"closePairs":[],"uncoveredItemIds":[]}}`
	if got := string(m.compare("7x0.5,1x2").AppendLinesJSON(nil)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A size of pieces beside a weight, an item never seen, a list without chains, and
// a result that was not evaluated.
func TestLinesCorners(t *testing.T) {
	m := newMarket(t)
	m.sells("alder", 2, 4_0000, size("12 bagels, 900 g"))
	if got, want := string(m.compare("2").AppendLinesJSON(nil)), `"size":{"amount":12,"unit":"unit","text":"900 g in 12 pieces"}`; !strings.Contains(got, want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	m.sells("alder", 3, 4_0000, regular(5_0000), sale("2026-12-01"), condition(panel.MultiBuy))
	unseen := `"priceCad":null,"regularPriceCad":null,"seenPriceCad":null,"size":null,"standardSize":{"amount":454,"unit":"g","text":"454 g"},` +
		`"otherSize":false,"onSale":false,"condition":null,"saleEndsOn":null,"observedOn":null,"ageDays":null}`
	if got := string(m.compare("3,4").AppendLinesJSON(nil)); !strings.Contains(got, unseen) || !strings.Contains(got, `"condition":"multi_buy"`) {
		t.Errorf("got %s\nwant %s", got, unseen)
	}
	if caveats := m.compare("3").Caveats; len(caveats) != 2 || !strings.Contains(caveats[1], "conditionalPromotionItemIds") {
		t.Errorf("caveats %q", caveats)
	}
	want := `x{"version":"1","currency":"CAD","city":{"slug":"halifax","name":"Halifax","province":"NS"},"evaluatedOn":"2026-11-20","stores":[],"lines":[],` +
		`"split":{"status":"insufficient_coverage","baseline":null,"baselineIsClose":false,"best":null,"closePairs":[],"uncoveredItemIds":[1,7]}}`
	if got := string(newMarket(t).compare("1,7x0.25").AppendLinesJSON([]byte("x"))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var res compare.Result
	if s := res.Split(); s.Status != compare.SplitInsufficientCoverage || s.ClosePairs == nil || s.UncoveredItemIDs == nil || res.Lines() != nil {
		t.Errorf("%+v", s)
	}
}
