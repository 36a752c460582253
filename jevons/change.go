package jevons

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// noteChange notes the same-composition change of the headline of geography g in
// week k, which is the j-th in w.acc. Both levels are of the series priced in the
// base week, the week before and this one, so a store or product that comes or
// goes moves nothing.
func (e *engine) noteChange(w *worker, k, g, j int) {
	before, items := e.headline(w.acc, g, j, lanes.Earlier)
	now, _ := e.headline(w.acc, g, j, lanes.Later)
	change := math.NaN()
	if items > 0 && e.opts.Floor.metBy(items, e.slices[basket.Overall].items) {
		change = 100 * (lanes.Exp(now-before) - 1)
		if e.assessed != nil {
			e.assessChange(w, k, g, j, now-before)
		}
	}
	e.wow[k*len(e.geos)+g] = change
}

// gap is a week whose previous published week is not the week before, in some geographies of a
// plan that have the same base.
type gap struct{ plan, base, week, before int }

// matchCompositions computes the changes again of headlines whose previous
// published week is not the week before. A headline without a previous week has
// no change.
func (e *engine) matchCompositions() {
	n := len(e.geos)
	var gaps []gap
	for g, plan := range e.geos {
		last := -1 // published
		for k := range e.weeks {
			u, published := last, e.items[e.at(k, g)] > 0
			if e.before[k*n+g] = u; u < 0 {
				e.wow[k*n+g] = math.NaN()
			} else if u < k-1 && published {
				gaps = append(gaps, gap{plan, e.entry[g], k, u})
			}
			if published {
				last = k
			}
		}
	}
	slices.SortFunc(gaps, func(a, b gap) int {
		return cmp.Or(a.plan-b.plan, a.base-b.base, a.week-b.week, a.before-b.before)
	})
	var bands [][]gap // each week beside the one before it
	for _, x := range slices.Compact(gaps) {
		last := len(bands) - 1
		if last < 0 || len(bands[last]) == lanes.Width/2 || bands[last][0].plan != x.plan || bands[last][0].base != x.base {
			bands, last = append(bands, nil), last+1
		}
		bands[last] = append(bands[last], x)
	}
	e.each(len(bands), func(w *worker, i int) {
		plan, weeks := &e.plans[bands[i][0].plan], stretch{before: e.none, base: e.logs[bands[i][0].base]}
		for _, x := range bands[i] {
			weeks.now = append(weeks.now, e.logs[x.before], e.logs[x.week])
		}
		e.measure(w, plan, weeks)
		for j, x := range bands[i] {
			for _, g := range plan.geos {
				if e.before[x.week*n+g] == x.before && e.entry[g] == x.base {
					e.noteChange(w, x.week, g, 2*j+1)
				}
			}
		}
	})
}

// ratio returns the percent change of the i-th cell's published level from week then
// to week now. It is null when the earlier level is not published, as in week -1.
func (e *engine) ratio(i, now, then int) panel.Fixed {
	n := len(e.cells)
	if then < 0 || e.items[then*n+i] == 0 {
		return panel.Fixed{}
	}
	return PercentChange(e.level[now*n+i], e.level[then*n+i])
}

// Published decimals: how many ten-thousandths make one unit in the last
// place.
const (
	fourDecimals = 1
	twoDecimals  = 100

	unitsPerOne = 10_000
)

// tieSlack is how near to a tie, in units of the last place, a computed value
// counts as the tie. Logarithms carry an error of some 1e-15 of a level, far
// below it. Without it chance would decide whether a dollar value of exactly
// 2.345 is published as 2.34 or 2.35.
const tieSlack = 1e-7

// round rounds x half away from zero to a multiple of step ten-thousandths. A
// value that does not fit is null.
func round(x float64, step int64) panel.Fixed {
	scaled := math.Abs(x) * unitsPerOne / float64(step)
	if !(scaled < float64(math.MaxInt64/2/step)) {
		return panel.Fixed{}
	}
	units := int64(math.Floor(scaled+0.5+tieSlack)) * step
	if x < 0 {
		units = -units
	}
	return panel.FixedOf(units)
}

// PercentChange returns 100 * (v - q) / q, in percent rounded to four decimals, half away
// from zero, for two published levels of at least 0 in ten-thousandths. It is exact: the
// product has 128 bits. A change against 0, or one that does not fit, is null.
func PercentChange(v, q int64) panel.Fixed {
	const hundred = 100 * unitsPerOne
	diff, sign := v-q, int64(1)
	if diff < 0 {
		diff, sign = -diff, -1
	}
	hi, lo := bits.Mul64(uint64(diff), hundred)
	if hi >= uint64(q) {
		return panel.Fixed{}
	}
	units, rest := bits.Div64(hi, lo, uint64(q))
	if rest >= uint64(q)-rest {
		units++
	}
	if units > math.MaxInt64 {
		return panel.Fixed{}
	}
	return panel.FixedOf(sign * int64(units))
}

// QualityOf returns the quality of a published row by the prices of a table. It is empty if these give another row.
func (t *Table) QualityOf(row *Row) (q Quality) {
	if same := t.Find(row.Week, *row.Cell); same != nil && row.Same(same) {
		q = *same.Extra.Quality
	}
	return q
}

// AboveBase returns a level less the 100 of its base.
func AboveBase(level panel.Fixed) panel.Fixed {
	return panel.Fixed{Units: level.Units - 100*unitsPerOne, Valid: level.Valid}
}

// Unclear reports whether the interval of a change contains none. Without one it doesn't.
func Unclear(low, high panel.Fixed) bool { return low.Valid && low.Units <= 0 && high.Units >= 0 }

// OverWeek returns the change of a product's relative in percent, four decimals; empty where it is not matched.
func (c *Contribution) OverWeek() string {
	if c.Relative == 0 || c.Before == 0 {
		return ""
	}
	return fmt.Sprintf("%.4f", 100*(c.Relative/c.Before-1))
}
