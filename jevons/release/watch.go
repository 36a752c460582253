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
	kinds [3]class // of banners, of banners in cities and of banners' categories
}

var measures = [...]measure{
	{Shift, "the median of %[2]d prices moves by %[1]s", "percent", ofLog, [3]class{{least: 0.003, stop: 20}, {least: 0.003, stop: 20}, {least: 0.01, stop: 36}}},
	{Shift, "the trimmed mean of %[2]d prices moves by %[1]s", "percent", ofLog, [3]class{{least: 0.0035, warn: 6, stop: 16}, {least: 0.0035, warn: 6, stop: 16}, {least: 0.01, stop: 24}}},
	{Shift, "%[2]d prices move by %[1]s, up or down", "percent", ofLog, [3]class{{least: 0.005, stop: 16}, {least: 0.005, stop: 16}, {}}},
	{Shift, "%[1]s of %[2]d prices change by half or more", "percent", ofShare, [3]class{{least: 0.004, above: true, warn: 12, stop: 40}, {least: 0.004, above: true, warn: 12, stop: 40}, {}}},
	{Frozen, "%[1]s of %[2]d prices are those of the week before", "percent", ofLogit, [3]class{{least: 0.1, warn: 5, stop: 14}, {least: 0.1, warn: 5, stop: 14}, {}}},
	{Frozen, "%[1]s of %[2]d prices are those of two weeks before", "percent", ofLogit, [3]class{{least: 0.1, warn: 5, stop: 14}, {least: 0.1, warn: 5, stop: 14}, {}}},
	{Frozen, "%[1]s of %[2]d prices are those of three weeks before", "percent", ofLogit, [3]class{{least: 0.1, warn: 5, stop: 14}, {least: 0.1, warn: 5, stop: 14}, {}}},
	{Surge, "%[1]s more of %[2]d rows than in the week before are set aside or fail identity", "percent", ofShare, [3]class{{least: 0.008, above: true}, {least: 0.008, above: true}, {}}},
	{Surge, "%[1]s more of %[2]d rows than in the week before have no title, so that nothing tells what they are", "percent", ofShare, [3]class{{least: 0.01, above: true}, {least: 0.01, above: true}, {}}},
	{Surge, "there are %[1]s rows for each price that is sought", "times", ofCount, [3]class{{least: 0.05, above: true, stop: never}, {}, {}}},
}

const (
	firstStill   = 4
	asideMeasure = firstStill + 3
	halfMore     = 0.4054651081081644 // ln 1.5
	asideWeeks   = 16                 // that say how many rows the old snapshot set aside
	leastOf      = 8                  // prices that a figure needs
	leastOfKind  = 30                 // and those of a category
	lookBack     = 53                 // weeks before the first new one that say what is usual
)

func ofLog(x float64) (float64, string)   { return 100 * math.Expm1(x), "%+.2f%%" }
func ofShare(x float64) (float64, string) { return 100 * x, "%.1f%%" }
func ofCount(x float64) (float64, string) { return x, "%.2f" }

// ofLogit shows a share that is measured by its logit: 99 of 100 are as far from 95 as 19 from 4.
func ofLogit(x float64) (float64, string) { return 100 / (1 + math.Exp(-x)), "%.1f%%" }

type seriesID struct{ listing, store int64 }

// watched is a banner, a banner in a city, or a category of a banner.
type watched struct {
	cell *jevons.Cell
	kind int
	wide *watched // the banner; nil: it is one

	// Of the week at hand: rows; those set aside; those without a title; those that count; series and stores with a price.
	rows, away, untitled, counts, priced int
	stores                               map[int64]bool
	why                                  map[string]int // rows set aside, by rule
	moves                                []move
	still, known                         [3]int
	told                                 map[Rule]int // 1: warned, 2: stopped

	// Of the weeks before: the figures, and the shares of rows that were set aside, and had no title, in the last.
	past                 [len(measures)][]float64
	seen                 bool
	wasAway, wasUntitled float64
	prices, shops        []float64 // series and stores with a price, by week
}

