package compare_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// Of the exported types also values that no result has are written in words or digits.
func TestOddValuesAreWritten(t *testing.T) {
	for value, want := range map[fmt.Stringer]string{
		compare.Money{Cents: -7, Valid: true}: "-0.07", compare.Money{Cents: -1205, Valid: true}: "-12.05",
		compare.Money{Cents: math.MinInt64, Valid: true}: "-92233720368547758.08", compare.Reason(77): "reason(77)",
	} {
		if got := value.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
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

// TestCurrencies: amounts have the decimals of their currency by ISO 4217, and members are named for CAD alone.
func TestCurrencies(t *testing.T) {
	body := func(currency string) string {
		m := newMarket(t)
		m.Currency = currency
		// A pack of 480 g at 348: the price for 750 g has four decimals. 1.2345 * 2.5 is 3.08625.
		m.sells("alder", 1, 543_7500, size("480 g"), func(o *panel.Observation) { o.ScrapedName = `Greek yogurt "totalCad": 1` })
		m.sells("birch", 1, 600_0000)
		m.sells("alder", 7, 1_2345)
		m.sells("birch", 7, 1_0000)
		r := compare.Request{City: "halifax", Items: []compare.Item{{ID: 1, Qty: 100}, {ID: 7, Qty: 250}}, Include: []string{compare.IncludeLines, compare.IncludeCodes}, Variants: true}
		res := mustEvaluate(t, m.projection(), r, noon)
		return string(res.AppendJSON(nil)) + string(compare.Catalog(m.projection()).AppendJSON(nil))
	}
	canada := body("CAD")
	for _, word := range []string{`"totalCad":351.09`, `"closeCallMinimumCad":0.05`, `"apartCad":`, "251.41 CAD (71.61%) below The birch, the next; up to 7.02 CAD apart (2%, at least 0.05 CAD)"} {
		if !strings.Contains(canada, word) {
			t.Errorf("%s\nlacks %s", canada, word)
		}
	}
	named := strings.NewReplacer(`Cad":`, `":`, " CAD", " EUR", `"CAD"`, `"EUR"`, "totalCad is", "total is", "sizeAdjustedTotalCad what", "sizeAdjustedTotal what")
	if diff := cmp.Diff(named.Replace(canada), body("EUR")); diff != "" {
		t.Errorf("EUR: %s", diff)
	}
	for currency, words := range map[string][]string{
		"JPY": {`"total":351,`, `"lineTotal":348,"title":"Greek yogurt \"totalCad\": 1"`, `"lineTotal":3,`, `"closeCallMinimum":5,`, "up to 7 JPY apart (2%, at least 5 JPY)"},
		"KWD": {`"total":351.086,`, `"lineTotal":3.086,`, `"closeCallMinimum":0.005,`, "251.414 KWD (71.61%) below The birch, the next; up to 7.021 KWD apart (2%, at least 0.005 KWD)"},
		"RSD": {`"total":351.09,`, `"closeCallMinimum":0.05,`},
	} {
		text := body(currency)
		for _, word := range words {
			if !strings.Contains(text, word) {
				t.Errorf("%s: %s\nlacks %s", currency, text, word)
			}
		}
	}
}

// One whole body with lines, written by hand from the method, and the split beside it.
func TestWholeBodyOfLines(t *testing.T) {
	named := func(title, brand string) func(*panel.Listing) {
		return func(x *panel.Listing) { x.Name, x.Brand = title, brand }
	}
	m := newMarket(t)
	s := m.store("alder", "halifax")
	m.row(m.list("alder", 1, named("Plain Yogurt", "Oak")), s, 5_0000, size("900 g"), regular(6_0000), sale(today), func(o *panel.Observation) { o.ScrapedName = "Greek yogurt, extra creamy" })
	m.row(m.list("alder", 1, named("", "")), s, 10_0001, size("500 g"), func(o *panel.Observation) { o.ScrapedName = "Honey Greek yogurt" })
	m.row(m.list("alder", 7, named("", "")), s, 15_0000)
	m.sells("birch", 1, 3_9999, regular(5_0000), sale("2026-11-25"), condition(panel.Member))
	m.sells("birch", 7, 10_0000, seen(noon.AddDate(0, 0, -9)))
	// 5 * 900 / 750 = 6.00, twice; 15 * 0.5 = 7.50. At birch 5.00 without the card, 4.00 with it.
	for _, c := range []struct{ conditions, birch, reason, caveats string }{
		{"", `"totalCad":10.00,`, `10.00,"title":"listing","brand":null,"packageSize":null,"onSale":false,"conditional":true`, "A sale that needs a membership"},
		{"member", `"totalCad":8.00,`, `8.00,"title":"listing","brand":null,"packageSize":null,"onSale":true,"conditional":true`, `Counted at a sale price that needs a membership, as asked: The birch: 'Greek yogurt, plain, 750 g'."`},
		{"multi_buy", `"totalCad":10.00,`, `10.00,"title":"listing","brand":null,"packageSize":null,"onSale":false,"conditional":true`, "A sale with another condition than those asked for"},
	} {
		r := compare.Request{City: "halifax", Items: []compare.Item{{ID: 7, Qty: 50}, {ID: 1, Qty: 200}}, Include: []string{compare.IncludeLines}, Variants: true}
		if c.conditions != "" {
			r.Conditions = []string{c.conditions}
		}
		res := mustEvaluate(t, m.projection(), r, noon)
		body := string(res.AppendJSON(nil))
		for _, want := range []string{
			`"itemObservationDates":[{"itemId":1,"observedAt":"2026-11-19"},{"itemId":7,"observedAt":"2026-11-19"}],"lines":[` +
				`{"itemId":1,"lineTotalCad":12.00,"title":"Greek yogurt, extra creamy","brand":"Oak","packageSize":"900 g","onSale":true,"conditional":false,"observedAt":"2026-11-19","wideSpread":true,"fit":"variant","fitWords":["extra creamy"]},` +
				`{"itemId":7,"lineTotalCad":7.50,"title":null,"brand":null,"packageSize":null,"onSale":false,"conditional":false,"observedAt":"2026-11-19","wideSpread":false,"fit":"exact","fitWords":[]}],"variants":[]},`,
			c.birch, `"lines":[{"itemId":1,"lineTotalCad":` + c.reason + `,"observedAt":"2026-11-19","wideSpread":false,"fit":"exact","fitWords":[]}],"variants":[]}`, c.caveats,
		} {
			if !strings.Contains(body, want) {
				t.Errorf("%q: %s\nlacks %s", c.conditions, body, want)
			}
		}
		split := "size_basis_disagrees"
		if c.conditions == "member" {
			split = "saves"
		}
		if got := res.Split(); got.Status != split || got.Baseline.Total.Cents != 19_50 || (got.Best == nil) != (c.conditions != "member") {
			t.Errorf("%q: the split is %+v, want %s", c.conditions, got, split)
		}
	}
}
