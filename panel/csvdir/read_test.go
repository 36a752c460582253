package csvdir

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
)

type obs = panel.Observation

// readAll reads a table of the directory: its records and its rejects.
func readAll[T any](t testing.TB, dir string, table *Table[T]) (records []T, rejects []Reject) {
	t.Helper()
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(d, table)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for r.Next() {
		if reject := r.Reject(); reject != nil {
			rejects = append(rejects, *reject)
		} else {
			records = append(records, *r.Record())
		}
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	if file, err := os.Stat(filepath.Join(dir, r.File())); err == nil && r.Offset() != file.Size() {
		t.Errorf("%d of the %d bytes of %s are read", r.Offset(), file.Size(), r.File())
	}
	return records, rejects
}

func TestObservation(t *testing.T) {
	got, rejects := readAll(t, folder(t, map[string]string{"observations.csv": obsHeader +
		`7,2,3,4.50,3.9900,3.99,0.00199,2 L,1,1,2026-07-22,multi_buy,"Lait ""frais"", 2 L",2026-07-15T23:59:59.123456789-04:00,derived,"{""packagePrice"": 3.99}"` + "\n" +
		",2,3,,,0.0001,0,,,0,,,,1970-01-01T00:00:00z,,\n"}), Observations)
	want := []obs{{
		ID: 7, Listing: 2, Store: 3, Regular: 45000, Sale: 39900, Effective: 39900, UnitPrice: 0.00199, PackageSize: "2 L",
		InStock: panel.Yes, OnSale: true, SaleEndsOn: panel.DateOf(2026, 7, 22), SaleCondition: panel.MultiBuy,
		ScrapedName: `Lait "frais", 2 L`, ObservedAt: time.Date(2026, 7, 16, 3, 59, 59, 123456789, time.UTC),
		RegularSource: panel.Derived, PromoDetail: `{"packagePrice": 3.99}`,
	}, {Listing: 2, Store: 3, Effective: 1, ObservedAt: time.Unix(0, 0).UTC()}}
	if d := cmp.Diff(want, got); d != "" || len(rejects) > 0 {
		t.Errorf("%s\n%v", d, rejects)
	}
}

// TestBadCells replaces the cells of a good row. The reason names the column, the value and
// the accepted form.
func TestBadCells(t *testing.T) {
	columns := strings.Split(strings.TrimSpace(obsHeader), ",")
	cells := strings.Split("1,1,1,,,3.49,,2 L,1,0,,,MILK,2026-07-15T12:00:00Z,,", ",")
	const (
		noTime = " is not a time written as in RFC 3339, such as 2026-07-19T09:30:00-04:00 or 2026-07-19T13:30:00Z"
		member = "it may have packagePrice, packageWasPrice (numbers) and regularPriceBasisUnavailable (true or false)"
		promo  = "is not a JSON object; " + member
	)
	for _, c := range []struct{ column, cell, reason string }{
		{"id", "0", `id: "0" is not a whole number above 0`},
		{"retailer_product_id", "", "retailer_product_id is empty; it needs a whole number above 0"},
		{"effective_price", "", "effective_price is empty; it needs a price above 0, or the row a shelf_price"},
		{"unit_price", "-1", `unit_price: "-1" is not a number of 0 or more, written in digits`},
		{"in_stock", "true", `in_stock: "true" is neither 0 nor 1 nor empty`},
		{"is_on_sale", "", "is_on_sale is empty; it needs 0 or 1"},
		{"sale_condition", "coupon", `sale_condition: "coupon" is not one of multi_buy, member, or empty`},
		{"observed_at", "", "observed_at is empty; it needs a time as in RFC 3339"},
		{"observed_at", "2026-07-15T12:00:00", `observed_at: "2026-07-15T12:00:00"` + noTime},
		{"regular_price_source", "guess", `regular_price_source: "guess" is not one of scraped, derived, assumed_equal, or empty`},
		{"promo_detail", "[1]", `promo_detail: "[1]" ` + promo},
		{"promo_detail", `"{""was"":1}"`, `promo_detail: "{\"was\":1}" has the unknown member "was"; ` + member},
		{"promo_detail", `"{""packagePrice"":null}"`, `promo_detail: "{\"packagePrice\":null}" has a wrong value for "packagePrice"; ` + member},
		{"promo_detail", `"{""regularPriceBasisUnavailable"":1}"`, `promo_detail: "{\"regularPriceBasisUnavailable\":1}" has a wrong value for "regularPriceBasisUnavailable"; ` + member},
		{"promo_detail", `"{""packageWasPrice"":1e400}"`, `promo_detail: "{\"packageWasPrice\":1e400}" has a wrong value for "packageWasPrice"; ` + member},
		{"promo_detail", `"{""packagePrice"":1,""packagePrice"":1}"`, `promo_detail: "{\"packagePrice\":1,\"packagePrice\":1}" has the member "packagePrice" twice`},
		{"scraped_name", "a\xe9b", "byte 26 of the row is not UTF-8 text; save the file as UTF-8"},
		{"scraped_name", "a\x00b", "byte 26 of the row is a NUL byte; text has none"},
		{"scraped_name", "a,b", "17 cells; the header has 16 columns"},
		{"scraped_name", `5" disk`, strayQuote},
		{"scraped_name", `"5" disk"`, afterQuote},
		{"scraped_name", `"5 disk`, neverClosed},
	} {
		row := append([]string(nil), cells...)
		for i, name := range columns {
			if name == c.column {
				row[i] = c.cell
			}
		}
		text := strings.Join(row, ",")
		t.Run(c.column+"="+c.cell[:min(len(c.cell), 30)], func(t *testing.T) {
			good, rejects := readAll(t, folder(t, map[string]string{"observations.csv": sound["observations.csv"] + text + "\n" +
				"3,1,1,,,3.49,,2 L,1,0,,,MILK 2L,2026-07-15T12:00:00Z,,\n"}), Observations)
			want := []Reject{{File: "observations.csv", Line: 3, Reason: c.reason, Text: strings.ToValidUTF8(text, "\ufffd")}}
			if d := cmp.Diff(want, rejects); d != "" {
				t.Error(d)
			}
			if len(good) != 2 || good[1].ID != 3 {
				t.Errorf("the rows around it: %v", good)
			}
		})
	}
}

func rejects[T any](table *Table[T]) func(testing.TB, string) []Reject {
	return func(t testing.TB, dir string) []Reject {
		_, rejects := readAll(t, dir, table)
		return rejects
	}
}

func TestBadReferenceRows(t *testing.T) {
	product := "id,name,category,subcategory,standard_size,unit,basket_weight,sold_by,active\n"
	v1 := "date,level,city,banner,category,index_value,basket_cost_cad,pct_change_wow,pct_change_mom,item_count,total_items\n"
	spec := "product_id,require,forbid,min_size,max_size\n"
	rejectsOf := map[string]func(testing.TB, string) []Reject{
		"products.csv": rejects(Products), "stores.csv": rejects(Stores), "cities.csv": rejects(Cities), "index_v1.csv": rejects(Pilot), "product_specs.csv": rejects(Specs),
	}
	for _, c := range []struct{ file, content, reason string }{
		{"stores.csv", "id,banner,city,active,location_certain\n0,,here,2,1\n",
			`id: "0" is not a whole number above 0; banner is empty; it needs a text; active: "2" is neither 0 nor 1`},
		{"products.csv", product + "1,Milk,dairy,,1,litre,1,package,1\n", `unit: unknown unit "litre"; use one of g, mL, unit`},
		{"products.csv", product + "1, There,dairy,,1,mL,1,package,1\n", `name: " There" has white space around it`},
		{"products.csv", product + "1,There\u00a0,dairy,,1,mL,1,package,1\n", `name: "There\u00a0" has white space around it`},
		{"products.csv", product + "1, ,dairy,,1,mL,1,package,1\n", "name is blank; it needs a text"},
		{"products.csv", product + "1,There,dairy,,1,mL,,package,1\n", "basket_weight is empty; it needs a number"},
		{"index_v1.csv", v1 + "2026-03-02,national,,,,100,,,,,\n", "date: week 2026-03-02 is a Monday; a week is named by its Sunday (2026-03-08)"},
		{"index_v1.csv", v1 + "2026-03-01,state,,,,100,,,,,\n", `level: "state" is not one of national, city, banner`},
		{"index_v1.csv", v1 + "2026-03-01,city,,,,100,,,,,\n", "level, city and banner disagree: national has neither, city a city, banner both"},
		{"index_v1.csv", v1 + "2026-03-01,national,,,,100.00001,,,,,\n", `index_value: number "100.00001" has more than 4 decimals`},
		{"index_v1.csv", v1 + "2026-03-01,national,,,,0,,,,,\n", "index_value: 0.0000 is not above 0"},
		{"product_specs.csv", spec + "1,a||b,,,\n", `require: a term has no letter or digit; terms stand between "|" and, in require, groups of terms between "&"`},
		{"product_specs.csv", spec + "1,a,,3,2\n", "min_size 3 is above max_size 2"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			dir := folder(t, map[string]string{c.file: c.content})
			rejects := rejectsOf[c.file](t, dir)
			if len(rejects) != 1 || rejects[0].Reason != c.reason || rejects[0].Line != 2 {
				t.Errorf("got  %v\nwant %s", rejects, c.reason)
			}
		})
	}
}

