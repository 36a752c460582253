package compare_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/panel"
)

// linesBody is the body of lines as encoding/json writes it.
type linesBody struct {
	Version     string        `json:"version"`
	Currency    string        `json:"currency"`
	City        compare.City  `json:"city"`
	EvaluatedOn compare.Date  `json:"evaluatedOn"`
	Stores      []linesStore  `json:"stores"`
	Lines       []lineMembers `json:"lines"`
	Split       compare.Split `json:"split"`
}

type linesStore struct {
	Key                   string        `json:"key"`
	Name                  string        `json:"name"`
	TotalCAD              compare.Money `json:"totalCad"`
	SizeAdjustedTotalCAD  compare.Money `json:"sizeAdjustedTotalCad"`
	CompleteRequestedList bool          `json:"completeRequestedList"`
}

type lineMembers struct {
	StoreKey             string           `json:"storeKey"`
	ItemID               int              `json:"itemId"`
	Quantity             compare.Quantity `json:"quantity"`
	Reason               *string          `json:"reason"`
	TotalCAD             compare.Money    `json:"totalCad"`
	SizeAdjustedTotalCAD compare.Money    `json:"sizeAdjustedTotalCad"`
	ShelfCAD             compare.Money    `json:"shelfCad"`
	PriceCAD             *json.Number     `json:"priceCad"`
	RegularPriceCAD      *json.Number     `json:"regularPriceCad"`
	SeenPriceCAD         *json.Number     `json:"seenPriceCad"`
	Size                 *sizeMembers     `json:"size"`
	StandardSize         *sizeMembers     `json:"standardSize"`
	OtherSize            bool             `json:"otherSize"`
	OnSale               bool             `json:"onSale"`
	Condition            *string          `json:"condition"`
	SaleEndsOn           compare.Date     `json:"saleEndsOn"`
	ObservedOn           compare.Date     `json:"observedOn"`
	AgeDays              *int             `json:"ageDays"`
}

type sizeMembers struct {
	Amount float64 `json:"amount"`
	Unit   string  `json:"unit"`
	Text   string  `json:"text"`
}

// unlessZero returns a pointer to a value, nil for zero.
func unlessZero[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

func linesBodyOf(t *testing.T, res *compare.Result) string {
	t.Helper()
	b := linesBody{
		Version: "1", Currency: "CAD", City: res.City, EvaluatedOn: res.EvaluatedOn,
		Stores: []linesStore{}, Lines: []lineMembers{}, Split: res.Split(),
	}
	for _, s := range res.Stores {
		b.Stores = append(b.Stores, linesStore{s.Key, s.Name, s.TotalCAD, s.SizeAdjustedTotalCAD, s.CompleteRequestedList})
	}
	products := basket.Canada().Products
	for _, l := range res.Lines() {
		p := products[slices.IndexFunc(products, func(p basket.Product) bool { return p.ID == l.ItemID })]
		x := lineMembers{
			StoreKey: l.StoreKey, ItemID: l.ItemID, Quantity: l.Quantity, Reason: unlessZero(l.Reason.String()),
			TotalCAD: l.Total, SizeAdjustedTotalCAD: l.SizeAdjusted, ShelfCAD: l.Shelf,
			PriceCAD: unlessZero(json.Number(l.Price.String())), RegularPriceCAD: unlessZero(json.Number(l.Regular.String())), SeenPriceCAD: unlessZero(json.Number(l.Effective.String())),
			OtherSize: l.OtherSize, OnSale: l.OnSale, Condition: unlessZero(panel.SaleConditions[l.Condition]), SaleEndsOn: l.SaleEndsOn, ObservedOn: l.Observed,
		}
		unit := map[basket.Unit]string{basket.Gram: " g", basket.Millilitre: " mL", basket.Count: " ct"}[p.Unit]
		x.StandardSize = &sizeMembers{p.StandardSize, p.Unit.String(), asJSON(t, p.StandardSize) + unit}
		if amount, ok := l.Size.In(p.Unit); ok {
			x.Size = &sizeMembers{amount, p.Unit.String(), l.Size.String()}
		}
		if l.Observed.Valid {
			days := int(res.EvaluatedOn.Day - l.Observed.Day)
			x.AgeDays = &days
		}
		b.Lines = append(b.Lines, x)
	}
	return asJSON(t, b)
}

func TestLinesAreWhatEncodingJSONWrites(t *testing.T) {
	statuses := map[compare.SplitStatus]bool{}
	bodies(t, 8, func(t *testing.T, r *rand.Rand, pr *compare.Projection, req compare.Request, res *compare.Result) {
		statuses[res.Split().Status] = true
		if got, want := string(res.AppendLinesJSON(nil)), linesBodyOf(t, res); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
	if len(statuses) < 4 {
		t.Errorf("statuses: %v", statuses)
	}
	t.Run("nobody to compare", func(t *testing.T) {
		res := newMarket(t).compare("1,7x0.25")
		want := `{"version":"1","currency":"CAD","city":{"slug":"halifax","name":"Halifax","province":"NS"},"evaluatedOn":"2026-11-20","stores":[],"lines":[],` +
			`"split":{"status":"insufficient_coverage","baseline":null,"baselineIsClose":false,"best":null,"closePairs":[],"uncoveredItemIds":[1,7]}}`
		if got := string(res.AppendLinesJSON(nil)); got != want || got != linesBodyOf(t, res) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("pieces beside a weight", func(t *testing.T) {
		m := newMarket(t)
		m.sells("alder", 2, 4_0000, size("12 bagels, 900 g"))
		res := m.compare("2")
		got := string(res.AppendLinesJSON(nil))
		if want := `"size":{"amount":12,"unit":"unit","text":"900 g in 12 pieces"}`; !strings.Contains(got, want) || got != linesBodyOf(t, res) {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
	t.Run("after what is there", func(t *testing.T) {
		res := newMarket(t).compare("1")
		if got := string(res.AppendLinesJSON([]byte("x"))); got != "x"+string(res.AppendLinesJSON(nil)) {
			t.Errorf("%s", got)
		}
	})
	t.Run("a result that was not evaluated", func(t *testing.T) {
		var res compare.Result
		if s := res.Split(); s.Status != compare.SplitInsufficientCoverage || s.ClosePairs == nil || s.UncoveredItemIDs == nil || res.Lines() != nil {
			t.Errorf("%+v", s)
		}
	})
}

// One whole body, written by hand from the method.
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
