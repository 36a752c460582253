package httpapi

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

func TestAppendObservation(t *testing.T) {
	for _, c := range []struct {
		name string
		row  jevons.Row
		want string
	}{
		{
			"every member given",
			jevons.Row{
				Week:  panel.DefaultBaseWeek,
				Cell:  &jevons.Cell{Level: jevons.Banner, City: "St. John's", Banner: "b1", Category: basket.ProduceVeg},
				Index: panel.FixedOf(1001234), BasketCost: panel.FixedOf(1234500),
				WoW: panel.FixedOf(-1), MoM: panel.FixedOf(0), YoY: panel.FixedOf(100000),
				ItemCount: 7, TotalItems: 9,
			},
			`{"date":"2026-07-19","city":"St. John's","retailer":"b1","category":"produce_veg",` +
				`"index_value":100.1234,"basket_cost_cad":123.45,"pct_change_wow":-0.0001,"pct_change_mom":0.0000,` +
				`"item_count":7,"total_items":9,"pct_change_yoy":10.0000}`,
		},
		{
			"national headline without changes",
			jevons.Row{
				Week: panel.DefaultBaseWeek, Cell: &jevons.Cell{Level: jevons.National},
				Index: panel.FixedOf(1000000), ItemCount: -1, TotalItems: -1,
			},
			`{"date":"2026-07-19","city":null,"retailer":null,"category":null,` +
				`"index_value":100.0000,"basket_cost_cad":null,"pct_change_wow":null,"pct_change_mom":null,` +
				`"item_count":null,"total_items":null,"pct_change_yoy":null}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := string(AppendObservation(nil, &c.row))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if !json.Valid([]byte(got)) {
				t.Error("not valid JSON")
			}
		})
	}
}

func TestTextIsEscaped(t *testing.T) {
	for _, s := range []string{
		`a"b`, "a\\b", "<script>", "a & b", "Québec", "tab\t", "\x00", "\x7f", "line\u2028s", "\u2029", "bad \xff byte", "🥚", "\xe2\x80",
	} {
		checkText(t, s)
	}
}

func FuzzText(f *testing.F) {
	f.Add("Crème \"fraîche\" <35%>\u2028")
	f.Add("\xc3\x28")
	f.Fuzz(func(t *testing.T, s string) { checkText(t, s) })
}

// checkText holds a text against encoding/json.
func checkText(t *testing.T, s string) {
	t.Helper()
	want := "null"
	if s != "" {
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		want = string(quoted)
	}
	if got := string(appendText([]byte("x"), s)); got != "x"+want {
		t.Errorf("%q is written %s, want %s", s, got[1:], want)
	}
}
