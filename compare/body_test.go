package compare_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
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
		if got := asJSON(t, res); got != want {
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
	t.Run("dates", func(t *testing.T) {
		for d := day("1969-12-31"); d < day("2200-01-02"); d++ {
			if got, want := asJSON(t, compare.DateOf(d)), `"`+d.String()+`"`; got != want {
				t.Fatalf("%s, want %s", got, want)
			}
		}
		for _, d := range []panel.Date{-800_000, -719_529, -719_528, 2_932_896} {
			if got, want := asJSON(t, compare.DateOf(d)), `"`+d.String()+`"`; got != want {
				t.Errorf("%s, want %s", got, want)
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

func TestComparisonURL(t *testing.T) {
	r := compare.Request{City: "st-johns", Items: []compare.Item{{ID: 12, Qty: 100}, {ID: 7, Qty: 250}, {ID: 8, Qty: 75}}, Stores: []string{"b", "épicerie", "a.1_x-y"}}
	want := "http://localhost:8080/shopper#city=st-johns&items=7x2.5,8x0.75,12x1&stores=a.1_x-y,b,%C3%A9picerie"
	if got := compare.ComparisonURL("http://localhost:8080", r); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if r.Items[0].ID != 12 || r.Stores[0] != "b" {
		t.Error("the request was changed")
	}
	// What the address says is a request again.
	_, list, _ := strings.Cut(want, "items=")
	list, _, _ = strings.Cut(list, "&")
	if items, err := compare.ParseItems(list); err != nil || compare.FormatItems(items) != list {
		t.Errorf("%s: %v", list, err)
	}
}

// Lines add up to the totals, and say of each item what the body says.
func TestLines(t *testing.T) {
	bodies(t, 3, func(t *testing.T, r *rand.Rand, pr *compare.Projection, req compare.Request, res *compare.Result) {
		lines := res.Lines()
		if len(lines) != len(res.Stores)*len(req.Items) {
			t.Fatalf("%d lines", len(lines))
		}
		for _, s := range res.Stores {
			var cents, adjusted int64
			ids := map[string][]int{}
			for _, l := range lines[:len(req.Items)] {
				add := func(list string, on bool) {
					if on {
						ids[list] = append(ids[list], l.ItemID)
					}
				}
				cents, adjusted = cents+l.Total.Cents, adjusted+l.SizeAdjusted.Cents
				priced := l.Reason == compare.Priced
				add("priced", priced)
				add("missing", !priced)
				add("sale", l.OnSale)
				add("condition", l.Condition != panel.NoCondition)
				add("size", l.OtherSize)
				if l.StoreKey != s.Key || priced != l.Total.Valid || priced != (l.Price > 0) {
					t.Errorf("%+v", l)
				}
				if !priced && l.Reason != excluded(res, s.Key, l.ItemID) {
					t.Errorf("%+v, excluded for %s", l, excluded(res, s.Key, l.ItemID))
				}
			}
			lines = lines[len(req.Items):]
			if s.TotalCAD.Cents != cents || s.SizeAdjustedTotalCAD.Cents != adjusted || !slices.Equal(ids["priced"], s.PricedItemIDs) || !slices.Equal(ids["missing"], s.MissingItemIDs) ||
				!slices.Equal(ids["sale"], s.OnSaleItemIDs) || !slices.Equal(ids["condition"], s.ConditionalPromotionItemIDs) || !slices.Equal(ids["size"], s.DifferentSizeItemIDs) {
				t.Errorf("%s: %d, %d, %v of %+v", s.Key, cents, adjusted, ids, s)
			}
		}
	})
	t.Run("a line", func(t *testing.T) {
		m := newMarket(t)
		m.sells("alder", 1, 5_0000, size("900 g"), regular(6_0000), sale(today), condition(panel.Member))
		m.sells("alder", 3, 5_0000, seen(noon.AddDate(0, 0, -20)))
		size, err := basket.ParseSize("900 g")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]compare.Line{
			{
				StoreKey: "alder", ItemID: 1, Quantity: 200, Total: compare.CentsOf(1440), SizeAdjusted: compare.CentsOf(1200), Shelf: compare.CentsOf(720),
				Price: 6_0000, Regular: 6_0000, Effective: 5_0000, Size: size, OtherSize: true, Condition: panel.Member,
				SaleEndsOn: compare.DateOf(day(today)), Observed: compare.DateOf(day("2026-11-19")),
			},
			{StoreKey: "alder", ItemID: 3, Quantity: 100, Reason: compare.StalePrice, Observed: compare.DateOf(day("2026-10-31"))},
			{StoreKey: "alder", ItemID: 4, Quantity: 100, Reason: compare.NoObservation},
		}, m.compare("1x2,3,4").Lines()); diff != "" {
			t.Error(diff)
		}
	})
}

func excluded(res *compare.Result, key string, id int) compare.Reason {
	i := slices.IndexFunc(res.Exclusions, func(x compare.Exclusion) bool { return x.StoreKey == key && x.ItemID == id })
	if i < 0 {
		return compare.Priced
	}
	return res.Exclusions[i].Reason
}
