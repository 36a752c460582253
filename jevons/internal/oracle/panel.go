package oracle

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// series: section 2, "one retailer product at one store (a model)".
type series struct {
	listing, store int64
}

// geography: section 3, "national; each city; each (city, banner)". National
// is the zero value; a city has no banner.
type geography struct {
	city   string // slug
	banner string
}

var national = geography{}

// overall is the headline's slice; the others are named by their category.
const overall = ""

// nine are the categories in the document's order.
var nine = []string{
	"dairy", "meat", "bakery", "produce_fruit", "produce_veg",
	"pantry", "frozen", "beverages", "household",
}

// weekPrices holds ln P(series, w) of one geography in one week.
type weekPrices struct {
	ln    map[series]float64
	order []series // the keys, sorted, so that sums come out the same each run
}

// panel is the input of the computation.
type panel struct {
	*lookup
	baseWeek     string
	trimPercent  int
	floorPercent int

	categories []string
	active     []Product            // by id
	byCategory map[string][]Product // of the active ones, by id
	prices     map[geography]map[string]weekPrices
	lastWeek   string // with a price

	productPriceMemo map[geoWeek]map[int64]float64
	quantiles        map[float64]float64
	brands           map[int64]string // of products whose listings have been looked at; see brandOf
}

type geoWeek struct {
	g    geography
	week string
}

func newPanel(d *Data) *panel {
	l := newLookup(d)
	p := &panel{lookup: l, byCategory: map[string][]Product{}, productPriceMemo: map[geoWeek]map[int64]float64{}, brands: map[int64]string{}, quantiles: map[float64]float64{}}
	if p.categories = d.Categories; p.categories == nil {
		p.categories = nine
	}
	for _, product := range l.products {
		if product.Active {
			p.active = append(p.active, product)
		}
	}
	slices.SortFunc(p.active, func(a, b Product) int { return cmp.Compare(a.ID, b.ID) })
	for _, product := range p.active {
		p.byCategory[product.Category] = append(p.byCategory[product.Category], product)
	}
	p.collect(d)
	return p
}

// counts. Section 2: "An observation counts in the index when its store, its
// listing (retailer product) and its canonical product are active, its banner
// is an index banner, and it passes the quality gate".
func (p *panel) counts(o Observation, excluded map[int64]bool) bool {
	return p.mayCount(o) && !excluded[o.ID]
}

// mayCount is counts before the quality gate.
func (p *panel) mayCount(o Observation) bool {
	store := p.stores[o.StoreID]
	listing := p.listings[o.ListingID]
	return store.Active &&
		listing.Active &&
		p.products[listing.ProductID].Active &&
		p.banners[store.Banner].InIndex
}

// collect fills prices. Section 2: "P(series, w) = geometric mean of the
// effective prices of that series in week w".
func (p *panel) collect(d *Data) {
	type key struct {
		s    series
		week string
	}
	logs := map[key][]float64{}
	for _, o := range d.Observations {
		if !p.counts(o, d.Excluded) {
			continue
		}
		k := key{series{o.ListingID, o.StoreID}, weekOf(must(time.Parse(time.RFC3339, o.ObservedAt)))}
		logs[k] = append(logs[k], math.Log(o.EffectivePrice))
	}

	p.prices = map[geography]map[string]weekPrices{}
	for k, values := range logs {
		for _, g := range p.geographiesOf(k.s) {
			p.add(g, k.week, k.s, mean(values))
		}
		p.lastWeek = max(p.lastWeek, k.week)
	}
	for _, byWeek := range p.prices {
		for week, wp := range byWeek {
			wp.order = sortedSeries(wp.ln)
			byWeek[week] = wp
		}
	}
}

func (p *panel) add(g geography, week string, s series, ln float64) {
	if p.prices[g] == nil {
		p.prices[g] = map[string]weekPrices{}
	}
	if p.prices[g][week].ln == nil {
		p.prices[g][week] = weekPrices{ln: map[series]float64{}}
	}
	p.prices[g][week].ln[s] = ln
}

// geographiesOf lists the geographies a series belongs to: section 3,
// "national; each city; each (city, banner)".
func (p *panel) geographiesOf(s series) []geography {
	store := p.stores[s.store]
	return []geography{
		national,
		{city: store.City},
		{city: store.City, banner: store.Banner},
	}
}

// slice lists the active products of a slice. Section 3: "overall (all active
// products) or one of the nine categories".
func (p *panel) slice(name string) []Product {
	if name == overall {
		return p.active
	}
	return p.byCategory[name]
}

// inSlice keeps the series of the slice's products.
func (p *panel) inSlice(slice string, all []series) []series {
	var kept []series
	for _, s := range all {
		if slice == overall || p.products[p.productOf(s)].Category == slice {
			kept = append(kept, s)
		}
	}
	return kept
}

func (p *panel) productOf(s series) int64 {
	return p.listings[s.listing].ProductID
}

func sortedSeries(m map[series]float64) []series {
	return slices.SortedFunc(maps.Keys(m), func(a, b series) int {
		return cmp.Or(cmp.Compare(a.listing, b.listing), cmp.Compare(a.store, b.store))
	})
}
