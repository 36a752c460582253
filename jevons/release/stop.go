package release

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Finding is one thing that a stop rule found.
type Finding struct {
	ID    string // rule:kind/place, such as jump:banner/nickelbasket/toronto
	Rule  Rule
	Stops bool         // it is grave enough to stop a release; else it is a warning
	Cell  *jevons.Cell // what it is about; nil: the whole table. A banner's may have no city
	Week  panel.Week   // 0 for none
	Text  string       // where and what, in words

	// What was found and the range that is usual, in Unit: four decimals. An end that is null is open.
	Value, Low, High panel.Fixed
	Unit             string // percent, points, times or count

	off float64 // how far it is beyond: findings of a rule are sorted by it
}

// rule finds what one stop rule looks for.
type rule struct {
	name   Rule
	find   func(*review)
	prices bool // it looks at prices
}

var rules = []rule{
	{Scale, (*review).prices, true}, // and the rules about prices that follow
	{Shift, nil, true},
	{Frozen, nil, true},
	{Surge, nil, true},
	{Promotions, nil, true},
	{Vanished, (*review).places, true},
	{Jump, (*review).jump, false},
	{Lost, (*review).lost, false},
	{Revision, (*review).revision, false},
	{Restatement, (*review).restatement, false},
	{NothingNew, (*review).nothingNew, false},
}

// Rules returns the names of all stop rules, in their order.
func Rules() (names []Rule) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

// Skipped returns the rules that can't look at the snapshot, for want of prices.
func (s *Snapshot) Skipped() (names []Rule) {
	for _, r := range rules {
		if s.Elsewhere && r.prices {
			names = append(names, r.name)
		}
	}
	return names
}

// Findings applies the stop rules to a release of next after old, with the changes that
// Diff found. They are by rule; what stops comes before what warns, then the farthest from the usual.
// Without an old snapshot (nil) no week is new, as there is nothing to compare it with.
func Findings(old, next *Snapshot, changes []Change) []Finding {
	r := &review{snapshot: old, next: next, changes: changes, slugs: map[string]string{}}
	if old != nil {
		r.old = old.Table.Rows
	}
	for _, c := range next.Panel.Cities() {
		r.slugs[c.Name] = c.Slug
	}
	for _, rule := range rules {
		if rule.find != nil && (!next.Elsewhere || !rule.prices) {
			rule.find(r)
		}
	}
	order := func(f *Finding) int {
		place := 2 * slices.IndexFunc(rules, func(r rule) bool { return r.name == f.Rule })
		if f.Stops {
			return place
		}
		return place + 1
	}
	slices.SortStableFunc(r.found, func(a, b Finding) int { return cmp.Or(order(&a)-order(&b), cmp.Compare(b.off, a.off)) })
	return r.found
}

// Newest applies the stop rules to a release of the snapshot's last published week
// after all weeks before.
func Newest(s *Snapshot) []Finding {
	before, rows := *s, s.Table.Rows
	before.Table = &jevons.Table{Rows: rows[:len(rows)-len(lastWeek(rows))], Options: s.Table.Options}
	return Findings(&before, s, Diff(&before, s))
}

func lastWeek(rows []jevons.Row) []jevons.Row {
	last := lastOf(rows)
	return rows[sort.Search(len(rows), func(i int) bool { return rows[i].Week >= last }):]
}

type review struct {
	snapshot *Snapshot
	old      []jevons.Row // as released; empty at the first release
	next     *Snapshot
	changes  []Change
	slugs    map[string]string // of cities, by name
	found    []Finding
}

// isFirst reports whether nothing was released before.
func (r *review) isFirst() bool { return len(r.old) == 0 }

func (r *review) released() panel.Week { return lastOf(r.old) }

// add adds a finding about a cell, nil for the whole table, in a week. The text begins with both.
// The week is a part of the id if the release has several new ones. Without a cell the id ends with the finding's.
func (r *review) add(f Finding, format string, a ...any) {
	f.ID, f.Text = strings.TrimSuffix(string(f.Rule)+":"+f.ID, ":"), fmt.Sprintf(format, a...)
	if f.Cell != nil {
		f.ID += ":" + r.pathOf(f.Cell)
		f.Text = fmt.Sprintf("%s, week %s: %s", wordCell(f.Cell, f.Rule), f.Week, f.Text)
		if f.Week > r.released() && lastOf(r.next.Table.Rows) > r.released().Add(1) {
			f.ID += "/" + f.Week.String()
		}
	}
	r.found = append(r.found, f)
}

