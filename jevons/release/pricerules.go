package release

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

const (
	leastPrices = 8                  // that a figure needs
	leastLarge  = 30                 // and one of a category, or of promotions
	halfMore    = 0.4054651081081644 // ln 1.5
	mostScale   = 3.0                // of a median price relative
)

// figure is a number that a rule watches in a group, week by week.
type figure struct {
	code  string // of words
	value float64
	rows  int // that it is of
	limits
	shown func(float64) float64 // the value as it is said
}

func percentOfLog(x float64) float64      { return 100 * math.Expm1(x) }
func percentOfShare(x float64) float64    { return 100 * x }
func percentOfLogit(x float64) float64    { return 100 / (1 + math.Exp(-x)) }
func percentOfDiscount(x float64) float64 { return -100 * math.Expm1(-x) }
func asItIs(x float64) float64            { return x }

// logit measures a share so that 99 of 100 are as far from 95 as 19 from 4. Half a row more on either side makes it
// finite.
func logit(n, all int) float64 { return math.Log((float64(n) + 0.5) / (float64(all-n) + 0.5)) }

func share(n, of int) float64 { return float64(n) / float64(of) }

// priceRules are the rules about figures.
var priceRules = [...]struct {
	name    Rule
	figures func(g *group, old asideCount) []figure
}{{Shift, shift}, {Frozen, frozen}, {Surge, surge}, {Promotions, promotions}}

// shift watches how far a group's prices move together, and how far they move at all.
func shift(g *group, _ asideCount) []figure {
	n := len(g.relatives)
	if n < leastPrices || g.kind == ofCategory && n < leastLarge {
		return nil
	}
	logs, large := make([]float64, n), 0
	for i, x := range g.relatives {
		logs[i] = x.log
		if math.Abs(x.log) >= halfMore {
			large++
		}
	}
	slices.Sort(logs)
	mean := figure{"relatives_mean", trimmedMean(logs), n, limits{least: 0.01, stop: 24}, percentOfLog}
	if g.kind == ofCategory {
		return []figure{mean}
	}
	mean.limits = limits{least: 0.0035, warn: 6, stop: 16}
	return []figure{
		{"relatives_median", middle(logs), n, limits{least: 0.003, stop: 20}, percentOfLog},
		mean,
		{"relatives_large", share(large, n), n, limits{least: 0.004, above: true, warn: 12, stop: 40}, percentOfShare},
	}
}

// frozen watches how many prices stand still for one, two and three weeks.
func frozen(g *group, _ asideCount) (list []figure) {
	for k, code := range [...]string{"unchanged_1", "unchanged_2", "unchanged_3"} {
		if g.kind != ofCategory && g.comparable[k] >= leastPrices {
			value := logit(g.unchanged[k], g.comparable[k])
			list = append(list, figure{code, value, g.rows, limits{least: 0.1, warn: 5, stop: 14}, percentOfLogit})
		}
	}
	return list
}

// surge watches how many more rows than in the week before are set aside or have no title, and how many rows there
// are for a price. What the old snapshot set aside counts as it was.
func surge(g *group, old asideCount) (list []figure) {
	if g.kind != ofCategory && g.rows >= leastPrices {
		aside, untitled := share(g.aside, g.rows), share(g.noTitle, g.rows)
		if old.rows > 0 {
			aside = share(old.aside, old.rows)
		}
		list = append(list,
			figure{"set_aside", aside - g.shareAside, g.rows, limits{least: 0.008, above: true}, percentOfShare},
			figure{"untitled", untitled - g.untitled, g.rows, limits{least: 0.01, above: true}, percentOfShare})
		g.shareAside, g.untitled = aside, untitled
	}
	if g.kind == ofBanner && g.withPrice >= leastPrices {
		list = append(list, figure{"repeated", share(g.passed, g.withPrice), g.rows,
			limits{least: 0.05, above: true, stop: never}, asItIs})
	}
	return list
}

