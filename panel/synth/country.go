package synth

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/larder-index/larder/basket"
)

// country is the invented data that a world starts from: country.json.
type country struct {
	Chains  []chain // 26 banners, those of the index first
	Lineups []lineup
	Joined  []lineup // stores that were collected later: of banners of the index
	Goods   []good   // by product
	Brands  []string // national brands, which several banners carry
}

// lineup is the stores of a city, by their banners.
type lineup struct {
	City   string
	Stores []string
}

//go:embed country.json
var countryJSON []byte

func newCountry() (c country) {
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
	Carries int64  // about how many of the fifty products it lists
	French  bool   // titles and sizes are in French
	Ending  int64  // the last digit of its prices, 9 or 7
}

// good is a product's usual price and how it moves, its packs, and its titles in shops. Every
// title satisfies the product's spec. A year's rise of one percent is a weekly drift of about
// 190 millionths.
type good struct {
	Cents  int64    // price of the standard size, or of a kilogram, in the base week
	Drift  int64    // weekly trend, in millionths
	Noise  int64    // of the weekly trend, in millionths
	Sizes  []int64  // other packs, in the product's unit
	Fresh  bool     // without a brand
	En, Fr []string // titles
}

// DefaultStores is the number of all stores. 146 of them are of banners of the index.
const (
	DefaultStores = 166
	firstStores   = DefaultStores - 20 // those of Lineups
)

// site is one store: a banner in a city.
type site struct{ city, banner string }

// sites deals n stores out, one to each city by turns: first those of Lineups, then those that
// joined. Past DefaultStores it starts over.
func (c *country) sites(n int) (sites []site) {
	const rounds = 26 // the longest line-up
	for len(sites) < n {
		for _, lineups := range [][]lineup{c.Lineups, c.Joined} {
			for i := range rounds * len(lineups) {
				if l, round := lineups[i%len(lineups)], i/len(lineups); round < len(l.Stores) {
					sites = append(sites, site{l.City, l.Stores[round]})
				}
			}
		}
	}
	return sites[:n]
}

// packText writes a pack size as the banner does.
func (c *chain) packText(p basket.Product, size int64) string {
	if p.PerKg() {
		return "per kg"
	}
	n, small, large := float64(size), "un", ""
	switch p.Unit {
	case basket.Gram:
		small, large = "g", "kg"
	case basket.Millilitre:
		small, large = "mL", "L"
	}
	if size >= 1000 {
		n, small = n/1000, large
	}
	text := fmt.Sprint(n, " ", small)
	if c.French {
		text = strings.Replace(text, ".", ",", 1)
	}
	return text
}
