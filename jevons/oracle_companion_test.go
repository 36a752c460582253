package jevons_test

import (
	"fmt"
	"iter"
	"testing"

	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/internal/oracle"
)

// compareCoverage compares every cell of the grid.
func compareCoverage(t *testing.T, want []oracle.CoverageCell, got iter.Seq[jevons.CoverageCell]) {
	t.Helper()
	i := 0
	for c := range got {
		line := fmt.Sprintf("%s %q %q %q %q %d/%d", c.Week, c.Cell.City, c.Cell.Banner, slug(c.Cell.Category), c.Reason, c.ItemCount, c.TotalItems)
		for _, u := range c.Unmatched {
			line += fmt.Sprintf(" %d %s", u.Product, u.Reason)
		}
		if i == len(want) {
			t.Fatalf("a cell more than the %d of the grid: %s", i, line)
		}
		w := want[i]
		wanted := fmt.Sprintf("%s %q %q %q %q %d/%d", w.Date, w.City, w.Banner, w.Category, w.Reason, w.ItemCount, w.TotalItems)
		for _, u := range w.Unmatched {
			wanted += fmt.Sprintf(" %d %s", u.Product, u.Reason)
		}
		if line != wanted {
			t.Fatalf("cell %d:\n got %s\nwant %s", i, line, wanted)
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("the grid has %d cells, want %d", i, len(want))
	}
}

// TestEqualsOracleOverYears compares everything on panels of 60 weeks.
func TestEqualsOracleOverYears(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			years := 0
			for _, r := range equalsOracle(t, randomWeeks(600+seed, 60), oracle.Options{}, jevons.Options{}) {
				if r.YoY.Valid {
					years++
				}
			}
			if years < 100 {
				t.Errorf("%d rows have a change over the year", years)
			}
		})
	}
}