func (r *review) pathOf(c *jevons.Cell) string {
	path := c.Level.String()
	switch {
	case c.Level == jevons.Banner && c.City == "" && c.Category != basket.Overall:
		path = "category/" + c.Banner
	case c.Level == jevons.Banner:
		path += "/" + c.Banner
	}
	if c.City != "" {
		path += "/" + cmp.Or(r.slugs[c.City], c.City)
	}
	if c.Category != basket.Overall {
		path += "/" + c.Category.String()
	}
	return path
}

// wordCell names the cell of a finding. Some rules look at a banner's prices, others at its headline.
func wordCell(c *jevons.Cell, of Rule) string {
	if of == Jump || of == Revision || of == Lost && c.Banner == "" {
		return c.String()
	}
	text := c.Banner
	if c.City != "" {
		text += " in " + c.City
	}
	if c.Category != basket.Overall {
		text += ", " + c.Category.String()
	}
	return text
}

// fixed rounds to four decimals. What is not finite is null.
func fixed(x float64) panel.Fixed {
	if math.IsNaN(x) || math.Abs(x) > 1e12 {
		return panel.Fixed{}
	}
	return panel.FixedOf(int64(math.Round(1e4 * x)))
}

// jumps are the classes of the rule jump: of headlines by level, and of national categories. Values are
// changes of a week in percent.
var jumps = map[jevons.Cell]class{
	{Level: jevons.National}: {least: 0.07},
	{Level: jevons.City}:     {least: 0.35},
	{Level: jevons.Banner}:   {least: 0.7},
	{}:                       {least: 0.35}, // a national category
}

// classOf returns the cell that stands for all with one usual range while their own history is short:
// of a headline its level, of a national category none. It reports false for other cells.
func classOf(c *jevons.Cell) (jevons.Cell, bool) {
	switch {
	case c.Category == basket.Overall:
		return jevons.Cell{Level: c.Level}, true
	case c.Level == jevons.National:
		return jevons.Cell{}, true
	}
	return jevons.Cell{Level: c.Level, Category: basket.Dairy}, false
}

// jump finds new weeks in which a headline or a national category moves far. The earlier changes are
// all that the new table has before the week.
func (r *review) jump() {
	if len(r.old) == 0 {
		return
	}
	usual := newHistory(r.next.Table.Rows)
	for i := range r.next.Table.Rows {
		row := &r.next.Table.Rows[i]
		kind, watched := classOf(row.Cell)
		if !watched || !row.WoW.Valid || row.Week <= r.released() {
			continue
		}
		c := jumps[kind]
		s, ok := usual.before(row)
		if x := row.WoW.Float64(); !ok && kind.Level != 0 && math.Abs(x) > mostEarly {
			r.add(Finding{Rule: Jump, Stops: true, Cell: row.Cell, Week: row.Week, Value: row.WoW, Low: fixed(-mostEarly), High: fixed(mostEarly), Unit: "percent",
				off: math.Abs(x)}, "%+.4f%% over the week; too few changes before say what is usual, and this is beyond %g%%", x, mostEarly)
		}
		if !ok {
			continue
		}
		if low, high, stops, beyond := c.beyond(row.WoW.Float64(), s); beyond {
			r.add(Finding{Rule: Jump, Stops: stops, Cell: row.Cell, Week: row.Week, Value: row.WoW, Low: fixed(low), High: fixed(high), Unit: "percent",
				off: math.Abs(row.WoW.Float64()-s.median) / s.deviation}, "%+.4f%% over the week; %s", row.WoW.Float64(), s.usual(low, high, "%+.2f%%"))
		}
	}
}

// mostEarly is the change of a headline in percent that stops before any range is known.
const mostEarly = 10.0

// usual words a range.
func (s *span) usual(low, high float64, format string) string {
	of := fmt.Sprintf("its %d weeks before", s.values)
	if s.pooled {
		of = fmt.Sprintf("%d such changes before, as its own are fewer than %d", s.values, leastHistory)
	}
	return fmt.Sprintf("usual is "+format+" to "+format+", by %s", low, high, of)
}

// Thresholds of the rule revision, in ten-thousandths of an index point. A warning needs half.
const (
	mostNational = 5_000
	mostElse     = 20_000
)