// TestResync reads broken rows between good ones. All good rows are read.
func TestResync(t *testing.T) {
	const good = "here,Here,ON"
	long := strings.Repeat("x", maxLine+1)
	for _, c := range []struct {
		name, text string
		rows       int
		rejects    []string // line and reason
	}{
		{"quote open to the end", `a,"b,ON` + "\n" + good + "\n" + good + "\n", 2, []string{"2 " + neverClosed}},
		{"quote open past the limit", `a,"b,ON` + "\n" + strings.Repeat(good+"\n", 10_000), 10_000, []string{"2 " + neverClosed}},
		{"closed by another row's quote", `a,"b,ON` + "\n" + `"c","d",ON` + "\n" + good + "\n", 2, []string{"2 " + afterQuote}},
		{"closed where a cell ends", `a,"b,ON` + "\n" + `c,d",ON,more,cells` + "\n" + good + "\n", 1, []string{"2 " + neverClosed, "3 " + strayQuote}},
		{"long line", "a," + long + "\n" + good + "\n", 1, []string{"2 the line has 1048579 bytes; a line may have 1048576"}},
		{"long line at the end", good + "\na," + long, 1, []string{"3 the line has 1048579 bytes; a line may have 1048576"}},
		{"long line with quotes", `a,"` + long + "\",ON\n" + good + "\n", 1, []string{"2 the line has 1048584 bytes; a line may have 1048576"}},
		{"empty lines", "\n" + good + "\n\r\n\n" + good, 2, nil},
		{"too few cells", "a,b\n" + good + "\n", 1, []string{"2 2 cells; the header has 3 columns"}},
		{"lines in a cell", "a,\"b\r\n\nc\",ON\nx\n" + good + "\n", 1, []string{
			"2 name: a line break or another control character; write it in one line", "5 1 cells; the header has 3 columns",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cities, rejects := readAll(t, folder(t, map[string]string{"cities.csv": "slug,name,province\n" + c.text}), Cities)
			var got []string
			for _, r := range rejects {
				got = append(got, fmt.Sprint(r.Line, " ", r.Reason))
				if len(r.Text) > maxText+40 {
					t.Errorf("the text has %d bytes", len(r.Text))
				}
			}
			if d := cmp.Diff(c.rejects, got); d != "" || len(cities) != c.rows {
				t.Errorf("%d rows, want %d\n%s", len(cities), c.rows, d)
			}
		})
	}
}