// move is a price beside the same series' price before the week.
type move struct {
	seriesID
	price, before panel.Price
	log           float64
	rule          string // that set it aside
}

// series is what was seen of a listing at a store.
type series struct {
	in           [3]*watched
	passed, away track      // prices that pass, and those that were set aside for their scale
	first, since panel.Week // of a price that passes; since when it stands still
}

// track is the newest price, its week, and the last price before that week.
type track struct {
	week          panel.Week
	before, price panel.Price
}

func (t *track) add(week panel.Week, price panel.Price) {
	if t.week != week {
		t.week, t.before = week, t.price
	}
	t.price = price
}

func (t *track) upTo(week panel.Week) panel.Price {
	if t.week == week {
		return t.before
	}
	return t.price
}

// watch goes through the rows of a snapshot, week by week.
type watch struct {
	*review
	*side
	groups []*watched
	at     map[jevons.Cell]*watched
	labels []panel.Label
	series map[seriesID]*series
	before map[mark][2]int // rows, and those that were set aside, as of the old snapshot
	pools  map[[2]int]span
}

// prices applies the rules that look at prices, to all new weeks. What is usual is known from the
// weeks before, up to a year. Rows of active stores, listings and products count, of all banners: shoppers
// see the prices of those outside the index too.
func (r *review) prices() {
	if len(r.old) == 0 {
		return
	}
	w := &watch{r, newSide(r.next), nil, map[jevons.Cell]*watched{}, r.next.Rows.Labels(), map[seriesID]*series{}, map[mark][2]int{}, nil}
	if r.snapshot.Rows != r.next.Rows {
		w.remember()
	}
	// A week whose rows are all set aside has none in the table.
	through := cmp.Or(r.next.Table.Options.Through, lastOf(r.next.Table.Rows))
	asideFor := r.setAside()
	i, end := w.rows.Between(startOf(r.released().Add(1-lookBack)), startOf(through.Add(1)))
	for i < end {
		week := w.weekOf(i)
		for ; i < end && w.weekOf(i) == week; i++ {
			w.add(i, week, asideFor)
		}
		w.close(week)
	}
}

// remember counts the rows of the old snapshot, and those that it set aside, by week.
func (w *watch) remember() {
	old := newSide(w.snapshot)
	i, end := old.rows.Between(startOf(w.released().Add(1-asideWeeks)), startOf(w.released().Add(1)))
	for ; i < end; i++ {
		banner := old.active(i)
		for _, city := range [...]string{"", old.stores[old.rows.Store(i)].city} {
			at := mark{old.weekOf(i), jevons.Cell{Level: jevons.Banner, City: city, Banner: banner}}
			n := w.before[at]
			if n[0]++; old.rows.Verdict(i) != panel.Pass {
				n[1]++
			}
			w.before[at] = n
		}
	}
}

func (w *watch) group(cell jevons.Cell, wide *watched, kind int) *watched {
	g := w.at[cell]
	if g == nil {
		cell.Level = jevons.Banner
		g = &watched{cell: &cell, kind: kind, wide: wide, stores: map[int64]bool{}, why: map[string]int{}}
		w.groups, w.at[cell] = append(w.groups, g), g
	}
	return g
}

