package release

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// measure is a figure of a banner's prices in a week, nationwide, in a city or in a category.
type measure struct {
	rule  Rule
	what  string // in words: %[1]s is the value, %[2]d the number of prices
	unit  string // of what show returns
	show  func(x float64) (value float64, format string)
	wide  class // of banners, and of banners in cities
	slice class // of banners' categories
}

var measures = [...]measure{
	{Shift, "the median of %[2]d prices moves by %[1]s",
		"percent", ofLog, class{least: 0.003, stop: 20}, class{least: 0.01, stop: 36}},
	{Shift, "the trimmed mean of %[2]d prices moves by %[1]s",
		"percent", ofLog, class{least: 0.0035, warn: 6, stop: 16}, class{least: 0.01, stop: 24}},
	{Shift, "%[2]d prices move by %[1]s, up or down",
		"percent", ofLog, class{least: 0.005, stop: 16}, class{}},
	{Shift, "%[1]s of %[2]d prices change by half or more",
		"percent", ofShare, class{least: 0.004, above: true, warn: 12, stop: 40}, class{}},
	{Frozen, "%[1]s of %[2]d prices are those of the week before",
		"percent", ofLogit, class{least: 0.1, warn: 5, stop: 14}, class{}},
	{Frozen, "%[1]s of %[2]d prices are those of two weeks before",
		"percent", ofLogit, class{least: 0.1, warn: 5, stop: 14}, class{}},
	{Frozen, "%[1]s of %[2]d prices are those of three weeks before",
		"percent", ofLogit, class{least: 0.1, warn: 5, stop: 14}, class{}},
	{Surge, "%[1]s more of %[2]d rows than in the week before are set aside or fail identity",
		"percent", ofShare, class{least: 0.008, above: true}, class{}},
	{Surge, "%[1]s more of %[2]d rows than in the week before have no title, so that nothing tells what they are",
		"percent", ofShare, class{least: 0.01, above: true}, class{}},
	{Surge, "there are %[1]s rows for each price that is sought",
		"times", ofCount, class{least: 0.05, above: true, stop: never}, class{}},
	{Promotions, "%[1]s of %[2]d rows are on sale",
		"percent", ofLogit, class{least: 0.3, warn: 6, stop: 14}, class{}},
	{Promotions, "sales take %[1]s off, by the mean of %[2]d rows on sale",
		"percent", ofDiscount, class{least: 0.02, warn: 6, stop: never}, class{}},
	{Promotions, "%[1]s of %[2]d rows on sale are past the end of the sale",
		"percent", ofShare, class{least: 0.01, above: true, warn: 5, stop: 20}, class{}},
	{Promotions, "%[1]s of %[2]d rows are not known to be in stock",
		"percent", ofShare, class{least: 0.02, above: true, stop: 25}, class{}},
	{Promotions, "%[1]s of %[2]d rows ask neither their sale price nor their regular price",
		"percent", ofShare, class{least: 0.007, above: true, warn: 5, stop: 40}, class{}},
}

const (
	firstStill   = 4
	asideMeasure = firstStill + 3
	saleMeasure  = asideMeasure + 3
	halfMore     = 0.4054651081081644 // ln 1.5
	asideWeeks   = 16                 // that say how many rows the old snapshot set aside
	leastOf      = 8                  // prices that a figure needs
	leastOfKind  = 30                 // and those of a category
	lookBack     = 53                 // weeks before the first new one that say what is usual
)

func ofLog(x float64) (float64, string)   { return 100 * math.Expm1(x), "%+.2f%%" }
func ofShare(x float64) (float64, string) { return 100 * x, "%.1f%%" }
func ofCount(x float64) (float64, string) { return x, "%.2f" }

// ofDiscount shows the mean of ln(regular/effective).
func ofDiscount(x float64) (float64, string) { return -100 * math.Expm1(-x), "%.1f%%" }

// logitOf returns the logit of n of all, with half a row more on either side, so that it is finite.
func logitOf(n, all int) float64 { return math.Log((float64(n) + 0.5) / (float64(all-n) + 0.5)) }

// ofLogit shows a share that is measured by its logit: 99 of 100 are as far from 95 as 19 from 4.
func ofLogit(x float64) (float64, string) { return 100 / (1 + math.Exp(-x)), "%.1f%%" }

func (m *measure) classOf(kind int) *class {
	if kind == 2 {
		return &m.slice
	}
	return &m.wide
}

