package check

import (
	"math"
	"slices"

	"github.com/larder-index/larder/panel"
)

// Attrition says how the sample of the index ages. Series are those of the panel.
type Attrition struct {
	Base  int         `json:"base_series"` // series priced in the base week
	Weeks []WeekOfUse `json:"weeks"`       // closed weeks with prices, from the base week on
}

// WeekOfUse is the series in use in one week.
type WeekOfUse struct {
	Week    panel.Week `json:"week"`
	Matched int        `json:"base_series_matched"` // priced, and in the base week too
	Came    int        `json:"came"`                // priced for the first time
	// Went counts series that were priced in the week before with prices and are in no
	// closed week since. In the newest weeks some of them are only late.
	Went   int     `json:"went"`
	InUse  int     `json:"in_use"`           // priced
	Median float64 `json:"median_age_weeks"` // of these, since their first price
}

// NewAttrition goes through the closed weeks.
func NewAttrition(p *panel.Panel, closed panel.Week) *Attrition {
	a, weeks := &Attrition{Weeks: []WeekOfUse{}}, []WeekOfUse(nil)
	seen := make([]struct {
		first, last int // weeks with a price, from 1 on; 0: none yet
		inBase      bool
	}, len(p.Series()))
	for k, w := range p.Weeks() {
		if w > closed {
			break
		}
		x, ages := WeekOfUse{Week: w}, []int(nil)
		for i, log := range p.LogPrices(k) {
			s := &seen[i]
			if math.IsNaN(log) {
				continue
			}
			s.last = k + 1
			if s.first == 0 {
				s.first = k + 1
				x.Came++
			}
			if s.inBase = s.inBase || w == p.BaseWeek(); s.inBase {
				x.Matched++
			}
			ages = append(ages, int(w-p.Weeks()[s.first-1])/7)
		}
		if x.InUse = len(ages); x.InUse > 0 {
			slices.Sort(ages)
			x.Median = float64(ages[(x.InUse-1)/2]+ages[x.InUse/2]) / 2
		}
		weeks = append(weeks, x)
	}
	for _, s := range seen {
		if s.last > 0 && s.last < len(weeks) {
			weeks[s.last].Went++
		}
	}
	for _, x := range weeks {
		if x.Week == p.BaseWeek() {
			a.Base = x.InUse
		}
		if x.Week >= p.BaseWeek() {
			a.Weeks = append(a.Weeks, x)
		}
	}
	return a
}
