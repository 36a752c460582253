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
	sizes := newSizes(p.Unit)
	for i := range rows {
		sizes.read(rows[i].PackageSize)
	}
	if !sizes.differ {
		return nil
	}
	var sized []sizedRow
	for i := range rows {
		if size := sizes.read(rows[i].PackageSize); size > 0 && rows[i].Effective.Valid() {
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

// Candidate reports whether rows with these package sizes, as scraped, can give
// an event: at least two of them are different sizes of a package, in the
// product's unit. The rows of other listings need not be read.
func Candidate(p basket.Product, sizes []string) bool {
	if p.PerKg() {
		return false
	}
	known := newSizes(p.Unit)
	return slices.ContainsFunc(sizes, func(text string) bool {
		known.read(text)
		return known.differ
	})
}

// sizes parses each distinct text once.
type sizes struct {
	unit   basket.Unit
	known  map[string]float64
	one    float64 // the first size read
	differ bool    // another one was read
}

func newSizes(u basket.Unit) *sizes { return &sizes{unit: u, known: map[string]float64{}} }

// read returns the size of a package, in the unit; 0 if the text states none.
func (s *sizes) read(text string) float64 {
	size, ok := s.known[text]
	if ok {
		return size
	}
	if parsed, err := basket.ParseSize(text); err == nil && !parsed.PerWeight {
		size, _ = parsed.In(s.unit)
	}
	s.known[text] = size
	s.differ = s.differ || size != 0 && s.one != 0 && size != s.one
	if s.one == 0 {
		s.one = size
	}
	return size
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
