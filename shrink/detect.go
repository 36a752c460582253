package shrink

import (
	"cmp"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Detect returns the events that the rows of one listing of product p show, by
// DetectedAt, then ID. The rows may come in any order and are not changed; they
// are read in order of time, then id. Their verdicts play no part.
//
// Later rows change no event: the rows up to a moment give the same events, to
// the last digit, as all rows give up to that moment. A product that is sold by
// the kilogram, or whose StandardSize is no number above 0, gives no events.
func Detect(p basket.Product, listing int64, rows []panel.Observation) []panel.ShrinkEvent {
	if p.PerKg() || !(p.StandardSize > 0) || math.IsInf(p.StandardSize, 1) {
		return nil
	}
	sizeOf := sizeReader(p.Unit)
	var sized []sizedRow
	for i := range rows {
		if size := sizeOf(rows[i].PackageSize); size > 0 && rows[i].Effective.Valid() {
			sized = append(sized, sizedRow{&rows[i], size})
		}
	}
	slices.SortFunc(sized, compareRows)

	var events []panel.ShrinkEvent
	replay(sized, func(r *rollout) { events = append(events, r.event(p, listing)) })
	slices.SortFunc(events, func(a, b panel.ShrinkEvent) int {
		return cmp.Or(a.DetectedAt.Compare(b.DetectedAt), cmp.Compare(a.ID, b.ID))
	})
	return events
}

// sizeReader returns a function that reads the size of a package, in the unit; 0 if the
// text states none. It parses each distinct text once.
func sizeReader(u basket.Unit) func(text string) float64 {
	known := map[string]float64{}
	return func(text string) float64 {
		size, ok := known[text]
		if !ok {
			if parsed, err := basket.ParseSize(text); err == nil && !parsed.PerWeight {
				size, _ = parsed.In(u)
			}
			known[text] = size
		}
		return size
	}
}

// sizedRow is a row with the size of its package, in the product's unit.
type sizedRow struct {
	*panel.Observation
	size float64
}

// compareRows orders rows by time, then id. The rest orders rows without ids, so
// the order of the input never matters.
func compareRows(a, b sizedRow) int {
	return cmp.Or(
		a.ObservedAt.Compare(b.ObservedAt),
		cmp.Compare(a.ID, b.ID),
		cmp.Compare(a.Store, b.Store),
		cmp.Compare(a.size, b.size),
		cmp.Compare(a.PackageSize, b.PackageSize),
		cmp.Compare(price(a.Observation), price(b.Observation)),
	)
}
