package table

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

func TestColumnsAreTheCallers(t *testing.T) {
	for _, list := range []func() []Column{func() []Column { return Columns(here) }, QualityColumns} {
		name := list()[0].Name
		if list()[0].Name = "mine"; list()[0].Name != name {
			t.Errorf("%s: the caller changed the package's own list", name)
		}
	}
}

var here = &panel.About{} // prices in Canadian dollars

var columnRows = []struct {
	row                jevons.Row
	json, csv, printed string
}{
	{
		jevons.Row{
			Week:  panel.DefaultBaseWeek,
			Cell:  &jevons.Cell{Level: jevons.Banner, City: "St. John's", Banner: "b1", Category: basket.Categories(nil).Of("produce_veg")},
			Index: panel.FixedOf(1001234), BasketCost: panel.FixedOf(1234500),
			WoW: panel.FixedOf(-1), MoM: panel.FixedOf(0), YoY: panel.FixedOf(100000),
			ItemCount: 7, TotalItems: 9,
		},
		`{"date":"2026-07-19","city":"St. John's","retailer":"b1","category":"produce_veg",` +
			`"index_value":100.1234,"basket_cost_cad":123.45,"pct_change_wow":-0.0001,"pct_change_mom":0.0000,` +
			`"item_count":7,"total_items":9,"pct_change_yoy":10.0000}`,
		"2026-07-19|St. John's|b1|produce_veg|100.1234|123.45|-0.0001|0.0000|7|9|10.0000",
		"2026-07-19|banner|St. John's|b1|produce_veg|100.1234|123.45|-0.0001|0.0000|10.0000|7/9",
	},
	{
		jevons.Row{
			Week: panel.DefaultBaseWeek, Cell: &jevons.Cell{Level: jevons.National},
			Index: panel.FixedOf(1000000), ItemCount: -1, TotalItems: 0,
		},
		`{"date":"2026-07-19","city":null,"retailer":null,"category":null,` +
			`"index_value":100.0000,"basket_cost_cad":null,"pct_change_wow":null,"pct_change_mom":null,` +
			`"item_count":null,"total_items":0,"pct_change_yoy":null}`,
		"2026-07-19||||100.0000|||||0|",
		"2026-07-19|national|||overall|100.0000|||||-/-",
	},
}

// The documented columns of a row, in their forms. The OpenAPI document checks that
// no row has others.
func TestColumns(t *testing.T) {
	documented := func(list []Column) []Column {
		return slices.DeleteFunc(list, func(c Column) bool {
			return c.Name != "level" && c.Name != "items" && !strings.Contains(columnRows[0].json, `"`+c.Name+`"`)
		})
	}
	columns := documented(Columns(here))
	join := func(r *jevons.Row, list []Column) string {
		var cells []string
		for _, c := range list {
			cells = append(cells, string(c.AppendText(nil, r)))
		}
		return strings.Join(cells, "|")
	}
	for _, c := range columnRows {
		got := AppendJSON(nil, &c.row, columns)
		if !json.Valid(got) {
			t.Errorf("%s is not valid JSON", got)
		}
		if diff := cmp.Diff([]string{c.json, c.csv, c.printed}, []string{
			string(got), join(&c.row, columns), join(&c.row, documented(PrintedColumns(here))),
		}); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		public, _, _ := strings.Cut(c.json, `,"pct_change_yoy"`)
		if got := string(AppendJSON(nil, &c.row, documented(PublicColumns(here)))); got != public+"}" {
			t.Errorf("the public row is %s", got)
		}
	}
}

// The cost is named by the currency of the panel, wherever it is named.
func TestCurrency(t *testing.T) {
	about, err := panel.NewAbout(map[string]string{"currency": "EUR"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(Columns(here), func(c Column) bool { return c.Name == "basket_cost_cad" })
	c := Columns(about)[i]
	shown, err := ViewColumn(about, &jevons.Table{}, ViewCost, 0, nil)
	got := []string{c.Name, c.Title, shown.Name, ViewCost.Member(about), ViewCost.Unit(about, 0), ViewCost.Unit(here, 0)}
	want := []string{"basket_cost_eur", "basket EUR", "basket_cost_eur", "basket_cost_eur", "EUR for the basket", "dollars for the basket, CAD"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}
