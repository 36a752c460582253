package shrink_test

import (
	"slices"
	"testing"

	"github.com/larder-index/larder/shrink"
)

// Misread sizes, as factors of the right one.
var (
	tooSmall   = []float64{0.1, 0.5, 0.8, 0.9}
	tooLarge   = []float64{1.25, 1.5, 2, 10}
	bitLarger  = []float64{1.04, 1.1, 1.2}
	anyMisread = slices.Concat(tooSmall, tooLarge, bitLarger)
)

// TestMisreadSizes counts the events of a thousand listings of 30 stores and 26
// weeks whose pack never changes, with one size in a hundred misread.
// docs/shrinkflation.md states these counts.
func TestMisreadSizes(t *testing.T) {
	for _, c := range []struct {
		name    string
		factors []float64
		want    [3]int // events graded high, medium, low
	}{
		{"too small", tooSmall, [3]int{2, 0, 5}},
		{"too large", tooLarge, [3]int{0, 0, 90}},
		{"a bit too large", bitLarger, [3]int{62, 27, 0}},
		{"any", anyMisread, [3]int{15, 5, 39}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got [3]int
			misread, rows := 0, 0
			for seed := range uint64(1000) {
				list, _, n := rollOut{
					seed: seed, stores: 30, weeks: 26, old: 750, new: 750, from: 99, misread: 0.01, misreads: c.factors,
				}.rows()
				misread, rows = misread+n, rows+len(list)
				for _, e := range shrink.Detect(yogurt, listing, list) {
					grade, _ := shrink.Grade(&e)
					got[grade]++
				}
			}
			if got != c.want {
				t.Errorf("%d of %d sizes misread: events graded high, medium, low are %v, want %v", misread, rows, got, c.want)
			}
		})
	}
}

// TestRollOutsAmongMisreads counts how many of a thousand roll-outs are still
// found when one size in a hundred is misread.
func TestRollOutsAmongMisreads(t *testing.T) {
	found, high := 0, 0
	for seed := range uint64(1000) {
		rows, _, _ := rollOut{
			seed: seed, stores: 30, weeks: 26, old: 750, new: 650, from: 10, span: 2 + int(seed%7),
			misread: 0.01, misreads: anyMisread,
		}.rows()
		for _, e := range shrink.Detect(yogurt, listing, rows) {
			if e.OldSize == 750 && e.NewSize == 650 {
				found++
				if grade, _ := shrink.Grade(&e); grade == shrink.High {
					high++
				}
			}
		}
	}
	if found != 1000 || high != 1000 {
		t.Errorf("%d found, %d of them graded high, want 1000 of each", found, high)
	}
}
