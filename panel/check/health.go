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

// The rule of CoverageDrop.
const (
	dropWeeks    = 8  // weeks before the last closed one that are looked at
	dropHistory  = 4  // of which at least so many have rows
	dropShare    = 75 // percent of the usual number
	dropProducts = 4  // and at least so many fewer
)

// CoverageDrop is a banner in a city whose prices have become clearly fewer. In the last closed week less
// than 75% of its usual number of products had a row, and at least 4 fewer than usual. The usual number is
// the median over those of the 8 weeks before that have rows; there must be 4. A week without any row is a
// Gap, not a drop. Once most of the 8 weeks are as thin as the last one, the lower number is the usual one.
type CoverageDrop struct {
	Banner   string     `json:"banner"`   // key
	City     string     `json:"city"`     // display name
	Week     panel.Week `json:"week"`     // the last closed one
	Products int        `json:"products"` // with a row in Week
	Usual    float64    `json:"usual"`    // the median
}

// NewHealth examines the collection of a panel as it was at the given time.
func NewHealth(r *panel.Rows, p *panel.Panel, now time.Time) *Health {
	h := &Health{Last: panel.LastClosed(now), Places: []PlaceSeen{}, Drops: []CoverageDrop{}}
	c := newCollection(newScope(r, p))
	c.read(h, now)
	for i, s := range c.stores {
		if s.cell == nil {
			continue
		}
		seen := &s.cell.PlaceSeen
		seen.Stores++
		if s.last.After(seen.Last.Time) {
			seen.Last = Seen{s.last}
		}
		if s.last.Before(now.Add(-SilentDays * 24 * time.Hour)) {
			seen.Silent = append(seen.Silent, SilentStore{p.Stores()[i].ID, Seen{s.last}})
		}
	}
	for _, cell := range c.cells {
		h.Places = append(h.Places, cell.PlaceSeen)
		if drop, ok := cell.drop(h.Last); ok {
			h.Drops = append(h.Drops, drop)
		}
	}
	h.Gaps, h.Frozen = c.gaps(h.First, h.Last), c.frozen()
	return h
}

type collection struct {
	*scope
	cells  []*cellSeen  // by banner and city
	stores []*storeSeen // by place in the panel's stores
}

// cellSeen is a banner in a city.
type cellSeen struct {
	PlaceSeen
	products map[panel.Week]int // how many had a row, by closed week
	priced   []panel.Week       // by place of the product: the newest week with a row
}

func newCollection(s *scope) *collection {
	c := &collection{scope: s}
	for _, st := range s.Stores() {
		seen, city := &storeSeen{}, s.cityNames[st.City]
		c.stores = append(c.stores, seen)
		if !st.Active {
			continue
		}
		at := slices.IndexFunc(c.cells, func(x *cellSeen) bool { return x.Banner == st.Banner && x.City == city })
		if at < 0 {
			at = len(c.cells)
			c.cells = append(c.cells, &cellSeen{
				PlaceSeen{Banner: st.Banner, City: city, Silent: []SilentStore{}}, map[panel.Week]int{}, make([]panel.Week, len(s.Products())),
			})
		}
		seen.cell = c.cells[at]
	}
	slices.SortFunc(c.cells, func(a, b *cellSeen) int {
		return cmp.Or(cmp.Compare(a.Banner, b.Banner), cmp.Compare(a.City, b.City))
	})
	return c
}

func (c *collection) read(h *Health, now time.Time) {
	tomorrow := (panel.DateIn(now, panel.Toronto) + 1).Time(panel.Toronto).UnixNano()
	weekOf := panel.Calendar()
	for i := range c.rows.Len() {
		store, listing, ok := c.place(i)
		if !ok {
			continue
		}
		at := c.rows.UnixNano(i)
		if at >= tomorrow {
			h.Ahead++
			continue
		}
		h.Rows++
		s, week := c.stores[store], weekOf(at)
		s.last = time.Unix(0, at).UTC()
		if week > h.Last {
			continue
		}
		h.First = cmp.Or(h.First, week)
		s.collect(listing, c.rows.Effective(i), week)
		if product := c.product[listing]; s.cell.priced[product] != week {
			s.cell.priced[product] = week
			s.cell.products[week]++
		}
	}
	for _, s := range c.stores {
		s.compare()
	}
}

func (c *collection) gaps(first, last panel.Week) []Gap {
	found, inCities := gaps(Gap{}, first, last, c.cells, nil), []Gap(nil)
	for _, city := range c.Cities() {
		within := slices.DeleteFunc(slices.Clone(c.cells), func(x *cellSeen) bool { return x.City != city.Name })
		found = append(found, gaps(Gap{City: city.Name}, first, last, within, c.cells)...)
		for i, x := range within {
			inCities = append(inCities, gaps(Gap{City: city.Name, Banner: x.Banner}, first, last, within[i:i+1], within)...)
		}
	}
	return append(found, inCities...)
}

// gaps returns the gaps of a place, which has cells of a wider one. It leaves out
// weeks that the wider place lacks too.
func gaps(of Gap, first, last panel.Week, cells, wider []*cellSeen) []Gap {
	seenIn := func(cells []*cellSeen, w panel.Week) bool {
		return slices.ContainsFunc(cells, func(x *cellSeen) bool { return x.products[w] > 0 })
	}
	found, begun, run := []Gap{}, false, false
	for w := first; w <= last; w = w.Add(1) {
		lacks := !seenIn(cells, w)
		begun = begun || !lacks
		lacks = lacks && begun && (wider == nil || seenIn(wider, w))
		if lacks && !run {
			of.From = w
			found = append(found, of)
		}
		if run = lacks; run {
			g := &found[len(found)-1]
			g.To, g.Lasting = w, w == last
			g.Weeks++
		}
	}
	return found
}

func (cell *cellSeen) drop(last panel.Week) (CoverageDrop, bool) {
	var before []int
	for n := 1; n <= dropWeeks; n++ {
		if products := cell.products[last.Add(-n)]; products > 0 {
			before = append(before, products)
		}
	}
	k, products := len(before), cell.products[last]
	if k < dropHistory || products == 0 {
		return CoverageDrop{}, false
	}
	slices.Sort(before)
	usual := before[(k-1)/2] + before[k/2] // twice the median
	return CoverageDrop{cell.Banner, cell.City, last, products, float64(usual) / 2},
		200*products < dropShare*usual && usual-2*products >= 2*dropProducts
}
