package check

import (
	"math"
	"slices"

	"github.com/larder-index/larder/panel"
)

// CityCoverage says how much of the basket is priced in one city, week by week, by
// the rows that count in the index.
type CityCoverage struct {
	City     string // display name
	Products []int  // by week: active products with a price
	Stores   []int  // by week: stores with a price
}

// coverageOf returns the coverage of every city, in the panel's order of cities and
// weeks.
func coverageOf(p *panel.Panel) []CityCoverage {
	all := make([]CityCoverage, len(p.Cities()))
	for c := range all {
		all[c] = CityCoverage{p.Cities()[c].Name, make([]int, len(p.Weeks())), make([]int, len(p.Weeks()))}
	}
	type pair struct{ city, other int32 }
	for k := range p.Weeks() {
		products, stores := map[pair]bool{}, map[pair]bool{}
		for i, log := range p.LogPrices(k) {
			if !math.IsNaN(log) {
				s := p.Series()[i]
				products[pair{s.City, s.Product}] = true
				stores[pair{s.City, s.Store}] = true
			}
		}
		for at := range products {
			all[at.city].Products[k]++
		}
		for at := range stores {
			all[at.city].Stores[k]++
		}
	}
	return all
}

// activeProducts returns how many products are active: full coverage.
func activeProducts(p *panel.Panel) int {
	n := 0
	for _, product := range p.Products() {
		if product.Active {
			n++
		}
	}
	return n
}

// missingWeeks returns the weeks up to the given one, between the panel's first
// and last, in which no price was collected.
func missingWeeks(p *panel.Panel, through panel.Week) []panel.Week {
	var missing []panel.Week
	for k := 1; k < len(p.Weeks()); k++ {
		for w := p.Weeks()[k-1].Add(1); w < p.Weeks()[k] && w <= through; w = w.Add(1) {
			missing = append(missing, w)
		}
	}
	return missing
}

// The rule of CoverageDrop.
const (
	dropWeeks    = 8  // weeks before the last closed one that are looked at
	dropHistory  = 4  // of which at least so many have rows
	dropShare    = 75 // percent of the usual number
	dropProducts = 4  // and at least so many fewer
)

// CoverageDrop is a banner in a city whose prices have become clearly fewer. In
// the last closed week less than 75% of its usual number of products had a row,
// and at least 4 fewer than usual. The usual number is the median over those of
// the 8 weeks before that have rows; there must be 4. A week without any row is a
// Gap, not a drop.
//
// It is a warning about news. Once most of the 8 weeks are as thin as the last
// one, the lower number is the usual one.
type CoverageDrop struct {
	Banner   string     `json:"banner"`   // key
	City     string     `json:"city"`     // display name
	Week     panel.Week `json:"week"`     // the last closed one
	Products int        `json:"products"` // with a row in panel.Week
	Usual    float64    `json:"usual"`    // the median
}

// drop applies the rule.
func (cell *cellSeen) drop(last panel.Week) (CoverageDrop, bool) {
	n := len(cell.weeks)
	if n == 0 || cell.weeks[n-1].week != last {
		return CoverageDrop{}, false
	}
	var before []int
	for _, in := range cell.weeks[:n-1] {
		if in.week >= last.Add(-dropWeeks) {
			before = append(before, in.products)
		}
	}
	if len(before) < dropHistory {
		return CoverageDrop{}, false
	}
	slices.Sort(before)
	k := len(before)
	usual := before[(k-1)/2] + before[k/2] // twice the median
	d := CoverageDrop{cell.banner, cell.city, last, cell.weeks[n-1].products, float64(usual) / 2}
	return d, 200*d.Products < dropShare*usual && usual-2*d.Products >= 2*dropProducts
}
