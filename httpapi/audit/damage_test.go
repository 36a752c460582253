package audit

import (
	"bytes"
	"compress/gzip"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
)

const headline = "2026-07-26 overall"

// Whatever is changed in the pages is noticed: the figures no longer match, or the
// pages are refused for what is wrong with them.
func TestDamage(t *testing.T) {
	t.Parallel()
	const week = "download /api/v1/prices?from=2026-07-20&"
	for name, x := range map[string]struct{ script, want string }{
		"row dropped":               {"drop week 2", "DOES NOT MATCH in index_value, item_count, basket_cost_cad, pct_change_wow"},
		"base row dropped":          {"drop base 0", "DOES NOT MATCH in index_value, pct_change_wow"},
		"price":                     {"set week.observations.0.effective_price 5.51", "DOES NOT MATCH in index_value, pct_change_wow"},
		"price by a ten-thousandth": {"set week.observations.0.effective_price 5.5001", "DOES NOT MATCH in index_value, pct_change_wow"},
		// Sunday evening in Toronto is Monday in UTC, and the week before.
		"week":              {"join\nset week.observations.6.observed_at \"2026-07-20T03:59:59Z\"", "DOES NOT MATCH in"},
		"other listing":     {"set week.observations.0.retailer_product_id 14", "DOES NOT MATCH in index_value, pct_change_wow"},
		"published figure":  {"set index.observations.0.basket_cost_cad 13.70", "DOES NOT MATCH in basket_cost_cad\n"},
		"published change":  {"set index.observations.0.pct_change_wow 4.4010", "DOES NOT MATCH in pct_change_wow\n"},
		"published null":    {"set index.observations.0.pct_change_wow null", "DOES NOT MATCH in pct_change_wow\n"},
		"published items":   {"set index.observations.0.item_count 2", "DOES NOT MATCH in item_count\n"},
		"row not published": {"drop index 0", "DOES NOT MATCH: index 104.4009 is recomputed, and no row is published"},
		"weight in one place": {"set week.observations.2.retailer_products.products.basket_weight 0.3",
			`week: row 103: its product 2, "Cheddar", is not as in the products`},
		"verified rows as others": {"del base.observations.5.regular_price_source\ndel base.observations.5.promo_detail\n" +
			"del week.observations.4.regular_price_source\ndel week.observations.4.promo_detail", "DOES NOT MATCH in index_value"},
		"one verified row as another": {"del week.observations.4.regular_price_source\ndel week.observations.4.promo_detail", "banner plover is"},
		"half verified":               {"del week.observations.4.promo_detail", "regular_price_source or promo_detail is missing or wrong"},
		"product replaced":            {"set products.products.0.id 4", "download prices and products again"},
		"store moved":                 {`set week.observations.1.stores.city "Moncton"`, "store 2 is "},
		"province":                    {`set week.observations.1.stores.province "PE"`, "city Halifax is PE here and NS in another row"},
		"listing replaced":            {"set week.observations.2.retailer_product_id 11", "listing 11 is {tern 2} here"},
		"date outside":                {`set week.observations.0.observed_at "2026-07-20T03:59:59Z"`, "week: row 101 of 2026-07-19"},
		"order":                       {"set week.observations.1.id 100", "week: row 100 does not come after row 101"},
		"count":                       {"set week.meta.count 6", "week: meta.count is 6, and it has 5 rows"},
		"no count":                    {"del week.meta.count", "meta.count is missing"},
		"limit":                       {"set week.meta.limit 5", "it has 6 rows with those that the gate left out, and meta.limit is 5"},
		"limit just so":               {"set week.meta.limit 6", "matches: index 104.4009"},
		"no limit":                    {"del week.meta.limit", "meta lacks limit"},
		"no room":                     {"set week.meta.limit 0", "meta lacks limit"},
		"no offset":                   {"del week.meta.offset", "meta lacks limit"},
		"offset below 0":              {"set week.meta.offset -1", "meta lacks limit"},
		"no has_more":                 {"del week.meta.has_more", "meta lacks limit"},
		"no filters":                  {"del week.meta.filters", "meta lacks limit"},
		"less than a page, and more":  {"set week.meta.has_more true\nset week.meta.next_offset 5000", "it has 6 rows with those that the gate left out, and meta.limit is 5000"},
		"more":                        {"set week.meta.has_more true", "meta.next_offset is missing, which does not go with offset 0"},
		"next":                        {"set week.meta.next_offset 5000", "meta.next_offset is 5000, which does not go with"},
		"negative":                    {"set week.meta.filtered_quarantine -1", "out of range"},
		"never made":                  {"del week.meta.generated_at", "meta.generated_at is missing"},
		"gate":                        {`set week.meta.gate_version "larder-gate-1"`, "the same rows may have other verdicts"},
		"too early":                   {`set week.meta.generated_at "2026-07-27T03:59:59Z"`, "week was made at 2026-07-27T03:59:59Z, before 2026-07-26 was over in Toronto"},
		"just in time":                {`set week.meta.generated_at "2026-07-27T04:00:00Z"`, "matches: index 104.4009"},
		"city only":                   {`set week.meta.filters.city "Halifax"`, "week is of city Halifax and banner all only; download all pages of /api/v1/prices?from=2026-07-20&to=2026-07-26 and"},
		"product only":                {"only base 1", "base is of product 1 only; download all pages of /api/v1/prices?from=2026-07-13&to=2026-07-19 and"},
		"day short":                   {`set week.meta.filters.to "2026-07-25"`, "week is of 2026-07-20 to 2026-07-25; download"},
		"no filter":                   {"del week.meta.filters.city", "week: meta.filters: city is missing"},
		"price is text":               {`set week.observations.0.effective_price "five"`, "week: "},
		"id is text":                  {`set week.observations.0.id "five"`, `week: member "id" holds a string, which does not belong there`},
		"no price":                    {"del week.observations.0.effective_price", `row 1: id 101: effective_price: price "" is not a plain decimal number`},
		"long price":                  {"set week.observations.0.effective_price 5.50001", "has more than 4 decimals"},
		"no time":                     {"del week.observations.0.observed_at", "id 101: observed_at is missing or wrong"},
		"no weight":                   {"del products.products.0.basket_weight", "products: row 1: product 2: basket_weight is missing"},
		"pilot":                       {`set index.meta.series "v1"`, `index: it is of series "v1"`},
		"no level":                    {"set index.observations.0.index_value null", "index: row 1: index_value: it is missing"},
		"no items":                    {"del index.observations.0.item_count", "index: row 1: item_count: it is missing"},
		"not a Sunday":                {`set index.observations.0.date "2026-07-27"`, "index: row 1: week 2026-07-27 is a Monday"},
		"no products":                 {"del products", "there is no page of /api/v1/products"},
		"no prices":                   {"del base\ndel week", "there is no page of /api/v1/prices"},
		"other endpoint":              {`set week.meta.endpoint "/api/v1/usage"`, `week: it is of "/api/v1/usage"`},
		"refusal":                     {`set week {"error":"send a key"}`, `week: it is no page but a refusal of the server: "send a key"`},
		"no meta":                     {"del week.meta", `week: it has no "meta"`},
		"no rows":                     {"del week.observations", `week: it has no "observations"`},

		// Pages that are missing are named by their address.
		"last missing":  {"cut week 2 2\ndel rest", "a page is missing beside week: " + week + "limit=2&offset=2&to=2026-07-26 too, and add its file"},
		"first missing": {"cut week 2 2\ndel week", "a page is missing beside rest: " + week + "limit=2&offset=0&to=2026-07-26 too"},
		"one between":   {"cut week 2 3", "a page is missing beside week: " + week + "limit=1&offset=2&to=2026-07-26 too"},
		"rest of the index": {"cut index 2 2\nset index.observations.0.date \"2026-07-19\"\ndel rest",
			"a page is missing beside index: download /api/v1/index?from=2026-07-19&level=national&limit=2&offset=2&series=v2&to=2026-07-26 too"},

		// Pages of different snapshots contradict each other.
		"an end too early":      {"copy week early\nkeep early 3", "disagree on how many rows there are"},
		"an end before more":    {"cut week 2 2\ncopy week end\nset end.meta.has_more false\nset end.meta.next_offset null\nset end.meta.limit 5000", "disagree on how many rows there are"},
		"nothing after the end": {"copy week after\nkeep after 0\nset after.meta.offset 5\nset after.meta.filtered_identity 0", "disagree on how many rows there are"},
		"shifted":               {"cut week 2 2\nset rest.observations.0.id 102", "rest: row 102 does not come after row 102 of week: the data changed between the pages"},
		"same row, other price": {"cut week 3 2\nset rest.observations.0.effective_price 7.21", "row 103 stands in rest and in week with different members"},
		"row of another query":  {"copy week city\nset city.meta.filters.city \"Halifax\"\ndrop city 1", "row 102 is in week and not in city, where it belongs too"},
		"index corrected":       {"copy index public\nset public.meta.endpoint \"/api/public/index\"\nset public.observations.0.index_value 104.4008", "overall, national, week 2026-07-26: index_value differs between two of the pages"},
		"two of the products":   {"copy products products2", "both hold the products: leave the older one out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := readWorked(t)
			w.run(t, x.script)
			got, err := w.check(t, headline)
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, x.want) {
				t.Errorf("got %s\nwant %q", got, x.want)
			}
		})
	}
}

