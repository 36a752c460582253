package jevons_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

// says fails for lines that docs/methodology.md lacks.
func says(t *testing.T, lines ...string) {
	t.Helper()
	text, err := os.ReadFile("../docs/methodology.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if !strings.Contains(string(text), line) {
			t.Errorf("docs/methodology.md does not say %q", line)
		}
	}
}

// demoPanel is that of the demo snapshot through 2026-11-20.
func demoPanel(t *testing.T) *panel.Panel {
	t.Helper()
	data, err := synth.Generate(synth.Config{Through: panel.DateOf(2026, time.November, 20)})
	if err != nil {
		t.Fatal(err)
	}
	p, err := data.Panel()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestMethodologyQuality(t *testing.T) {
	table := withQuality(t, sixProducts(t))
	week := panel.DefaultBaseWeek.Add(1)
	for _, c := range []basket.Category{basket.Dairy, basket.Meat, basket.Overall} {
		r := table.Find(week, jevons.Cell{Level: jevons.National, Category: c})
		q := r.Extra.Quality
		se, interval := "null", "null"
		if q.SE.Valid {
			se, interval = q.SE.String(), fmt.Sprintf("%s to %s", q.Low, q.High)
		}
		says(t, fmt.Sprintf("| %s | %s | %s | %s | %d |", c, r.Index, se, interval, q.DF))
	}
}

func TestMethodologyRegular(t *testing.T) {
	var all []panel.Observation
	for k, x := range []panel.Observation{
		{Effective: 5_0000},
		{Effective: 4_0000, Regular: 5_0000, OnSale: true},
		{Effective: 4_0000, OnSale: true},
		{Effective: 5_5000},
	} {
		x.Listing, x.Store, x.ObservedAt = 1, 1, panel.DefaultBaseWeek.Add(k).Date().Time(panel.Toronto)
		all = append(all, x)
	}
	p, rows := collected(t, []basket.Category{basket.Dairy}, all)
	table, err := jevons.Compute(p, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	regular, err := jevons.Regular(p, rows, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range all {
		says(t, fmt.Sprintf(" | %s | %s |\n", levelIn(table, k, basket.Overall), levelIn(regular, k, basket.Overall)))
	}
}

// levelIn returns the national level so many weeks after the base week.
func levelIn(table *jevons.Table, weeks int, c basket.Category) string {
	if r := table.Find(panel.DefaultBaseWeek.Add(weeks), jevons.Cell{Level: jevons.National, Category: c}); r != nil {
		return r.Index.String()
	}
	return "no row"
}

func TestMethodologyLinked(t *testing.T) {
	var prices [][]float64
	for k := range 61 {
		week := []float64{4, 4, 4, 0}
		if k >= 30 {
			week[3] = 6
		}
		if k >= 52 {
			week[0] = 4.4
		}
		if k >= 53 {
			week[3] = 6.6
		}
		if k == 60 {
			week[1], week[2] = 4.4, 0
		}
		prices = append(prices, week)
	}
	d := oneStoreData([]float64{1, 1, 1, 1}, prices)
	for i := range d.Products {
		d.Products[i].Category = "dairy"
	}
	p := buildPanel(t, d)
	table, err := jevons.Compute(p, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	linked := linkedTable(t, p)
	for _, k := range []int{0, 52, 53, 60} {
		base := linked.Find(panel.DefaultBaseWeek.Add(k), jevons.Cell{Level: jevons.National, Category: basket.Dairy}).Base
		says(t, fmt.Sprintf(" | %s | %s | week %d |\n", levelIn(table, k, basket.Dairy), levelIn(linked, k, basket.Dairy), (base-panel.DefaultBaseWeek)/7))
	}
}

// collected is a panel of banner b with a product and a listing for each category, at
// store 1 in Alma and store 2 in Beloeil, beside its rows. A row without a price is
// one of 1.00 that an entry sets aside.
func collected(t *testing.T, categories []basket.Category, all []panel.Observation) (*panel.Panel, *panel.Rows) {
	t.Helper()
	b := panel.NewBuilder(0)
	check := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	var products []basket.Product
	var listings []panel.Listing
	check(b.AddBanner(basket.Banner{Key: "b", Name: "b", Retailer: "b", InIndex: true}))
	for i, c := range categories {
		products = append(products, basket.Product{ID: i + 1, Name: "x", Category: c, StandardSize: 1, Unit: basket.Count, Weight: 1, SoldBy: basket.ByPackage, Active: true})
		listings = append(listings, panel.Listing{ID: int64(i + 1), ProductID: i + 1, Banner: "b", Active: true})
		check(b.AddProduct(products[i]))
		check(b.AddListing(listings[i]))
	}
	for i, name := range []string{"Alma", "Beloeil"} {
		check(b.AddCity(basket.City{Slug: strings.ToLower(name), Name: name, Province: "XX"}))
		check(b.AddStore(panel.Store{ID: int64(i + 1), Banner: "b", City: strings.ToLower(name), Active: true}))
	}
	var entries []panel.Quarantine
	for i := range all {
		all[i].ID = int64(i + 1)
		if all[i].Effective == 0 {
			all[i].Effective = 1_0000
			entries = append(entries, panel.Quarantine{Listing: all[i].Listing, Observation: all[i].ID})
		}
	}
	rows, err := panel.NewRows(panel.NewGate(products, nil, listings, nil, entries), func(yield func(*panel.Observation, error) bool) {
		for i := range all {
			yield(&all[i], nil)
		}
	})
	check(err)
	for i := range rows.Len() {
		o := rows.At(i)
		check(b.Observe(&o))
	}
	p, err := b.Build()
	check(err)
	return p, rows
}
