package panel

import (
	"cmp"
	"slices"
	"time"
)

// Health says how the collection of prices went, whatever the prices are worth:
// rows that the quality gate drops are collected all the same. It looks at the
// rows of active stores, active listings and active products, of all banners,
// those outside the index included. Findings about weeks are about closed weeks
// only: the open one is not complete.
type Health struct {
	First, Last Week           // the weeks looked at: that of the first row to the last closed one; First is 0 without rows
	Rows        int            // looked at
	Ahead       int            // rows dated after today, in Toronto: a clock was wrong; they are left out
	Places      []PlaceSeen    // every banner and city with an active store, by key and name
	Gaps        []Gap          // the panel's, the cities' by name, then those of banners in cities; each by week
	Drops       []CoverageDrop // by banner and city
	Frozen      []FrozenFeed   // by store
}

// SilentDays is how long a store may go without a row before it is reported.
// Weekly rounds that come a day late are no finding.
const SilentDays = 8

// PlaceSeen is when a banner was last seen in a city.
type PlaceSeen struct {
	Banner, City string // key; display name
	Stores       int    // active ones
	Last         time.Time
	Silent       []SilentStore // those without a row in the last SilentDays days, by id
}

// SilentStore is an active store without recent rows.
type SilentStore struct {
	ID   int64
	Last time.Time // its newest row; zero: it never had any
}

// NewHealth examines the collection as it was at the given time. Of the panel it
// reads the lists of products, cities, banners, stores and listings. The order
// in which the rows were collected changes nothing.
func NewHealth(r *Rows, p *Panel, now time.Time) *Health {
	h := &Health{Last: LastClosed(now)}
	c := newCollection(newScope(r, p))
	h.Rows, h.Ahead = c.read(r, h.Last, now)
	for i := range c.cells {
		cell := &c.cells[i]
		seen := PlaceSeen{Banner: cell.banner, City: cell.city}
		for _, at := range cell.stores {
			s := &c.stores[at]
			seen.Stores++
			if s.last.After(seen.Last) {
				seen.Last = s.last
			}
			if s.last.Before(now.Add(-SilentDays * 24 * time.Hour)) {
				seen.Silent = append(seen.Silent, SilentStore{p.stores[at].ID, s.last})
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

// collection is what Health needs of the rows.
type collection struct {
	*scope
	stores []storeSeen // by place in Panel.stores
	cells  []cellSeen  // by banner and city
	series []seriesSeen
	slots  [][]int32 // by place of the listing, then the store's ordinal: 1 + place in series
}

// cellSeen is a banner in a city.
type cellSeen struct {
	banner, city string
	stores       []int32      // places of its active stores
	weeks        []productsIn // the closed weeks with rows
	priced       []Week       // by place of the product: the newest week with a row
}

// productsIn is how many distinct products had a row in a week.
type productsIn struct {
	week     Week
	products int
}

func newCollection(s *scope) *collection {
	c := &collection{scope: s, stores: make([]storeSeen, len(s.stores)), slots: make([][]int32, len(s.listings))}
	names := make(map[string]string, len(s.cities))
	for _, city := range s.cities {
		names[city.Slug] = city.Name
	}
	ordinals := map[string]int32{}
	cells := map[[2]string]*cellSeen{}
	for i := range s.Panel.stores {
		st := &s.Panel.stores[i]
		if !st.Active {
			continue
		}
		c.stores[i].ordinal = ordinals[st.Banner]
		ordinals[st.Banner]++
		at := [2]string{st.Banner, names[st.City]}
		if cells[at] == nil {
			cells[at] = &cellSeen{banner: at[0], city: at[1], priced: make([]Week, len(s.products))}
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
