// Package basket holds the basket of goods that is priced: the canonical products
// with their standard sizes and weights, the categories, the cities, and the
// retail chains (banners). ParseSize reads the package sizes that shops write.
//
// It decides three things for its caller. A basket has a list of Categories in published order; a Category
// knows its place there, and Overall comes first. A product's price has one basis, named
// by SoldBy: the standard size for packaged goods, one kilogram for goods sold by
// weight. Weights are raw and relative. They need not sum to 1 (those of Canada
// sum to 0.96), so normalize them over the products in use.
//
// Validate reports everything that is wrong with a product, city or banner at
// once. ParseSize refuses texts that can be read in two ways. The package knows no
// prices and no dates.
//
// Canada returns the basket of the published index. No number depends on it: a panel
// brings its own products, cities and banners.
package basket

import (
	_ "embed"
	"encoding/json"
)

// Basket is a fixed list of products and the cities where they are priced.
type Basket struct {
	Products []Product
	Cities   []City
	Specs    []Spec // one for each product
}

//go:embed canada.json
var canada []byte

// Canada returns the basket of the published index: fifty products with ids 1 to
// 50 in the nine categories, and the thirteen cities in the order in which the
// interfaces list them. Products 7, 8, 9, 11, 18, 21, 27 and 50 are sold by the
// kilogram, all others by the package.
//
// The specs have the words of English and French shop titles. They refuse other
// finds of a search for the product (the juice, the chips, the flavoured kind) and
// let the plain product pass under any brand. Bounds on the size leave room for the
// usual other packs, not for single portions or cases.
//
// Every call returns a new basket, which the caller may change.
func Canada() Basket {
	var b Basket
	if err := json.Unmarshal(canada, &b); err != nil {
		panic("basket: canada.json: " + err.Error())
	}
	return b
}
