package shrink_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// TestEventFields has every field worked out by hand: 750 g become 650 g at two
// stores, prices per 750 g.
//
// Regular prices count: 4.62 is one, on sale for 3.99, and 8.00 is assumed equal, so it
// does not. Medians: old (4.00 + 5.01) / 2 = 4.505, new (4.62 + 5.19) / 2 = 4.905. Unit
// price: +0.4 / 4.505 = +8.8790%. Size: -100 / 750 = -13.3333%. Shelf price at
// store 2, which switched first: 5.19 * 650 / 750 = 4.498.
func TestEventFields(t *testing.T) {
	rows := []panel.Observation{
		row(10, 1, 0, "750 g", "3.90"), row(20, 2, 0, "0,75 kg", "5.01"),
		row(30, 1, 7, "750g", "4.00"), row(50, 2, 8, "650g", "5.19"),
		row(40, 1, 14, "0.65 kg", "3.99"), row(60, 2, 15, "650 g", "9.99"), row(70, 1, 21, "650 g", "9.99"),
	}
	rows[4].Regular, rows[4].RegularSource = 4_6200, panel.Scraped
	rows[3].Regular, rows[3].RegularSource = 8_0000, panel.AssumedEqual
	for i := range rows {
		rows[i].ObservedAt = rows[i].ObservedAt.In(panel.Calendar{}.Zone())
	}
	want := []panel.ShrinkEvent{{
		// FNV-1a of "7 750 650", worked out beside this package: low 52 bits xor high 12.
		ID: 1006640800488698, Listing: listing, OldPackageSize: "0,75 kg", NewPackageSize: "650g",
		OldSize: 750, NewSize: 650, SizeUnit: "g", PctSizeChange: panel.FixedOf(-13_3333),
		OldUnitPrice: 4.505 / 750, NewUnitPrice: 4.905 / 750, PctUnitPriceChange: panel.FixedOf(8_8790),
		ShelfPrice: 4_5000, DetectedAt: start.AddDate(0, 0, 15), Observations: []int64{20, 30, 40, 50, 60},
	}}
	if d := cmp.Diff(want, shrink.Detect(yogurt, listing, rows)); d != "" {
		t.Fatalf("(-want +got):\n%s", d)
	}
}
