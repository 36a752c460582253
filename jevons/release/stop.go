package release

import (
	"cmp"
	"maps"
	"slices"
	"sort"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Finding is a stop rule that fires. The program words it.
type Finding struct {
	Rule  Rule
	Cases []Case
}

// Case is one thing that a rule found.
type Case struct {
	Kind  string       // of the case, where a rule has several: see the rule
	Cell  *jevons.Cell // nil for none
	Place string       // a city's display name or a banner's key; empty for none
	Week  panel.Week   // 0 for none
	Value float64      // what was found
	Bound float64      // what it goes beyond
	More  []any        // further facts, in the order that the rule's comment says
}

// rule finds the cases of one stop rule. Without a case it does not fire.
type rule struct {
	name   Rule
	find   func(*review) []Case
	prices bool // it looks at prices
}

var rules = []rule{
	{Scale, (*review).scale, true},
	{Jump, (*review).jump, false},
	{Revision, (*review).revision, false},
	{Lost, (*review).lost, false},
	{Frozen, (*review).frozen, true},
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

// Stops applies the stop rules to a release of next after old, with the changes that
// Diff found. Without an old snapshot (nil) no week is new, as there is nothing to
// compare it with.
func Stops(old, next *Snapshot, changes []Change) (found []Finding) {
	r := &review{next: next, changes: changes}
	if old != nil {
		r.old = old.Table.Rows
	}
	for _, rule := range rules {
		if next.Elsewhere && rule.prices {
			continue
		}
		if cases := rule.find(r); len(cases) > 0 {
			found = append(found, Finding{rule.name, cases})
		}
	}
	return found
}

// Newest applies the stop rules to a release of the snapshot's last published week
// after all weeks before.
func Newest(s *Snapshot) []Finding {
	before, rows := *s, s.Table.Rows
	before.Table = &jevons.Table{Rows: rows[:len(rows)-len(lastWeek(rows))], Options: s.Table.Options}
	return Stops(&before, s, Diff(&before, s))
}

func lastWeek(rows []jevons.Row) []jevons.Row {
	last := lastOf(rows)
	return rows[sort.Search(len(rows), func(i int) bool { return rows[i].Week >= last }):]
}

type review struct {
	old     []jevons.Row // as released; empty at the first release
	next    *Snapshot
	changes []Change
}

func (r *review) released() panel.Week { return lastOf(r.old) }

// Thresholds of the rule revision, in ten-thousandths of an index point.
const (
	mostNational = 5_000
	mostElse     = 20_000
)

// revision finds released levels that move. More has the old level, the new one and the change.
func (r *review) revision() (cases []Case) {
	for i := range r.changes {
		c := &r.changes[i]
		most := int64(mostElse)
		if c.Cell.Level == jevons.National {
			most = mostNational
		}
		if move := c.Move(); move > most {
			cases = append(cases, Case{Cell: &c.Cell, Week: c.Week, Value: points(move), Bound: points(most), More: []any{c.Old.Index, c.New.Index, c}})
		}
	}
	return cases
}

func points(units int64) float64 { return panel.FixedOf(units).Float64() }

// The kinds of cases of the rule lost.
const (
	lostCity   = "city"
	lostBanner = "banner"
	LostCells  = "cells"
)

const mostLost = 0.1

// lost looks at the last weeks of both tables. A city or banner without a headline has a
// few categories near the floor, which come and go, so it is not missed as a whole. The value of a
// place is its cells before. More of LostCells has how many went, of how many. The week is that of
// the old table; the last case, without a kind, has the new table's.
func (r *review) lost() (cases []Case) {
	was, is := lastWeek(r.old), lastWeek(r.next.Table.Rows)
	have, before, now := map[jevons.Cell]bool{}, map[place]int{}, map[place]int{}
	headline := map[place]bool{}
	for i := range is {
		have[*is[i].Cell] = true
		for _, p := range placesOf(is[i].Cell) {
			now[p]++
		}
	}
	var gone []*jevons.Cell
	for i := range was {
		c := was[i].Cell
		if !have[*c] {
			gone = append(gone, c)
		}
		for _, p := range placesOf(c) {
			before[p]++
			headline[p] = headline[p] || c.Category == basket.Overall
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(before), func(a, b place) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name)) }) {
		if headline[p] && now[p] == 0 && p.name != "" {
			cases = append(cases, Case{Kind: p.kind, Place: p.name, Week: r.released(), Value: float64(before[p])})
		}
	}
	if share := float64(len(gone)) / float64(max(len(was), 1)); 10*len(gone) > len(was) {
		cases = append(cases, Case{Kind: LostCells, Cell: gone[0], Week: r.released(), Value: share, Bound: mostLost, More: []any{len(gone), len(was)}})
	}
	if len(cases) > 0 {
		cases = append(cases, Case{Week: lastOf(is)})
	}
	return cases
}

// place is a city, or a banner in all cities. The name may be empty.
type place struct{ kind, name string }

func placesOf(c *jevons.Cell) [2]place { return [...]place{{lostCity, c.City}, {lostBanner, c.Banner}} }

// nothingNew has the last released week.
func (r *review) nothingNew() []Case {
	if len(r.changes) > 0 {
		return nil
	}
	return []Case{{Week: r.released()}}
}
