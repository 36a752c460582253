package shrink

import (
	"github.com/larder-index/larder/internal/enum"
	"github.com/larder-index/larder/panel"
)

// Confidence says how far an event can be trusted.
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

// Includes reports whether a filter for c lets an event of the given grade
// through. Filters are cumulative: Medium includes High, Low includes all.
func (c Confidence) Includes(grade Confidence) bool { return grade <= c }

// Flag says why an event is graded low.
type Flag uint8

// The flags.
const (
	OK                  Flag = iota
	SuspectUnitMismatch      // the unit price disagrees or is missing
	SuspectSwap              // the size change is exactly -20, where Detect holds it
	SuspectTiny              // the size change is under 2 percent
)

var flags = enum.New("flag", OK, "ok", "suspect_unit_mismatch", "suspect_swap", "suspect_tiny")

// String returns ok, suspect_unit_mismatch, suspect_swap or suspect_tiny.
func (f Flag) String() string { return flags.String(f) }

// The thresholds, in ten-thousandths of a percent, as a panel.Fixed counts.
const (
	tinySize    = 2_0000
	swapSize    = -20_0000
	highApart   = 15_0000
	mediumApart = 30_0000
)

// Grade judges an event by its published, rounded changes, in whole
// ten-thousandths. With s = |PctSizeChange| and u = PctUnitPriceChange, in this
// order:
//
//	s < 2                         low, suspect_tiny
//	PctSizeChange is exactly -20  low, suspect_swap
//	u is null                     low, suspect_unit_mismatch
//	|u - s| <= 15                 high, ok
//	|u - s| <= 30                 medium, ok
//	else                          low, suspect_unit_mismatch
//
// u keeps its sign, because a unit price that falls speaks against a smaller pack. An imported event
// without PctSizeChange is low, suspect_unit_mismatch.
func Grade(e *panel.ShrinkEvent) (Confidence, Flag) {
	if !e.PctSizeChange.Valid {
		return Low, SuspectUnitMismatch
	}
	s := abs(e.PctSizeChange.Units)
	switch {
	case s < tinySize:
		return Low, SuspectTiny
	case e.PctSizeChange.Units == swapSize:
		return Low, SuspectSwap
	case !e.PctUnitPriceChange.Valid:
		return Low, SuspectUnitMismatch
	}
	switch apart := abs(e.PctUnitPriceChange.Units - s); {
	case apart <= highApart:
		return High, OK
	case apart <= mediumApart:
		return Medium, OK
	}
	return Low, SuspectUnitMismatch
}

func abs(x int64) int64 { return max(x, -x) }
