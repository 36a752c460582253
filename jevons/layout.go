package jevons

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// numSlices counts the headline and the nine categories. A basket.Category is
// the index of its slice.
const numSlices = int(basket.Household) + 1

// slice is the headline or a category.
type slice struct {
	items  int     // active products
	weight float64 // their basket weights, not normalized
}

// layout says which series make up each product in each geography. The panel
// sorts series by product, city, banner and store, so the series of a banner in
// a city are one run, and so are those of a city and of the nation.
type layout struct {
	geos     []int   // national, cities, banners, in published order: the smallest plan of each
	cells    []*Cell // by geography and slice
	slices   [numSlices]slice
	products []basket.Product
	store    []int32 // by series
	stores   int     // of the panel
	plans    []plan  // of everything, then of each city: its index is its geography
	pointAt  []int32 // by geography and product: its place among all there are, from 1 on; 0: none
	points   int     // how many there are

	// How much memory a worker needs.
	mostPoints  int // points of one part
	mostStores  int // stores of one product
	mostSeries  int // series of one product
	mostAtStore int // series of one product at one store
}

// plan says how to compute some geographies: all of them, or those of one city.
type plan struct {
	geos  []int // the geographies that no smaller plan has: the nation, or a city and its banners
	all   []int // those and the smaller plans'
	parts []part
}

// part is one product in the geographies of a plan. The points of banners come
// first, one for each run, then those of cities, then that of the nation.
type part struct {
	product int32 // index into the panel's products
	runs    []run
	points  []point
}

// run is the series of one product at one banner in one city.
type run struct {
	lo, hi       int32 // series
	stores       int32
	banner, city int32 // geographies
	several      bool  // a store has several series
}

type point struct {
	geo      int32
	lo, hi   int32 // stores, counted within the part
	from, to int32 // the points it adds up: banners of a city, cities of the nation
}

// series returns the series of the part, from lo on and before hi.
func (p *part) series() (lo, hi int32) { return p.runs[0].lo, p.runs[len(p.runs)-1].hi }

func newLayout(p *panel.Panel) *layout {
	l := &layout{products: p.Products(), store: make([]int32, len(p.Series())), stores: len(p.Stores())}
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

// findGeographies lists the geographies and their cells. It returns a function
// that finds the banner of a series among them.
func (l *layout) findGeographies(p *panel.Panel) func(s panel.Series) int32 {
	cities, banners := p.Cities(), p.Banners()
	geoOf := make([]int32, len(cities)*len(banners)) // 0: no such pair
	for _, s := range p.Series() {
		geoOf[int(s.City)*len(banners)+int(s.Banner)] = 1
	}
	l.plans = make([]plan, 1+len(cities))
	add := func(of int, city, banner string) {
		l.plans[of].geos = append(l.plans[of].geos, len(l.geos))
		l.plans[of].all = l.plans[of].geos
		l.geos = append(l.geos, of)
		for _, c := range basket.Slices() {
			l.cells = append(l.cells, &Cell{LevelOf(city, banner), city, banner, c})
		}
	}
	add(0, "", "")
	for c, city := range cities {
		add(1+c, city.Name, "")
	}
	for i, there := range geoOf {
		if c, b := i/max(len(banners), 1), i%max(len(banners), 1); there != 0 {
			geoOf[i] = int32(len(l.geos))
			add(1+c, cities[c].Name, banners[b].Key)
		}
	}
	for _, plan := range l.plans[1:] {
		l.plans[0].all = append(l.plans[0].all, plan.geos...)
	}
	l.pointAt = make([]int32, len(l.geos)*len(l.products))
	return func(s panel.Series) int32 { return geoOf[int(s.City)*len(banners)+int(s.Banner)] }
}

// divide cuts the series into runs and makes the plans of them.
func (l *layout) divide(series []panel.Series, geoOf func(s panel.Series) int32) {
	var runs []run // of the product at hand
	for i := 0; i < len(series); {
		s := series[i]
		r := run{lo: int32(i), banner: geoOf(s), city: 1 + s.City}
		atStore := 0
		for ; i < len(series) && series[i].Product == s.Product && series[i].City == s.City && series[i].Banner == s.Banner; i++ {
			if int32(i) == r.lo || series[i].Store != series[i-1].Store {
				r.stores++
				atStore = 0
			}
			atStore++
			r.several = r.several || atStore > 1
			l.mostAtStore = max(l.mostAtStore, atStore)
		}
		r.hi = int32(i)
		runs = append(runs, r)
		if i < len(series) && series[i].Product == s.Product {
			continue
		}
		l.addPart(0, s.Product, runs)
		for from := 0; from < len(runs); {
			to := from
			for ; to < len(runs) && runs[to].city == runs[from].city; to++ {
			}
			l.addPart(int(runs[from].city), s.Product, runs[from:to])
			from = to
		}
		runs = nil
	}
}

// addPart adds a product to a plan, with the points of its banners and cities and, if that is
// the plan of everything, of the nation.
func (l *layout) addPart(of int, product int32, runs []run) {
	p, stores := part{product: product, runs: runs}, int32(0)
	var cities []point
	for i, r := range runs {
		if i == 0 || r.city != runs[i-1].city {
			cities = append(cities, point{geo: r.city, lo: stores, from: int32(i)})
		}
		p.points = append(p.points, point{geo: r.banner, lo: stores, hi: stores + r.stores})
		stores += r.stores
		city := &cities[len(cities)-1]
		city.hi, city.to = stores, int32(i+1)
	}
	p.points = append(p.points, cities...)
	if of == 0 {
		p.points = append(p.points, point{hi: stores, from: int32(len(runs)), to: int32(len(p.points))})
		for _, at := range p.points {
			l.points++
			l.pointAt[int(at.geo)*len(l.products)+int(product)] = int32(l.points)
		}
		lo, hi := p.series()
		l.mostPoints, l.mostSeries = max(l.mostPoints, len(p.points)), max(l.mostSeries, int(hi-lo))
		l.mostStores = max(l.mostStores, int(stores))
	}
	l.plans[of].parts = append(l.plans[of].parts, p)
}
