package check

import (
	"cmp"
	"maps"
	"slices"

	"github.com/larder-index/larder/panel"
)

// Gap is weeks in a row in which nothing was collected: anywhere, in a city, or of
// a banner in a city. The widest place is named; the places in it do not repeat
// the gap. A place's weeks run from its first week with rows to the last closed
// one.
type Gap struct {
	City    string     `json:"city,omitempty"`   // display name; "": the whole panel
	Banner  string     `json:"banner,omitempty"` // key; "": every banner there
	From    panel.Week `json:"from"`
	To      panel.Week `json:"to"`
	Weeks   int        `json:"weeks"`   // from From to To
	Lasting bool       `json:"lasting"` // To is the last closed week: collection stopped
}

// weekSet holds, for the weeks from first on, whether there are rows.
type weekSet struct {
	first panel.Week
	has   []bool
}

func newWeekSet(first, last panel.Week) *weekSet {
	return &weekSet{first, make([]bool, max(int(last-first)/7+1, 0))}
}

func (s *weekSet) add(w panel.Week) { s.has[int(w-s.first)/7] = true }

// gaps returns the runs of weeks that s lacks after its first one. It leaves out
// weeks that all the given wider sets lack too.
func (s *weekSet) gaps(wider ...*weekSet) []Gap {
	var found []Gap
	begun, run := false, false
	for i, has := range s.has {
		begun = begun || has
		lacks := begun && !has
		for _, o := range wider {
			lacks = lacks && o.has[i]
		}
		w := s.first.Add(i)
		switch {
		case lacks && run:
			found[len(found)-1].To = w
			found[len(found)-1].Weeks++
		case lacks:
			found = append(found, Gap{From: w, To: w, Weeks: 1})
		}
		run = lacks
	}
	if run {
		found[len(found)-1].Lasting = true
	}
	return found
}

// gaps returns the gaps of the panel, its cities, and the banners in them.
func (c *collection) gaps(first, last panel.Week) []Gap {
	if first == 0 {
		return []Gap{}
	}
	all, cities := newWeekSet(first, last), map[string]*weekSet{}
	for i := range c.cells {
		cell := &c.cells[i]
		city := cities[cell.city]
		if city == nil {
			city = newWeekSet(first, last)
			cities[cell.city] = city
		}
		for _, in := range cell.weeks {
			all.add(in.week)
			city.add(in.week)
		}
	}
	found := append([]Gap{}, all.gaps()...)
	for _, name := range slices.Sorted(maps.Keys(cities)) {
		for _, g := range cities[name].gaps(all) {
			g.City = name
			found = append(found, g)
		}
	}
	n := len(found)
	for i := range c.cells {
		cell, own := &c.cells[i], newWeekSet(first, last)
		for _, in := range cell.weeks {
			own.add(in.week)
		}
		for _, g := range own.gaps(all, cities[cell.city]) {
			g.City, g.Banner = cell.city, cell.banner
			found = append(found, g)
		}
	}
	slices.SortStableFunc(found[n:], func(a, b Gap) int { return cmp.Compare(a.City, b.City) })
	return found
}
