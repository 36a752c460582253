package prepared

import (
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/check"
	"github.com/larder-index/larder/shrink"
)

// FindEvents returns the events that a query wants. truncated says that its range
// of days has more than scanCap, of which only the first were looked at.
func (s *Snapshot) FindEvents(q *Query, scanCap int) (found []shrink.Graded, truncated bool) {
	least, _ := shrink.ParseConfidence(q.Confidence) // checked
	looked := 0
	for _, g := range s.Shrinkages() {
		if g.Day < q.First || g.Day > q.Last {
			continue
		}
		if looked++; looked > scanCap {
			return found, true
		}
		if g.Confidence <= least && (q.Banner == "" || q.Banner == s.Listings[g.Listing].Banner.Key) {
			found = append(found, g)
		}
	}
	return found, false
}

// NewEvent returns a recorded shrinkage as /api/v1/shrinkflation lists it, with what it is of.
func NewEvent(e *shrink.Graded, of check.Listed) wire.Event {
	x := wire.Event{
		ID: e.ID, OldPackageSize: e.OldPackageSize, NewPackageSize: e.NewPackageSize,
		OldSize: float(e.OldSize), NewSize: float(e.NewSize), SizeUnit: wire.Text(e.SizeUnit),
		PctSizeChange: fixed(e.PctSizeChange),
		OldUnitPrice:  unitPrice(e.OldUnitPrice), NewUnitPrice: unitPrice(e.NewUnitPrice),
		PctUnitPriceChange: fixed(e.PctUnitPriceChange),
		ShelfPrice:         fixed(panel.Fixed{Units: int64(e.ShelfPrice), Valid: e.ShelfPrice != 0}),
		DetectedAt:         e.DetectedAt.UTC(), Confidence: e.Confidence.String(), Flag: e.Flag,
	}
	l, p := &x.Listing, of.Product
	l.Retailer, l.Banner = of.Banner.Retailer, of.Banner.Key
	l.Name, l.Brand = of.Name, wire.Text(of.Brand)
	l.Product.ID, l.Product.Name, l.Product.Category = p.ID, p.Name, p.Category
	return x
}

// fixed writes a number with the decimals that it needs.
func fixed(v panel.Fixed) wire.Number {
	if !v.Valid {
		return ""
	}
	return wire.Number(v.Append(nil, 0))
}

// unitPrice writes a unit price with at most four decimals; 0 is null.
func unitPrice(v float64) wire.Number {
	if v == 0 {
		return ""
	}
	return wire.Number(decimal.NewFromFloat(v).Round(4).String())
}

// float writes a number above 0 as short as it reads back; 0 is null.
func float(v float64) wire.Number {
	if v == 0 {
		return ""
	}
	return wire.Number(strconv.FormatFloat(v, 'f', -1, 64))
}
