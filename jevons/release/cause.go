package release

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// causes lists all causes in their order. A causeSet has a bit for each.
var causes = [...]Cause{NewWeek, AddedRows, Quarantine, Reference, Settings, Method}

type causeSet uint8

const (
	newWeek causeSet = 1 << iota
	addedRows
	quarantine
	reference
	settings
	method
)

// list returns the causes of the set in their order.
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
func explain(old, next *Snapshot, d *differences) {
	lists := map[causeSet][]Cause{} // changes with the same causes share a list
	var x *explanation
	for i := range d.list {
		c := &d.list[i]
		set := newWeek
		if c.Week <= d.last {
			if x == nil { // a table that only grows needs none
				x = newExplanation(old, next, d.cells)
			}
			set = x.causes(c)
			if !d.weeks[c.Week] {
				set |= newWeek
			}
		}
		if lists[set] == nil {
			lists[set] = set.list()
		}
		c.Causes = lists[set]
	}
}

// explanation is everything that changed between two snapshots.
type explanation struct {
	everywhere causeSet
	slices     [1 + int(basket.Household)]causeSet // by category
	base       [2]panel.Week
	nation     [1 + int(basket.Household)]int32 // numbers of the national cells; -1: never published
	rows       *marks
}

func newExplanation(old, next *Snapshot, cells map[jevons.Cell]int32) *explanation {
	x := &explanation{base: [2]panel.Week{old.Panel.BaseWeek(), next.Panel.BaseWeek()}, rows: compareRows(old, next, cells)}
	if x.base[0] != x.base[1] {
		x.everywhere |= settings
	}
	if old.Gate != next.Gate || old.Method != next.Method {
		x.everywhere |= method
	}
	for _, category := range basket.Slices() {
		x.nation[category] = numberOf(cells, jevons.Cell{Level: jevons.National, Category: category})
	}
	x.compareProducts(old.Panel.Products(), next.Panel.Products())
	return x
}

// compareProducts notes the slices whose products or weights changed.
func (x *explanation) compareProducts(old, next []basket.Product) {
	type member struct {
		category basket.Category
		weight   float64
	}
	active := [2]map[int]member{{}, {}}
	for i, products := range [2][]basket.Product{old, next} {
		for _, p := range products {
			if p.Active {
				active[i][p.ID] = member{p.Category, p.Weight}
			}
		}
	}
	for i, members := range active {
		for id, m := range members {
			if other, ok := active[1-i][id]; !ok || other != m {
				x.slices[basket.Overall] |= reference
				x.slices[m.category] |= reference
			}
		}
	}
}

// causes returns the causes of a change, other than a new week.
func (x *explanation) causes(c *difference) causeSet {
	set := x.everywhere | x.slices[c.Cell.Category]
	for _, week := range [...]panel.Week{c.Week, c.before[0], c.before[1], c.Week.Add(-4), c.Week.Add(-52)} {
		set |= x.rows.at(week, c.cell)
	}
	bases := x.base
	if c.Cell.Category == basket.Overall {
		bases = c.first
	}
	for _, base := range bases {
		set |= x.rows.at(base, c.cell)
	}
	set |= x.rows.at(c.Week, x.nation[c.Cell.Category])
	if set == 0 {
		return method
	}
	return set
}

// numberOf returns the number of a cell, or -1.
func numberOf(cells map[jevons.Cell]int32, c jevons.Cell) int32 {
	if n, ok := cells[c]; ok {
		return n
	}
	return -1
}
