// Package jevons computes a matched-model Jevons price index from a panel.
//
// # What it decides for you
//
// One estimator makes the headline and the nine category indices, at three
// levels of geography (national, city, banner in a city), each directly
// against a base week and never by chaining:
//
//	store relative    mean over a product's matched series at a store of
//	                  ln P(w) - ln P(b)
//	product  rho_i    mean of its store relatives, floor(10% of n) dropped at
//	                  each end
//	category rho_c    mean of rho_i over the matched products, weighted by
//	                  basket weight
//	headline rho      mean of rho_c over the categories with a matched
//	                  product, each weighted by all its active products
//	level             100 * exp(rho)
//
// A series (one retailer product at one store) is matched when it has a price
// in both weeks; its price in a week is the geometric mean of that week's.
// Categories are based on the base week. A headline is based on its
// geography's entry week: the first from the base week on in which 60% of the
// active products are priced. Every share is counted in integers.
//
// Percent changes: a headline's week-over-week change is same-composition,
// computed on the series that are priced in the base week, in the previous
// published week and in this one; a category's is the ratio of two published
// levels, as are the changes over 28 and 364 days. Basket costs are not
// matched with the base: see [Row].
//
// # What it refuses
//
// A cell of which less than 60% of the products are matched has no row, a
// change without its earlier week is null, and no price is imputed or carried
// forward. Levels of different series have different base weeks: compare
// cities and banners by basket cost. Do not compound WoW; use the levels.
//
// # Parts
//
// [Compute] makes the table of a panel at once. An [Index] is a table to which
// weeks can be added: [Index.Extend] computes the new ones only. [Mean],
// [TrimmedGeoMean], [WeightedGeoMean] and [Matched] are the estimator's parts for
// data that is in no panel. [Table.Explain] takes a published value apart.
//
// # How it is computed
//
// Eight weeks are computed side by side, product by product: the log prices of a
// product's stores are read once and give, in each week, log prices, relatives
// against the base, and the relatives of this week and the last where both have
// one. The sums over a banner's stores make those of its city, and these the
// nation's. Where the trim drops a store, both tails are looked for. Basket costs,
// levels and changes come from one pass. Only what it can't know before, headlines
// with another base week and changes over a gap of weeks, is computed anew for the
// geographies concerned. Where the processor has AVX2, one instruction computes
// four weeks; the rows are the same without.
//
// Sources: ILO, IMF, OECD, Eurostat, UN, World Bank, Consumer Price Index
// Manual: Concepts and Methods (2020), ch. 8 (elementary aggregates; Jevons;
// matched models); trimmed means as R's mean(x, trim).
package jevons
