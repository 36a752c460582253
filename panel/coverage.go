package panel

import "math"

// CityCoverage says how much of the basket was priced in one city, week by
// week, by the rows that count in the index.
type CityCoverage struct {
	City     string // display name
	Products []int  // by week: active products with a price
	Stores   []int  // by week: stores with a price
}

// Coverage returns the coverage of every city, in the panel's order of cities
// and weeks.
func (p *Panel) Coverage() []CityCoverage {
	all := make([]CityCoverage, len(p.cities))
	for c := range all {
		all[c] = CityCoverage{
			City:     p.cities[c].Name,
			Products: make([]int, len(p.weeks)),
			Stores:   make([]int, len(p.weeks)),
		}
	}
	type pair struct{ city, other int32 }
	for k := range p.weeks {
		products, stores := map[pair]bool{}, map[pair]bool{}
		for i, log := range p.LogPrices(k) {
			if !math.IsNaN(log) {
				s := p.series[i]
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

// ActiveProducts returns how many products are active: full coverage.
func (p *Panel) ActiveProducts() int {
	n := 0
	for _, product := range p.products {
		if product.Active {
			n++
		}
	}
	return n
}

// MissingWeeks returns the weeks up to the given one, between the panel's first
// and last, in which no
// price was collected.
func (p *Panel) MissingWeeks(through Week) []Week {
	var missing []Week
	for k := 1; k < len(p.weeks); k++ {
		for w := p.weeks[k-1].Add(1); w < p.weeks[k] && w <= through; w = w.Add(1) {
			missing = append(missing, w)
		}
	}
	return missing
}
