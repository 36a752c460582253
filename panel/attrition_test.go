package panel

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Five series over weeks -1, 0, 1, 3 and 4 from the base week on; week 4 is open.
func TestAttrition(t *testing.T) {
	t.Parallel()
	gone := math.NaN()
	p := &Panel{
		base: week1, series: make([]Series, 5),
		weeks: []Week{week1.Add(-1), week1, week1.Add(1), week1.Add(3), week1.Add(4)},
		logs: [][]float64{
			{1, gone, gone, gone, gone},
			{1, 1, 1, gone, gone},
			{1, gone, 1, 1, gone},
			{gone, 1, gone, 1, 1},
			{1, 1, 1, 1, 1},
		},
	}
	want := &Attrition{Base: 3, Weeks: []WeekOfUse{
		{week1, 3, 2, 0, 3, 0},
		{week1.Add(1), 2, 1, 0, 3, 1},
		{week1.Add(3), 1, 1, 2, 3, 2},
	}}
	if diff := cmp.Diff(want, p.Attrition(week1.Add(3))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	p.logs[3][0] = 1 // four in use: ages 4, 3, 2 and 0
	if got := p.Attrition(week1.Add(3)).Weeks[2]; got != (WeekOfUse{week1.Add(3), 2, 1, 1, 4, 2.5}) {
		t.Errorf("%+v", got)
	}
	p.base = week1.Add(2)
	if diff := cmp.Diff(&Attrition{Weeks: []WeekOfUse{{week1.Add(3), 0, 1, 1, 4, 2.5}}}, p.Attrition(week1.Add(3))); diff != "" {
		t.Errorf("without prices in the base week: -want +got\n%s", diff)
	}
}
