package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whatever is changed in the files is noticed: the figures no longer match, or
// the files are refused for what is wrong with them.
func TestVerifyNotices(t *testing.T) {
	const noMatch = "does not match what was published"
	for name, x := range map[string]struct {
		change func(w workedPages)
		want   string
	}{
		"row dropped":               {func(w workedPages) { w.drop("week", 2) }, noMatch},
		"base row dropped":          {func(w workedPages) { w.drop("base", 0) }, noMatch},
		"price":                     {func(w workedPages) { w.row("week", 0)["effective_price"] = json.Number("5.51") }, noMatch},
		"price by a ten-thousandth": {func(w workedPages) { w.row("week", 0)["effective_price"] = json.Number("5.5001") }, noMatch},
		"week": {func(w workedPages) { // Sunday evening in Toronto, Monday in UTC, is the week before
			w.join()
			w.row("week", 6)["observed_at"] = "2026-07-20T03:59:59Z"
		}, noMatch},
		"other listing":     {func(w workedPages) { w.row("week", 0)["retailer_product_id"] = 14 }, noMatch},
		"published figure":  {func(w workedPages) { w.row("index", 0)["basket_cost_cad"] = json.Number("13.70") }, noMatch},
		"published change":  {func(w workedPages) { w.row("index", 0)["pct_change_wow"] = json.Number("4.4010") }, noMatch},
		"published null":    {func(w workedPages) { w.row("index", 0)["pct_change_wow"] = nil }, noMatch},
		"published items":   {func(w workedPages) { w.row("index", 0)["item_count"] = 2 }, noMatch},
		"row not published": {func(w workedPages) { w.drop("index", 0) }, noMatch},
		"weight": {func(w workedPages) {
			w["products"]["products"].([]any)[0].(map[string]any)["basket_weight"] = json.Number("0.3")
			for _, page := range []string{"base", "week"} {
				for i := range w[page]["observations"].([]any) {
					if p := member(w.row(page, i), "retailer_products", "products"); p["name"] == "Cheddar" {
						p["basket_weight"] = json.Number("0.3")
					}
				}
			}
		}, noMatch},
		"weight in one place": {func(w workedPages) {
			member(w.row("week", 2), "retailer_products", "products")["basket_weight"] = json.Number("0.3")
		}, `week.json: row 103: its product 2, "Cheddar", is not as in the products`},
		"verified rows as others": {func(w workedPages) {
			for page, i := range map[string]int{"base": 5, "week": 4} {
				delete(w.row(page, i), "regular_price_source")
				delete(w.row(page, i), "promo_detail")
			}
		}, noMatch},
		"one verified row as another": {func(w workedPages) {
			delete(w.row("week", 4), "regular_price_source")
			delete(w.row("week", 4), "promo_detail")
		}, "banner plover is"},
		"half verified":    {func(w workedPages) { delete(w.row("week", 4), "promo_detail") }, "regular_price_source or promo_detail is missing or wrong"},
		"product replaced": {func(w workedPages) { w["products"]["products"].([]any)[0].(map[string]any)["id"] = 4 }, "download prices and products again"},
		"store moved":      {func(w workedPages) { member(w.row("week", 1), "stores")["city"] = "Moncton" }, "store 2 is {tern Moncton} here and {tern Halifax} in another row"},
		"province":         {func(w workedPages) { member(w.row("week", 1), "stores")["province"] = "PE" }, "city Halifax is PE here and NS in another row"},
		"listing replaced": {func(w workedPages) { w.row("week", 2)["retailer_product_id"] = 11 }, "listing 11 is {tern 2} here"},
		"date outside":     {func(w workedPages) { w.row("week", 0)["observed_at"] = "2026-07-20T03:59:59Z" }, "week.json: row 101 of 2026-07-19"},
		"order":            {func(w workedPages) { w.row("week", 1)["id"] = 100 }, "week.json: row 100 does not come after row 101"},
		"count":            {func(w workedPages) { w.meta("week")["count"] = 6 }, "week.json: meta.count is 6, and it has 5 rows"},
		"no count":         {func(w workedPages) { delete(w.meta("week"), "count") }, "meta.count is missing"},
		"limit":            {func(w workedPages) { w.meta("week")["limit"] = 5 }, "it has 6 rows with those that the gate left out, and meta.limit is 5"},
		"more":             {func(w workedPages) { w.meta("week")["has_more"] = true }, "meta.next_offset is missing, which does not go with offset 0"},
		"next":             {func(w workedPages) { w.meta("week")["next_offset"] = 5000 }, "meta.next_offset is 5000, which does not go with"},
		"gate":             {func(w workedPages) { w.meta("week")["gate_version"] = "larder-gate-2" }, "the same rows may have other verdicts"},
		"too early":        {func(w workedPages) { w.meta("week")["generated_at"] = "2026-07-27T03:59:59Z" }, "week.json was made at 2026-07-27T03:59:59Z, before 2026-07-26 was over in Toronto"},
		"city only":        {func(w workedPages) { member(w.meta("week"), "filters")["city"] = "Halifax" }, "week.json is of city Halifax and banner all only; download all pages of /api/v1/prices?from=2026-07-20&to=2026-07-26 and"},
		"product only": {func(w workedPages) {
			member(w.meta("base"), "filters")["product_id"] = "1"
			for range 3 {
				w.drop("base", 2)
			}
		}, "base.json is of product 1 only; download all pages of /api/v1/prices?from=2026-07-13&to=2026-07-19 and"},
		"day short":      {func(w workedPages) { member(w.meta("week"), "filters")["to"] = "2026-07-25" }, "week.json is of 2026-07-20 to 2026-07-25; download"},
		"no filter":      {func(w workedPages) { delete(member(w.meta("week"), "filters"), "city") }, "week.json: meta.filters: city is missing"},
		"price is text":  {func(w workedPages) { w.row("week", 0)["effective_price"] = "five" }, "week.json: "},
		"no price":       {func(w workedPages) { delete(w.row("week", 0), "effective_price") }, `id 101: effective_price: price "" is not a plain decimal number`},
		"long price":     {func(w workedPages) { w.row("week", 0)["effective_price"] = json.Number("5.50001") }, "has more than 4 decimals"},
		"no time":        {func(w workedPages) { delete(w.row("week", 0), "observed_at") }, "id 101: observed_at is missing or wrong"},
		"pilot":          {func(w workedPages) { w.meta("index")["series"] = "v1" }, `index.json: it is of series "v1"`},
		"no level":       {func(w workedPages) { w.row("index", 0)["index_value"] = nil }, "index.json: row 1: index_value: it is missing"},
		"no products":    {func(w workedPages) { delete(w, "products") }, "larder verify needs --products"},
		"other endpoint": {func(w workedPages) { w.meta("week")["endpoint"] = "/api/v1/usage" }, `week.json: it is of "/api/v1/usage"`},
		"no meta":        {func(w workedPages) { delete(w["week"], "meta") }, `week.json: it has no "meta"`},
		"no rows":        {func(w workedPages) { delete(w["week"], "observations") }, `week.json: it has no "observations"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := readWorked(t)
			x.change(w)
			code, stdout, stderr := w.verify(t)
			if code == exitDone || !strings.Contains(stderr, x.want) || (x.want == noMatch) != strings.Contains(stdout, "DOES NOT MATCH") {
				t.Errorf("exit status %d\n%s%s\nwant %q", code, stdout, stderr, x.want)
			}
		})
	}
}

// What does no harm: the same rows in other files, members that are not known,
// rows of other weeks and of nothing that is asked for.
func TestVerifyTakes(t *testing.T) {
	for name, change := range map[string]func(w workedPages){
		"as it is":    func(workedPages) {},
		"two pages":   func(w workedPages) { w.cut(t, "week", 2, 2) },
		"same twice":  func(w workedPages) { w["again"] = w["week"] },
		"overlapping": func(w workedPages) { w.cut(t, "base", 4, 2) },
		"rest of the index": func(w workedPages) { // its row is in the first page
			w.cut(t, "index", 2, 2)
			delete(w, "rest")
		},
		"more members": func(w workedPages) {
			w.meta("week")["snapshot"], w.row("week", 0)["colour"] = "abc", []any{1}
		},
		"one query for both": func(w workedPages) { w.join() },
		"another row of the place": func(w workedPages) { // in an open week: nothing needs it
			rows := w["week"]["observations"].([]any)
			late := map[string]any{}
			for k, v := range w.row("week", 0) {
				late[k] = v
			}
			late["id"], late["observed_at"], late["effective_price"] = 200, "2026-07-29T13:00:00Z", json.Number("99.00")
			w["week"]["observations"] = append(rows, late)
			member(w.meta("week"), "filters")["to"] = "2026-07-30"
			w.count("week")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := readWorked(t)
			change(w)
			if code, stdout, stderr := w.verify(t); code != exitDone || !strings.Contains(stdout, ": matches: index 104.4009, 3 of 3 products") {
				t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}
