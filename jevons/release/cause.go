package release

import (
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Cause says why a published cell changed. A change can have several.
type Cause string

// The causes, in the order in which a change lists them.
const (
	NewWeek    Cause = "new_week"   // the cell's week is published for the first time
	AddedRows  Cause = "rows"       // passing rows of a week that the cell looks at were added
	Quarantine Cause = "quarantine" // rows of a week that the cell looks at were set aside or let go
	Reference  Cause = "reference"  // a product, weight, listing, store, banner or spec changed
	Settings   Cause = "settings"   // a setting that the index reads changed
	Method     Cause = "method"     // the gate or the method has another version
)

// causes lists all causes in their order. A causeSet has a bit for each.
var causes = [...]Cause{NewWeek, AddedRows, Quarantine, Reference, Settings, Method}

type causeSet uint8

func setOf(c Cause) causeSet { return 1 << slices.Index(causes[:], c) }

func (s causeSet) list() (list []Cause) {
	for i, c := range causes {
		if s&(1<<i) != 0 {
			list = append(list, c)
		}
	}
	return list
}

// explain gives every change its causes. The cells of a week after the old table's
// last appear because the week is new, and for no other reason. Any other cell changes
// if something changes that it looks at:
//
//   - the week, the base, the last published week before and the weeks 28 and 364 days
//     before, in its own place and category. Both tables' bases and weeks before are
//     looked at: a base moves when rows of the old base or of the new one change;
//   - the week in the nation, which its cost is grossed up by;
//   - the products of its slice, the base week and the versions.
//
// A cell for which nothing is found was computed in another way from the same rows:
// its cause is Method.
func explain(old, next *Snapshot, changes []Change) {
	var x *explanation
	released, last := map[panel.Week]bool{}, lastOf(old.Table.Rows)
	for i := range old.Table.Rows {
		released[old.Table.Rows[i].Week] = true
	}
	for i := range changes {
		c, set := &changes[i], setOf(NewWeek)
		if c.Week <= last {
			if x == nil { // a table that only grows needs none
				x = newExplanation(old, next)
			}
			set = x.causes(c)
			if !released[c.Week] {
				set |= setOf(NewWeek)
			}
		}
		c.Causes = set.list()
	}
}

func lastOf(rows []jevons.Row) panel.Week {
	if len(rows) == 0 {
		return 0
	}
	return rows[len(rows)-1].Week
}

type explanation struct {
	tables     [2]*jevons.Table
	everywhere causeSet
	slices     map[string]causeSet // by slug; empty: the headline
	rows       marks
}

func newExplanation(old, next *Snapshot) *explanation {
	x := &explanation{tables: [2]*jevons.Table{old.Table, next.Table}, slices: map[string]causeSet{},
		rows: compareRows(old, next)}
	if old.Panel.BaseWeek() != next.Panel.BaseWeek() || old.Panel.Calendar() != next.Panel.Calendar() {
		x.everywhere |= setOf(Settings)
	}
	if old.Gate != next.Gate || old.Method != next.Method {
		x.everywhere |= setOf(Method)
	}
	type member struct {
		id       int64
		category string
		weight   float64
	}
	members := map[member]int{} // a bit for each panel that has it
	for i, p := range [...]*panel.Panel{old.Panel, next.Panel} {
		for _, p := range p.Products() {
			if p.Active {
				members[member{p.ID, p.Category, p.Weight}] |= 1 << i
			}
		}
	}
	for m, in := range members {
		if in != 1|2 {
			x.slices[basket.Overall.Slug()] |= setOf(Reference)
			x.slices[m.category] |= setOf(Reference)
		}
	}
	return x
}

// causes returns the causes of a change, other than a new week.
func (x *explanation) causes(c *Change) causeSet {
	nation := jevons.Cell{Level: jevons.National, Category: c.Cell.Category}
	set := x.everywhere | x.slices[c.Cell.Category.Slug()] | x.rows[mark{c.Week, nation}]
	for _, week := range [...]panel.Week{c.Week, c.Week.Add(-4), c.Week.Add(-52)} {
		set |= x.rows[mark{week, c.Cell}]
	}
	for _, t := range x.tables {
		set |= x.rows[mark{t.Base(c.Cell), c.Cell}]
		if before := t.Before(c.Week, c.Cell); before != nil {
			set |= x.rows[mark{before.Week, c.Cell}]
		}
	}
	if set == 0 {
		return setOf(Method)
	}
	return set
}
