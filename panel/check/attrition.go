package check

import (
	"math"

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
	a := &Attrition{Weeks: []WeekOfUse{}}
	const never = -1
	first, last := make([]int, len(p.Series())), make([]int, len(p.Series()))
	var base []float64
	weeks := 0
	for k, w := range p.Weeks() {
		if w > closed {
			break
		}
		weeks++
		if w == p.BaseWeek() {
			base = p.LogPrices(k)
		}
		for i, log := range p.LogPrices(k) {
			if k == 0 {
				first[i], last[i] = never, never
			}
			if !math.IsNaN(log) {
				if last[i] = k; first[i] == never {
					first[i] = k
				}
			}
		}
	}
	for k, w := range p.Weeks()[:weeks] {
		if w < p.BaseWeek() {
			continue
		}
		x := WeekOfUse{Week: w}
		ages := make([]int, (w-p.Weeks()[0])/7+1) // how many series have each age
		for i, log := range p.LogPrices(k) {
			if k > 0 && last[i] == k-1 {
				x.Went++
			}
			if math.IsNaN(log) {
				continue
			}
			x.InUse++
			ages[(w-p.Weeks()[first[i]])/7]++
			if first[i] == k {
				x.Came++
			}
			if base != nil && !math.IsNaN(base[i]) {
				x.Matched++
			}
		}
		x.Median = median(ages, x.InUse)
		if w == p.BaseWeek() {
			a.Base = x.InUse
		}
		a.Weeks = append(a.Weeks, x)
	}
	return a
}

// median returns that of n values, given how many there are of each.
func median(counts []int, n int) float64 {
	at := func(place int) float64 {
		for value, count := range counts {
			if place -= count; place < 0 {
				return float64(value)
			}
		}
		return 0
	}
	return (at((n-1)/2) + at(n/2)) / 2
}

// fewLeft is the warning's evidence.
func (a *Attrition) fewLeft() []string {
	if len(a.Weeks) == 0 {
		return nil
	}
	x := a.Weeks[len(a.Weeks)-1]
	return when(100*x.Matched < LeastMatched*a.Base,
		"%d of the %d series of the base week are priced in the week %s (%s)", x.Matched, a.Base, x.Week, percent(x.Matched, a.Base))
}
