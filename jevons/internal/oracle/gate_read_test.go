package oracle

import (
	"maps"
	"slices"
	"testing"
)

// gateFiles adds to panelFiles what the gate reads. Product 1 is milk in mL.
// Of the observations, 12 and 13 have no id in the file.
var gateFiles = map[string]string{
	"product_specs.csv": "product_id,require,forbid,min_size,max_size\n" +
		"1,milk|lait&2%,chocolate,1000,4000\n",
	"quarantine.csv": "retailer_product_id,store_id,reason,observation_id,rule,found_at,released\n" +
		"9,7,seen by hand,5,,,\n" +
		"9,,not so,,wrong_product,2024-07-01T00:00:00Z,1\n",
	"observations.csv.gz": "id,retailer_product_id,store_id,effective_price,observed_at,scraped_name,package_size\n" +
		"1,9,7,4.00,2024-06-10T11:30:00-04:00,Milk 2%,2 L\n" +
		",9,7,4.1234,2024-06-20T11:30:00-04:00,Lait 1%,2 L\n" +
		"5,9,7,4.10,2024-06-21T11:30:00-04:00,,\n" +
		"11,9,7,4.10,2024-06-22T11:30:00-04:00,LAIT (2%),\"4,1 L\"\n" +
		",9,7,4.1,2024-06-23T11:30:00-04:00,Milk 2% chocolate,\n",
}

func gateDir(t *testing.T, changed map[string]string) string {
	t.Helper()
	files := maps.Clone(panelFiles)
	maps.Copy(files, gateFiles)
	maps.Copy(files, changed)
	maps.DeleteFunc(files, func(_, text string) bool { return text == "" })
	return writePanel(t, files)
}

// Three of five rows fail, but the operator has released the listing.
func TestReadGated(t *testing.T) {
	d, j, err := ReadGated(gateDir(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := map[int64]Verdict{
		1:  {Verdict: Pass},
		5:  {Verdict: Quarantine, Rule: Listed},
		11: {Verdict: Identity, Failure: "size above 4000"},
		12: {Verdict: Identity, Failure: "without 2%"}, // the 1% milk
		13: {Verdict: Identity, Failure: "with chocolate"},
	}
	if !maps.Equal(j.Verdicts, want) {
		t.Errorf("verdicts %v\n    want %v", j.Verdicts, want)
	}
	if len(j.Derived) != 0 {
		t.Errorf("derived %v", j.Derived)
	}
	if excluded := slices.Sorted(maps.Keys(d.Excluded)); !slices.Equal(excluded, []int64{5, 11, 12, 13}) {
		t.Errorf("excluded %v", excluded)
	}
	if got := d.Observations[1].ID; got != 12 {
		t.Errorf("the second row has id %d, want 12", got)
	}
}

// The table need have no more than its required columns.
func TestReadGatedListed(t *testing.T) {
	_, j, err := ReadGated(gateDir(t, map[string]string{
		"quarantine.csv": "retailer_product_id,store_id,reason\n9,,wrong\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	for id, v := range j.Verdicts {
		if v.Verdict != Quarantine || v.Rule != Listed {
			t.Errorf("row %d: %v", id, v)
		}
	}
	if want := []Entry{{Listing: 9, Rule: WrongProduct}}; !slices.Equal(j.Derived, want) {
		t.Errorf("derived %v, want %v", j.Derived, want)
	}
}

func TestReadGatedWithoutSpecsAndTable(t *testing.T) {
	d, j, err := ReadGated(gateDir(t, map[string]string{"product_specs.csv": "", "quarantine.csv": ""}))
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Verdicts) != 5 || len(d.Excluded) != 0 || len(j.Derived) != 0 {
		t.Errorf("%v, excluded %v, derived %v", j.Verdicts, d.Excluded, j.Derived)
	}
}

// Prices are exact and products per kg are told from others: 2.2046 * 0.98 *
// 1000 is a price per lb among prices per kg.
func TestReadGatedPerKg(t *testing.T) {
	for _, c := range []struct {
		soldBy, price string
		want          int
	}{
		{"kg", "2160.508", 1},
		{"kg", "2160.5079", 0},
		{"package", "2160.508", 0},
	} {
		_, j, err := ReadGated(gateDir(t, map[string]string{
			"products.csv": "id,category,unit,basket_weight,sold_by,active\n1,dairy,g,1," + c.soldBy + ",1\n",
			"observations.csv.gz": "id,retailer_product_id,store_id,effective_price,observed_at,scraped_name,package_size\n" +
				"1,9,7,1000,2024-06-10T11:30:00Z,,\n2,9,7,1000,2024-06-11T11:30:00Z,,\n" +
				"3,9,7,1000.0,2024-06-12T11:30:00Z,,\n4,9,7," + c.price + ",2024-06-13T11:30:00Z,,\n",
			"quarantine.csv": "",
		}))
		if err != nil {
			t.Fatal(err)
		}
		if len(j.Derived) != c.want {
			t.Errorf("%v: derived %v, want %d", c, j.Derived, c.want)
		}
	}
}

func TestReadGatedErrors(t *testing.T) {
	const (
		specs = "product_id,require,forbid,min_size,max_size\n"
		table = "retailer_product_id,store_id,reason,observation_id,rule,released\n"
		rows  = "id,retailer_product_id,store_id,effective_price,observed_at,scraped_name,package_size\n"
	)
	cases := map[string]struct{ file, text string }{
		"spec of an unknown product":    {"product_specs.csv", specs + "3,milk,,,\n"},
		"two specs":                     {"product_specs.csv", specs + "1,milk,,,\n1,lait,,,\n"},
		"empty group":                   {"product_specs.csv", specs + "1,milk&,,,\n"},
		"empty term":                    {"product_specs.csv", specs + "1,milk||lait,,,\n"},
		"forbidden term without a word": {"product_specs.csv", specs + "1,milk,%,,\n"},
		"bound with a sign":             {"product_specs.csv", specs + "1,milk,,-1,\n"},
		"bound that is a word":          {"product_specs.csv", specs + "1,milk,,,big\n"},
		"missing column":                {"product_specs.csv", "product_id,require,forbid,min_size\n1,milk,,\n"},
		"unknown rule":                  {"quarantine.csv", table + "9,,why,,other,0\n"},
		"unknown row":                   {"quarantine.csv", table + "9,,why,99,,0\n"},
		"bad released":                  {"quarantine.csv", table + "9,,why,,,yes\n"},
		"no reason column":              {"quarantine.csv", "retailer_product_id,store_id\n9,\n"},
		"unit":                          {"products.csv", "id,category,unit,basket_weight,sold_by,active\n1,dairy,lb,1,kg,1\n"},
		"sold by":                       {"products.csv", "id,category,unit,basket_weight,sold_by,active\n1,dairy,g,1,lb,1\n"},
		"five decimals":                 {"observations.csv.gz", rows + "1,9,7,4.00001,2024-06-10T11:30:00Z,,\n"},
		"exponent":                      {"observations.csv.gz", rows + "1,9,7,4e0,2024-06-10T11:30:00Z,,\n"},
		"id twice":                      {"observations.csv.gz", rows + "1,9,7,4,2024-06-10T11:30:00Z,,\n1,9,7,4,2024-06-11T11:30:00Z,,\n"},
		"no titles":                     {"observations.csv.gz", "id,retailer_product_id,store_id,effective_price,observed_at\n1,9,7,4,2024-06-10T11:30:00Z\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			changed := map[string]string{"quarantine.csv": "", c.file: c.text}
			if _, _, err := ReadGated(gateDir(t, changed)); err == nil {
				t.Error("no error")
			}
		})
	}
}
