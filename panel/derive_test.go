package panel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
)

// derivedRow is one row of a test's panel.
type derivedRow struct {
	listing, store int64
	title          string
	price          Price
}

// derivedRows repeats a row for each price.
func derivedRows(listing, store int64, title string, prices ...Price) []derivedRow {
	var rows []derivedRow
	for _, p := range prices {
		rows = append(rows, derivedRow{listing, store, title, p})
	}
	return rows
}

var (
	derivedProducts = []basket.Product{
		{ID: 1, Name: "Tea", SoldBy: basket.ByPackage, Unit: basket.Count, StandardSize: 72, Active: true},
		{ID: 2, Name: "Apples", SoldBy: basket.ByKilogram, Unit: basket.Gram, StandardSize: 1000, Active: true},
		{ID: 3, Name: "Gone", SoldBy: basket.ByPackage, Unit: basket.Count, StandardSize: 1},
	}
	derivedBanners  = []basket.Banner{{Key: "in", InIndex: true}, {Key: "out"}}
	derivedStores   = []Store{{ID: 1, Banner: "in", Active: true}, {ID: 2, Banner: "in", Active: true}, {ID: 3, Banner: "in"}, {ID: 4, Banner: "out", Active: true}}
	derivedListings = []Listing{
		{ID: 1, ProductID: 1, Banner: "in", Active: true}, {ID: 2, ProductID: 1, Banner: "in", Active: true},
		{ID: 3, ProductID: 1, Banner: "in"}, {ID: 4, ProductID: 1, Banner: "out", Active: true},
		{ID: 11, ProductID: 2, Banner: "in", Active: true}, {ID: 12, ProductID: 2, Banner: "in", Active: true},
		{ID: 14, ProductID: 2, Banner: "out", Active: true},
		{ID: 21, ProductID: 3, Banner: "in", Active: true},
	}
	derivedSpecs = []basket.Spec{{ProductID: 1, Forbid: []string{"iced"}}, {ProductID: 2, Forbid: []string{"juice"}}, {ProductID: 3, Forbid: []string{"iced"}}}
	derivedStart = time.Date(2026, 7, 15, 12, 0, 0, 0, time.UTC)
)

// derive numbers the rows from 1, a minute apart, and adds them in random orders.
// It returns the entries in short. All must have the newest row's time, also where
// that row does not count.
func derive(t *testing.T, entries []Quarantine, rows []derivedRow) []string {
	t.Helper()
	var first []string
	for round := range 4 {
		g := NewGate(Calendar{}, derivedProducts, derivedStores, derivedListings, derivedSpecs, entries)
		d := NewDerivation(Calendar{}, derivedBanners, derivedStores)
		order := rand.New(rand.NewPCG(1, uint64(round))).Perm(len(rows))
		for _, i := range order {
			r := rows[i]
			o := Observation{Listing: r.listing, ScrapedName: r.title}
			id := int64(i + 1)
			if r.title == "no id" {
				id = 0
			}
			d.Add(g.ForLabel(o.Label()), r.store, id, r.price, derivedStart.Add(time.Duration(i+1)*time.Minute))
		}
		var short, full []string
		for _, e := range d.Entries() {
			if want := derivedStart.Add(time.Duration(len(rows)) * time.Minute); !e.FoundAt.Equal(want) {
				t.Errorf("found at %s, want the newest row's %s", e.FoundAt, want)
			}
			short = append(short, fmt.Sprintf("%s %d/%d/%d", e.Rule, e.Listing, e.Store, e.Observation))
			full = append(full, fmt.Sprint(e))
		}
		if round == 0 {
			first = full
		} else if !slices.Equal(full, first) {
			t.Errorf("in another order: %v, at first %v", full, first)
		}
		if round == 3 {
			return short
		}
	}
	return nil
}

