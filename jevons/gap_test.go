package jevons_test

import (
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// TestMissingWeek computes changes against a week in which no price was collected.
func TestMissingWeek(t *testing.T) {
	p := oneStorePanel(t, []float64{1, 3}, [][]float64{{2, 4}, {0, 0}, {2, 4}})
	table, err := jevons.Compute(p, jevons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dairy := table.Find(panel.DefaultBaseWeek.Add(2), jevons.Cell{Level: jevons.National, Category: basket.Dairy})
	if dairy.WoW.Valid || dairy.MoM.Valid || dairy.YoY.Valid {
		t.Errorf("changes are %s, %s, %s; want null", dairy.WoW, dairy.MoM, dairy.YoY)
	}
}
