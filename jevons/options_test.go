package jevons_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
	"github.com/larder-index/larder/panel"
)

// TestOnly computes each cell alone: its rows, their quality, parts and coverage are those of the whole table.
func TestOnly(t *testing.T) {
	eachSeed(t, 6, func(t *testing.T, d *oracle.Data) {
		p := buildPanel(t, d)
		rows, o := buildRows(t, d, p), jevons.Options{Quality: true, Through: panel.Calendar{}.LastClosed(randomEnd)}
		compute := func() *jevons.Table {
			table, err := jevons.Compute(p, o)
			if err != nil {
				t.Fatal(err)
			}
			return table
		}
		all, alone := compute(), map[jevons.Cell][]jevons.Row{}
		for _, r := range all.Rows {
			alone[*r.Cell] = append(alone[*r.Cell], r)
		}
		for cell, want := range alone {
			o.Only = &jevons.Cell{City: cell.City, Banner: cell.Banner, Category: cell.Category}
			one := compute()
			if diff := cmp.Diff(want, one.Rows); diff != "" {
				t.Fatalf("%s: -of all cells +alone\n%s", cell, diff)
			}
			parts := func(t *jevons.Table, rows []jevons.Row) []jevons.Row {
				rows, _ = t.WithContributions(rows)
				return rows
			}
			if diff := cmp.Diff(parts(all, want), parts(one, one.Rows)); diff != "" {
				t.Fatalf("%s: -of all cells +alone\n%s", cell, diff)
			}
			coverage := func(t *jevons.Table) (cells []jevons.CoverageCell) {
				for c := range jevons.NewCoverage(rows, t).Cells(jevons.Filter{}, o.Through) {
					if *c.Cell == cell {
						cells = append(cells, c)
					}
				}
				return cells
			}
			if diff := cmp.Diff(coverage(all), coverage(one)); diff != "" {
				t.Fatalf("%s: -of all cells +alone\n%s", cell, diff)
			}
		}
	})
}

// TestWeights has two categories whose prices double and stay: the level is 100 times 2 to the first one's share.
func TestWeights(t *testing.T) {
	p := oneStorePanel(t, []float64{1, 1, 7}, [][]float64{{1, 1, 1}, {2, 1, 5}})
	table, err := jevons.Compute(p, jevons.Options{Weights: map[int64]float64{1: 30, 2: 10, 3: 0}})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Find(p.Weeks()[1], jevons.Cell{Level: jevons.National}).Index.String(); got != "168.1793" {
		t.Errorf("the level is %s, not 100 * 2^(3/4)", got)
	}
	if got := table.Options.Method(); got != "other weights" {
		t.Errorf("the method is %q", got)
	}
}

func TestOptionsRefused(t *testing.T) {
	p := oneStorePanel(t, []float64{1, 1}, [][]float64{{1, 1}})
	for want, o := range map[string]jevons.Options{
		"weight of product 3: the panel has no such product":    {Weights: map[int64]float64{1: 1, 2: 1, 3: 1}},
		"weight -1 of product 2 is not a number of at least 0":  {Weights: map[int64]float64{1: 1, 2: -1}},
		"weight NaN of product 2 is not a number of at least 0": {Weights: map[int64]float64{1: 1, 2: math.NaN()}},
		"product 2 (product 2) has no weight; give it 0":        {Weights: map[int64]float64{1: 1}},
		"no active product has a basket weight":                 {Weights: map[int64]float64{1: 0, 2: 0}},
		"options: a base of -1 weeks; 0 is one week":            {BaseWeeks: -1},
		"no Sunday":           {Base: panel.DefaultBaseWeek + 1},
		"trim share 50/100":   {Trim: jevons.Percent(50)},
		"trim share -1/100":   {Trim: jevons.Percent(-1)},
		"floor share 101/100": {Floor: jevons.Percent(101)},
		"no prices are of the only cell, overall, D":    {Only: &jevons.Cell{City: "D"}},
		"no prices are of the only cell, dairy, b in D": {Only: &jevons.Cell{City: "D", Banner: "b", Category: p.Categories().Of("dairy")}},
	} {
		if _, err := jevons.Compute(p, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// TestExact rounds the exact level of every row to the published one.
func TestExact(t *testing.T) {
	eachSeed(t, 4, func(t *testing.T, d *oracle.Data) {
		table := compute(t, d)
		levels, err := table.Exact(table.Rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range table.Rows {
			if math.Abs(levels[i]*1e4-float64(r.Index.Units)) > 0.5+1e-6 { // ties are rounded away from zero
				t.Errorf("%s, week %s: %v does not round to %s", r.Cell, r.Week, levels[i], r.Index)
			}
		}
	})
	table := &jevons.Table{}
	if _, err := table.Exact(nil); err == nil {
		t.Error("a table of no panel has exact levels")
	}
}
