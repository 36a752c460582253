package release

import (
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
)

// The rule jump.
const (
	jumpPercent    = 10     // a change above it stops whatever was usual
	jumpDeviations = 8      // robust standard deviations from the median
	jumpHistory    = 20     // earlier changes that the median needs
	madToDeviation = 1.4826 // of a normal distribution
	leastMAD       = 0.05   // percentage points
)

// The kinds of cases of the rule jump.
const (
	jumpByDeviations = "deviations" // the value and the bound are robust standard deviations
	JumpPercent      = "percent"    // they are percent
)

// jump finds new weeks in which a headline moves far. More has the change in percent and, of
// jumpByDeviations, the number of earlier changes and their median.
func (r *review) jump() (cases []Case) {
	if len(r.old) == 0 {
		return nil
	}
	earlier := map[jevons.Cell][]float64{}
	for i := range r.next.Table.Rows {
		row := &r.next.Table.Rows[i]
		if row.Cell.Category != basket.Overall || row.Cell.Level > jevons.City || !row.WoW.Valid {
			continue
		}
		change := row.WoW.Float64()
		if row.Week > r.released() {
			if x := jumps(change, earlier[*row.Cell]); x.Kind != "" {
				x.Cell, x.Week = row.Cell, row.Week
				cases = append(cases, x)
			}
		}
		earlier[*row.Cell] = append(earlier[*row.Cell], change)
	}
	slices.SortStableFunc(cases, func(a, b Case) int { return jevons.CompareCells(a.Cell, b.Cell) })
	return cases
}

// jumps returns the case of a change in percent that is a jump after the earlier ones. A change
// that is no jump gives a case with an empty kind.
func jumps(change float64, earlier []float64) Case {
	if len(earlier) >= jumpHistory {
		usual := median(earlier)
		off := make([]float64, len(earlier))
		for i, x := range earlier {
			off[i] = math.Abs(x - usual)
		}
		deviation := madToDeviation * max(median(off), leastMAD)
		if n := math.Abs(change-usual) / deviation; n > jumpDeviations {
			return Case{Kind: jumpByDeviations, Value: n, Bound: jumpDeviations, More: []any{change, len(earlier), usual}}
		}
	}
	if math.Abs(change) > jumpPercent {
		return Case{Kind: JumpPercent, Value: math.Abs(change), Bound: jumpPercent, More: []any{change}}
	}
	return Case{}
}

// median returns the median. Of an even count it takes the mean of the middle two.
func median(list []float64) float64 {
	sorted, n := slices.Sorted(slices.Values(list)), len(list)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
