package prepared

import (
	"testing"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// TestAddMove keeps the last move of a level when a later release moves the cost alone.
// A figure that a release withdraws has no size of a move.
func TestAddMove(t *testing.T) {
	t.Parallel()
	at := CellWeek{jevons.Cell{Level: jevons.National, Category: basket.Overall}, panel.Week(panel.DateOf(2026, time.July, 19))}
	figures := func(level, cost string) *jevons.Row {
		var row jevons.Row
		for text, to := range map[string]*panel.Fixed{level: &row.Index, cost: &row.BasketCost} {
			var err error
			if *to, err = panel.ParseFixed(text); err != nil {
				t.Fatal(err)
			}
		}
		return &row
	}
	type step struct{ before, after *jevons.Row }
	for name, x := range map[string]struct {
		steps       []step // of the releases 1, 2, ...
		level, cost Move
	}{
		"published":                {[]step{{nil, figures("100", "300")}}, Move{}, Move{}},
		"unchanged":                {[]step{{figures("100", "300"), figures("100", "300")}}, Move{}, Move{}},
		"level, then cost":         {[]step{{figures("100", "300"), figures("100.5", "301")}, {figures("100.5", "301"), figures("100.5", "299")}}, Move{1, 5000}, Move{2, -2_0000}},
		"cost withdrawn":           {[]step{{figures("100", "300"), figures("99", "")}}, Move{1, -1_0000}, Move{1, 0}},
		"cost published":           {[]step{{figures("100", ""), figures("100", "300")}}, Move{}, Move{}},
		"withdrawn, and published": {[]step{{figures("100", "300"), nil}, {nil, figures("100", "300")}}, Move{1, 0}, Move{1, 0}},
	} {
		last := map[CellWeek][2]Move{}
		for i, s := range x.steps {
			addMove(last, i+1, &release.Change{Week: at.Week, Cell: at.Cell, Old: s.before, New: s.after})
		}
		if got := last[at]; got != [2]Move{x.level, x.cost} {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
