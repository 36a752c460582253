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

// layout says where each product's series of each geography stand. The panel
// sorts series by product, city, banner, store, so those of a (product, city,
// banner) are one run, and runs join to those of a (product, city) and of a
// product.
type layout struct {
	geos     []geography // national, cities, banners: published order
	geoOf    []int32     // by point: the geography of the product's mean there
	all      plan        // every run and every point
	store    []int32     // store of each series
	products []basket.Product
	slices   [numSlices]slice
}

// plan is the part of a layout that some geographies need: the runs to read,
// and the points to gather from them. A point is one product in one geography;
// its place is that in layout.geoOf.
type plan struct {
	wanted []bool // by geography
	runs   []run
	points []int32
	spans  []span // the points of each product
}

// numSlices counts the headline and the nine categories; a slice is indexed by
// its basket.Category.
const numSlices = int(basket.Household) + 1

// slice is the headline or a category.
type slice struct {
	items  int     // active products
	weight float64 // their raw weights
}

// run is a stretch of series of one product at one banner in one city. Its
// members banner, city and nation are points, or -1 for a geography that is not
// wanted; city is set on the city's last run only, nation on the product's
// last.
type run struct {
	lo, hi               int32
	banner, city, nation int32
	product, cityGeo     int32
	lastOfCity           bool
	lastOfProduct        bool
	shared               bool // a store has several series of the product here
}

// span is the stretch lo to hi of plan.points that one product has. The last
// of them is the national one, if that is wanted.
type span struct {
	product int32 // place in the panel's products
	lo, hi  int32
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
	geoOf := l.findGeographies(p)
	l.cut(p.Series(), geoOf)
	l.all.wanted = make([]bool, len(l.geos))
	for g := range l.all.wanted {
		l.all.wanted[g] = true
	}
	l.all.gather()
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

// cut divides the series into runs and numbers the points.
func (l *layout) cut(series []panel.Series, geoOf func(s panel.Series) int32) {
	for i := 0; i < len(series); {
		s := series[i]
		r := run{
			lo: int32(i), product: s.Product, cityGeo: 1 + s.City, city: -1, nation: -1,
			banner: l.addPoint(geoOf(s)),
		}
		for i++; i < len(series) && series[i].Product == s.Product && series[i].City == s.City && series[i].Banner == s.Banner; i++ {
			r.shared = r.shared || series[i].Store == series[i-1].Store
		}
		r.hi = int32(i)
		r.lastOfProduct = i == len(series) || series[i].Product != s.Product
		r.lastOfCity = r.lastOfProduct || series[i].City != s.City
		if r.lastOfCity {
			r.city = l.addPoint(r.cityGeo)
		}
		if r.lastOfProduct {
			r.nation = l.addPoint(0)
		}
		l.all.runs = append(l.all.runs, r)
	}
}

// addPoint adds a point and returns its place.
func (l *layout) addPoint(geo int32) int32 {
	l.geoOf = append(l.geoOf, geo)
	return int32(len(l.geoOf) - 1)
}

// only returns the plan for the wanted geographies.
func (l *layout) only(wanted []bool) *plan {
	p := &plan{wanted: slices.Clone(wanted)}
	for _, r := range l.all.runs {
		city, banner := wanted[r.cityGeo], wanted[l.geoOf[r.banner]]
		if !wanted[0] && !city && !banner {
			continue
		}
		if !banner {
			r.banner = -1
		}
		if !city {
			r.city = -1
		}
		if !wanted[0] {
			r.nation = -1
		}
		if n := len(p.runs); n > 0 {
			// The run that closed a city or product may have been left out.
			last := &p.runs[n-1]
			last.lastOfProduct = last.product != r.product
			last.lastOfCity = last.lastOfProduct || last.cityGeo != r.cityGeo
		}
		p.runs = append(p.runs, r)
	}
	if n := len(p.runs); n > 0 {
		p.runs[n-1].lastOfCity, p.runs[n-1].lastOfProduct = true, true
	}
	p.gather()
	return p
}

// gather lists the points that the runs want.
func (p *plan) gather() {
	for i := range p.runs {
		r := &p.runs[i]
		if i == 0 || p.runs[i-1].product != r.product {
			p.spans = append(p.spans, span{product: r.product, lo: int32(len(p.points))})
		}
		for _, at := range [...]int32{r.banner, r.city, r.nation} {
			if at >= 0 {
				p.points = append(p.points, at)
			}
		}
		p.spans[len(p.spans)-1].hi = int32(len(p.points))
	}
}