// promotions watches how many of a banner's rows are on sale, by how much, past its end, out of stock, or at a
// price that neither the sale nor the regular price explains.
func promotions(g *group, _ asideCount) []figure {
	n := g.passed
	if g.kind != ofBanner || n < leastLarge {
		return nil
	}
	list := []figure{{"on_sale", logit(g.onSale, n), n, limits{least: 0.3, warn: 6, stop: 14}, percentOfLogit}}
	if g.discounted >= leastPrices {
		list = append(list, figure{"discount", g.discount / float64(g.discounted), g.discounted,
			limits{least: 0.02, warn: 6, stop: never}, percentOfDiscount})
	}
	if g.onSale >= leastPrices {
		list = append(list, figure{"expired", share(g.expired, g.onSale), g.onSale,
			limits{least: 0.01, above: true, warn: 5, stop: 20}, percentOfShare})
	}
	return append(list,
		figure{"out_of_stock", share(g.outOfStock, n), n, limits{least: 0.02, above: true, stop: 25}, percentOfShare},
		figure{"unexplained", share(g.unexplained, n), n,
			limits{least: 0.007, above: true, warn: 5, stop: 40}, percentOfShare})
}

// isReported reports whether a rule found as much of the group, or of its banner, in the week.
func (g *group) isReported(rule Rule, stops bool) bool {
	has, ok := g.reported[rule]
	return ok && (has || !stops) || g.banner != nil && g.banner.isReported(rule, stops)
}

// report adds a finding about a group. The widest place is named: a part of it is not found again.
func (s *scan) report(g *group, f Finding) {
	if g.isReported(f.Rule, f.Stops) {
		return
	}
	g.reported[f.Rule] = f.Stops
	f.Cell = g.cell
	s.review.add(f)
}

// judge holds the figures of a rule against what is usual. It reports the farthest, one that stops
// before one that does not.
func (s *scan) judge(g *group, week panel.Week, rule Rule, figures []figure) {
	if rule == Shift && g.isReported(Scale, true) {
		return
	}
	var worst Finding
	for _, x := range figures {
		u, ok := x.usualOf(g.history[x.code], func() usual { return s.pool(g.kind, &x) })
		low, high, stops, beyond := x.beyond(x.value, u)
		if !beyond && x.code == "unchanged_3" && g.unchanged[2] == g.comparable[2] {
			// A copy that is collected for months is usual by its own weeks, and not by those of others.
			u = s.pool(g.kind, &x)
			x.code, x.stop = "unchanged_long", never
			low, high, stops, beyond = x.beyond(x.value, u)
			ok = u.values >= leastHistory
		}
		distance := math.Abs(x.value-u.median) / u.deviation
		if !ok || !beyond || worst.Stops && !stops || worst.Stops == stops && distance <= worst.distance {
			continue
		}
		value, lowShown := x.shown(x.value), x.shown(low)
		worst = Finding{Rule: rule, Stops: stops, Week: week, Unit: "percent", distance: distance, Code: x.code,
			Value: fixed(value), Low: fixed(lowShown), High: fixed(x.shown(high))}
		if x.above {
			worst.Low, lowShown = panel.Fixed{}, 0
		}
		worst.Args = []any{value, x.rows, lowShown, x.shown(high), u}
		switch x.code {
		case "set_aside":
			most := slices.MinFunc(slices.Collect(maps.Keys(g.asideBy)), func(a, b string) int {
				return cmp.Or(g.asideBy[b]-g.asideBy[a], cmp.Compare(a, b))
			})
			worst.Args = append(worst.Args, g.asideBy[most], most)
		case "repeated":
			worst.Unit = "times"
		}
	}
	if worst.Code != "" {
		s.report(g, worst)
	}
}

// pool describes the earlier values of a figure in all groups of a kind.
func (s *scan) pool(kind groupKind, x *figure) usual {
	key := string(kind) + " " + x.code
	if _, ok := s.pools[key]; !ok {
		var all []float64
		for _, g := range s.groups {
			if g.kind == kind {
				all = append(all, g.history[x.code]...)
			}
		}
		s.pools[key] = x.describe(all)
	}
	return s.pools[key]
}

