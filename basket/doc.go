// Package basket says what is priced: the canonical products with their
// standard sizes and weights, the nine categories, the cities, and the retail
// chains (banners).
//
// It decides three things for its caller. The order of categories is the
// published one, Overall first, and a Category compares in that order. A
// product's price is stated on one basis, which SoldBy names: the standard size
// for packaged goods, one kilogram for goods sold by weight. A weight is raw and
// relative: nothing here needs weights to sum to 1 (those of Canada sum to
// 0.96), and whoever uses them normalizes them over the products it uses.
//
// It refuses what would make a price ambiguous or a name unusable: Validate
// reports a product without a category of its own, without a positive size or
// weight, a slug that can't stand in a URL, and ids, slugs or names that are
// taken, all of them at once. It knows no prices and no dates.
//
// Canada returns the basket of the published index. Nothing else in this
// module is tied to it: a panel brings its own products, cities and banners.
package basket
