package compare

import (
	"time"

	"github.com/larder-index/larder/panel"
)

// Spread is a chain and item of a city whose listings have unit prices that spread
// over 2 to 1. Such listings may be different goods.
type Spread struct {
	City, StoreKey  string // slug, key
	ItemID          int
	Item            string // its name
	Listings        int    // at stores, with a price that counts
	Lowest, Highest SpreadEnd
}

// SpreadEnd is the listing with the lowest or the highest unit price.
type SpreadEnd struct {
	Listing     int64
	Title       string      // as scraped
	PackageSize string      // as scraped
	Price       panel.Price // paid, for the standard size or one kilogram
}

// Spreads lists the chains and items of all cities whose listings spread as of an
// instant: by city in the panel's order, then by chain, then by item.
func (pr *Projection) Spreads(now time.Time) []Spread {
	var list []Spread
	for i := range pr.cities {
		in := &pr.cities[i]
		d := pr.at(in, now, 0)
		for at := range in.chains {
			chain := &in.chains[at]
			for id := range d.chains[at] {
				x := spreadOf(d.of(&d.chains[at][id]))
				if x.wide() {
					list = append(list, Spread{
						in.Slug, chain.Key, id, pr.items[id].Name, x.count, pr.spreadEnd(x.low, chain.Verified), pr.spreadEnd(x.high, chain.Verified),
					})
				}
			}
		}
	}
	return list
}

// spread is the candidates of a cell with the lowest and the highest unit price, of
// those that give a price for some quantity. Without such a quantity both are nil.
type spread struct {
	low, high *candidate
	count     int
}

func spreadOf(of []candidate) (x spread) {
	for i := range of {
		c := &of[i]
		if c.first != Priced || c.second != Priced {
			continue
		}
		if x.count == 0 || c.price < x.low.price {
			x.low = c
		}
		if x.count == 0 || c.price > x.high.price {
			x.high = c
		}
		x.count++
	}
	return x
}

// maxSpread is the highest ratio of unit prices that is not wide.
const maxSpread = 2

func (x spread) wide() bool { return x.count > 0 && x.high.price > maxSpread*x.low.price }

func (pr *Projection) spreadEnd(c *candidate, verified bool) SpreadEnd {
	o := pr.read(c.row, verified)
	return SpreadEnd{o.Listing, pr.title(&o), o.PackageSize, c.price}
}

// title returns the title of a row, else the name of its listing.
func (pr *Projection) title(o *panel.Observation) string {
	if o.ScrapedName != "" {
		return o.ScrapedName
	}
	return pr.listing(o).Name
}

// listing returns the listing of a row.
func (pr *Projection) listing(o *panel.Observation) *panel.Listing {
	at, _ := pr.panel.ListingAt(o.Listing)
	return &pr.panel.Listings()[at]
}
