package jevons

import (
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
	runs     []run
	points   []point // what means computes, in the order that it does
	spans    []span  // the points of each product
	store    []int32 // store of each series
	products []basket.Product
	slices   [numSlices]slice
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
// members banner, city and nation are places in layout.points, or -1 for
// a geography that is not wanted; city is set on the city's last run only,
// nation on the product's last.
type run struct {
	lo, hi               int32
	banner, city, nation int32
	product, cityGeo     int32
	lastOfCity           bool
	lastOfProduct        bool
	shared               bool // a store has several series of the product here
}

// point is one product in one geography.
type point struct {
	geo int32
}

// span is the stretch lo to hi of layout.points that one product has. The
// last of them is the national one, if that is wanted.
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
	return l
}

// findGeographies lists the geographies and returns the place in that list of
// each (city, banner).
func (l *layout) findGeographies(p *panel.Panel) map[[2]int32]int32 {
	seen := map[[2]int32]bool{}
	for _, s := range p.Series() {
		seen[[2]int32{s.City, s.Banner}] = true
	}
	l.geos = append(l.geos, geography{National, -1, -1})
	for c := range int32(len(p.Cities())) {
		l.geos = append(l.geos, geography{City, c, -1})
	}
	geoOf := make(map[[2]int32]int32, len(seen))
	for c := range int32(len(p.Cities())) {
		for b := range int32(len(p.Banners())) {
			if pair := [2]int32{c, b}; seen[pair] {
				geoOf[pair] = int32(len(l.geos))
				l.geos = append(l.geos, geography{Banner, c, b})
			}
		}
	}
	return geoOf
}

// cut divides the series into runs and numbers the points.
func (l *layout) cut(series []panel.Series, geoOf map[[2]int32]int32) {
	for i := 0; i < len(series); {
		s := series[i]
		r := run{
			lo: int32(i), product: s.Product, cityGeo: 1 + s.City, city: -1, nation: -1,
			banner: l.addPoint(s.Product, geoOf[[2]int32{s.City, s.Banner}]),
		}
		for i++; i < len(series) && series[i].Product == s.Product && series[i].City == s.City && series[i].Banner == s.Banner; i++ {
			r.shared = r.shared || series[i].Store == series[i-1].Store
		}
		r.hi = int32(i)
		r.lastOfProduct = i == len(series) || series[i].Product != s.Product
		r.lastOfCity = r.lastOfProduct || series[i].City != s.City
		if r.lastOfCity {
			r.city = l.addPoint(s.Product, r.cityGeo)
		}
		if r.lastOfProduct {
			r.nation = l.addPoint(s.Product, 0)
		}
		l.runs = append(l.runs, r)
	}
}

// addPoint adds a point of a product and returns its place.
func (l *layout) addPoint(product, geo int32) int32 {
	place := int32(len(l.points))
	if n := len(l.spans); n == 0 || l.spans[n-1].product != product {
		l.spans = append(l.spans, span{product: product, lo: place})
	}
	l.spans[len(l.spans)-1].hi = place + 1
	l.points = append(l.points, point{geo})
	return place
}

// only appends to dst the runs that the wanted geographies need, with the
// points of all others switched off.
func (l *layout) only(dst []run, wanted []bool) []run {
	start := len(dst)
	for _, r := range l.runs {
		city, banner := wanted[r.cityGeo], wanted[l.points[r.banner].geo]
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
		if n := len(dst); n > start {
			// The run that closed a city or product may have been left out.
			last := &dst[n-1]
			last.lastOfProduct = last.product != r.product
			last.lastOfCity = last.lastOfProduct || last.cityGeo != r.cityGeo
		}
		dst = append(dst, r)
	}
	return dst
}
