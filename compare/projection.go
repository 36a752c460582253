package compare

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// Projection holds the rows of a snapshot that may be the current price of an
// item at a chain of a city at some instant. It is immutable to its users and
// safe for concurrent use. Inside, each city keeps the prices of the instant last
// asked for, one set for each set of conditions.
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

// item is a product that a request may name.
type item struct {
	*basket.Product       // nil: no product has the id
	perKg           bool  // sold by the kilogram
	standard        int64 // standard size, in millionths of its unit
	rule            QuantityRule
}

// chain is a banner with the shopper flag.
type chain struct {
	basket.Banner
	tracked idSet // active items with an active listing here
}

// city is a city with its chains and their series.
type city struct {
	basket.City
	chains  []cityChain // those with an active store here, by key
	chainAt map[string]int32
	series  []series                                                    // by chain, then item
	current [1 << len(panel.SaleConditions) / 2]atomic.Pointer[cityDay] // by conditions, of which none has no bit
}

// cityChain is a chain in a city.
type cityChain struct {
	*chain
	certain bool // the location of an active store here is certain: the chain is eligible
}

// series is a listing at a store. Its rows are ascending places in panel.Rows,
// which are in order of time, then id.
type series struct {
	chain int32 // place in city.chains
	item  int32 // id
	rows  []int32
}

// NewProjection makes the projection of a panel and all its rows. It leaves out
// rows that cannot be a current price: those of inactive stores, of stores of
// uncertain location, of retired listings, of inactive products, of banners
// without the shopper flag, unapproved rows of verified banners, and rows whose
// store or listing the panel lacks. It leaves out products with ids above
// MaxItemID, which no request can name.
func NewProjection(p *panel.Panel, rows *panel.Rows) *Projection {
	pr := &Projection{panel: p, rows: rows, chainAt: map[string]int32{}, cityAt: map[string]int32{}}
	products := p.Products()
	for i := range products {
		if x := &products[i]; x.ID >= 1 && x.ID <= MaxItemID {
			pr.items[x.ID] = item{Product: x, perKg: x.PerKg(), standard: max(micro(x.StandardSize), 1), rule: RuleOf(x)}
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

// about says whose prices these are.
func (pr *Projection) about() *panel.About { return pr.panel.About() }

// active reports whether a product may be compared.
func (pr *Projection) active(id int) bool {
	return id >= 1 && id <= MaxItemID && pr.items[id].Product != nil && pr.items[id].Active
}

// place puts the chains into the cities of their active stores.
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
