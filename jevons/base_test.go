package jevons_test

import (
	"testing"

	"github.com/larder-index/larder/jevons"
)

// TestBaseWeeks has two categories of weights 3 and 1. Over a base of two weeks the first product costs
// 2, the geometric mean of 1 and 4, and the second 9, its only price. In week 3 they cost 6 and 3, so
// the level is 100 exp((3 ln 3 - ln 3) / 4) = 100 sqrt(3).
func TestBaseWeeks(t *testing.T) {
	p := oneStorePanel(t, []float64{3, 1}, [][]float64{{1, 0}, {4, 9}, {6, 3}})
	table, err := jevons.Compute(p, jevons.Options{BaseWeeks: 2})
	if err != nil {
		t.Fatal(err)
	}
	rows := table.Select(jevons.Filter{Level: jevons.National})
	for _, row := range rows {
		if row.Week == p.Weeks()[2] && row.Cell.Category.String() == "overall" && row.Index.String() == "173.2051" {
			return
		}
	}
	t.Errorf("no level 173.2051 in week 3: %+v", rows)
}