// revision finds released levels that move: of a cell the week in which it moves most, since its
// changes come the largest first.
func (r *review) revision() {
	type largest struct {
		*Change
		weeks int
	}
	seen, list := map[jevons.Cell]int{}, []largest{}
	for i := range r.changes {
		c := &r.changes[i]
		if c.Move() == 0 {
			continue
		}
		at, ok := seen[c.Cell]
		if !ok {
			at, seen[c.Cell], list = len(list), len(list), append(list, largest{Change: c})
		}
		list[at].weeks++
	}
	var errors *jevons.Table // with the standard errors
	for _, c := range list {
		most := int64(mostElse)
		if c.Cell.Level == jevons.National {
			most = mostNational
		}
		if 2*c.Move() <= most {
			continue
		}
		if errors == nil {
			errors = r.standardErrors()
		}
		if row := errors.Find(c.Week, c.Cell); row != nil && row.Extra != nil && row.Extra.Quality != nil {
			most = max(most, 3*row.Extra.Quality.SE.Units)
		}
		if 2*c.Move() <= most {
			continue
		}
		r.add(Finding{Rule: Revision, Stops: c.Move() > most, Cell: &c.Cell, Week: c.Week, Unit: "points", off: float64(c.Move()) / float64(most),
			Value: panel.FixedOf(c.New.Index.Units - c.Old.Index.Units), Low: panel.FixedOf(-most), High: panel.FixedOf(most)},
			"%s was released and is now %s, because of %s; released weeks of it that move: %d, this one most; up to %s points stop nothing",
			c.Old.Index, c.New.Index, c.CauseText(" and "), c.weeks, panel.FixedOf(most))
	}
}

// standardErrors returns the next table with its quality, or as it is where that can't be known.
func (r *review) standardErrors() *jevons.Table {
	o := r.next.Table.Options
	o.Quality = true
	if t, err := jevons.Compute(r.next.Panel, o); err == nil && !r.next.Elsewhere {
		return t
	}
	return r.next.Table
}

// Thresholds of the rule restatement.
const (
	mostRestated = 1_000 // ten-thousandths of a point, of a headline
	mostCells    = 100
)

// restatement finds causes other than prices that move released levels.
func (r *review) restatement() {
	for _, cause := range [...]Cause{Reference, Settings, Method} {
		cells, headline, most := 0, int64(0), (*Change)(nil)
		for i := range r.changes {
			c := &r.changes[i]
			if c.Move() == 0 || !slices.Contains(c.Causes, cause) {
				continue
			}
			cells++
			if most = cmp.Or(most, c); c.Cell.Category == basket.Overall {
				headline = max(headline, c.Move())
			}
		}
		if cells > 0 {
			f := Finding{ID: string(cause), Rule: Restatement, Stops: headline > mostRestated || cells > mostCells, Unit: "points",
				Value: panel.FixedOf(headline), Low: panel.FixedOf(0), High: panel.FixedOf(mostRestated)}
			r.add(f, "%s moves %s of released weeks, headlines by up to %s points, %s in %s by %s",
				cause, phrase.Count(cells, "cell"), f.Value, most.Cell, most.Week, panel.FixedOf(most.Move()))
		}
	}
}

const mostLost = 0.1

// lost looks at the last weeks of both tables. A city without a headline has a few categories near the
// floor, which come and go, so it is not missed as a whole.
func (r *review) lost() {
	was, is := lastWeek(r.old), lastWeek(r.next.Table.Rows)
	have, now := map[jevons.Cell]bool{}, map[string]bool{}
	for i := range is {
		have[*is[i].Cell], now[is[i].Cell.City] = true, true
	}
	var gone []string
	found := len(r.found)
	for i := range was {
		if c := was[i].Cell; !have[*c] {
			gone = append(gone, c.String())
			if c.Level == jevons.City && c.Category == basket.Overall && !now[c.City] {
				r.add(Finding{Rule: Lost, Stops: true, Cell: c, Week: lastOf(is), Value: panel.FixedOf(0), Unit: "count", off: 2},
					"no cell of the city is left; %s had a headline", r.released())
			}
		}
	}
	if share := float64(len(gone)) / float64(max(len(was), 1)); 2*share > mostLost {
		r.add(Finding{ID: "cells", Rule: Lost, Stops: share > mostLost, Week: r.released(), Unit: "percent", off: share,
			Value: fixed(100 * share), Low: panel.FixedOf(0), High: fixed(100 * mostLost)}, "%d of the %d cells of the last released week, %s, are not in the new table's last week, %s; such as %s",
			len(gone), len(was), r.released(), cmp.Or(strings.TrimPrefix(lastOf(is).String(), panel.Week(0).String()), "none"), strings.Join(gone[:min(len(gone), 3)], "; "))
	}
	if len(r.found) == found && r.released() != 0 && lastOf(is) > r.released() {
		r.lostSlowly()
	}
}