// measure returns the figures of the week, NaN where too few prices say them, and the sorted moves. It is
// given how many rows the old snapshot had, and how many of them it set aside.
func (g *watched) measure(released [2]int) (values [len(measures)]float64, logs []float64) {
	for m := range values {
		values[m] = math.NaN()
	}
	for i := range g.moves {
		logs = append(logs, g.moves[i].log)
	}
	slices.Sort(logs)
	if len(logs) >= leastOf && (g.kind < 2 || len(logs) >= leastOfKind) {
		sizes := make([]float64, len(logs))
		for i, x := range logs {
			sizes[i] = math.Abs(x)
		}
		slices.Sort(sizes)
		leaps, _ := slices.BinarySearch(sizes, halfMore)
		values[0], values[1], values[2] = middle(logs), trimmed(logs), trimmed(sizes)
		values[3] = 1 - float64(leaps)/float64(len(logs))
	}
	for k := range g.still {
		if g.kind < 2 && g.known[k] >= leastOf {
			values[firstStill+k] = logitOf(g.still[k], g.known[k])
		}
	}
	if g.kind < 2 && g.rows >= leastOf {
		away, untitled := float64(g.away)/float64(g.rows), float64(g.untitled)/float64(g.rows)
		if released[0] > 0 {
			away = float64(released[1]) / float64(released[0])
		}
		if g.seen {
			values[asideMeasure], values[asideMeasure+1] = away-g.wasAway, untitled-g.wasUntitled
		}
		g.seen, g.wasAway, g.wasUntitled = true, away, untitled
	}
	if g.kind == 0 && g.counts >= leastOfKind {
		n := float64(g.counts)
		values[saleMeasure] = logitOf(g.onSale, g.counts)
		values[saleMeasure+3], values[saleMeasure+4] = float64(g.unstocked)/n, float64(g.neither)/n
		if g.onSale >= leastOf {
			values[saleMeasure+2] = float64(g.ended) / float64(g.onSale)
		}
		if g.discounted >= leastOf {
			values[saleMeasure+1] = g.deep / float64(g.discounted)
		}
	}
	if g.kind == 0 && g.priced >= leastOf {
		values[asideMeasure+2] = float64(g.counts) / float64(g.priced)
	}
	return values, logs
}

// knows reports whether a rule told as much of the banner already: the widest place is named.
func (g *watched) knows(rule Rule, stops bool) bool {
	told := g.told[rule]
	if g.wide != nil {
		told = max(told, g.wide.told[rule])
	}
	return told == 2 || told == 1 && !stops
}

func (w *watch) tell(g *watched, f Finding, format string, a ...any) {
	if g.knows(f.Rule, f.Stops) {
		return
	}
	if g.told[f.Rule] = 1; f.Stops {
		g.told[f.Rule] = 2
	}
	f.Cell = g.cell
	w.review.add(f, format, a...)
}

