// Package release compares what was published with what would be published next.
//
// Diff lists every published cell that appears, moves or goes, and says why. Findings
// applies the stop rules: a finding says where, by how much and beyond what range, and
// whether it is grave enough to stop a release. The package decides nothing else: it
// keeps no history (see package releaselog) and replaces no file.
package release

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Snapshot is one panel with its table, and with everything that a cause can be found in.
type Snapshot struct {
	Table      *jevons.Table // closed weeks only; of an old snapshot as it was released
	Panel      *panel.Panel
	Rows       *panel.Rows
	Quarantine []panel.Quarantine
	Gate       string // version of the gate that judged the rows
	Method     string // version of the method that computed the table
	Elsewhere  bool   // the table was computed elsewhere, from prices that Panel and Rows lack
}

// Rule names a stop rule.
type Rule string

// The stop rules.
const (
	Scale       Rule = "scale"       // a banner's prices have another scale than before
	Shift       Rule = "shift"       // a banner's prices move together, or far more than they used to
	Jump        Rule = "jump"        // a headline or a national category moves far more than it used to
	Surge       Rule = "surge"       // far more rows of a banner are set aside, or come twice
	Vanished    Rule = "vanished"    // a banner, in a city or a category, has far fewer prices than usual
	Lost        Rule = "lost"        // many cells or a city are gone
	Promotions  Rule = "promotions"  // a banner's sales or stock differ from the usual
	Frozen      Rule = "frozen"      // far more, or far fewer, of a banner's prices stand still than usual
	Revision    Rule = "revision"    // a released level moves a lot
	Restatement Rule = "restatement" // references, settings or the method move released levels
	NothingNew  Rule = "nothing_new" // no new closed week and no changed cell
)

// rules are in the order of their findings. Those of one function stand behind it. The first six look at prices.
var rules = []struct {
	name Rule
	find func(*review)
}{
	{Scale, (*review).prices}, {Shift, nil}, {Frozen, nil}, {Surge, nil}, {Promotions, nil},
	{Vanished, (*review).places},
	{Jump, (*review).jump},
	{Lost, (*review).lost},
	{Revision, (*review).revision},
	{Restatement, (*review).restatement},
	{NothingNew, (*review).nothingNew},
}

const ofPrices = 6

// Rules returns the names of all stop rules, in their order.
func Rules() (names []Rule) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

// Skipped returns the rules that can't look at the snapshot, for want of prices.
func (s *Snapshot) Skipped() []Rule {
	if s.Elsewhere {
		return Rules()[:ofPrices]
	}
	return nil
}

// Finding is one thing that a stop rule found. Text says it in words.
type Finding struct {
	ID    string // rule:kind/place, such as jump:banner/nickelbasket/toronto
	Rule  Rule
	Stops bool         // it is grave enough to stop a release; else it is a warning
	Cell  *jevons.Cell // nil: the whole table. A banner's may have no city
	Week  panel.Week   // 0 for none

	// Which sentence says it, and its arguments.
	Code string
	Args []any

	// What was found and the range that is usual, in Unit: four decimals. An end that is null is open.
	Value, Low, High panel.Fixed
	Unit             string // percent, points, times or count

	distance float64 // from the usual: findings of a rule are sorted by it
}

// Findings applies the stop rules to a release of next after old, with the changes that
// Diff found. They are by rule; what stops comes before what warns, then the farthest from the usual.
// Without an old snapshot (nil) no week is new, as there is nothing to compare it with.
func Findings(old, next *Snapshot, changes []Change) []Finding {
	r := &review{old: old, next: next, changes: changes, slugs: map[string]string{}}
	if old != nil {
		r.published = old.Table.Rows
		r.released = lastOf(r.published)
	}
	for _, c := range next.Panel.Cities() {
		r.slugs[c.Name] = c.Slug
	}
	order := map[Rule]int{}
	for i, rule := range rules {
		order[rule.name] = i
		if rule.find != nil && (!next.Elsewhere || i >= ofPrices) {
			rule.find(r)
		}
	}
	slices.SortStableFunc(r.found, func(a, b Finding) int {
		if a.Rule != b.Rule || a.Stops == b.Stops {
			return cmp.Or(order[a.Rule]-order[b.Rule], cmp.Compare(b.distance, a.distance))
		}
		if a.Stops {
			return -1
		}
		return 1
	})
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

func firstWeek(rows []jevons.Row) []jevons.Row {
	return rows[:sort.Search(len(rows), func(i int) bool { return rows[i].Week > rows[0].Week })]
}

// review looks at one release.
type review struct {
	old       *Snapshot    // nil at the first release
	published []jevons.Row // by old
	released  panel.Week   // the last week of published; 0: nothing was released before
	next      *Snapshot
	changes   []Change
	slugs     map[string]string // of cities, by name
	found     []Finding
}

// isFirst reports whether nothing was released before.
func (r *review) isFirst() bool { return len(r.published) == 0 }

// add adds a finding. A cell becomes a part of its id, and so does the week if the release has several new ones.
func (r *review) add(f Finding) {
	f.ID = strings.TrimSuffix(string(f.Rule)+":"+f.ID, ":")
	if f.Cell != nil {
		f.ID += ":" + r.pathOf(f.Cell)
		if f.Week > r.released && lastOf(r.next.Table.Rows) > r.released.Add(1) {
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

// fixed rounds to four decimals. What is not finite is null.
func fixed(x float64) panel.Fixed {
	if math.IsNaN(x) || math.Abs(x) > 1e12 {
		return panel.Fixed{}
	}
	return panel.FixedOf(int64(math.Round(1e4 * x)))
}
