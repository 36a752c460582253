package panel

import "testing"

// TestRegularRefuses gives panels the rows of another one. The oracle of the index holds the prices.
func TestRegularRefuses(t *testing.T) {
	t.Parallel()
	rows, err := NewRows(testGate(), func(yield func(*Observation, error) bool) {
		yield(&Observation{ID: 1, Listing: 1, Store: 7, Effective: 4_0000, ObservedAt: noon}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*Panel{
		"no rows":     {base: DefaultBaseWeek},
		"no such row": {base: DefaultBaseWeek, counts: Counts{Observations: 1, Used: 1}},
		"more rows":   {base: DefaultBaseWeek, counts: Counts{Observations: 2}},
	} {
		if _, err := other.Regular(rows); err == nil {
			t.Errorf("%s: rows of another panel are taken", name)
		}
	}
}
