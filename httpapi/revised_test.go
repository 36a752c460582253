package httpapi

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
	at := cellWeek{nationalCell(basket.Overall), panel.Week(panel.DateOf(2026, time.July, 19))}
	figures := func(level, cost string) *jevons.Row {
		return &jevons.Row{Index: parsedFixed(t, level), BasketCost: parsedFixed(t, cost)}
	}
	type step struct{ before, after *jevons.Row }
	for name, x := range map[string]struct {
		steps       []step // of the releases 1, 2, ...
		level, cost move
	}{
		"published":                {[]step{{nil, figures("100", "300")}}, move{}, move{}},
		"unchanged":                {[]step{{figures("100", "300"), figures("100", "300")}}, move{}, move{}},
		"level, then cost":         {[]step{{figures("100", "300"), figures("100.5", "301")}, {figures("100.5", "301"), figures("100.5", "299")}}, move{1, 5000}, move{2, -2_0000}},
		"cost withdrawn":           {[]step{{figures("100", "300"), figures("99", "")}}, move{1, -1_0000}, move{1, 0}},
		"cost published":           {[]step{{figures("100", ""), figures("100", "300")}}, move{}, move{}},
		"withdrawn, and published": {[]step{{figures("100", "300"), nil}, {nil, figures("100", "300")}}, move{1, 0}, move{1, 0}},
	} {
		last := map[cellWeek][2]move{}
		for i, s := range x.steps {
			addMove(last, i+1, &release.Change{Week: at.week, Cell: at.cell, Old: s.before, New: s.after})
		}
		if got := last[at]; got != [2]move{x.level, x.cost} {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
