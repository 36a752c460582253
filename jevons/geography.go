package jevons

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// headline is the index of the slice of basket.Overall. A category's index is its place in the panel's list.
const headline = 0

// slice is the headline or a category.
type slice struct {
	items  int     // active products
	weight float64 // their basket weights, not normalized
}

// geographies says which series make up each product in the nation, in each city and in each banner
// of a city. They are in published order. The panel sorts series by product, city, banner and store, so
// the series of a banner in a city are one run, and so are those of a city and of the nation.
type geographies struct {
	cells    []*Cell  // by geography and slice
	scopes   []int    // by geography: 0 for the nation, else the city's geography
	items    [][]item // by scope: the products, everywhere or in a city
	slices   []slice  // the headline, then the categories
	products []basket.Product
	sliceOf  []int   // by product: its category
	all      int     // geographies, with those that Options.Only leaves out and that come after the others
	store    []int32 // by series
	stores   int     // of the panel
}

// item is one product in a scope. Its places are those of its banners, one for each run, then those of
// the cities, then the nation.
type item struct {
	product int32 // index into the panel's products
	banners []run
	places  []place
}

// run is the series of one product at one banner in one city.
type run struct {
	lo, hi       int32 // series
	stores       int32
	banner, city int32 // geographies
	several      bool  // a store has several series
}

// place is a geography in which the item has an elementary aggregate.
type place struct {
	geography int32
	lo, hi    int32 // stores, counted within the item
	from, to  int32 // the places that it adds up: banners of a city, cities of the nation
}

// series returns the series of the item, from lo on and before hi.
func (x *item) series() (lo, hi int32) { return x.banners[0].lo, x.banners[len(x.banners)-1].hi }

func newGeographies(p *panel.Panel, o *Options) *geographies {
	l := &geographies{
		products: o.weighted(p.Products()), store: make([]int32, len(p.Series())), stores: len(p.Stores()),
		slices: make([]slice, len(p.Categories().Slices())),
	}
	for i, s := range p.Series() {
		l.store[i] = s.Store
	}
	for i, product := range l.products {
		l.sliceOf = append(l.sliceOf, p.Categories().Of(product.Category).Index())
		if product.Active {
			for _, c := range [...]int{headline, l.sliceOf[i]} {
				l.slices[c].items++
				l.slices[c].weight += product.Weight
			}
		}
	}
	l.divide(p.Series(), l.list(p, o.Only), o.Only)
	return l
}

// list lists the geographies and their cells: all, or what the only cell needs. It returns a function that
// finds the city and the banner of a series.
func (l *geographies) list(p *panel.Panel, only *Cell) func(s *panel.Series) (city, banner int32) {
	cities, banners := p.Cities(), p.Banners()
	bannerOf := make([][]int32, len(cities)) // by city and banner; 0, the nation: no such pair
	for c := range cities {
		bannerOf[c] = make([]int32, len(banners))
	}
	for _, s := range p.Series() {
		bannerOf[s.City][s.Banner] = 1
	}
	all, out := p.Categories().Slices(), []*int32(nil)
	add := func(at *int32, scope int32, city, banner string) {
		if only != nil && (city != "" && city != only.City || banner != "" && banner != only.Banner) {
			out = append(out, at)
			return
		}
		*at = int32(len(l.scopes))
		l.scopes = append(l.scopes, int(scope))
		for _, c := range all {
			l.cells = append(l.cells, &Cell{LevelOf(city, banner), city, banner, c})
		}
	}
	add(new(int32), 0, "", "")
	cityOf := make([]int32, len(cities))
	for c, city := range cities {
		add(&cityOf[c], int32(len(l.scopes)), city.Name, "")
	}
	l.items = make([][]item, len(l.scopes))
	for c, city := range cities {
		for b, there := range bannerOf[c] {
			if there != 0 {
				add(&bannerOf[c][b], cityOf[c], city.Name, banners[b].Key)
			}
		}
	}
	l.all = len(l.scopes)
	for _, at := range out {
		*at = int32(l.all)
		l.all++
	}
	return func(s *panel.Series) (city, banner int32) { return cityOf[s.City], bannerOf[s.City][s.Banner] }
}

// divide cuts the series into runs, and makes the items of them, or of the only cell's category.
func (l *geographies) divide(
	series []panel.Series, places func(s *panel.Series) (city, banner int32), only *Cell,
) {
	var runs []run // of the product at hand
	for i := 0; i < len(series); {
		s := &series[i]
		r := run{lo: int32(i)}
		r.city, r.banner = places(s)
		of := func(t *panel.Series) bool { return t.Product == s.Product && t.City == s.City && t.Banner == s.Banner }
		for ; i < len(series) && of(&series[i]); i++ {
			if int32(i) == r.lo || series[i].Store != series[i-1].Store {
				r.stores++
			} else {
				r.several = true
			}
		}
		r.hi = int32(i)
		runs = append(runs, r)
		if i < len(series) && series[i].Product == s.Product {
			continue
		}
		if only != nil && only.Category != basket.Overall && only.Category.Index() != l.sliceOf[s.Product] {
			runs = nil
			continue
		}
		l.items[0] = append(l.items[0], newItem(s.Product, runs, true))
		for from, to := 0, 0; from < len(runs); from = to {
			for to = from; to < len(runs) && runs[to].city == runs[from].city; to++ {
			}
			if city := int(runs[from].city); city < len(l.items) {
				l.items[city] = append(l.items[city], newItem(s.Product, runs[from:to], false))
			}
		}
		runs = nil
	}
}

func newItem(product int32, runs []run, nation bool) item {
	x, stores := item{product: product, banners: runs}, int32(0)
	var cities []place
	for i, r := range runs {
		if i == 0 || r.city != runs[i-1].city {
			cities = append(cities, place{geography: r.city, lo: stores, from: int32(i)})
		}
		x.places = append(x.places, place{geography: r.banner, lo: stores, hi: stores + r.stores})
		stores += r.stores
		city := &cities[len(cities)-1]
		city.hi, city.to = stores, int32(i+1)
	}
	x.places = append(x.places, cities...)
	if nation {
		x.places = append(x.places, place{hi: stores, from: int32(len(runs)), to: int32(len(x.places))})
	}
	return x
}

// geography finds a cell's, if it has series.
func (l *geographies) geography(cell Cell) (g int, found bool) {
	cell.Category = basket.Overall
	for g := range l.scopes {
		if *l.cells[g*len(l.slices)] == cell {
			return g, true
		}
	}
	return 0, false
}
