package figure

import (
	"testing"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
)

// TestPublic asks for every kind of cell.
func TestPublic(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		cell       jevons.Cell
		any, costs bool
	}{
		{jevons.Cell{Level: jevons.National, Category: basket.Overall}, true, true},
		{jevons.Cell{Level: jevons.National, Category: basket.Dairy}, true, true},
		{jevons.Cell{Level: jevons.City, City: "Toronto", Category: basket.Overall}, false, true},
		{jevons.Cell{Level: jevons.City, City: "Toronto", Category: basket.Dairy}, false, false},
		{jevons.Cell{Level: jevons.Banner, City: "Toronto", Banner: "x", Category: basket.Overall}, false, false},
	} {
		if got := PublicNational.Shows(&x.cell, false); got != x.any {
			t.Errorf("%s: %v", x.cell, got)
		}
		if got := PublicNational.Shows(&x.cell, true); got != x.costs {
			t.Errorf("newest cost of %s: %v", x.cell, got)
		}
		if PublicNone.Shows(&x.cell, false) || PublicNone.Shows(&x.cell, true) {
			t.Errorf("%s is shown with none", x.cell)
		}
	}
}
