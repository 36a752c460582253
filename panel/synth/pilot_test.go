package synth_test

import (
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

func TestPilotIsConsistent(t *testing.T) {
	d := generate(t, synth.Config{Stores: 13})
	type series struct {
		city, banner string
		category     basket.Category
	}
	levels := map[series]map[panel.Week]int64{}
	for _, r := range d.Pilot {
		k := series{r.City, r.Banner, r.Category}
		if levels[k] == nil {
			levels[k] = map[panel.Week]int64{}
		}
		levels[k][r.Date] = r.IndexValue.Units
		if s := r.Date.String(); !r.Date.IsSunday() || s < "2026-03-01" || s > "2026-06-28" {
			t.Errorf("a row of %s", s)
		}
		if !r.BasketCost.Valid || r.ItemCount > r.TotalItems || 100*r.ItemCount < 60*r.TotalItems {
			t.Errorf("%+v", r)
		}
		for _, c := range []struct {
			change panel.Fixed
			weeks  int
		}{{r.WoW, 1}, {r.MoM, 4}} {
			before := levels[k][r.Date.Add(-c.weeks)]
			if c.change.Valid != (before > 0) {
				t.Errorf("%v, %s: a change that should be null, or is", k, r.Date)
			}
			// The change is 100 (v/q - 1) to four decimals, so q times it is
			// within half a unit of the difference.
			if off := 1_000_000*(r.IndexValue.Units-before) - c.change.Units*before; c.change.Valid && (2*off > before || -2*off > before) {
				t.Errorf("%v, %s: %d from %d is no change of %s", k, r.Date, r.IndexValue.Units, before, c.change)
			}
		}
	}
	if len(levels) != 7*10 || len(levels[series{}]) != 18 {
		t.Errorf("%d series, the national one of %d weeks", len(levels), len(levels[series{}]))
	}
	early := generate(t, synth.Config{Stores: 13, Through: panel.DateOf(2026, 4, 30)})
	if n := len(early.Pilot); n != 70*9 {
		t.Errorf("by the end of April: %d rows, want those of nine Sundays", n)
	}
}