func TestDerivedEntries(t *testing.T) {
	tea := derivedRows(1, 1, "tea", 50000, 50000, 50000, 50000, 50000)
	kg := derivedRows(11, 1, "apples", 44092, 44092, 44092, 44092, 44092)
	// The dear series raises the median from 10.00 to 12.00. Without its rows the series of 30.00 would be
	// found, and is not as long as the rules are applied once.
	dear := slices.Concat(
		derivedRows(1, 1, "tea", 100000, 100000, 100000, 100000, 100000, 100000, 100000, 100000), derivedRows(1, 2, "tea", 120000, 120000, 120000),
		derivedRows(2, 1, "tea", 300000, 300000, 300000, 300000), derivedRows(2, 2, "tea", 400000, 400000, 400000, 400000),
	)
	for _, tt := range []struct {
		name    string
		entries []Quarantine
		rows    [][]derivedRow
		want    []string
	}{
		{"nothing wrong", nil, [][]derivedRow{tea, kg}, nil},

		{"wrong product: half of four rows", nil, [][]derivedRow{tea, derivedRows(2, 1, "iced tea", 50000, 50000), derivedRows(2, 1, "tea", 50000, 50000)}, []string{"wrong_product 2/0/0"}},
		{"wrong product: everywhere, but released at one store", []Quarantine{{Listing: 2, Store: 1, Rule: WrongProduct, Released: true}}, [][]derivedRow{tea, derivedRows(2, 1, "iced tea", 50000, 50000, 50000, 50000), derivedRows(2, 2, "iced tea", 50000, 50000, 50000, 50000)}, []string{"wrong_product 2/2/0"}},
		{"wrong product: released, and on a wrong basis", []Quarantine{{Listing: 2, Rule: WrongProduct, Released: true}}, [][]derivedRow{tea, derivedRows(2, 1, "iced tea", 1, 1, 1, 1), derivedRows(2, 1, "tea", 150000, 150000, 150000, 150000)}, []string{"wrong_basis 2/1/0"}},
		{"rows that don't count: they still date the entry", nil, [][]derivedRow{tea, derivedRows(2, 1, "iced tea", 50000, 50000, 50000, 50000), derivedRows(3, 1, "iced tea", 50000)}, []string{"wrong_product 2/0/0"}},

		{"wrong basis: three times", nil, [][]derivedRow{tea, derivedRows(2, 1, "tea", 150000, 150000, 150000, 150000)}, []string{"wrong_basis 2/1/0"}},
		{"wrong basis: a hair below three times", nil, [][]derivedRow{tea, derivedRows(2, 1, "tea", 149999, 149999, 149999, 149999)}, nil},
		{"wrong basis: a third", nil, [][]derivedRow{derivedRows(1, 1, "tea", 60000, 60000, 60000, 60000, 60000), derivedRows(2, 1, "tea", 20000, 20000, 20000, 20000)}, []string{"wrong_basis 2/1/0"}},
		{"wrong basis: a hair above a third", nil, [][]derivedRow{derivedRows(1, 1, "tea", 60000, 60000, 60000, 60000, 60000), derivedRows(2, 1, "tea", 20001, 20001, 20001, 20001)}, nil},
		{"wrong basis: nothing in the index to compare with", nil, [][]derivedRow{derivedRows(4, 4, "tea", 10000, 10000, 10000, 10000, 190000)}, nil},
		{"wrong basis: few rows count in the product's median", nil, [][]derivedRow{
			derivedRows(1, 1, "tea", 100000, 100000, 100000, 100000, 100000), derivedRows(1, 2, "tea", 120000, 120000, 120000),
			derivedRows(2, 1, "tea", 300000, 300000, 300000, 300000), // 2.5 times the median of all, 3 times that without the 12.00
		}, nil},
		{"wrong basis: derived before takes nothing out of the medians", []Quarantine{{Listing: 2, Store: 2, Rule: WrongBasis}}, [][]derivedRow{dear}, []string{"wrong_basis 2/2/0"}},
		{"wrong basis: confirmed takes its rows out", []Quarantine{{Listing: 2, Store: 2, Rule: WrongBasis, ConfirmedAt: derivedStart}}, [][]derivedRow{dear}, []string{"wrong_basis 2/1/0"}},

		{"per pound: 2% above", nil, [][]derivedRow{kg, derivedRows(11, 1, "apples", 20400)}, []string{"wrong_basis_row 11/1/6"}},
		{"per pound: a hair more", nil, [][]derivedRow{kg, derivedRows(11, 1, "apples", 20401)}, nil},
		// 250000 * 2.2046 * 1.02 = 562173, * 0.98 = 540127
		{"per kilogram among pounds: on both bounds", nil, [][]derivedRow{derivedRows(11, 1, "apples", 250000, 250000, 250000, 250000), derivedRows(11, 1, "apples", 562173, 540127)}, []string{"wrong_basis_row 11/1/5", "wrong_basis_row 11/1/6"}},
		{"per pound: rows without a number can't be set aside alone", nil, [][]derivedRow{derivedRows(11, 1, "no id", 44092, 44092, 44092, 44092, 20000)}, nil},

		{"wrong scale: four rows are too few", nil, [][]derivedRow{tea, derivedRows(2, 1, "tea", 50000, 50000, 50000, 5_000_000)}, nil},
		// 30.00 is 15 times the median of all six, 30 times that of the other five.
		{"wrong scale: the other rows' median", nil, [][]derivedRow{derivedRows(1, 1, "tea", 10000, 30000, 10000, 30000, 10000, 300_000)}, []string{"wrong_scale_row 1/1/6"}},
		{"wrong scale: an even number of others", nil, [][]derivedRow{derivedRows(1, 1, "tea", 300_000, 10000, 20000, 10000, 20000), derivedRows(1, 2, "tea", 299_999, 10000, 20000, 10000, 20000)}, []string{"wrong_scale_row 1/1/1"}},
		{"wrong scale: rows without a number can't be set aside alone", nil, [][]derivedRow{derivedRows(1, 1, "no id", 50000, 50000, 50000, 50000, 5_000_000)}, nil},
		{"wrong scale: beside a price per pound", nil, [][]derivedRow{kg, derivedRows(11, 1, "apples", 20000, 4_409_200)}, []string{"wrong_basis_row 11/1/6", "wrong_scale_row 11/1/7"}},

		{"corrected: no row of its series", []Quarantine{{Listing: 1, Observation: 1, Rule: Corrected}, {Listing: 1, Observation: 2, Rule: Corrected}}, [][]derivedRow{tea, derivedRows(1, 1, "tea", 5_000_000)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := derive(t, tt.entries, slices.Concat(tt.rows...)); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestEvidence(t *testing.T) {
	g := NewGate(Calendar{}, derivedProducts, derivedStores, derivedListings, derivedSpecs, nil)
	d := NewDerivation(Calendar{}, derivedBanners, derivedStores)
	id := int64(0)
	add := func(listing, store int64, title string, prices ...Price) {
		for _, p := range prices {
			id++
			o := Observation{Listing: listing, ScrapedName: title, PackageSize: "72 ct"}
			d.Add(g.ForLabel(o.Label()), store, id, p, derivedStart)
		}
	}
	add(1, 1, "tea", 50000, 50000, 50000, 50001, 50001)
	add(1, 2, "tea", 160000, 160000, 160001, 160001)
	add(2, 1, "ThÃ© - Iced", 1, 2)
	add(2, 1, "iced b", 1, 2)
	add(11, 1, "apples", 44092, 44092, 44092, 44092, 20000)
	add(12, 1, "apples", 44092, 44091, 44092, 44091, 440900)
	add(12, 2, "apples", 44092, 44091, 44092, 44091, 4_409_200)
	var got []string
	for _, e := range d.Entries() {
		got = append(got, e.Reason)
	}
	want := []string{
		"the median of its 4 prices, 16.00005, is 3.20 times the product's median of 5.0001 (9 prices)",
		`4 of 4 rows fail identity, such as "Thé - Iced", "72 ct": the title has "iced"`,
		"its price, 2.00, is 1/2.20 of the median of its series' 5 prices, 4.4092: a price per pound among prices per kilogram",
		"its price, 440.92, is 100.00 times the median of its series' 4 other prices, 4.40915: cents for dollars, or a decimal point lost",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestEvidenceOfSeveralLabels reads the evidence. It names the label with the most failing rows, and
// of several the first by title, then by size.
func TestEvidenceOfSeveralLabels(t *testing.T) {
	for range 20 { // the labels come out of a map
		g := NewGate(Calendar{}, derivedProducts, derivedStores, derivedListings, derivedSpecs, nil)
		d := NewDerivation(Calendar{}, derivedBanners, derivedStores)
		for i, row := range [][3]string{
			{"1", "iced b", "2 ct"}, {"2", "iced b", "2 ct"}, {"1", "iced b", "1 ct"}, {"2", "iced b", "1 ct"},
			{"1", "iced c", "1 ct"}, {"2", "iced c", "0 ct"}, {"1", "iced c", "1 ct"}, {"1", "iced a", "1 ct"}, {"2", "iced a", "0 ct"},
		} {
			label := Label{Listing: 2, ScrapedName: row[1], PackageSize: row[2]}
			d.Add(g.ForLabel(label), int64(row[0][0]-'0'), int64(i+1), 50000, derivedStart)
		}
		want := `9 of 9 rows fail identity, such as "iced b", "1 ct": the title has "iced"`
		if e := d.Entries(); len(e) != 1 || e[0].Reason != want {
			t.Fatalf("got %+v, want %s", e, want)
		}
	}
}