// lostSlowly compares the median number of cells of the new table's last 3 weeks with the highest median of 8 weeks of
// the last 26 before, and with the base week's: of the whole table, of cities and of banners. The first week below is
// told.
func (r *review) lostSlowly() {
	rows := r.next.Table.Rows
	last, counts := lastOf(rows), map[jevons.Cell][]float64{}
	week, weeks := panel.Week(0), 0
	for i := range rows {
		if rows[i].Week != week {
			week, weeks = rows[i].Week, weeks+1
		}
		c := rows[i].Cell
		places := []jevons.Cell{{}, {Level: jevons.City, City: c.City}, {Level: jevons.Banner, Banner: c.Banner}}
		for _, place := range places[:c.Level] {
			counts[place] = append(counts[place], make([]float64, weeks-len(counts[place]))...)
			counts[place][weeks-1]++
		}
	}
	if weeks <= recentWeeks {
		return
	}
	for _, place := range slices.SortedFunc(maps.Keys(counts), func(a, b jevons.Cell) int { return jevons.CompareCells(&a, &b) }) {
		list := append(counts[place], make([]float64, weeks-len(counts[place]))...)
		is, was := median(list[weeks-recentWeeks:]), median(list[weeks-1-recentWeeks:weeks-1])
		of, warn, stop := max(highestMedian(list[:weeks-1]), list[0]), slowShare, 0.5
		cell := &place
		if place.Level == 0 {
			cell, warn, stop = nil, 1-mostLost/2, 1-mostLost
		}
		stops := is < stop*of && was >= stop*of
		if of < leastOf || !stops && (is >= warn*of || was < warn*of) {
			continue
		}
		r.add(Finding{ID: "slowly", Rule: Lost, Stops: stops, Cell: cell, Week: last, Unit: "count", off: of - is,
			Value: fixed(is), Low: fixed(stop * of)}, "%g cells are published, by the median of %d weeks; in the base week, or by the highest"+
			" median of 8 of the last 26 weeks, they were %g", is, recentWeeks, of)
	}
}

// places finds banners, and banners in cities, with under half of the stores at certain places that they had.
// A comparison of shopping lists leaves out a banner without one.
func (r *review) places() {
	if r.isFirst() {
		return
	}
	count := func(s *Snapshot) map[jevons.Cell]int {
		certain, names := map[jevons.Cell]int{}, map[string]string{}
		for _, c := range s.Panel.Cities() {
			names[c.Slug] = c.Name
		}
		for _, st := range s.Panel.Stores() {
			if st.Active && st.LocationCertain {
				certain[jevons.Cell{Level: jevons.Banner, Banner: st.Banner}]++
				certain[jevons.Cell{Level: jevons.Banner, Banner: st.Banner, City: names[st.City]}]++
			}
		}
		return certain
	}
	was, is := count(r.snapshot), count(r.next)
	for _, c := range slices.SortedFunc(maps.Keys(was), func(a, b jevons.Cell) int { return jevons.CompareCells(&a, &b) }) {
		all := jevons.Cell{Level: jevons.Banner, Banner: c.Banner}
		told := c.City != "" && 2*is[all] < was[all]
		if 2*is[c] < was[c] && !told {
			r.add(Finding{ID: "places", Rule: Vanished, Stops: is[c] == 0, Cell: &c, Week: r.released(), Unit: "count", off: float64(was[c]),
				Value: fixed(float64(is[c])), Low: fixed(float64(was[c]) / 2)},
				"%d stores are active and at a certain place; in the snapshot before there were %d", is[c], was[c])
		}
	}
}

// nothingNew has the last released week.
func (r *review) nothingNew() {
	if len(r.changes) > 0 {
		return
	}
	text := "no week was ever released"
	if w := r.released(); w != 0 {
		text = "the last released week is " + w.String()
	}
	r.add(Finding{Rule: NothingNew, Stops: true, Week: r.released(), Unit: "count", Value: panel.FixedOf(0)}, "no new closed week and no changed cell; %s", text)
}