// The same rows in other pages, unknown members, rows of other weeks and figures
// that a page does not have change nothing.
func TestHarmless(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"as it is":              "",
		"two pages":             "cut week 2 2",
		"same twice":            "copy week again",
		"overlapping":           "cut base 4 2",
		"rest of the index":     "cut index 2 2\ndel rest", // its row is on the first page
		"public index":          "set index.meta.endpoint \"/api/public/index\"\ndel index.observations.0.pct_change_yoy",
		"more members":          "set week.meta.snapshot \"abc\"\nset week.observations.0.colour [1]",
		"one query for both":    "join",
		"by product":            "copy base base2\ncopy base base3\nonly base 1\nonly base2 2\nonly base3 3",
		"a row of an open week": "copy week late\nset late.meta.filters.from \"2026-07-27\"\nset late.meta.filters.to \"2026-07-30\"\nkeep late 1\nset late.observations.0.id 200\nset late.observations.0.observed_at \"2026-07-29T13:00:00Z\"\nset late.observations.0.effective_price 99.00",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := readWorked(t)
			w.run(t, script)
			if got, err := w.check(t, headline); err != nil || !strings.HasPrefix(got, "matches: index 104.4009, 3 of 3 products\n") {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}

// A figure that the pages do not suffice for is not recomputed and says what it
// needs. A level that they do not suffice for is refused.
func TestNeeds(t *testing.T) {
	t.Parallel()
	const halifax = "set base.meta.filters.city \"Halifax\"\nset week.meta.filters.city \"Halifax\""
	const late = "drop base 2\ndrop base 2\ndrop base 2\n" // one product of three is priced in the base week
	for name, x := range map[string]struct {
		script, row string
		want        []string
	}{
		"cost of a city":            {halifax, headline + " Halifax", []string{"index_value 104.4009", "basket_cost_cad 13.69 needs week 2026-07-26 of the whole country\n", "pct_change_wow 4.4009\n"}},
		"all of a city":             {"", headline + " Halifax", []string{"basket_cost_cad 13.69\n"}},
		"a banner":                  {"", headline + " Halifax tern", []string{"index 104.4009, 3 of 3 products; nothing was given"}},
		"week before":               {"third\ndel week", "2026-08-02 overall", []string{"index_value 104.4009\n", " needs week 2026-07-26\n", "pct_change_mom null\n"}},
		"week before of a category": {"third\ndel week", "2026-08-02 dairy", []string{"index_value 99.6655\n", " needs week 2026-07-26\n"}},
		"all weeks":                 {"third", "2026-08-02 overall", []string{"pct_change_wow 0.0000\n"}},
		"entry week":                {"third\n" + late, "2026-08-02 overall", []string{"index_value 100.0000\n"}},
		"entry week missing":        {"third\ndel week\n" + late, "2026-08-02 overall", []string{"do not hold all prices of the whole country from 2026-07-20 to 2026-08-02: "}},
		"both weeks missing":        {"del base\nset week.meta.filters.to \"2026-07-25\"", headline, []string{"from 2026-07-13 to 2026-07-19; ", "from 2026-07-20 to 2026-07-26: "}},
		"no row":                    {"", "2026-07-26 meat", []string{"not published: 0 of 0 products are matched"}},
		"products one by one":       {"copy base base2\nonly base2 2\nonly base 1\ncopy week week2\nonly week2 2\nonly week 1", "2026-07-26 dairy", []string{"index_value 99.6655", "item_count 2"}},
		"one of them missing":       {"copy base base2\nonly base2 2\nonly base 1\nonly week 1", "2026-07-26 dairy", []string{"week is of product 1 only; download all pages of"}},
		"place without prices":      {"", headline + " Toronto", []string{`city "Toronto"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := readWorked(t)
			delete(w, "index")
			w.run(t, x.script)
			got, err := w.check(t, x.row)
			if err != nil {
				got = err.Error()
			}
			for _, want := range x.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
		})
	}
}

// Cells without a row, published or not, and the forms of a result in JSON.
func TestResult(t *testing.T) {
	t.Parallel()
	const sources = `"sources":{"files":4,"oldest":"2026-11-20T12:00:00Z","newest":"2026-11-20T12:00:00Z","prices":11,"verified_left_out":2,"gate_version":"larder-gate-2"}}`
	for _, x := range []struct {
		script, row, verdict string
		json                 []string
	}{
		{"", "2026-07-26 meat", "matches: no row is published, and none may be\njevons: meat, national, week 2026-07-26: not published: 0 of 0 products",
			[]string{`{"date":"2026-07-26","city":null,"retailer":null,"category":"meat","level":"national","matches":true,"not_published":"jevons: meat`}},
		{`set index.observations.1.category "meat"`, "2026-07-26 meat", "DOES NOT MATCH: 99.6655 is published, and no row may be\njevons: meat",
			[]string{`"figures":[],"since_base":null,"store_relatives":[],` + sources}},
		{"set index.observations.2.basket_cost_cad 1.81\nset base.meta.filters.city \"Halifax\"\nset week.meta.filters.city \"Halifax\"\n" +
			"set index.observations.2.city \"Halifax\"\nset index.observations.2.index_value 120.0001\nset index.meta.filters.level \"all\"",
			"2026-07-26 produce_fruit Halifax", "DOES NOT MATCH in index_value",
			[]string{
				`{"date":"2026-07-26","city":"Halifax","retailer":null,"category":"produce_fruit","level":"city","matches":false,"not_published":null,"figures":[`,
				`{"figure":"index_value","recomputed":120.0000,"published":120.0001,"matches":false,"needs":null}`,
				`{"figure":"item_count","recomputed":1,"published":1,"matches":true,"needs":null}`,
				`{"figure":"basket_cost_cad","recomputed":null,"published":1.81,"matches":null,"needs":"week 2026-07-26 of the whole country"}`,
				`{"figure":"pct_change_wow","recomputed":20.0000,"published":20.0000,"matches":true,"needs":null}`,
				`{"figure":"pct_change_yoy","recomputed":null,"published":null,"matches":true,"needs":null}`,
				`],"since_base":{"from":"2026-07-19","change_pct":`,
			}},
	} {
		w := readWorked(t)
		w.run(t, x.script)
		r, err := w.result(t, x.row)
		if err != nil {
			t.Fatal(err)
		}
		got := encode(t, r)
		if !strings.HasPrefix(r.Verdict(), x.verdict) || !strings.HasSuffix(got, sources) {
			t.Errorf("%s\n%s", r.Verdict(), got)
		}
		for _, part := range x.json {
			if !strings.Contains(got, part) {
				t.Errorf("no %s in\n%s", part, got)
			}
		}
	}
	w := readWorked(t)
	delete(w, "index")
	if r, err := w.result(t, "2026-07-26 dairy Halifax tern"); err != nil || !strings.Contains(encode(t, r),
		`"retailer":"tern","category":"dairy","level":"banner","matches":null,`) || r.Matches() {
		t.Errorf("nothing to compare with: %v, %s", err, encode(t, r))
	}
}

// Downloads finds the addresses that the errors name, in their order.
func TestDownloads(t *testing.T) {
	t.Parallel()
	w := readWorked(t)
	w.run(t, "cut base 2 2\ndel rest\ncut week 2 2\ndel rest")
	_, err := w.check(t, headline)
	want := []string{"/api/v1/prices?from=2026-07-13&limit=2&offset=2&to=2026-07-19", "/api/v1/prices?from=2026-07-20&limit=2&offset=2&to=2026-07-26"}
	if got := Downloads(err); !slices.Equal(got, want) {
		t.Errorf("got %q from %v", got, err)
	}
	w = readWorked(t)
	_, err = w.check(t, headline+" Halifax")
	if got := Downloads(err); len(got) != 1 || got[0] != "/api/v1/index?category=overall&city=Halifax&from=2026-07-26&level=city&to=2026-07-26" {
		t.Errorf("got %q from %v", got, err)
	}
}

// The range of a product's store relatives leaves out those that were trimmed.
func TestKept(t *testing.T) {
	r := &Result{}
	r.Stores = []StoreRelative{
		{ProductID: 1, Relative: 0.5, Trimmed: true}, {ProductID: 1, Relative: 0.9}, {ProductID: 1, Relative: 1}, {ProductID: 1, Relative: 1.2},
		{ProductID: 1, Relative: 2, Trimmed: true}, {ProductID: 2, Relative: 3},
	}
	if low, high := r.Kept(1); low != 0.9 || high != 1.2 {
		t.Errorf("%v to %v", low, high)
	}
}

// A page that a client stored as it was sent is unpacked. Half of it is refused.
func TestCompressed(t *testing.T) {
	text, err := os.ReadFile("testdata/base.json")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(text)
	z.Close()
	half := packed.Bytes()[:packed.Len()/2]
	if p, err := ReadPage("base", bytes.NewReader(packed.Bytes())); err != nil || len(p.prices) != 6 || p.Endpoint() != PricesEndpoint {
		t.Errorf("%v: %+v", err, p)
	}
	if _, err := ReadPage("base", bytes.NewReader(half)); err == nil || !strings.HasPrefix(err.Error(), "base: it begins as gzip and can't be unpacked: ") {
		t.Errorf("half of it: %v", err)
	}
}

// No input makes the reader panic, and a page that it takes is consistent.
func FuzzReadPage(f *testing.F) {
	for _, name := range []string{"base", "week", "products", "index"} {
		text, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"error":"send a key"}`))
	f.Add([]byte(`{"meta":{"endpoint":"/api/v1/prices"},"observations":null}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		p, err := ReadPage("page", bytes.NewReader(content))
		if err != nil {
			if p != nil || !strings.HasPrefix(err.Error(), "page: ") {
				t.Errorf("refused with %+v, %q", p, err)
			}
			return
		}
		if p.rows() != *p.meta.Count {
			t.Errorf("%d rows, count %d", p.rows(), *p.meta.Count)
		}
		for i := range p.prices {
			if r := &p.prices[i]; !r.price.Valid() || r.ID <= 0 || r.Stores.City == "" || r.Of.Banner == "" {
				t.Errorf("took %+v", r)
			}
		}
		for _, p := range p.products {
			if p.Category == basket.Overall {
				t.Errorf("took %+v", p)
			}
		}
		if p.Endpoint() != ProductsEndpoint {
			if q, err := queriesOf([]*Page{p}); err == nil && len(q) == 1 {
				_, _ = q[0].whole(), q[0].ordered() // must not panic
			}
		}
	})
}
