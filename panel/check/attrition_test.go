package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
)

// Five series over weeks -1, 0, 1, 3 and 4 from the base week on; week 4 is open.
func TestAttrition(t *testing.T) {
	t.Parallel()
	build := func(base panel.Week, priced ...[]int64) *panel.Panel { // listings with a price, from the week before week1 on
		c := newCollected(t)
		b := panel.NewBuilder(base)
		c.fill(b)
		for k, listings := range priced {
			for _, id := range listings {
				c.must(b.Observe(&panel.Observation{Listing: id, Store: 1, Effective: 1, ObservedAt: wednesday(k)}))
			}
		}
		p, err := b.Build()
		c.must(err)
		return p
	}
	weeks := [][]int64{{1}, {1, 2, 3}, {1, 3, 4}, nil, {2, 4, 5}, {1, 2, 3, 4, 5}}
	want := &Attrition{Base: 3, Weeks: []WeekOfUse{
		{week1, 3, 2, 0, 3, 0},
		{week1.Add(1), 2, 1, 0, 3, 1},
		{week1.Add(3), 1, 1, 2, 3, 2},
	}}
	if diff := cmp.Diff(want, NewAttrition(build(week1, weeks...), week1.Add(3))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	weeks[4] = []int64{1, 2, 4, 5} // four in use: ages 4, 3, 2 and 0
	if got := NewAttrition(build(week1, weeks...), week1.Add(3)).Weeks[2]; got != (WeekOfUse{week1.Add(3), 2, 1, 1, 4, 2.5}) {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(&Attrition{Weeks: []WeekOfUse{{week1.Add(3), 0, 1, 1, 4, 2.5}}}, NewAttrition(build(week1.Add(2), weeks...), week1.Add(3))); diff != "" {
		t.Errorf("without prices in the base week: -want +got\n%s", diff)
	}
}
