package jevons

// plan is the part of a layout that some geographies need.
type plan struct {
	wanted []bool // by geography
	parts  []part // by product
}

// part is what a plan reads of one product, and the points that it makes of
// it. A point is the product in one geography: the stores of a banner, a city
// or the nation are a stretch of the product's stores.
//
// The points of banners come first, one for each run, then those of cities,
// then that of the nation.
type part struct {
	product int32 // place in the panel's products
	first   int   // where its points begin in scratch.near
	stores  int   // of all runs
	several bool  // some store has several series
	runs    []run
	points  []point
}

// series returns where the series of the part's runs begin and end. There may be
// others between them.
func (p *part) series() (lo, hi int32) { return p.runs[0].lo, p.runs[len(p.runs)-1].hi }

// run is a stretch of series of one product at one banner in one city.
type run struct {
	lo, hi       int32 // series
	stores       int32
	banner, city int32 // geographies
	several      bool  // a store has several series
}

// point is one product in one geography.
type point struct {
	geo      int32 // -1: not wanted, a step towards others
	lo, hi   int32 // stores, by their place among those of the part
	from, to int32 // what it is put together from: runs of a city, cities of the nation
}

// point makes the points of the runs.
func (p *part) point(wanted []bool, first int) {
	p.first = first
	geo := func(g int32) int32 {
		if wanted[g] {
			return g
		}
		return -1
	}
	for _, r := range p.runs {
		p.points = append(p.points, point{geo: geo(r.banner), lo: int32(p.stores), hi: int32(p.stores) + r.stores})
		p.stores += int(r.stores)
		p.several = p.several || r.several
	}
	runs := int32(len(p.runs))
	for i := int32(0); i < runs; {
		city := point{geo: geo(p.runs[i].city), lo: p.points[i].lo, from: i}
		for of := p.runs[i].city; i < runs && p.runs[i].city == of; i++ {
			city.hi = p.points[i].hi
		}
		city.to = i
		p.points = append(p.points, city)
	}
	p.points = append(p.points, point{geo: geo(0), hi: int32(p.stores), from: runs, to: int32(len(p.points))})
}
