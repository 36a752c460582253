package check

import (
	"cmp"
	"slices"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Health says how the collection of prices went, whatever the prices are worth: a row that the quality gate
// filters was collected too. It looks at the rows of active stores, listings and products, of all banners.
// Gaps are of closed weeks.
type Health struct {
	First  panel.Week  `json:"-"` // week of the first row; 0 without rows
	Last   panel.Week  `json:"-"` // the last closed week
	Rows   int         `json:"rows"`
	Ahead  int         `json:"rows_from_the_future"` // dated after today and left out: a clock was wrong
	Places []PlaceSeen `json:"last_seen"`            // every banner and city with an active store, by key and name
	// Gaps are the panel's, the cities' by name, then those of banners in cities; each by week.
	Gaps []Gap `json:"missing_weeks"`
}

// SilentDays is how long a store may go without a row before it is reported. A
// weekly round may come a day late.
const SilentDays = 8

// PlaceSeen is when a banner was last seen in a city.
type PlaceSeen struct {
	Banner string        `json:"banner"`          // key
	City   string        `json:"city"`            // display name
	Stores int           `json:"active_stores"`   // in the city
	Last   *time.Time    `json:"last_seen"`       // of the newest row, in UTC; null without any
	Silent []SilentStore `json:"not_seen_lately"` // stores without a row in the last SilentDays days, by id
}

// SilentStore is an active store without recent rows.
type SilentStore struct {
	ID   int64      `json:"store_id"`
	Last *time.Time `json:"last_seen"`
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

// placeWeeks is a banner in a city with the weeks in which it was collected.
type placeWeeks struct {
	PlaceSeen
	weeks map[panel.Week]bool // closed weeks with a row
}

// NewHealth examines the collection of a panel as it was at the given time.
func NewHealth(r *panel.Rows, p *panel.Panel, now time.Time) *Health {
	h, s := &Health{Last: p.Calendar().LastClosed(now), Places: []PlaceSeen{}, Gaps: []Gap{}}, newScope(r, p)
	var places []*placeWeeks
	of, seen := make([]*placeWeeks, len(p.Stores())), make([]int64, len(p.Stores())) // by place of the store
	for i, st := range p.Stores() {
		if !st.Active {
			continue
		}
		city := s.cityNames[st.City]
		at := slices.IndexFunc(places, func(x *placeWeeks) bool { return x.Banner == st.Banner && x.City == city })
		if at < 0 {
			at = len(places)
			place := PlaceSeen{Banner: st.Banner, City: city, Silent: []SilentStore{}}
			places = append(places, &placeWeeks{place, map[panel.Week]bool{}})
		}
		of[i] = places[at]
	}
	slices.SortFunc(places, func(a, b *placeWeeks) int {
		return cmp.Or(cmp.Compare(a.Banner, b.Banner), cmp.Compare(a.City, b.City))
	})
	tomorrow := p.Calendar().Start(p.Calendar().DateIn(now) + 1).UnixNano()
	weekOf := p.Calendar().Weeks()
	for i := range r.Len() {
		store, _, ok := s.place(i)
		if !ok {
			continue
		}
		at := r.UnixNano(i)
		if at >= tomorrow {
			h.Ahead++
			continue
		}
		h.Rows++
		seen[store] = at
		if week := weekOf(at); week <= h.Last {
			h.First = cmp.Or(h.First, week)
			of[store].weeks[week] = true
		}
	}
	for i, x := range of {
		if x == nil {
			continue
		}
		x.Stores++
		var last *time.Time
		if seen[i] != 0 {
			last = new(time.Unix(0, seen[i]).UTC())
		}
		if last != nil && (x.Last == nil || last.After(*x.Last)) {
			x.Last = last
		}
		if last == nil || last.Before(now.Add(-SilentDays*24*time.Hour)) {
			x.Silent = append(x.Silent, SilentStore{p.Stores()[i].ID, last})
		}
	}
	for _, x := range places {
		h.Places = append(h.Places, x.PlaceSeen)
	}
	h.findGaps(p.Cities(), places)
	return h
}

// findGaps looks for gaps anywhere, then in each city, then of each banner in a city.
func (h *Health) findGaps(cities []basket.City, places []*placeWeeks) {
	h.Gaps = append(h.Gaps, h.gaps(Gap{}, places, nil)...)
	var inCities []Gap
	for _, city := range cities {
		within := slices.DeleteFunc(slices.Clone(places), func(x *placeWeeks) bool { return x.City != city.Name })
		h.Gaps = append(h.Gaps, h.gaps(Gap{City: city.Name}, within, places)...)
		for i, x := range within {
			inCities = append(inCities, h.gaps(Gap{City: city.Name, Banner: x.Banner}, within[i:i+1], within)...)
		}
	}
	h.Gaps = append(h.Gaps, inCities...)
}

// gaps returns the gaps of a place that is a part of a wider one, without the weeks that the wider one lacks too.
func (h *Health) gaps(of Gap, places, wider []*placeWeeks) (found []Gap) {
	seenIn := func(places []*placeWeeks, w panel.Week) bool {
		return slices.ContainsFunc(places, func(x *placeWeeks) bool { return x.weeks[w] })
	}
	begun, run := false, false
	for w := h.First; w <= h.Last; w = w.Add(1) {
		seen := seenIn(places, w)
		begun = begun || seen
		if seen || !begun || wider != nil && !seenIn(wider, w) {
			run = false
			continue
		}
		if !run {
			of.From = w
			found = append(found, of)
		}
		run = true
		g := &found[len(found)-1]
		g.To, g.Lasting = w, w == h.Last
		g.Weeks++
	}
	return found
}
