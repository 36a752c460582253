package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/larder-index/larder/panel"
)

// In the base week one of two rows is on sale, at 3 where 4 is regular; in the two weeks after it none is,
// and then one of four, without a known regular price. Week 4 is open.
func TestSales(t *testing.T) {
	t.Parallel()
	c := newCollected(t)
	b := panel.NewBuilder(week1)
	c.fill(b)
	p, err := b.Build()
	c.must(err)
	var list []*panel.Observation
	row := func(listing, store int64, week int, regular panel.Price, sale bool) {
		source := panel.Scraped
		if regular == 0 {
			source = panel.AssumedEqual
		}
		list = append(list, &panel.Observation{ID: int64(len(list) + 1), Listing: listing, Store: store, Effective: 3_0000,
			Regular: regular, RegularSource: source, OnSale: sale, ObservedAt: wednesday(week)})
	}
	row(1, 1, 1, 4_0000, true)
	row(2, 1, 1, 3_0000, false)
	row(101, 5, 1, 4_0000, true) // of a banner outside the index
	row(1, 1, 2, 3_0000, false)
	for listing := range int64(4) {
		row(listing+1, 1, 3, 0, listing == 0)
	}
	row(1, 1, 4, 4_0000, true)
	rows, err := panel.NewRows(panel.NewGate(panel.Calendar{}, p.Products(), p.Stores(), p.Listings(), nil, nil), func(yield func(*panel.Observation, error) bool) {
		for _, o := range list {
			if !yield(o, nil) {
				return
			}
		}
	})
	c.must(err)
	want := &Sales{WeekOfSales{new(0.5), new(0.25)}, WeekOfSales{new(0.25), new(0.25)}}
	if diff := cmp.Diff(want, NewSales(rows, p, week1.Add(2)), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
