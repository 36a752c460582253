package shrink_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// history reads "store:size" as rows at 4 dollars, a day apart. A row after "="
// has the same time as the one before.
func history(s string) (rows []panel.Observation) {
	day := 0
	for i, f := range strings.Fields(s) {
		f, same := strings.CutPrefix(f, "=")
		if !same {
			day++
		}
		store, size, _ := strings.Cut(f, ":")
		rows = append(rows, row(int64(i+1), int64(store[0]-'A'+1), day, size, "4"))
	}
	return rows
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name, history string
		want          string // "old>new @row that completes it (rows it rests on)"
	}{
		{"one store, three rows", "A:750g A:650g A:650g A:650g", "750>650 @4 [1 2 3 4]"},
		{"two rows are not enough", "A:750g A:650g A:650g", ""},
		{"three stores", "A:750g B:750g C:750g A:650g B:650g C:650g", "750>650 @6 [1 2 3 4 5 6]"},
		{"stores that did not switch don't count", "B:650g A:750g A:650g B:650g A:650g B:650g", ""},
		{"back before the third row", "A:750g A:650g A:650g A:750g A:650g A:650g A:650g", ""},
		{"back, and another pair", "A:750g A:650g A:700g A:700g A:650g A:650g A:650g", "700>650 @7 [4 5 6 7]"},
		{"a store first seen with another size than the others", "B:650g A:750g A:650g A:650g A:650g", ""},
		{"back after the third row", "A:750g A:650g A:650g A:650g A:750g", "750>650 @4 [1 2 3 4]"},
		{"in two steps", "A:750g B:750g A:700g B:700g A:700g A:650g B:650g A:650g", "750>700 @5 [1 2 3 4 5]; 700>650 @8 [4 5 6 7 8]"},
		{"steps taken apart", "A:750g B:750g A:700g B:650g A:650g B:650g A:650g B:650g A:650g",
			"750>650 @8 [2 4 6 8]; 700>650 @9 [3 5 7 9]"},
		{"a text without a size between", "A:750g A:fresh A:650g A: A:650g A:2-ply A:650g", "750>650 @7 [1 3 5 7]"},
		{"the basis of a price is no pack", "A:750g A:/100g A:/lb A:kg A:650g A:/kg A:650g A:650g", "750>650 @8 [1 5 7 8]"},
		{"notation of the smaller pack", "A:0.75kg A:650g A:0.65kg A:650.0g", "750>650 @4 [1 2 3 4]"},
		{"ties go by id", "A:750g =A:650g =A:650g =A:650g", "750>650 @4 [1 2 3 4]"},
		{"ties of two stores go by id", "B:750g A:750g B:650g B:650g B:650g =A:650g", "750>650 @5 [1 3 4 5]"},
		{"misread too large once", "A:750g A:1500g A:750g A:750g A:750g", ""},
		{"misread too large at first", "A:1500g A:750g A:750g A:750g", "1500>750 @4 [1 2 3 4]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := history(c.history)
			var got []string
			for _, e := range shrink.Detect(yogurt, listing, shuffled(1, rows)) {
				at := slices.IndexFunc(rows, func(o panel.Observation) bool { return o.ID == e.Observations[len(e.Observations)-1] })
				if !e.DetectedAt.Equal(rows[at].ObservedAt) {
					t.Errorf("detected at %s, not at its last row's time", e.DetectedAt)
				}
				got = append(got, fmt.Sprintf("%g>%g @%d %v", e.OldSize, e.NewSize, at+1, e.Observations))
			}
			if got := strings.Join(got, "; "); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.history, got, c.want)
			}
		})
	}
}

func TestWhatGivesNone(t *testing.T) {
	rows := history("A:750g A:650g A:650g A:650g")
	perKg, noStandard := yogurt, yogurt
	perKg.SoldBy = basket.ByKilogram
	noStandard.StandardSize = 0
	for name, p := range map[string]basket.Product{"per kg": perKg, "without a standard size": noStandard} {
		if got := shrink.Detect(p, listing, rows); got != nil {
			t.Errorf("a product %s: %+v", name, got)
		}
	}
	free := slices.Clone(rows)
	free[1].Effective, free[2].Effective = 0, -4
	if got := shrink.Detect(yogurt, listing, free); got != nil {
		t.Errorf("rows without a price: %+v", got)
	}
}