// endless gives n bytes of the same kind.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	n := min(len(p), e.n)
	if n == 0 {
		return 0, io.EOF
	}
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.n -= n
	return n, nil
}

func TestHundredMegabyteLine(t *testing.T) {
	const size = 100 << 20
	s := newSplitter(io.MultiReader(strings.NewReader("a,b\n"), &endless{size}, strings.NewReader("\nc,d\n")))
	s.want = 2
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var got []string
	for s.scan() {
		got = append(got, fmt.Sprint(s.line, " ", len(s.cells), " ", s.problem, " ", len(s.text)))
	}
	runtime.ReadMemStats(&after)
	want := []string{"1 2  3", "2 0 the line has 104857600 bytes; a line may have 1048576 65536", "3 2  3"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
		t.Errorf("reading allocated %d bytes", n)
	}
}

// TestShelfPrice reads files that have the price at the till in the place of the effective one.
func TestShelfPrice(t *testing.T) {
	for columns, want := range map[string]string{
		"shelf_price":                 "2.29 is taken; \"\" is refused",
		"effective_price,shelf_price": "\"\" and 2.29 is taken; 2.29 and \"\" is taken; \"\" and \"\" is refused; 2.29 and 2.29 is refused",
	} {
		var got []string
		rows := [][]string{{"2.29"}, {""}}
		if strings.Contains(columns, ",") {
			rows = [][]string{{"", "2.29"}, {"2.29", ""}, {"", ""}, {"2.29", "2.29"}}
		}
		for _, cells := range rows {
			text := "retailer_product_id,store_id,is_on_sale,observed_at," + columns + "\n1,1,0,2026-07-15T12:00:00Z," + strings.Join(cells, ",") + "\n"
			good, rejects := readAll(t, folder(t, map[string]string{"observations.csv": text}), Observations)
			did := " is refused"
			if len(good) == 1 && good[0].Shelf+good[0].Effective == 2_2900 && len(rejects) == 0 {
				did = " is taken"
			}
			for i, c := range cells {
				if c == "" {
					cells[i] = `""`
				}
			}
			got = append(got, strings.Join(cells, " and ")+did)
		}
		if list := strings.Join(got, "; "); list != want {
			t.Errorf("%s: %s", columns, list)
		}
	}
}
