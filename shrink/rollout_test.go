package shrink_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// TestRollOutsGiveOneEvent simulates listings whose pack shrinks store by
// store, and compares the one event with what really happened.
func TestRollOutsGiveOneEvent(t *testing.T) {
	packs := [][2]int{{750, 650}, {454, 400}, {1000, 900}, {500, 350}, {680, 675}}
	for seed := range uint64(300) {
		c := rollOut{
			seed: seed, stores: []int{12, 30}[seed%2], weeks: 26, from: 3 + int(seed%9), span: 2 + int(seed/2%7),
			always: int(seed % 4),
		}
		c.old, c.new = packs[seed%5][0], packs[seed%5][1]
		rows, stores, _ := c.rows()
		want := wantedEvent(c, stores)
		got := shrink.Detect(yogurt, listing, shuffled(seed, rows))
		if len(got) != 1 {
			t.Fatalf("%+v gives %d events, want 1", c, len(got))
		}
		got[0].ID = 0
		if d := gocmp.Diff(want, got[0], cmpopts.EquateApprox(1e-15, 0)); d != "" {
			t.Fatalf("%+v (-want +got):\n%s", c, d)
		}
	}
}

// wantedEvent reads the event off the stores' histories. No store goes back, so
// the third row that shows the new size decides.
func wantedEvent(c rollOut, stores []switched) panel.ShrinkEvent {
	var shown []panel.Observation
	for _, s := range stores {
		shown = append(shown, s.later...)
	}
	slices.SortFunc(shown, func(a, b panel.Observation) int { return cmp.Compare(a.ID, b.ID) }) // ids follow time
	third := shown[2]
	var before, after []float64
	e := panel.ShrinkEvent{
		Listing: listing, SizeUnit: "g", OldSize: float64(c.old), NewSize: float64(c.new),
		OldPackageSize: fmt.Sprint(c.old, " g"), NewPackageSize: fmt.Sprint(c.new, " g"),
		PctSizeChange: fourDecimals(100 * (float64(c.new)/float64(c.old) - 1)),
		DetectedAt:    third.ObservedAt, Observations: []int64{shown[0].ID, shown[1].ID, third.ID},
	}
	for _, s := range stores {
		if s.after.ID > third.ID {
			continue
		}
		before, after = append(before, float64(s.before.Effective)), append(after, float64(s.after.Effective))
		e.Observations = append(e.Observations, s.before.ID, s.after.ID)
		if s.after.ID == shown[0].ID {
			e.ShelfPrice = panel.Price(math.Round(float64(s.after.Effective)*float64(c.new)/750/100) * 100)
		}
	}
	slices.Sort(e.Observations)
	e.Observations = slices.Compact(e.Observations)
	e.OldUnitPrice, e.NewUnitPrice = middle(before)/10_000/750, middle(after)/10_000/750
	e.PctUnitPriceChange = fourDecimals(100 * (middle(after)/middle(before) - 1))
	return e
}

func middle(x []float64) float64 {
	slices.Sort(x)
	return (x[len(x)/2] + x[(len(x)-1)/2]) / 2
}

func fourDecimals(percent float64) panel.Fixed {
	return panel.FixedOf(int64(math.Round(max(percent, -20) * 10_000)))
}

// TestAlwaysSmallerIsNoEvent has stores that carry one size each, forever.
func TestAlwaysSmallerIsNoEvent(t *testing.T) {
	for seed := range uint64(20) {
		rows, _, _ := rollOut{seed: seed, stores: 30, weeks: 26, old: 750, new: 650, from: 99, always: 9}.rows()
		if got := shrink.Detect(yogurt, listing, rows); len(got) > 0 {
			t.Errorf("seed %d: %+v", seed, got)
		}
	}
}