// judge holds the figures of a week against what is usual. Of each rule the farthest is told, one that stops
// before one that does not.
func (w *watch) judge(g *watched, week panel.Week, values [len(measures)]float64) {
	found := map[Rule]Finding{}
	for i, x := range values {
		m := &measures[i]
		c := m.classOf(g.kind)
		if math.IsNaN(x) || c.least == 0 || m.rule == Shift && g.knows(Scale, true) {
			continue
		}
		s, ok := c.usualOf(g.past[i], func() span { return w.pool(g.kind, i, c) })
		low, high, stops, beyond := c.beyond(x, s)
		if !ok || !beyond {
			continue
		}
		value, format := m.show(x)
		low, _ = m.show(low)
		high, _ = m.show(high)
		f := Finding{Rule: m.rule, Stops: stops, Week: week, Value: fixed(value), Low: fixed(low), High: fixed(high),
			Unit: m.unit, off: math.Abs(x-s.median) / s.deviation}
		if c.above {
			f.Low, low = panel.Fixed{}, 0
		}
		if was := found[m.rule]; f.Stops && !was.Stops || f.Stops == was.Stops && f.off > was.off {
			f.Text = fmt.Sprintf(m.what+"; %[3]s", fmt.Sprintf(format, value), g.rowsOf(i), s.usual(low, high, format))
			if i == asideMeasure {
				why := slices.SortedFunc(maps.Keys(g.why), func(a, b string) int {
					return cmp.Or(g.why[b]-g.why[a], cmp.Compare(a, b))
				})
				f.Text += fmt.Sprintf("; %d by %s", g.why[why[0]], why[0])
			}
			found[m.rule] = f
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(found)) {
		w.tell(g, found[rule], "%s", found[rule].Text)
	}
}

// rowsOf returns how many rows, or prices, the text of a measure is about.
func (g *watched) rowsOf(measure int) int {
	switch {
	case measures[measure].rule == Shift:
		return len(g.moves)
	case measure == saleMeasure+1:
		return g.discounted
	case measure == saleMeasure+2:
		return g.onSale
	case measures[measure].rule == Promotions:
		return g.counts
	}
	return g.rows
}

// pool returns what is usual for all series of a kind.
func (w *watch) pool(kind, measure int, c *class) span {
	at := [2]int{kind, measure}
	if _, ok := w.pools[at]; !ok {
		var all []float64
		for _, g := range w.groups {
			if g.kind == kind {
				all = append(all, g.past[measure]...)
			}
		}
		w.pools[at] = c.spanOf(all)
	}
	return w.pools[at]
}

// The rule scale: the median ratio of prices to those before.
const mostScale = 3

// scale looks at rows that count, or that a gate rule set aside for the scale of their price. The
// price before is that of the series' last passing row before the week, so several rows in a week
// are all compared with the weeks before. A series without one has the price of its last
// row that was set aside so: where dollars and cents are as many, the gate sets all of them aside.
func (w *watch) scale(g *watched, week panel.Week, logs []float64) {
	if len(logs) == 0 || g.kind > 0 && len(logs) < leastOf {
		return
	}
	list := slices.Clone(g.moves)
	slices.SortStableFunc(list, func(a, b move) int { return cmp.Compare(a.ratio(), b.ratio()) })
	low, high := list[(len(list)-1)/2], list[len(list)/2]
	ratio := (low.ratio() + high.ratio()) / 2
	if ratio <= mostScale && ratio >= 1.0/mostScale {
		return
	}
	text, more, rule, set := fmt.Sprintf("%.2f times", ratio), "", "", 0
	if ratio < 1 {
		text = fmt.Sprintf("1/%.2f of", 1/ratio)
	}
	for i := range list {
		if list[i].rule != "" {
			rule, set = list[i].rule, set+1
		}
	}
	if set > 0 {
		more = fmt.Sprintf("; %s set %d of them aside", rule, set)
	}
	w.tell(g, Finding{Rule: Scale, Stops: true, Week: week, Value: fixed(ratio), Low: fixed(1.0 / mostScale),
		High: fixed(mostScale), Unit: "times", off: math.Abs(math.Log(ratio))},
		"the median of %d prices is %s the price of the same listing and store before, such as %s after %s of listing %d"+
			" at store %d%s",
		len(list), text, low.price, low.before, low.listing, low.store, more)
}

func (x *move) ratio() float64 { return float64(x.price) / float64(x.before) }

// Of the rule vanished: the weeks that say how many prices are usual, and the prices that a category must
// have had.
const (
	usualWeeks    = 8
	leastCategory = 12
	mostMissed    = 2 // stores that are not seen in a week by chance
	slowWeeks     = 26
	recentWeeks   = 3    // whose median is what is left, where losses are slow
	slowShare     = 0.75 // of what was usual, or priced in the base week
)

// vanished finds what has far fewer prices than usual, in three comparisons: with the median of the last 8 weeks,
// with the highest such median of the last 26, and of the series priced in the base week with those that still are.
// The last two see what is lost little by little: under three quarters is a warning, under half stops. Of the first
// only under half is told. A comparison is told in the first week that goes below. None stops
// where one or two stores that were not seen explain it: that happens. A whole banner of so few stores stops if
// it had a headline, a category only if it has no price.
func (w *watch) vanished(g *watched, week panel.Week) {
	n := len(g.prices) - 1
	if n == 0 {
		return
	}
	usual, shops := median(g.prices[max(0, n-usualWeeks):n]), median(g.shops[max(0, n-usualWeeks):n])
	least := float64(leastOf)
	if g.kind == 2 {
		least = leastCategory
	}
	missed := shops - float64(len(g.stores))
	many := missed < 1 || missed > mostMissed
	tell := func(is, was, of float64, warns bool, format string, a ...any) {
		low := of / 2
		stops := is < low && was >= low
		if warns = warns && is < slowShare*of && was >= slowShare*of; of < least || !stops && !warns {
			return
		}
		if !stops {
			low = slowShare * of
		}
		headline := func(row jevons.Row) bool {
			return row.Cell.Banner == g.cell.Banner && row.Cell.Category == basket.Overall
		}
		stops = stops && (many && (g.kind < 2 || is == 0) ||
			g.kind == 0 && is == 0 && slices.ContainsFunc(lastWeek(w.old), headline))
		w.tell(g, Finding{Rule: Vanished, Stops: stops, Week: week, Value: fixed(is), Low: fixed(low), Unit: "count", off: of - is},
			format, a...)
	}
	fell := func(week int) bool {
		return 2*g.prices[week] < median(g.prices[max(0, week-usualWeeks):week])
	}
	is, was := float64(g.priced), g.prices[n-1]
	tell(is, was, usual, false, "%d series with a price; usual are %g, in %s", g.priced, usual, phrase.Count(int(shops), "store"))
	if g.kind == 2 || n < recentWeeks || fell(n-1) || fell(n) || n > 2 && fell(n-2) { // that was told
		return
	}
	is, was = median(g.prices[n+1-recentWeeks:]), median(g.prices[n-recentWeeks:n])
	highest := highestMedian(g.prices[:n])
	tell(is, was, highest, true, "%g series with a price, by the median of %d weeks; the highest of 8 was %g, in the last 26",
		is, recentWeeks, highest)
	is, was = median(g.matched[n+1-recentWeeks:]), median(g.matched[n-recentWeeks:n])
	tell(is, was, g.base, true, "%g series with a price in the base week have one, by the median of %d weeks; they were %g",
		is, recentWeeks, g.base)
}

// highestMedian returns the highest median of 8 successive values of the last 26, of all while they are fewer than 8.
func highestMedian(list []float64) (highest float64) {
	list = list[max(0, len(list)-slowWeeks):]
	for i := range max(1, len(list)+1-usualWeeks) {
		highest = max(highest, median(list[i:min(len(list), i+usualWeeks)]))
	}
	return highest
}
