// Package basket holds the basket of goods that is priced: the canonical products
// with their standard sizes and weights, the nine categories, the cities, and the
// retail chains (banners). ParseSize reads the package sizes that shops write.
//
// It decides three things for its caller. Categories are in the published order,
// Overall first, and compare in that order. A product's price has one basis,
// which SoldBy names: the standard size for packaged goods, one kilogram for
// goods sold by weight. Weights are raw and relative. They need not sum to 1
// (those of Canada sum to 0.96), so normalize them over the products in use.
//
// It refuses records with an ambiguous price or an unusable name. Validate
// reports everything that is wrong with a product, city or banner at once: a
// product outside the nine categories, a size that is not above 0, a negative
// weight, a slug with other characters than a URL has. ParseSize refuses texts
// that can be read in two ways. The package knows no prices and no dates.
//
// Canada returns the basket of the published index. Nothing else in this module
// depends on it: a panel brings its own products, cities and banners.
package basket