// scale looks at rows that pass, or that a gate rule set aside for the scale of their price. The
// price before is that of the series' last passing row before the week, so several rows in a week
// are all compared with the weeks before. A series without one has the price of its last
// row that was set aside so: where dollars and cents are as many, the gate sets all of them aside.
func (s *scan) scale(g *group, week panel.Week) {
	n := len(g.relatives)
	if n == 0 || g.kind != ofBanner && n < leastPrices {
		return
	}
	list := slices.Clone(g.relatives)
	slices.SortStableFunc(list, func(a, b relative) int { return cmp.Compare(a.ratio(), b.ratio()) })
	low, high := list[(n-1)/2], list[n/2]
	ratio := (low.ratio() + high.ratio()) / 2
	if ratio <= mostScale && ratio >= 1/mostScale {
		return
	}
	aside := 0
	for i := range list {
		if list[i].aside {
			aside++
		}
	}
	s.report(g, Finding{Rule: Scale, Stops: true, Week: week, Unit: "times", distance: math.Abs(math.Log(ratio)),
		Value: fixed(ratio), Low: fixed(1 / mostScale), High: fixed(mostScale), Code: "scale",
		Args: []any{n, times(ratio), low.price, low.before, low.listing, low.store, asideScale(aside)}})
}

// Of the rule vanished.
const (
	usualWeeks    = 8    // whose median is usual
	leastCategory = 12   // prices that a category must have had
	mostMissed    = 2    // stores that are not seen in a week by chance
	recentWeeks   = 3    // their median says what a slow loss has left
	slowShare     = 0.75 // of what was usual, or priced in the base week
)

// vanished finds what has far fewer prices than usual, in two comparisons: with the median of the last 8 weeks, and of
// the series priced in the base week with those that still are.
// The other sees what is lost little by little: under three quarters is a warning, under half stops. Of the first
// only under half is found. A comparison is reported in the first week that goes below.
func (s *scan) vanished(g *group, week panel.Week) {
	n := len(g.priced) - 1
	if n == 0 {
		return
	}
	before := max(0, n-usualWeeks)
	stores := median(g.stores[before:n])
	is, was, of := g.priced[n], g.priced[n-1], median(g.priced[before:n])
	if is < of/2 && was >= of/2 {
		s.fewer(g, week, stores, is, of, of/2, "series_usual", is, of, phrase.Count(int(stores), "store"))
	}
	fell := func(week int) bool { return 2*g.priced[week] < median(g.priced[max(0, week-usualWeeks):week]) }
	if g.kind == ofCategory || n < recentWeeks || fell(n-1) || fell(n) || fell(n-2) { // that was reported
		return
	}
	of = g.pricedInBase
	if is, low, ok := fellBelow(g.pricedSinceBase, of/2, slowShare*of); ok {
		s.fewer(g, week, stores, is, of, low, "series_base", is, recentWeeks, of)
	}
}

// fellBelow returns the median of the last 3 values, and the first bound that it is below and the one before was not.
func fellBelow(list []float64, bounds ...float64) (is, low float64, ok bool) {
	n := len(list)
	is, was := median(list[n-recentWeeks:]), median(list[n-1-recentWeeks:n-1])
	for _, low := range bounds {
		if is < low && was >= low {
			return is, low, true
		}
	}
	return is, 0, false
}

// fewer reports that a group has fewer series with a price than a bound. Under half stops, but not where
// one or two stores that were not seen explain it: that happens. A whole banner of so few stores stops if
// it had a headline, a category only if it has no price.
func (s *scan) fewer(g *group, week panel.Week, stores, is, of, low float64, code string, args ...any) {
	if of < leastPrices || g.kind == ofCategory && of < leastCategory {
		return
	}
	missed := stores - float64(len(g.inStores))
	many := missed < 1 || missed > mostMissed
	hadHeadline := slices.ContainsFunc(lastWeek(s.published), func(row jevons.Row) bool {
		return row.Cell.Banner == g.cell.Banner && row.Cell.Category == basket.Overall
	})
	stops := low == of/2 && (many && (g.kind != ofCategory || is == 0) || g.kind == ofBanner && is == 0 && hadHeadline)
	s.report(g, Finding{Rule: Vanished, Stops: stops, Week: week, Unit: "count", Code: code, Args: args,
		Value: fixed(is), Low: fixed(low), distance: of - is})
}
