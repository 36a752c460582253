package check

import (
	"cmp"
	"slices"
	"time"

	"github.com/larder-index/larder/panel"
)

// Health says how the collection of prices went, whatever the prices are worth:
// rows that the quality gate drops are collected all the same. It looks at the
// rows of active stores, active listings and active products, of all banners,
// including those outside the index. Findings about weeks are about closed weeks
// only: the open one is not complete.
type Health struct {
	First  panel.Week     `json:"-"` // week of the first row; 0 without rows
	Last   panel.Week     `json:"-"` // the last closed week
	Rows   int            `json:"rows"`
	Ahead  int            `json:"rows_from_the_future"` // dated after today in panel.Toronto and left out: a clock was wrong
	Places []PlaceSeen    `json:"last_seen"`            // every banner and city with an active store, by key and name
	Gaps   []Gap          `json:"missing_weeks"`        // the panel's, the cities' by name, then those of banners in cities; each by week
	Drops  []CoverageDrop `json:"coverage_drops"`       // by banner and city
	Frozen []FrozenFeed   `json:"frozen_feeds"`         // by store
}

// SilentDays is how long a store may go without a row before it is reported. A
// weekly round may come a day late.
const SilentDays = 8

// PlaceSeen is when a banner was last seen in a city.
type PlaceSeen struct {
	Banner string        `json:"banner"`        // key
	City   string        `json:"city"`          // display name
	Stores int           `json:"active_stores"` // in the city
	Last   Seen          `json:"last_seen"`
	Silent []SilentStore `json:"not_seen_lately"` // stores without a row in the last SilentDays days, by id
}

// SilentStore is an active store without recent rows.
type SilentStore struct {
	ID   int64 `json:"store_id"`
	Last Seen  `json:"last_seen"`
}

// Seen is the time of the newest row, in UTC. Without any row it is zero.
type Seen struct{ time.Time }

// MarshalJSON writes the time, or null without any row.
func (s Seen) MarshalJSON() ([]byte, error) {
	if s.IsZero() {
		return []byte("null"), nil
	}
	return s.Time.MarshalJSON()
}

// NewHealth examines the collection as it was at the given time. It reads the
// panel's lists of products, cities, banners, stores and listings. The result does
// not depend on the order in which the rows were collected.
func NewHealth(r *panel.Rows, p *panel.Panel, now time.Time) *Health {
	h := &Health{Last: panel.LastClosed(now), Places: []PlaceSeen{}, Drops: []CoverageDrop{}}
	c := newCollection(newScope(r, p))
	h.Rows, h.Ahead = c.read(r, h.Last, now)
	for i := range c.cells {
		cell := &c.cells[i]
		seen := PlaceSeen{Banner: cell.banner, City: cell.city, Silent: []SilentStore{}}
		for _, at := range cell.stores {
			s := &c.stores[at]
			seen.Stores++
			if s.last.After(seen.Last.Time) {
				seen.Last = Seen{s.last}
			}
			if s.last.Before(now.Add(-SilentDays * 24 * time.Hour)) {
				seen.Silent = append(seen.Silent, SilentStore{p.Stores()[at].ID, Seen{s.last}})
			}
		}
		h.Places = append(h.Places, seen)
		if len(cell.weeks) > 0 && (h.First == 0 || cell.weeks[0].week < h.First) {
			h.First = cell.weeks[0].week
		}
		if drop, ok := cell.drop(h.Last); ok {
			h.Drops = append(h.Drops, drop)
		}
	}
	h.Gaps = c.gaps(h.First, h.Last)
	h.Frozen = c.frozen()
	return h
}

// collection is the state of NewHealth while it goes through the rows.
type collection struct {
	*scope
	stores []storeSeen // by place in the panel's stores
	cells  []cellSeen  // by banner and city
	series map[place]*seriesSeen
}

// place has the places of a listing and a store in the panel.
type place struct{ listing, store int32 }

// cellSeen is a banner in a city.
type cellSeen struct {
	banner, city string
	stores       []int32      // places of its active stores
	weeks        []productsIn // the closed weeks with rows
	priced       []panel.Week // by place of the product: the newest week with a row
}

// productsIn is how many distinct products had a row in a week.
type productsIn struct {
	week     panel.Week
	products int
}

func newCollection(s *scope) *collection {
	c := &collection{scope: s, stores: make([]storeSeen, len(s.Stores())), series: map[place]*seriesSeen{}}
	cells := map[[2]string]*cellSeen{}
	for i := range s.Panel.Stores() {
		st := &s.Panel.Stores()[i]
		if !st.Active {
			continue
		}
		at := [2]string{st.Banner, s.cityNames[st.City]}
		if cells[at] == nil {
			cells[at] = &cellSeen{banner: at[0], city: at[1], priced: make([]panel.Week, len(s.Products()))}
		}
		cells[at].stores = append(cells[at].stores, int32(i))
	}
	for _, cell := range cells {
		c.cells = append(c.cells, *cell)
	}
	slices.SortFunc(c.cells, func(a, b cellSeen) int {
		return cmp.Or(cmp.Compare(a.banner, b.banner), cmp.Compare(a.city, b.city))
	})
	for i := range c.cells {
		for _, at := range c.cells[i].stores {
			c.stores[at].cell = int32(i)
		}
	}
	return c
}
