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

// geography is a place that cells are computed for.
type geography struct {
	level        Level
	city, banner int32 // indices into the panel's lists; -1: all of them
}

// layout says which series make up each product in each geography. The panel
// sorts series by product, city, banner and store, so the series of a banner in
// a city are one run, and so are those of a city and of the nation.
type layout struct {
	geos     []geography // national, cities, banners: published order
	cells    []*Cell     // by geography and slice
	slices   [numSlices]slice
	products []basket.Product
	store    []int32 // by series
	plans    []plan  // of everything, then of each city: its index is its geography

	// How much memory a worker needs.
	points      int // points of all plans
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
	first   int   // how many points come before, in this and earlier plans
	stores  int
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

// point is one product in one geography.
type point struct {
	geo      int32
	lo, hi   int32 // stores, counted within the part
	from, to int32 // the points it adds up: banners of a city, cities of the nation
}

// series returns the series of the part, from lo on and before hi.
func (p *part) series() (lo, hi int32) { return p.runs[0].lo, p.runs[len(p.runs)-1].hi }

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

// findGeographies lists the geographies and their cells. It returns a function
// that finds the banner of a series among them.
func (l *layout) findGeographies(p *panel.Panel) func(s panel.Series) int32 {
	cities, banners := p.Cities(), p.Banners()
	geoOf := make([]int32, len(cities)*len(banners)) // 0: no such pair
	for _, s := range p.Series() {
		geoOf[int(s.City)*len(banners)+int(s.Banner)] = 1
	}
	l.plans = make([]plan, 1+len(cities))
	add := func(plan int, geo geography, cell Cell) {
		l.plans[plan].geos = append(l.plans[plan].geos, len(l.geos))
		l.plans[plan].all = l.plans[plan].geos
		l.geos = append(l.geos, geo)
		cell.Level = geo.level
		for _, cell.Category = range basket.Slices() {
			l.cells = append(l.cells, &Cell{cell.Level, cell.City, cell.Banner, cell.Category})
		}
	}
	add(0, geography{National, -1, -1}, Cell{})
	for c, city := range cities {
		add(1+c, geography{City, int32(c), -1}, Cell{City: city.Name})
	}
	for i, there := range geoOf {
		if there != 0 {
			c, b := i/len(banners), i%len(banners)
			geoOf[i] = int32(len(l.geos))
			add(1+c, geography{Banner, int32(c), int32(b)}, Cell{City: cities[c].Name, Banner: banners[b].Key})
		}
	}
	for _, plan := range l.plans[1:] {
		l.plans[0].all = append(l.plans[0].all, plan.geos...)
	}
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
		if i == len(series) || series[i].Product != s.Product {
			l.addProduct(s.Product, runs)
			runs = nil
		}
	}
}

// addProduct adds a product to the plan of everything and to those of its
// cities.
func (l *layout) addProduct(product int32, runs []run) {
	all := l.addPart(0, product, runs)
	cities := all.points[len(runs):]
	all.points = append(all.points, point{hi: int32(all.stores), from: int32(len(runs)), to: int32(len(all.points))})
	l.points++
	for _, city := range cities {
		l.addPart(int(city.geo), product, runs[city.from:city.to])
	}
	l.mostPoints = max(l.mostPoints, len(all.points))
	l.mostStores = max(l.mostStores, all.stores)
	l.mostSeries = max(l.mostSeries, int(runs[len(runs)-1].hi-runs[0].lo))
}

// addPart adds a product to a plan, with the points of banners and cities.
func (l *layout) addPart(of int, product int32, runs []run) *part {
	p := part{product: product, first: l.points, runs: runs}
	for _, r := range runs {
		p.points = append(p.points, point{geo: r.banner, lo: int32(p.stores), hi: int32(p.stores) + r.stores})
		p.stores += int(r.stores)

	}
	for i := 0; i < len(runs); {
		city := point{geo: runs[i].city, lo: p.points[i].lo, from: int32(i)}
		for ; i < len(runs) && runs[i].city == city.geo; i++ {
			city.hi = p.points[i].hi
		}
		city.to = int32(i)
		p.points = append(p.points, city)
	}
	l.points += len(p.points)
	l.plans[of].parts = append(l.plans[of].parts, p)
	return &l.plans[of].parts[len(l.plans[of].parts)-1]
}
