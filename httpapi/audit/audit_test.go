package audit

import (
	"os"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// verdict checks a cell of the worked example in docs/methodology.md, whose pages are
// changed first, or left out where they are empty.
func verdict(t *testing.T, cell jevons.Cell, change func(pages map[string]string)) string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range []string{"base", "week", "products", "index"} {
		text, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	change(texts)
	var pages []*Page
	for _, name := range []string{"base", "week", "more", "products", "index"} {
		if texts[name] == "" {
			continue
		}
		p, err := ReadPage(name, []byte(texts[name]))
		if err != nil {
			return err.Error()
		}
		pages = append(pages, p)
	}
	e, err := NewEvidence(pages, panel.DefaultBaseWeek, panel.DefaultBaseWeek.Add(1))
	if err != nil {
		return err.Error()
	}
	published, err := e.Published(cell)
	if err != nil {
		return err.Error()
	}
	result, err := e.Check(cell, published)
	if err != nil {
		return err.Error()
	}
	return result.Verdict
}

// TestDamage changes one text of a page. Either the figures no longer match, or the pages are
// refused for what is wrong with them.
func TestDamage(t *testing.T) {
	t.Parallel()
	national := jevons.Cell{Level: jevons.National}
	for name, x := range map[string]struct{ page, old, new, want string }{
		"nothing":                 {"week", "", "", "matches: index 104.4009, 3 of 3 products"},
		"price":                   {"week", `"effective_price":5.50`, `"effective_price":5.51`, "DOES NOT MATCH in index_value, pct_change_wow"},
		"a ten-thousandth":        {"week", `"effective_price":5.50`, `"effective_price":5.5001`, "DOES NOT MATCH in index_value, pct_change_wow"},
		"long price":              {"week", `"effective_price":5.50`, `"effective_price":5.50001`, "has more than 4 decimals"},
		"other listing":           {"week", `"retailer_product_id":11,"store_id":1`, `"retailer_product_id":14,"store_id":1`, "DOES NOT MATCH in index_value, pct_change_wow"},
		"published level":         {"index", "104.4009", "104.4010", "DOES NOT MATCH in index_value"},
		"published items":         {"index", `"item_count":3`, `"item_count":2`, "DOES NOT MATCH in item_count"},
		"published change":        {"index", `"pct_change_wow":4.4009`, `"pct_change_wow":null`, "DOES NOT MATCH in"},
		"weight in one place":     {"products", `"basket_weight":0.2`, `"basket_weight":0.3`, "download prices and products again"},
		"listing of two products": {"week", `"retailer_product_id":12`, `"retailer_product_id":11`, "listing 11 (number 5 added): the id is taken"},
		"one row as verified":     {"week", `"retailer_products":{"product_id":1,"retailer":"Tern"`, `"regular_price_source":"scraped","retailer_products":{"product_id":1,"retailer":"Tern"`, `banner "tern" (number 3 added): the key is taken`},
		"count":                   {"week", `"count":5`, `"count":6`, "week: meta.count is 6, and it has 5 rows"},
		"more":                    {"week", `"has_more":false,"next_offset":null`, `"has_more":true,"next_offset":5000`, "it has 6 rows with those that the gate left out, and meta.limit is 5000"},
		"offset":                  {"week", `"offset":0`, `"offset":2`, "a page is missing beside week: download /api/v1/prices?from=2026-07-20&limit=5000&offset=0&to=2026-07-26 too"},
		"never made":              {"week", `"generated_at"`, `"made"`, "meta.generated_at is missing"},
		"made on the last day":    {"week", `"generated_at":"2026-11-20T12:00:00Z"`, `"generated_at":"2026-07-27T03:59:59Z"`, "from 2026-07-20 to 2026-07-26; download all pages of /api/v1/prices?from=2026-07-20&to=2026-07-26 and add"},
		"of a city":               {"week", `"city":"all"`, `"city":"Halifax"`, "from 2026-07-20 to 2026-07-26; download"},
		"of a product":            {"base", `"product_id":"all"`, `"product_id":"1"`, "from 2026-07-13 to 2026-07-19; download"},
		"no day":                  {"week", `"from":"2026-07-20"`, `"from":"0"`, "meta lacks limit, offset, has_more or filters"},
		"another gate":            {"week", "larder-gate-2", "larder-gate-1", `gate_version "larder-gate-2"`},
		"cut off":                 {"week", "]}", "]", "it is no page, or was cut off"},
		"v1":                      {"index", `"series":"v2"`, `"series":"v1"`, `it is of series "v1"`},
		"refusal":                 {"week", "{", `{"error":"send a key",`, `week: it is no page but a refusal of the server: "send a key"`},
		"no meta":                 {"week", `"meta"`, `"data"`, `week: it has no "meta"`},
		"other endpoint":          {"index", `"endpoint":"/api/v1/index"`, `"endpoint":"/api/v1/cells"`, `it is of "/api/v1/cells"; pages of`},
	} {
		if got := verdict(t, national, func(pages map[string]string) {
			if !strings.Contains(pages[x.page], x.old) {
				t.Fatalf("%s: %s has no %s", name, x.page, x.old)
			}
			pages[x.page] = strings.Replace(pages[x.page], x.old, x.new, 1)
		}); !strings.Contains(got, x.want) {
			t.Errorf("%s: %s\nwant %s", name, got, x.want)
		}
	}
	for name, want := range map[string]string{"products": "and 0 of /api/v1/products", "base": "from 2026-07-13 to 2026-07-19", "index": "is in none of the pages of the index"} {
		if got := verdict(t, national, func(pages map[string]string) { pages[name] = "" }); !strings.Contains(got, want) {
			t.Errorf("without %s: %s", name, got)
		}
	}
	twice := func(pages map[string]string) {
		pages["more"] = strings.Replace(pages["week"], `"effective_price":5.50`, `"effective_price":5.51`, 1)
	}
	if got := verdict(t, national, twice); !strings.Contains(got, "has different members in another page") {
		t.Error(got)
	}
}

// TestIndexOfTwoDays has a page of the index beside one that differs in another cell.
func TestIndexOfTwoDays(t *testing.T) {
	t.Parallel()
	got := verdict(t, jevons.Cell{Level: jevons.National}, func(pages map[string]string) {
		pages["more"] = strings.Replace(pages["index"], `120`, `121`, 1)
	})
	if !strings.Contains(got, "differs between two of the pages") {
		t.Error(got)
	}
}

// TestNoWeight verifies pages with a product that counts for nothing.
func TestNoWeight(t *testing.T) {
	t.Parallel()
	got := verdict(t, jevons.Cell{Level: jevons.National, Category: basket.ProduceFruit}, func(pages map[string]string) {
		for name, text := range pages {
			pages[name] = strings.ReplaceAll(text, `"basket_weight":0.2`, `"basket_weight":0`)
		}
	})
	if got != "matches: index 120.0000, 1 of 1 products" {
		t.Error(got)
	}
}

func FuzzReadPage(f *testing.F) {
	for _, name := range []string{"base", "week", "products", "index"} {
		text, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := ReadPage("page", []byte(text)); err == nil {
			_, _ = NewEvidence([]*Page{p, p}, panel.DefaultBaseWeek, panel.DefaultBaseWeek)
		}
	})
}
