package release

import (
	"cmp"
	"fmt"
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

func (r *review) jump() (evidence []string, remedy string) {
	if len(r.old) == 0 {
		return nil, ""
	}
	of := headlines(r.next.Table.Rows)
	cells := slices.SortedFunc(maps.Keys(of), func(a, b jevons.Cell) int { return jevons.CompareCells(&a, &b) })
	var first *jevons.Row
	for _, cell := range cells {
		var earlier []float64
		for _, row := range of[cell] {
			change := row.WoW.Float64()
			if !row.WoW.Valid {
				continue
			}
			if row.Week > r.released() {
				if why := jumps(change, earlier); why != "" {
					first = cmp.Or(first, row)
					evidence = append(evidence, fmt.Sprintf("%s, week %s: %+.4f%% %s", cell, row.Week, change, why))
				}
			}
			earlier = append(earlier, change)
		}
	}
	if first == nil {
		return nil, ""
	}
	command := "larder explain --db NEXT --date " + first.Week.String()
	if first.Cell.City != "" {
		command += fmt.Sprintf(" --city %q", first.Cell.City)
	}
	return evidence, fmt.Sprintf("see what moved it (%s); if rows are wrong, import them again with %s, or set them aside with larder quarantine add --db NEXT --banner BANNER --from %s --to %s --reason \"REASON\"%s",
		command, correct, first.Week.Date()-6, first.Week, accept(Jump, "prices did move so"))
}

// jumps says in words why a change in percent is a jump after the earlier ones, or
// returns nothing.
func jumps(change float64, earlier []float64) string {
	if len(earlier) >= jumpHistory {
		usual := median(slices.Clone(earlier))
		off := make([]float64, len(earlier))
		for i, x := range earlier {
			off[i] = math.Abs(x - usual)
		}
		deviation := madToDeviation * max(median(off), leastMAD)
		if n := math.Abs(change-usual) / deviation; n > jumpDeviations {
			return fmt.Sprintf("is %.1f robust standard deviations from the median of its %d changes before, %+.4f%%", n, len(earlier), usual)
		}
	}
	if math.Abs(change) > jumpPercent {
		return fmt.Sprintf("is more than %d%%", jumpPercent)
	}
	return ""
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
