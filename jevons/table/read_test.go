package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// TestRead reads rows of every level back, with and without nulls, and
// refuses damaged ones.
func TestRead(t *testing.T) {
	t.Parallel()
	row := `{"date":"2026-07-26","city":"Toronto","retailer":"tern","category":"dairy","index_value":101.5000,"basket_cost_cad":12.30,"pct_change_wow":-0.5000,"pct_change_mom":1.0000,"item_count":3,"total_items":4,"pct_change_yoy":null}`
	for _, text := range []string{
		row,
		`{"date":"2026-07-26","city":"Toronto","retailer":null,"category":null,"index_value":101.5000,"basket_cost_cad":null,"pct_change_wow":null,"pct_change_mom":null,"item_count":null,"total_items":null,"pct_change_yoy":2.2500}`,
		`{"date":"2026-07-19","city":null,"retailer":null,"category":"meat","index_value":100.0000,"basket_cost_cad":0.01,"pct_change_wow":null,"pct_change_mom":null,"item_count":0,"total_items":10,"pct_change_yoy":null}`,
	} {
		r, err := Read(here, nil, textsOf(t, text))
		if got := string(AppendJSON(nil, &r, Columns(here))); err != nil || got != text {
			t.Errorf("%s, %v; want %s", got, err, text)
		}
	}
	r, err := Read(here, nil, textsOf(t, row))
	if want := (jevons.Cell{Level: jevons.Banner, City: "Toronto", Banner: "tern", Category: basket.Categories(nil).Of("dairy")}); err != nil || r.Cell.Level != want.Level || r.Week != panel.DefaultBaseWeek.Add(1) || r.Base != 0 || r.Extra != nil {
		t.Errorf("%+v of %+v, %v", r, r.Cell, err)
	}
	for old, wrong := range map[string]string{
		"2026-07-26": "2026-07-25", `"date":"2026-07-26",`: "", "dairy": "milk", "101.5000,": "null,", `"index_value":101.5000,`: "",
		"12.30": "12.34567", "-0.5000": "-5e-1", `"item_count":3`: `"item_count":3.5`,
	} {
		if r, err := Read(here, nil, textsOf(t, strings.Replace(row, old, wrong, 1))); err == nil {
			t.Errorf("%s instead of %s is read as %+v", wrong, old, r)
		}
	}
}

// textsOf returns the members of a row's JSON as texts.
func textsOf(t *testing.T, row string) map[string]string {
	d, members, texts := json.NewDecoder(bytes.NewReader([]byte(row))), map[string]any{}, map[string]string{}
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		t.Fatal(err)
	}
	for name, v := range members {
		if v != nil {
			texts[name] = fmt.Sprint(v)
		}
	}
	return texts
}