// add adds a row of a week to its series and what is watched of it. Rows that were corrected don't count.
func (w *watch) add(i int, week panel.Week, asideFor func(i int) (rule string, corrected bool)) {
	id := seriesID{w.rows.Listing(i), w.rows.Store(i)}
	s := w.series[id]
	if s == nil {
		s = &series{}
		w.series[id] = s
		banner := w.active(i)
		if banner == "" {
			return
		}
		all := w.group(jevons.Cell{Level: jevons.Banner, Banner: banner}, nil, 0)
		s.in = [3]*watched{
			all,
			w.group(jevons.Cell{Level: jevons.Banner, Banner: banner, City: w.stores[id.store].city}, all, 1),
			w.group(jevons.Cell{Level: jevons.Banner, Banner: banner, Category: w.listings[id.listing].category}, all, 2),
		}
	}
	if s.in[0] == nil {
		return
	}
	why, scaled := "", ""
	if w.rows.Verdict(i) != panel.Pass {
		rule, corrected := asideFor(i)
		if corrected {
			return
		}
		why, scaled = w.rows.Judge(i).Rule(), rule
	}
	price := w.rows.Effective(i)
	x := move{seriesID: id, price: price, before: cmp.Or(s.passed.upTo(week), s.away.upTo(week)), rule: scaled}
	if x.price != x.before && x.before != 0 {
		x.log = math.Log(float64(x.price) / float64(x.before))
	}
	untitled := w.labels[w.rows.Label(i)].ScrapedName == ""
	fresh := why == "" && s.passed.week != week
	switch {
	case scaled != "":
		s.away.add(week, price)
	case why == "":
		if s.first == 0 {
			s.first = week
		}
		if s.passed.price != price {
			s.since = week
		}
		s.passed.add(week, price)
	}
	for _, g := range s.in {
		if g.rows++; why != "" {
			g.away++
			g.why[why]++
		} else {
			g.counts++
		}
		if untitled {
			g.untitled++
		}
		if x.before != 0 && (why == "" || scaled != "") {
			g.moves = append(g.moves, x)
		}
		if fresh {
			g.priced++
			g.stores[id.store] = true
		}
		for k := range g.still {
			if past := week.Add(-1 - k); why == "" && s.first <= past {
				if g.known[k]++; s.since <= past {
					g.still[k]++
				}
			}
		}
	}
}

