package release

import (
	"fmt"
	"maps"
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Stop is a stop rule that fired.
type Stop struct {
	Rule     Rule     `json:"rule"`
	Evidence []string `json:"evidence"`   // in words, one text for each case
	Remedy   string   `json:"what_to_do"` // in words
}

// rule finds the evidence for one stop rule. Without evidence it does not fire.
type rule struct {
	name   Rule
	title  string
	find   func(*review) (evidence []string, remedy string)
	prices bool // it looks at prices
}

var rules = []rule{
	{Scale, "a banner's prices have another scale than before", (*review).scale, true},
	{Jump, "a headline moves far more than it used to", (*review).jump, false},
	{Revision, "a released level moves a lot", (*review).revision, false},
	{Lost, "cells of the last released week are gone", (*review).lost, false},
	{Frozen, "a banner's prices do not move at all", (*review).frozen, true},
	{NothingNew, "there is nothing to release", (*review).nothingNew, false},
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

// Title says in words when the rule fires, or is empty for an unknown rule.
func (r Rule) Title() string {
	for _, x := range rules {
		if x.name == r {
			return x.title
		}
	}
	return ""
}

// Stops applies the stop rules to a release of next after old, with the changes that
// Diff found. Without an old snapshot (nil) no week is new, as there is nothing to
// compare it with.
func Stops(old, next *Snapshot, changes []Change) []Stop {
	r := &review{next: next, changes: changes}
	if old != nil {
		r.old = old.Table.Rows
	}
	var stops []Stop
	skipped := next.Skipped()
	for _, rule := range rules {
		if slices.Contains(skipped, rule.name) {
			continue
		}
		if evidence, remedy := rule.find(r); len(evidence) > 0 {
			stops = append(stops, Stop{rule.name, evidence, remedy})
		}
	}
	return stops
}

// Newest applies the stop rules to a release of the snapshot's last published week
// after all weeks before.
func Newest(s *Snapshot) []Stop {
	rows := s.Table.Rows
	if len(rows) == 0 {
		return Stops(nil, s, nil)
	}
	before := *s
	before.Table = &jevons.Table{Rows: rows[:len(rows)-len(lastWeek(rows))], Options: s.Table.Options}
	return Stops(&before, s, Diff(&before, s))
}

// lastWeek returns the rows of a table's last week.
func lastWeek(rows []jevons.Row) []jevons.Row {
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].Week != rows[len(rows)-1].Week {
			return rows[i+1:]
		}
	}
	return rows
}

// review is a release that the rules look at.
type review struct {
	old     []jevons.Row // as released; empty at the first release
	next    *Snapshot
	changes []Change
	side    *side // of next, once a rule needs it
}

// released returns the last released week; 0: none.
func (r *review) released() panel.Week {
	if len(r.old) == 0 {
		return 0
	}
	return r.old[len(r.old)-1].Week
}

// closed returns the last week that next publishes, or would if it had prices.
func (r *review) closed() panel.Week {
	if rows := r.next.Table.Rows; r.next.Table.Options.Through == 0 && len(rows) > 0 {
		return rows[len(rows)-1].Week
	}
	return r.next.Table.Options.Through
}

// Thresholds of the rule revision, in ten-thousandths of an index point, and how many
// of its cases are told.
const (
	mostNational = 5_000
	mostElse     = 20_000
	mostTold     = 20
)

func (r *review) revision() (evidence []string, remedy string) {
	more := 0
	for i := range r.changes {
		c := &r.changes[i]
		most := int64(mostElse)
		if c.Cell.Level == jevons.National {
			most = mostNational
		}
		switch {
		case c.Move() <= most:
		case len(evidence) == mostTold:
			more++
		default:
			evidence = append(evidence, fmt.Sprintf("%s, week %s: %s was released and is now %s, because of %s",
				c.Cell, c.Week, c.Old.Index, c.New.Index, c.CauseText(" and ")))
		}
	}
	if more > 0 {
		evidence = append(evidence, fmt.Sprintf("and %d more cells", more))
	}
	return evidence, `see every changed cell with its causes (larder diff OLD NEXT --format csv); if rows are wrong, import them again with ` +
		correct + `, or let the entry go that set them aside (larder quarantine list, larder quarantine release ID)` + accept(Revision, "the restatement is meant")
}

// lost looks at the last weeks of both tables. A city or banner without a headline has a
// few categories near the floor, which come and go, so it is not missed as a whole.
func (r *review) lost() (evidence []string, remedy string) {
	was, is := lastWeek(r.old), lastWeek(r.next.Table.Rows)
	have := map[jevons.Cell]bool{}
	for i := range is {
		have[*is[i].Cell] = true
	}
	var gone []string
	for i := range was {
		if c := was[i].Cell; !have[*c] {
			gone = append(gone, c.String())
		}
	}
	before, now := places(was), places(is)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if p := before[name]; p.headline && now[name].cells == 0 {
			evidence = append(evidence, fmt.Sprintf("%s had %d cells and has none now", name, p.cells))
		}
	}
	if 10*len(gone) > len(was) {
		evidence = append(evidence, fmt.Sprintf("%d of the %d cells of the last released week, %s, such as %q",
			len(gone), len(was), r.released(), gone[0]))
	}
	if len(evidence) > 0 {
		week := "the new table has no rows"
		if len(is) > 0 {
			week = "the new table's last week is " + is[0].Week.String()
		}
		evidence = append(evidence, week)
	}
	return evidence, `find what was not collected, or what the gate filtered (larder check --db NEXT), and import it (larder import DIR --db NEXT)` +
		accept(Lost, "the place is gone")
}

// place counts the cells of a city, or of a banner in all cities, in one week.
type place struct {
	cells    int
	headline bool
}

// places returns the places by name.
func places(rows []jevons.Row) map[string]place {
	found := map[string]place{}
	add := func(kind, name string, c *jevons.Cell) {
		if name != "" {
			p := found[kind+name]
			p.cells++
			p.headline = p.headline || c.Category == basket.Overall
			found[kind+name] = p
		}
	}
	for i := range rows {
		c := rows[i].Cell
		add("the city ", c.City, c)
		add("the banner ", c.Banner, c)
	}
	return found
}

func (r *review) nothingNew() (evidence []string, remedy string) {
	if len(r.changes) > 0 {
		return nil, ""
	}
	week := "no week was ever released"
	if len(r.old) > 0 {
		week = "the last released week is " + r.released().String()
	}
	return []string{"no new closed week and no changed cell; " + week},
		`import the rows of the new week first (larder import DIR --db NEXT), and release once it has closed` + accept(NothingNew, "it is to be released all the same")
}

const correct = `larder import DIR --db NEXT --correct "REASON"`

// accept ends a remedy: what to do if the numbers are right.
func accept(r Rule, because string) string {
	return fmt.Sprintf(`; if %s, release with --accept %s="REASON"`, because, r)
}

// setAside writes the command that sets a banner's rows of some weeks aside.
func setAside(banner string, from, to panel.Week) string {
	return fmt.Sprintf(`larder quarantine add --db NEXT --banner %s --from %s --to %s --reason "REASON"`, banner, from.Date()-6, to)
}
