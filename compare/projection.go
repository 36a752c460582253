package compare

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Projection is what comparisons need of a snapshot: for every city, chain and
// item the rows that may be its current price, whatever the instant. It is
// immutable to its users and safe for concurrent use; inside, it keeps for each
// city what was prepared for the instant asked for last.
type Projection struct {
	panel  *panel.Panel
	rows   *panel.Rows
	items  [MaxItemID + 1]item
	chains []chain // shopper chains by key
	cities []city  // in the panel's order

	chainAt map[string]int32
	cityAt  map[string]int32

	sizes   sync.Map // package size as scraped to parsedSize
	unknown sync.Map // promo detail to whether the regular price is unknown
}

// item is a product that may be asked for.
type item struct {
	*basket.Product       // nil: there is none of this id
	perKg           bool  // sold by the kilogram
	standard        int64 // standard size, in millionths of its unit
	rule            quantityRule
}

// chain is a banner with the shopper flag.
type chain struct {
	basket.Banner
	tracked idSet // active items that it has an active listing to
}

// city is a city with its chains and their series.
type city struct {
	basket.City
	chains  []cityChain // those with an active store here, by key
	chainAt map[string]int32
	series  []series // by chain, then item
	current atomic.Pointer[cityDay]
}

// cityChain is a chain in a city.
type cityChain struct {
	*chain
	certain bool // it has an active store here whose location is certain: it is eligible
}

// series is a listing at a store. Its rows are places in panel.Rows, ascending,
// so by time and id.
type series struct {
	chain int32 // place in city.chains
	item  int32 // id
	rows  []int32
}

// NewProjection makes the projection of a panel and all its rows. Rows that
// can't be anybody's current price are left out: those of inactive stores,
// stores of uncertain location, retired listings, inactive products, banners
// without the shopper flag, unapproved rows of verified banners, and rows of
// stores or listings that the panel does not know. So are products with ids
// above MaxItemID, which no request can name.
func NewProjection(p *panel.Panel, rows *panel.Rows) *Projection {
	pr := &Projection{panel: p, rows: rows, chainAt: map[string]int32{}, cityAt: map[string]int32{}}
	products := p.Products()
	for i := range products {
		if x := &products[i]; x.ID >= 1 && x.ID <= MaxItemID {
			pr.items[x.ID] = item{Product: x, perKg: x.PerKg(), standard: max(micro(x.StandardSize), 1), rule: ruleOf(x.PerKg())}
		}
	}
	for _, b := range p.Banners() {
		if b.InShopper {
			pr.chainAt[b.Key] = int32(len(pr.chains))
			pr.chains = append(pr.chains, chain{Banner: b})
		}
	}
	for _, m := range p.Listings() {
		if c, ok := pr.chainAt[m.Banner]; ok && m.Active && pr.active(m.ProductID) {
			pr.chains[c].tracked.add(m.ProductID)
		}
	}
	pr.place(p)
	newCollector(pr).collect()
	return pr
}

// active reports whether a product may be compared.
func (pr *Projection) active(id int) bool {
	return id >= 1 && id <= MaxItemID && pr.items[id].Product != nil && pr.items[id].Active
}

// place puts the chains into the cities.
func (pr *Projection) place(p *panel.Panel) {
	pr.cities = make([]city, len(p.Cities()))
	for i, c := range p.Cities() {
		pr.cities[i].City = c
		pr.cityAt[c.Slug] = int32(i)
	}
	for _, s := range p.Stores() {
		c, ok := pr.chainAt[s.Banner]
		at, known := pr.cityAt[s.City]
		if !ok || !known || !s.Active {
			continue
		}
		in := &pr.cities[at]
		i := slices.IndexFunc(in.chains, func(x cityChain) bool { return x.chain == &pr.chains[c] })
		if i < 0 {
			i = len(in.chains)
			in.chains = append(in.chains, cityChain{chain: &pr.chains[c]})
		}
		in.chains[i].certain = in.chains[i].certain || s.LocationCertain
	}
	for i := range pr.cities {
		in := &pr.cities[i]
		slices.SortFunc(in.chains, func(x, y cityChain) int { return strings.Compare(x.Key, y.Key) })
		in.chainAt = make(map[string]int32, len(in.chains))
		for at, x := range in.chains {
			in.chainAt[x.Key] = int32(at)
		}
	}
}