// close judges a week if it is new, and makes it one of the weeks before.
func (w *watch) close(week panel.Week) {
	w.pools = map[[2]int]span{}
	var all [][len(measures)]float64
	for _, g := range w.groups {
		values, sorted := g.measure(w.before[mark{week, *g.cell}])
		if week > w.released() {
			g.told = map[Rule]int{}
			w.scale(g, week, sorted)
			w.judge(g, week, values)
			w.vanished(g, week)
		}
		all = append(all, values)
	}
	for i, g := range w.groups {
		for m, x := range all[i] {
			if !math.IsNaN(x) {
				g.past[m] = append(g.past[m], x)
			}
		}
		g.prices, g.shops = append(g.prices, float64(g.priced)), append(g.shops, float64(len(g.stores)))
		g.rows, g.away, g.untitled, g.counts, g.priced, g.moves, g.still, g.known = 0, 0, 0, 0, 0, g.moves[:0], [3]int{}, [3]int{}
		clear(g.stores)
		clear(g.why)
	}
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
			values[firstStill+k] = math.Log((float64(g.still[k]) + 0.5) / (float64(g.known[k]-g.still[k]) + 0.5))
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
	type far struct {
		Finding
		text string
	}
	found := map[Rule]far{}
	for i, x := range values {
		m := &measures[i]
		c := &m.kinds[g.kind]
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
		f := Finding{Rule: m.rule, Stops: stops, Week: week, Value: fixed(value), Low: fixed(low), High: fixed(high), Unit: m.unit,
			off: math.Abs(x-s.median) / s.deviation}
		if c.above {
			f.Low, low = panel.Fixed{}, 0
		}
		if was := found[m.rule]; f.Stops && !was.Stops || f.Stops == was.Stops && f.off > was.off {
			n := map[bool]int{true: len(g.moves), false: g.rows}[m.rule == Shift]
			text := fmt.Sprintf(m.what+"; %[3]s", fmt.Sprintf(format, value), n, s.usual(low, high, format))
			if why := slices.SortedFunc(maps.Keys(g.why), func(a, b string) int { return cmp.Or(g.why[b]-g.why[a], cmp.Compare(a, b)) }); i == asideMeasure {
				text += fmt.Sprintf("; %d by %s", g.why[why[0]], why[0])
			}
			found[m.rule] = far{f, text}
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(found)) {
		w.tell(g, found[rule].Finding, "%s", found[rule].text)
	}
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
	list := slices.SortedStableFunc(slices.Values(g.moves), func(a, b move) int { return cmp.Compare(a.ratio(), b.ratio()) })
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
	w.tell(g, Finding{Rule: Scale, Stops: true, Week: week, Value: fixed(ratio), Low: fixed(1.0 / mostScale), High: fixed(mostScale), Unit: "times", off: math.Abs(math.Log(ratio))},
		"the median of %d prices is %s the price of the same listing and store before, such as %s after %s of listing %d at store %d%s",
		len(list), text, low.price, low.before, low.listing, low.store, more)
}

func (x *move) ratio() float64 { return float64(x.price) / float64(x.before) }

// Of the rule vanished: the weeks that say how many prices are usual, and the prices that a category must
// have had.
const (
	usualWeeks    = 8
	leastCategory = 12
	mostMissed    = 2 // stores that are not seen in a week by chance
)

// vanished finds what had prices and has none, or under half, and had more in the week before. It stops
// unless one or two stores that were not seen explain it: that happens. A whole banner of so few stores stops if
// it had a headline, a category only if it has no price.
func (w *watch) vanished(g *watched, week panel.Week) {
	if len(g.prices) == 0 {
		return
	}
	from := max(0, len(g.prices)-usualWeeks)
	usual, shops := median(g.prices[from:]), median(g.shops[from:])
	told := 2*g.prices[len(g.prices)-1] < usual // in the week before
	if 2*float64(g.priced) >= usual || told || usual < leastOf || g.kind == 2 && usual < leastCategory {
		return
	}
	headline := func(row jevons.Row) bool {
		return row.Cell.Banner == g.cell.Banner && row.Cell.Category == basket.Overall
	}
	missed := shops - float64(len(g.stores))
	stops := (missed < 1 || missed > mostMissed) && (g.kind < 2 || g.priced == 0) ||
		g.kind == 0 && g.priced == 0 && slices.ContainsFunc(lastWeek(w.old), headline)
	w.tell(g, Finding{Rule: Vanished, Stops: stops, Week: week, Value: fixed(float64(g.priced)), Low: fixed(usual / 2), Unit: "count", off: usual - float64(g.priced)},
		"%d series with a price; usual are %g, in %s", g.priced, usual, phrase.Count(int(shops), "store"))
}

// active returns the banner of the i-th row; "" if its store, listing or product is not active.
func (x *side) active(i int) (banner string) {
	if s := x.stores[x.rows.Store(i)]; s.active && x.listings[x.rows.Listing(i)].counts {
		return s.banner
	}
	return ""
}

// setAside returns a function that says by which rule a row is set aside for the scale of its price;
// "" if it is not, or if another entry names it: an operator who listed it has dealt with it. It also says
// whether the row was corrected.
func (r *review) setAside() func(i int) (rule string, corrected bool) {
	found, other := map[int64]string{}, map[int64]panel.QuarantineRule{}
	for _, e := range r.next.Quarantine {
		switch {
		case e.Released || e.Observation == 0:
		case e.Rule == panel.WrongScaleRow:
			found[e.Observation] = e.Rule.String()
		default:
			other[e.Observation] = max(other[e.Observation], e.Rule)
		}
	}
	return func(i int) (string, bool) {
		id := r.next.Rows.ID(i)
		of, named := other[id]
		if rule := found[id]; rule != "" && !named && r.next.Rows.Judge(i).Rule() == rule {
			return rule, false
		}
		return "", of == panel.Corrected
	}
}
