package prepared

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/shrink"
)

// EventQuery chooses shrinkflation events.
type EventQuery struct {
	Confidence shrink.Confidence // the lowest wanted
	Banner     string            // key; empty: all
	From, To   panel.Date        // both included
	reply.Page
}

// newEvents returns the events of index banners by time, then id. An event is
// history: what became of its listing since changes nothing.
func newEvents(s *Served) (list []*panel.ShrinkEvent) {
	for i := range s.Events {
		if e := &s.Events[i]; s.Banners[s.Listings[e.Listing].Banner].InIndex {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *panel.ShrinkEvent) int {
		return cmp.Or(a.DetectedAt.Compare(b.DetectedAt), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// FindEvents returns the events that a query wants. truncated says that its range
// of days has more than scanCap, of which only the first were looked at.
func (s *Served) FindEvents(q *EventQuery, scanCap int) (found []*panel.ShrinkEvent, truncated bool) {
	start, end := moments(q.From, q.To)
	looked := 0
	for _, e := range s.Shrinkages() {
		if e.DetectedAt.Before(start) || !e.DetectedAt.Before(end) {
			continue
		}
		if looked++; looked > scanCap {
			return found, true
		}
		grade, _ := shrink.Grade(e)
		if grade <= q.Confidence && (q.Banner == "" || q.Banner == s.Listings[e.Listing].Banner) {
			found = append(found, e)
		}
	}
	return found, false
}

// NewEvent returns a recorded shrinkage as /api/v1/shrinkflation lists it, with
// the listing, product and banner that it is of. shrink.Grade grades it.
func NewEvent(e *panel.ShrinkEvent, m *panel.Listing, p *basket.Product, n *basket.Banner) wire.Event {
	confidence, flag := shrink.Grade(e)
	x := wire.Event{
		ID: e.ID, OldPackageSize: e.OldPackageSize, NewPackageSize: e.NewPackageSize,
		OldSize: float(e.OldSize), NewSize: float(e.NewSize), SizeUnit: wire.Text(e.SizeUnit), PctSizeChange: fixed(e.PctSizeChange),
		OldUnitPrice: unitPrice(e.OldUnitPrice), NewUnitPrice: unitPrice(e.NewUnitPrice), PctUnitPriceChange: fixed(e.PctUnitPriceChange),
		ShelfPrice: fixed(panel.Fixed{Units: int64(e.ShelfPrice), Valid: e.ShelfPrice != 0}),
		DetectedAt: e.DetectedAt.UTC(), Confidence: confidence.String(), Flag: flag,
	}
	l := &x.Listing
	l.Retailer, l.Banner, l.Name, l.Brand = n.Retailer, n.Key, m.Name, wire.Text(m.Brand)
	l.Product.ID, l.Product.Name, l.Product.Category = p.ID, p.Name, p.Category.String()
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
