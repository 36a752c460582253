package jevons

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/larder-index/larder/jevons/internal/lanes"
	"github.com/larder-index/larder/panel"
)

// change notes the same-composition change of the headline of geography g in week k, which is the j-th in
// w.categories. Both levels are of the series priced in the base week, the week before and this one, so a
// store or product that comes or goes moves nothing.
func (e *engine) change(w *worker, k, g, j int) {
	before, items := w.rho(headline, g, j, lanes.Earlier)
	now, _ := w.rho(headline, g, j, lanes.Later)
	r := e.row(k, g, headline)
	r.WoW = panel.Fixed{}
	if items > 0 && e.opts.Floor.metBy(items, e.slices[headline].items) {
		r.WoW = round(100*(lanes.Exp(now-before)-1), fourDecimals)
		if e.assessed != nil {
			e.assessChange(w, k, g, j, now-before)
		}
	}
}

// gap is a week whose previous published week is not the week before, in some geographies of a
// scope that have the same base.
type gap struct{ scope, base, week, before int }

func (x gap) alike(y gap) bool { return x.scope == y.scope && x.base == y.base }

// matchCompositions computes the changes again of headlines whose previous
// published week is not the week before. A headline without a previous week has
// no change.
func (e *engine) matchCompositions() {
	of := map[gap][]int{} // geographies
	for g, scope := range e.scopes {
		last, any := 0, false // published
		for k := range e.weeks {
			r := e.row(k, g, headline)
			switch {
			case !any:
				r.WoW = panel.Fixed{}
			case last < k-1 && r.Index.Valid:
				x := gap{scope, e.entry[g].week, k, last}
				of[x] = append(of[x], g)
			}
			if r.Index.Valid {
				last, any = k, true
			}
		}
	}
	gaps := slices.SortedFunc(maps.Keys(of), func(a, b gap) int {
		return cmp.Or(a.scope-b.scope, a.base-b.base, a.week-b.week, a.before-b.before)
	})
	var together [][]gap // each week beside the one before it
	for _, x := range gaps {
		last := len(together) - 1
		if last >= 0 && len(together[last]) < lanes.Width/2 && together[last][0].alike(x) {
			together[last] = append(together[last], x)
		} else {
			together = append(together, []gap{x})
		}
	}
	e.each(len(together), func(w *worker, i int) {
		weeks := weeks{before: e.none, base: e.logs[together[i][0].base]}
		for _, x := range together[i] {
			weeks.now = append(weeks.now, e.logs[x.before], e.logs[x.week])
		}
		e.aggregate(w, together[i][0].scope, weeks)
		for j, x := range together[i] {
			for _, g := range of[x] {
				e.change(w, x.week, g, 2*j+1)
			}
		}
	})
}

// ratio returns the percent change of a published level from the i-th of the rows of another week. It
// is null without that level.
func ratio(r *Row, then []Row, i int) panel.Fixed {
	if then == nil || !then[i].Index.Valid {
		return panel.Fixed{}
	}
	return PercentChange(r.Index.Units, then[i].Index.Units)
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

// OverWeek returns the change of a product's relative in percent; null where it is not matched.
func (c *Contribution) OverWeek() panel.Fixed {
	if c.Relative == 0 || c.Before == 0 {
		return panel.Fixed{}
	}
	return round(100*(c.Relative/c.Before-1), fourDecimals)
}
