// Package jevons computes a matched-model Jevons price index from a panel.
//
// # What it decides for you
//
// One estimator makes the headline and the category indices, at three
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
// A series is one listing at one store. It is matched when it has a price in
// both weeks; its price in a week is the geometric mean of that week's prices.
// Categories are based on the base week. A headline is based on its geography's
// entry week: the first week, from the base week on, in which 60% of the active
// products are priced. Shares are counted in integers.
//
// A headline's change over the week is same-composition: it is computed on the
// series priced in the base week, in the previous published week and in this one.
// A category's is the ratio of two published levels, and so are all changes over
// 28 and 364 days. Basket costs are not matched with the base week.
//
// [FromPrices] makes the table of prices in slices, and [Compute] that of a panel. [Table.Exact],
// [Table.Explain], [Table.WithContributions] and [NewCoverage] read the elementary aggregates that it is
// made of. Package jevons/table has the columns of a row, and its printed forms.
//
// When asked, [Options].Quality gives rows standard errors and intervals. [Regular] is a
// companion series.
//
// # What it refuses
//
// A cell has no row when less than 60% of its products are matched. A change is
// null without its earlier week. No price is imputed or carried forward. Levels of
// different series have different base weeks, so compare cities and banners by
// basket cost. Do not compound WoW; compare levels instead.
//
// # How it is computed
//
// geography.go says which series make up which geography. Then elementary.go goes from log prices to the mean of each
// product in each geography, aggregate.go to categories, headlines and basket costs, change.go to the changes of
// headlines, and publish.go to rows. One pass computes all levels, changes and costs, as if every headline had the base
// week as its entry week and a row in the week before. The few headlines that differ are computed again. Package
// internal/lanes does the arithmetic on eight weeks side by side.
//
// Sources: ILO, IMF, OECD, Eurostat, UN, World Bank, Consumer Price Index
// Manual: Concepts and Methods (2020), ch. 8 (elementary aggregates; Jevons;
// matched models); trimmed means as R's mean(x, trim).
package jevons
