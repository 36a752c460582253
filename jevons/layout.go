package jevons

import (
	"slices"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// geography is a place that cells are computed for.
type geography struct {
	level        Level
	city, banner int32 // places in the panel's lists; -1 where there is none
}

// layout says which geographies there are and where each product's series of
// each of them stand.
type layout struct {
	geos     []geography // national, cities, banners: published order
	store    []int32     // store of each series
	products []basket.Product
	slices   [numSlices]slice
	all      plan // for all geographies
	points   int  // how many there are: products times the geographies that have them
	widest   int  // most stores of one product
	series   int  // most that a store has of one product
}

// numSlices counts the headline and the nine categories; a slice is indexed by
// its basket.Category.
const numSlices = int(basket.Household) + 1

// slice is the headline or a category.
type slice struct {
	items  int     // active products
	weight float64 // their raw weights
}

// newLayout lays out all geographies of the panel.
func newLayout(p *panel.Panel) *layout {
	l := &layout{products: p.Products(), store: make([]int32, len(p.Series()))}
	for i, s := range p.Series() {
		l.store[i] = s.Store
	}
	for _, product := range l.products {
		if product.Active {
			for _, c := range [...]basket.Category{basket.Overall, product.Category} {
				l.slices[c].items++
				l.slices[c].weight += product.Weight
			}
		}
	}
	l.divide(p.Series(), l.findGeographies(p))
	return l
}

// findGeographies lists the geographies and returns what finds a series'
// banner among them.
func (l *layout) findGeographies(p *panel.Panel) func(s panel.Series) int32 {
	banners := len(p.Banners())
	geoOf := make([]int32, len(p.Cities())*banners) // 0: no such pair
	for _, s := range p.Series() {
		geoOf[int(s.City)*banners+int(s.Banner)] = 1
	}
	l.geos = append(l.geos, geography{National, -1, -1})
	for c := range int32(len(p.Cities())) {
		l.geos = append(l.geos, geography{City, c, -1})
	}
	for i := range geoOf {
		if geoOf[i] != 0 {
			geoOf[i] = int32(len(l.geos))
			l.geos = append(l.geos, geography{Banner, int32(i / banners), int32(i % banners)})
		}
	}
	return func(s panel.Series) int32 { return geoOf[int(s.City)*banners+int(s.Banner)] }
}

// divide makes the plan for all geographies. The panel sorts series by product,
// city, banner and store, so those of a banner are one run.
func (l *layout) divide(series []panel.Series, geoOf func(s panel.Series) int32) {
	l.all.wanted = make([]bool, len(l.geos))
	for g := range l.all.wanted {
		l.all.wanted[g] = true
	}
	for i := 0; i < len(series); {
		part := part{product: series[i].Product}
		for product := part.product; i < len(series) && series[i].Product == product; {
			s := series[i]
			r := run{lo: int32(i), banner: geoOf(s), city: 1 + s.City, stores: 1}
			mine := 1 // series of the store at hand
			for i++; i < len(series) && series[i].Product == product && series[i].City == s.City && series[i].Banner == s.Banner; i++ {
				if series[i].Store == series[i-1].Store {
					r.several = true
					mine++
					l.series = max(l.series, mine)
				} else {
					r.stores++
					mine = 1
				}
			}
			r.hi = int32(i)
			part.runs = append(part.runs, r)
		}
		part.point(l.all.wanted, l.points)
		l.points += len(part.points)
		l.widest = max(l.widest, part.stores)
		l.all.parts = append(l.all.parts, part)
	}
}

// only returns the plan for the wanted geographies.
func (l *layout) only(wanted []bool) *plan {
	if wanted[0] {
		return &l.all
	}
	p := &plan{wanted: slices.Clone(wanted)}
	for _, whole := range l.all.parts {
		part := part{product: whole.product}
		for _, r := range whole.runs {
			if wanted[r.city] || wanted[r.banner] {
				part.runs = append(part.runs, r)
			}
		}
		if len(part.runs) > 0 {
			part.point(wanted, whole.first)
			p.parts = append(p.parts, part)
		}
	}
	return p
}
