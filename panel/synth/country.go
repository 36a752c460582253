package synth

import (
	_ "embed"
	"encoding/json"
	"slices"

	"github.com/larder-index/larder/basket"
)

// country is the invented data that a world starts from: country.json.
type country struct {
	Chains  []chain // 26 banners, those of the index first
	Lineups []lineup
	Goods   []good // by product: the fifty, then Former
	Former  basket.Product
	Brands  []string // national brands, which several banners carry
}

//go:embed country.json
var countryJSON []byte

func newCountry() country {
	var c country
	if err := json.Unmarshal(countryJSON, &c); err != nil {
		panic("synth: country.json: " + err.Error())
	}
	return c
}

// chain is a banner and how it sells.
type chain struct {
	basket.Banner
	Brand   string // its store brand
	Level   int64  // of its prices, in millionths of the country's
	Carries int    // how many of the fifty products it lists
	French  bool   // titles and sizes are in French
	Ending  int64  // the last digit of its prices, 9 or 7
	Halves  bool   // from $4 on its prices end in .49 and .99, or .47 and .97
	Style   int    // of its pack sizes
	NoStock bool   // its rows never say whether something is in stock
	NoUnit  bool   // its rows have no unit prices
	Legacy  bool   // a few of its early rows have an impossible regular price
}

// good is a product's usual price and how it moves, its packs, and its titles in
// shops. Every title satisfies the product's spec. A year's rise of one percent is
// a weekly drift of about 190 millionths. Most products rise by two to four
// percent, a few fall.
type good struct {
	Cents  int64    // price of the standard size, or of a kilogram, in the base week
	Drift  int64    // weekly trend, in millionths
	Noise  int64    // of the weekly trend, in millionths
	Season int64    // how far the price swings over a year, in millionths
	Peak   int      // week of the year of the highest price
	Sizes  []int64  // other packs, in the product's unit
	Fresh  bool     // without a brand
	En, Fr []string // titles
}

func (g *good) titles(french bool) []string {
	if french {
		return g.Fr
	}
	return g.En
}

// lineup lists the banners of a city: a few national ones, the regional ones,
// and some of those outside the index. All line-ups together have DefaultStores
// stores.
type lineup struct {
	City  string
	Shops []struct {
		Banner string
		N      int // stores
	}
}

// DefaultStores is the number of stores of all line-ups.
const DefaultStores = 146

// site is one store: a banner in a city.
type site struct{ city, banner string }

// sites deals n stores out over the line-ups. It goes round the cities and takes
// the first store of every banner before the second of any, so a small panel still
// spans the country. Past DefaultStores it starts over.
func (c *country) sites(n int) []site {
	var order []site
	for round := 0; len(order) < DefaultStores; round++ {
		for _, l := range c.Lineups {
			if sites := l.sites(); round < len(sites) {
				order = append(order, sites[round])
			}
		}
	}
	return slices.Repeat(order, n/len(order)+1)[:n]
}

// sites returns the city's stores, with the banners taking turns.
func (l lineup) sites() []site {
	var sites []site
	const most = 4 // stores of a banner in a city
	for round := range most {
		for _, s := range l.Shops {
			if round < s.N {
				sites = append(sites, site{l.City, s.Banner})
			}
		}
	}
	return sites
}
