package shrink

import (
	"math"

	"github.com/shopspring/decimal"

	"github.com/larder-index/larder/internal/enum"
	"github.com/larder-index/larder/panel"
)

// Confidence says how far an event can be trusted. A filter for one lets surer events
// through, too.
type Confidence uint8

// The grades, the surest first.
const (
	High   Confidence = iota // size and unit price agree within 15 points
	Medium                   // within 30 points
	Low                      // the flag says why
)

var confidences = enum.New("confidence", High, "high", "medium", "low")

// String returns high, medium or low.
func (c Confidence) String() string { return confidences.String(c) }

// ParseConfidence reads high, medium or low.
func ParseConfidence(s string) (Confidence, error) { return confidences.Parse(s) }

// The thresholds, in ten-thousandths of a percent, as a panel.Fixed counts.
const (
	tinySize    = 2_0000
	highApart   = 15_0000
	mediumApart = 30_0000
)

// Grade says how far an event can be trusted, with a flag that says why it is low. It
// judges the published, rounded changes, in whole ten-thousandths. A change that is null
// is that of Detect where the event has both numbers: 100 * (new - old) / old, at least -20.
// With s = |PctSizeChange| and u = PctUnitPriceChange, in this order:
//
//	s < 2                         low, suspect_tiny
//	PctSizeChange is exactly -20  low, suspect_swap
//	u is null                     low, suspect_unit_mismatch
//	|u - s| <= 15                 high, ok
//	|u - s| <= 30                 medium, ok
//	else                          low, suspect_unit_mismatch
//
// u keeps its sign, because a unit price that falls speaks against a smaller pack. An event
// without a change of size is low, suspect_unit_mismatch, and so is nil.
func Grade(e *panel.ShrinkEvent) (Confidence, string) {
	if e == nil {
		return Low, "suspect_unit_mismatch"
	}
	size := given(e.PctSizeChange, e.OldSize, e.NewSize)
	if !size.Valid {
		return Low, "suspect_unit_mismatch"
	}
	s, u := abs(size.Units), given(e.PctUnitPriceChange, e.OldUnitPrice, e.NewUnitPrice)
	switch {
	case s < tinySize:
		return Low, "suspect_tiny"
	case size.Units == Floor:
		return Low, "suspect_swap"
	case !u.Valid:
		return Low, "suspect_unit_mismatch"
	}
	switch apart := abs(u.Units - s); {
	case apart <= highApart:
		return High, "ok"
	case apart <= mediumApart:
		return Medium, "ok"
	}
	return Low, "suspect_unit_mismatch"
}

// given returns a change, or that between two numbers above 0 if it is null.
func given(change panel.Fixed, before, after float64) panel.Fixed {
	if change.Valid || !(before > 0 && after > 0 && before <= math.MaxFloat64 && after <= math.MaxFloat64) {
		return change
	}
	return percentChange(decimal.NewFromFloat(before), decimal.NewFromFloat(after))
}

func abs(x int64) int64 { return max(x, -x) }
