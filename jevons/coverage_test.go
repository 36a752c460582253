package jevons_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// TestMethodologyCoverage computes the example of docs/methodology.md, and a city
// that has not entered.
func TestMethodologyCoverage(t *testing.T) {
	var all []panel.Observation
	for _, x := range []struct {
		week           int
		store, listing int64
		price          panel.Price
	}{
		{0, 1, 1, 4_0000}, {0, 1, 2, 8_0000}, {0, 2, 1, 4_0000},
		{1, 1, 1, 4_4000}, {1, 1, 2, 0}, {1, 1, 3, 9_0000},
		{3, 1, 1, 4_4000}, {3, 1, 2, 8_0000},
	} {
		all = append(all, panel.Observation{
			Store: x.store, Listing: x.listing, Effective: x.price,
			ObservedAt: panel.DefaultBaseWeek.Add(x.week).Date().Time(panel.Toronto),
		})
	}
	p, rows := collected(t, []basket.Category{basket.Dairy, basket.Dairy, basket.Meat}, all)
	table, err := jevons.Compute(p, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	coverage := jevons.NewCoverage(rows, table)
	var lines []string
	for x := range coverage.Cells(jevons.Filter{Level: jevons.City}, panel.DefaultBaseWeek.Add(3)) {
		reason := x.Reason
		if reason == "" {
			reason = "published"
		}
		var missing []string
		for _, u := range x.Unmatched {
			missing = append(missing, fmt.Sprint(u.Product, " ", u.Reason))
		}
		line := fmt.Sprintf("| %d | %s | %s | %d of %d | %s |", (x.Week-panel.DefaultBaseWeek)/7, x.Cell.Category, reason, x.ItemCount, x.TotalItems, strings.Join(missing, ", "))
		if x.Cell.City == "Alma" {
			says(t, strings.Replace(line, "|  |", "| |", 1))
		} else {
			lines = append(lines, line)
		}
	}
	want := []string{
		"| 0 | overall | before_entry | 0 of 3 | 1 not_in_base, 2 not_priced, 3 not_priced |",
		"| 0 | dairy | below_floor | 1 of 2 | 2 not_priced |",
		"| 0 | meat | no_prices | 0 of 1 | 3 not_priced |",
	}
	if !slices.Equal(lines[:3], want) || len(lines) != 12 {
		t.Errorf("%d lines, first %q\nwant %q", len(lines), lines[:3], want)
	}
	for x := range coverage.Cells(jevons.Filter{Level: jevons.National, From: (panel.DefaultBaseWeek + 7).Date(), To: (panel.DefaultBaseWeek + 7).Date(), Categories: []basket.Category{basket.Dairy}}, panel.DefaultBaseWeek.Add(3)) {
		got, err := json.Marshal(x)
		if want := `{"date":"2026-07-26","city":null,"retailer":null,"category":"dairy","published":false,"reason":"below_floor","item_count":1,"total_items":2,"unmatched":[{"product_id":2,"reason":"filtered"}]}`; string(got) != want || err != nil {
			t.Errorf("%s %v\nwant %s", got, err, want)
		}
	}
}

// TestCoverageGrid compares the grid with the table: each cell is there once, in
// order, and published where it has a row.
func TestCoverageGrid(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			p := buildPanel(t, randomData(7000+seed))
			table, err := jevons.Compute(p, jevons.Options{})
			if err != nil {
				t.Fatal(err)
			}
			through := table.Options.Through.Add(2) // two weeks without any row
			seen := map[string]bool{}
			rows, last := 0, jevons.Row{}
			for x := range jevons.NewCoverage(nil, table).Cells(jevons.Filter{}, through) {
				where := fmt.Sprintf("%s in %s", x.Cell, x.Week)
				if seen[where] {
					t.Fatalf("%s is there twice", where)
				}
				seen[where] = true
				if x.ItemCount+len(x.Unmatched) != x.TotalItems {
					t.Errorf("%s: %d matched and %d unmatched of %d", where, x.ItemCount, len(x.Unmatched), x.TotalItems)
				}
				row := table.Find(x.Week, *x.Cell)
				if (row != nil) != (x.Reason == "") {
					t.Errorf("%s: reason %q, row %v", where, x.Reason, row)
				}
				if row != nil {
					if rows++; int(row.ItemCount) != x.ItemCount || row.Week < last.Week {
						t.Errorf("%s: %d matched, published %d", where, x.ItemCount, row.ItemCount)
					}
					if *row != table.Rows[rows-1] {
						t.Fatalf("%s comes before %s in %s", where, table.Rows[rows-1].Cell, table.Rows[rows-1].Week)
					}
				}
				checkMissing(t, where, p, table, &x)
			}
			if rows != len(table.Rows) {
				t.Errorf("%d of %d rows are in the grid", rows, len(table.Rows))
			}
			weeks := int(through-table.Options.Base)/7 + 1
			if len(seen)%weeks != 0 || len(seen) == 0 {
				t.Errorf("%d cells in %d weeks", len(seen), weeks)
			}
		})
	}
}

// checkMissing finds the reasons of a cell from prices alone.
func checkMissing(t *testing.T, where string, p *panel.Panel, table *jevons.Table, x *jevons.CoverageCell) {
	t.Helper()
	base := table.Base(*x.Cell)
	entered := x.Cell.Category != basket.Overall || base != 0 && x.Week >= base
	for _, u := range x.Unmatched {
		priced, matched := false, false
		for i, s := range p.Series() {
			if p.Products()[s.Product].ID != u.Product || x.Cell.City != "" && p.Cities()[s.City].Name != x.Cell.City || x.Cell.Banner != "" && p.Banners()[s.Banner].Key != x.Cell.Banner {
				continue
			}
			now := hasPrice(p, x.Week, i)
			priced = priced || now
			matched = matched || now && entered && hasPrice(p, base, i)
		}
		if want := map[bool]string{true: jevons.NotInBase, false: jevons.NotPriced}[priced]; u.Reason != want || matched {
			t.Errorf("%s: product %d is %s, want %s; matched: %v", where, u.Product, u.Reason, want, matched)
		}
	}
	priced, _ := pricedProducts(p, x.Week, x.Cell)
	inBase, _ := pricedProducts(p, base, x.Cell)
	want := jevons.BelowFloor
	switch {
	case x.Reason == "":
		return
	case priced == 0:
		want = jevons.NoPrices
	case !entered:
		want = jevons.BeforeEntry
	case inBase == 0:
		want = jevons.NoBase
	}
	if x.Reason != want {
		t.Errorf("%s: %s, want %s", where, x.Reason, want)
	}
}

func hasPrice(p *panel.Panel, week panel.Week, series int) bool {
	k, ok := slices.BinarySearch(p.Weeks(), week)
	return ok && !math.IsNaN(p.LogPrices(k)[series])
}
