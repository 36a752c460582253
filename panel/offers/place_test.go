package offers

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

var columns = strings.Fields("chain shop city sku gtin title size category price promo date")

// ownForm is a form whose columns have the names of the fields.
func ownForm(t fataler) *Mapping {
	text := "field,column,example\n"
	for _, c := range columns {
		example := map[string]string{"price": "1.19", "promo": "0.99", "date": "2026-07-20"}[c]
		text += fmt.Sprintf("%s,%s,%s\n", c, c, example)
	}
	m, err := ReadMapping("plain", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type fataler interface{ Fatal(a ...any) }

// sold is a basket of milk and butter, and of two sizes of bread, whose titles are alike.
func sold(t fataler, listings ...panel.Listing) Known {
	b := panel.NewBuilder(0)
	item := func(id int64, name string, size float64, unit basket.Unit) basket.Product {
		return basket.Product{
			ID: id, Name: name, Category: "dairy", StandardSize: size, Unit: unit, SoldBy: basket.ByPackage, Weight: 1,
			Active: true,
		}
	}
	butter := item(2, "Butter", 250, basket.Gram)
	butter.OfficialCodes, butter.GTINs = []string{"Fats 7"}, []basket.GTIN{"04006381333931", "02001234567893"}
	for _, p := range []basket.Product{item(1, "Milk", 1000, basket.Millilitre), butter, item(3, "Bread", 500, basket.Gram),
		item(4, "Bread", 750, basket.Gram)} {
		if err := b.AddProduct(p); err != nil {
			t.Fatal(err)
		}
	}
	if len(listings) > 0 {
		b.AddBanner(basket.Banner{Key: "north", Name: "North & Co.", Retailer: "North"})
	}
	for _, l := range listings {
		if err := b.AddListing(l); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return Known{p, []basket.Spec{{ProductID: 1, MinSize: 500, MaxSize: 2000, Forbid: []string{"soap"}}}, map[int64]bool{9: true}}
}

// placed returns the tables that files of rows become, by name, and the result.
func placed(t fataler, known Known, files ...[][]string) (map[string]string, *Placed) {
	dir, err := os.MkdirTemp("", "placed")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var names []string
	for i, rows := range files {
		names = append(names, filepath.Join(dir, fmt.Sprint(i)+".csv"))
		f, err := os.Create(names[i])
		if err != nil {
			t.Fatal(err)
		}
		w := csv.NewWriter(f)
		w.WriteAll(append([][]string{columns}, rows...))
		f.Close()
	}
	out := filepath.Join(dir, "out")
	refused := int64(0)
	o := Options{Mapping: ownForm(t), Reject: func(*Reject) { refused++ }}
	p, err := WriteDir(context.Background(), out, names, o, known)
	if err != nil || refused != p.Read.Rejected {
		t.Fatal(refused, err)
	}
	tables := map[string]string{}
	for _, name := range strings.Fields("cities banners stores retailer_products observations matches") {
		text, err := os.ReadFile(filepath.Join(out, name+".csv"))
		if err != nil && name != "matches" { // which is not there without verdicts
			t.Fatal(err)
		}
		tables[name] = string(text)
	}
	return tables, p
}

// offer is a row of the plain form: chain, SKU, GTIN, title, size, category.
func offer(cells ...string) []string {
	return []string{cells[0], "1", "Here", cells[1], cells[2], cells[3], cells[4], cells[5], "2.00", "", "2026-07-20"}
}

// TestWays: each offer comes to its item by one way, or it is said why it does not.
func TestWays(t *testing.T) {
	known := []panel.Listing{
		{ID: 5, ProductID: 3, Banner: "north", SKU: "5", Name: "Mapped by hand", Active: true},
		{ID: 6, ProductID: 3, Banner: "north", SKU: "6", GTIN: "00000073513537", Name: "By hand too", Active: true},
		{ID: 9, ProductID: 1, Banner: "north", SKU: "9", Name: "Milk 1 L", Active: false}, // it has prices: it is retired
	}
	for _, c := range []struct{ name, row, want, result string }{
		{"title", "north,1,,Milk 1 L,,", "10,1,north,1,Milk 1 L,,,1", "title 1"},
		{"size of its column", "north,1,,Milk,1.5 L,", "10,1,north,1,Milk,,,1", "title 1"},
		{"without SKU the size is in the name", "south,,,Milk,1 L,", `10,1,south,,"Milk, 1 L",,,1`, "title 1"},
		{"code", "north,1,,Goldhof 250 g,,fats 7", "10,2,north,1,Goldhof 250 g,,,1", "code 1"},
		{"GTIN", "north,1,4006381333931,Goldhof,250 g,", "10,2,north,1,Goldhof,,,1,04006381333931", "gtin 1"},
		{"a GTIN of the shop's own", "north,1,2001234567893,Goldhof,250 g,", "", "no item 1"},
		{"a wrong GTIN", "north,1,4006381333932,Milk 1 L,,", "10,1,north,1,Milk 1 L,,,1", "title 1"},
		{"mapped before", "North,5,,Whatever 500 g,,", "5,3,north,5,Mapped by hand,,,1", "listing 1"},
		{"mapped before, now with a GTIN", "North,5,96385074,Whatever 500 g,,", "5,3,north,5,Mapped by hand,,,1", "listing 1"},
		{"mapped by GTIN, now without one", "North,6,,Whatever 500 g,,", "6,3,north,6,By hand too,,,1,00000073513537", "listing 1"},
		{"its SKU with another GTIN", "north,6,4006381333931,Butter,250 g,", "10,2,north,6,Butter,,,1,04006381333931", "gtin 1"},
		{"retired", "north,9,,Milk 1 L,,", "9,1,north,9,Milk 1 L,,,0", "rejected 1"},
		{"another good", "north,1,,Tea 1 L,,", "", "no item 1"},
		{"against the spec", "north,1,,Milk soap 1 L,,", "", "no item 1"},
		{"another size", "north,1,,Milk 20 mL,,", "", "size 1"},
		{"no size", "north,1,,Milk,,", "10,1,north,1,Milk,,,0", "waits 1"},
		{"by weight", "north,1,,Milk 900 g,,", "10,1,north,1,Milk 900 g,,,0", "waits 1"},
		{"two items", "north,1,,Bread 500 g,,", "10,3,north,1,Bread 500 g,,,0", "waits 1"},
	} {
		tables, p := placed(t, sold(t, known...), [][]string{offer(strings.Split(c.row, ",")...)})
		_, made, _ := strings.Cut(tables["retailer_products"], "\n")
		got := ""
		for _, m := range []map[string]int64{p.Unused, p.Listings} {
			for k, n := range m {
				got += fmt.Sprint(k, " ", n)
			}
		}
		if strings.TrimSpace(made) != c.want || got != c.result {
			t.Errorf("%s: %q, %s; want %q, %s", c.name, made, got, c.want, c.result)
		}
	}
}

// TestAnyOrder: neither the order of rows nor their files changes what is written and counted. The goods are few, so
// that rows contradict each other, one chain's own GTIN is another chain's too, and one good has several titles, which
// lead to an item, to another, or to none.
func TestAnyOrder(t *testing.T) {
	goods := strings.Split("7,,Milk 1 L,,|8,,Milk,1 L,|8,4006381333931,Butter,250 g,|,96385074,Butter,250 g,|"+
		",2001234567893,Bread,500 g,|,9,Milk,,|,,Tea,1 L,Fats 7|,,Milk,500 g,|7,,Tea,,|7,,Milk soap 1 L,,|7,,Milk,1.5 L,|"+
		"8,,Butter 250 g,,|8,,Tea,,|,96385074,Milk 1 L,,|,96385074,Goldhof,250 g,Fats 7|,2001234567893,Bread 750 g,,", "|")
	rapid.Check(t, func(t *rapid.T) {
		of := func(name, values string) string {
			return rapid.SampledFrom(strings.Split(values, "|")).Draw(t, name)
		}
		row := rapid.Custom(func(*rapid.T) []string {
			cells := []string{of("chain", "North|NORTH|Süd"), of("shop", "|1|2"), of("city", "|Here|HERE")}
			cells = append(cells, strings.Split(rapid.SampledFrom(goods).Draw(t, "good"), ",")...)
			return append(cells, of("price", "1.00|2.00|3.00|x"), of("promo", "|0.99"), of("date", "2026-07-20|2026-07-21"))
		})
		rows := rapid.SliceOfN(row, 1, 12).Draw(t, "rows")
		want, p := placed(t, sold(t), rows)
		if n := p.Used; p.Read.Offers != n+total(p.Unused) {
			t.Fatalf("%d offers are %d used and %v not", p.Read.Offers, n, p.Unused)
		}
		mixed := rapid.Permutation(rows).Draw(t, "mixed")
		cut := rapid.IntRange(0, len(mixed)).Draw(t, "cut")
		got, q := placed(t, sold(t), mixed[:cut], mixed[cut:])
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff([]any{p.Used, p.Unused, p.Listings, p.Waiting}, []any{q.Used, q.Unused, q.Listings, q.Waiting}); diff != "" {
			t.Fatal(diff)
		}
	})
}

func total(counts map[string]int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}
