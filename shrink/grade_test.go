package shrink_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

func TestGrade(t *testing.T) {
	for _, c := range []struct {
		size, price string // percent changes; empty: null
		want        string
	}{
		// The size decides before the price.
		{"-1.9999", "2", "low suspect_tiny"},
		{"1.9999", "2", "low suspect_tiny"},
		{"-2", "2", "high ok"},
		{"2", "2", "high ok"},
		{"-20", "20", "low suspect_swap"},
		{"-20", "", "low suspect_swap"},
		{"-19.9999", "20", "high ok"},
		{"-20.0001", "20", "high ok"}, // imported: only an exact -20 is the clamp
		// The price or the size is missing.
		{"-10", "", "low suspect_unit_mismatch"},
		{"", "10", "low suspect_unit_mismatch"},
		// |u - s| from above.
		{"-10", "25", "high ok"},
		{"-10", "25.0001", "medium ok"},
		{"-10", "40", "medium ok"},
		{"-10", "40.0001", "low suspect_unit_mismatch"},
		// And from below: u keeps its sign.
		{"-10", "-5", "high ok"},
		{"-10", "-5.0001", "medium ok"},
		{"-10", "-10", "medium ok"}, // |u| would agree
		{"-12", "-18.0001", "low suspect_unit_mismatch"},
		// A size that grew counts by its amount.
		{"10", "-5.0001", "medium ok"},
		{"35", "4.9999", "low suspect_unit_mismatch"},
	} {
		e := panel.ShrinkEvent{PctSizeChange: fixed(t, c.size), PctUnitPriceChange: fixed(t, c.price)}
		if got := grade(&e); got != c.want {
			t.Errorf("size %q, unit price %q: %s, want %s", c.size, c.price, got, c.want)
		}
	}
}

// TestGradeComputesChanges grades events that have sizes and unit prices, but not the changes.
func TestGradeComputesChanges(t *testing.T) {
	const mismatch = "low suspect_unit_mismatch"
	for _, c := range []struct {
		e    panel.ShrinkEvent
		want string
	}{
		{panel.ShrinkEvent{OldSize: 750, NewSize: 675, OldUnitPrice: 0.01, NewUnitPrice: 0.0111}, "high ok"},   // -10%, +11%
		{panel.ShrinkEvent{OldSize: 750, NewSize: 675, OldUnitPrice: 0.01, NewUnitPrice: 0.0135}, "medium ok"}, // +35%
		{panel.ShrinkEvent{OldSize: 250, NewSize: 200, OldUnitPrice: 0.01, NewUnitPrice: 0.0125}, "low suspect_swap"},
		{panel.ShrinkEvent{OldSize: 1000, NewSize: 990, OldUnitPrice: 1, NewUnitPrice: 1}, "low suspect_tiny"},
		{panel.ShrinkEvent{OldSize: 750, NewSize: 675, PctUnitPriceChange: fixed(t, "11")}, "high ok"},
		{panel.ShrinkEvent{PctSizeChange: fixed(t, "-10"), OldSize: 750, NewSize: 740, OldUnitPrice: 1, NewUnitPrice: 1.1}, "high ok"}, // a given change counts
		{panel.ShrinkEvent{OldSize: 750, NewSize: 675, OldUnitPrice: 0.01}, mismatch},
		{panel.ShrinkEvent{OldSize: 750, NewSize: math.Inf(1), OldUnitPrice: 1, NewUnitPrice: 1}, mismatch},
		{panel.ShrinkEvent{OldSize: math.NaN(), NewSize: 675, OldUnitPrice: 1, NewUnitPrice: 1}, mismatch},
	} {
		if got := grade(&c.e); got != c.want {
			t.Errorf("%+v: %s, want %s", c.e, got, c.want)
		}
	}
	if got := grade(nil); got != mismatch {
		t.Errorf("nil: %s", got)
	}
}

func fixed(t *testing.T, s string) panel.Fixed {
	t.Helper()
	f, err := panel.ParseFixed(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func grade(e *panel.ShrinkEvent) string {
	confidence, flag := shrink.Grade(e)
	return confidence.String() + " " + flag
}

// Select takes the events of two days and those between, of a grade and better ones, by
// time, then id.
func TestSelect(t *testing.T) {
	events := []panel.ShrinkEvent{}
	for i, change := range []string{"-10", "-1", "-10", "-10", "-10"} {
		events = append(events, panel.ShrinkEvent{
			ID: int64(9 - i), PctSizeChange: fixed(t, change), PctUnitPriceChange: fixed(t, "10"),
			DetectedAt: time.Date(2026, 8, []int{3, 3, 2, 5, 3}[i], 3, 0, 0, 0, time.UTC), // 23:00 of the day before
		})
	}
	for _, c := range []struct {
		least    shrink.Confidence
		from, to int
		want     []int64
	}{
		{shrink.Low, 1, 4, []int64{7, 5, 8, 9, 6}},
		{shrink.Medium, 1, 4, []int64{7, 5, 9, 6}},
		{shrink.High, 2, 2, []int64{5, 9}},
		{shrink.Low, 3, 3, nil},
	} {
		var got []int64
		for _, g := range shrink.Select(panel.Calendar{}, events, c.least, panel.DateOf(2026, time.August, c.from), panel.DateOf(2026, time.August, c.to)) {
			got = append(got, g.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, from the %d to the %d of August: %d, want %d", c.least, c.from, c.to, got, c.want)
		}
	}
}
