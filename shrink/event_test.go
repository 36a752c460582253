package shrink_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// TestEventFields has every field worked out by hand: 750 g become 650 g at two
// stores, prices per 750 g.
//
// Medians: old (4.00 + 5.01) / 2 = 4.505, new (4.62 + 5.19) / 2 = 4.905. Unit
// price: +0.4 / 4.505 = +8.8790%. Size: -100 / 750 = -13.3333%. Shelf price at
// store 2, which switched first: 5.19 * 650 / 750 = 4.498.
func TestEventFields(t *testing.T) {
	rows := []panel.Observation{
		row(10, 1, 0, "750 g", "3.90"), row(20, 2, 0, "0,75 kg", "5.01"),
		row(30, 1, 7, "750g", "4.00"), row(50, 2, 8, "650g", "5.19"),
		row(40, 1, 14, "0.65 kg", "4.62"), row(60, 2, 15, "650 g", "9.99"), row(70, 1, 21, "650 g", "9.99"),
	}
	for i := range rows {
		rows[i].ObservedAt = rows[i].ObservedAt.In(panel.Toronto)
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
	// The same of "7 0.1 0.05".
	if id := shrink.EventID(7, 0.1, 0.05); id != 2222493510857344 {
		t.Errorf("id %d", id)
	}
}

func TestPricesOfAnEvent(t *testing.T) {
	type prices struct{ effective, regular panel.Price }
	for _, c := range []struct {
		name          string
		before, after prices
		source        panel.RegularSource // of both
		standard      float64
		unit          basket.Unit
		old, new      string // sizes
		want          string // unit prices, their change, shelf price
	}{
		{"effective", prices{4_0000, 0}, prices{5_0000, 0}, 0, 100, basket.Gram, "100 g", "90 g", "0.04 0.05 25.0000 4.50"},
		{"on sale before", prices{3_0000, 4_0000}, prices{4_0000, 4_0000}, 0, 100, basket.Gram, "100 g", "90 g", "0.04 0.04 0.0000 3.60"},
		{"derived", prices{3_0000, 4_0000}, prices{4_0000, 5_0000}, panel.Derived, 100, basket.Gram, "100 g", "90 g", "0.04 0.05 25.0000 4.50"},
		{"assumed", prices{4_0000, 9_0000}, prices{5_0000, 9_0000}, panel.AssumedEqual, 100, basket.Gram, "100 g", "90 g", "0.04 0.05 25.0000 4.50"},
		{"held at -20", prices{5_0000, 0}, prices{1_0000, 0}, 0, 100, basket.Gram, "100 g", "90 g", "0.05 0.01 -20.0000 0.90"},
		{"not held above", prices{1_0000, 0}, prices{9_0000, 0}, 0, 100, basket.Gram, "100 g", "90 g", "0.01 0.09 800.0000 8.10"},
		{"cents tie away from zero", prices{1_0000, 0}, prices{1_0500, 0}, 0, 100, basket.Gram, "100 g", "90 g", "0.01 0.0105 5.0000 0.95"},
		{"change ties away from zero", prices{8_0000, 0}, prices{8_0000 - 4, 0}, 0, 100, basket.Gram, "100 g", "90 g",
			"0.08 0.079996 -0.0050 7.20"},
		{"nearest float64", prices{1_0000, 0}, prices{1_0000, 0}, 0, 3, basket.Count, "3 ct", "2 ct",
			"0.3333333333333333 0.3333333333333333 0.0000 0.67"},
		{"decimal sizes", prices{3_0000, 0}, prices{3_0000, 0}, 0, 0.3, basket.Gram, "0.9 g", "0.6 g", "10 10 0.0000 6.00"},
		{"shelf price below a cent", prices{1, 0}, prices{1, 0}, 0, 100, basket.Gram, "100 g", "90 g", "1e-06 1e-06 0.0000 "},
		{"shelf price out of range", prices{9_000_000_0000, 0}, prices{9_000_000_0000, 0}, 0, 1, basket.Gram, "3 g", "2 g",
			"9e+06 9e+06 0.0000 "},
		{"shelf price far out of range", prices{1_0000, 0}, prices{1_0000, 0}, 0, 1e-300, basket.Gram, "3 g", "2 g", "1e+300 1e+300 0.0000 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := yogurt
			p.StandardSize, p.Unit = c.standard, c.unit
			var rows []panel.Observation
			for i := range 4 {
				o := row(int64(i+1), 1, 7*i, c.new, "1234.56")
				o.RegularSource = c.source
				switch i {
				case 0:
					o.PackageSize, o.Effective, o.Regular = c.old, c.before.effective, c.before.regular
				case 1:
					o.Effective, o.Regular = c.after.effective, c.after.regular
				}
				rows = append(rows, o)
			}
			got := shrink.Detect(p, listing, rows)
			if len(got) != 1 {
				t.Fatalf("%d events", len(got))
			}
			e := got[0]
			if s := fmt.Sprintf("%v %v %s %s", e.OldUnitPrice, e.NewUnitPrice, e.PctUnitPriceChange, e.ShelfPrice); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}
