package release

import (
	"maps"
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
	JumpDeviations = "deviations" // the value and the bound are robust standard deviations
	JumpPercent    = "percent"    // they are percent
)

// jump finds new weeks in which a headline moves far. More has the change in percent and, of
// JumpDeviations, the number of earlier changes and their median.
func (r *review) jump() (cases []Case) {
	if len(r.old) == 0 {
		return nil
	}
	of := headlines(r.next.Table.Rows)
	for _, cell := range slices.SortedFunc(maps.Keys(of), func(a, b jevons.Cell) int { return jevons.CompareCells(&a, &b) }) {
		var earlier []float64
		for _, row := range of[cell] {
			change := row.WoW.Float64()
			if !row.WoW.Valid {
				continue
			}
			if x := jumps(change, earlier); row.Week > r.released() && x.Kind != "" {
				x.Cell, x.Week = row.Cell, row.Week
				cases = append(cases, x)
			}
			earlier = append(earlier, change)
		}
	}
	return cases
}

// jumps returns the case of a change in percent that is a jump after the earlier ones. A change
// that is no jump gives a case with an empty kind.
func jumps(change float64, earlier []float64) Case {
	if len(earlier) >= jumpHistory {
		usual := median(slices.Clone(earlier))
		off := make([]float64, len(earlier))
		for i, x := range earlier {
			off[i] = math.Abs(x - usual)
		}
		deviation := madToDeviation * max(median(off), leastMAD)
		if n := math.Abs(change-usual) / deviation; n > jumpDeviations {
			return Case{Kind: JumpDeviations, Value: n, Bound: jumpDeviations, More: []any{change, len(earlier), usual}}
		}
	}
	if math.Abs(change) > jumpPercent {
		return Case{Kind: JumpPercent, Value: math.Abs(change), Bound: jumpPercent, More: []any{change}}
	}
	return Case{}
}

// headlines returns the changes of the national and city headlines of a table.
func headlines(rows []jevons.Row) map[jevons.Cell][]*jevons.Row {
	found := map[jevons.Cell][]*jevons.Row{}
	for i := range rows {
		if c := rows[i].Cell; c.Category == basket.Overall && c.Level <= jevons.City {
			found[*c] = append(found[*c], &rows[i])
		}
	}
	return found
}

// median returns the median of a list, which it sorts. An even count takes the mean of
// the middle two.
func median(list []float64) float64 {
	slices.Sort(list)
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2
}
