// Package oracle is a slow, plain evaluation of the shopper comparison, for tests
// only. It follows the sentences of the method one by one, keeps every amount as
// an exact fraction, and has nothing of package compare but the form of its
// results. It takes two things as given: basket.ParseSize reads package sizes, and
// rows come with the verdict of the quality gate.
//
// RandomWorld makes small worlds in which everything odd is common, with requests,
// to compare two evaluations on thousands of them.
//
// # Readings
//
// Where the method allows two readings, this package chose as follows. "Not"
// precedes the other reading. The functions in brackets make the choice.
//
// Rows:
//
//  1. The gate comes first, then "latest": the latest of the rows that pass
//     (pair.latestPassing). An older passing row serves although a newer row of
//     the series fails. Not: the latest row, if it passes. The text says "its
//     latest row that passes the gate".
//  2. Reasons to drop are looked at in that one row. If it is dropped, no older
//     row of its series takes its place. Not: the latest row that is usable.
//     The text says "take its latest row", then "from these, drop".
//  3. An unapproved row of a verified banner does not exist: it is neither the
//     latest row nor one that an exclusion speaks of, and where there are no
//     others the reason is no_observation (comparison.exists). Not: it is
//     observed and shadows older ones, or gives quality_gate. The text says
//     that it "serves nobody", and quality_gate is the gate's verdict.
//  4. A row observed at the very instant of the request exists. "After" is
//     later.
//  5. The regular-price rule sees the regular price as collected, then
//     assumed_equal and regularPriceBasisUnavailable make it unknown. So an
//     impossible regular price of either kind still ends the sale. Not: unknown
//     first, so that the sale remains. The text says "first".
//  6. Both marks count in every banner's rows, not only in those of verified
//     banners. regularPriceBasisUnavailable counts when it is true.
//  7. A condition or an end without "on sale" means nothing
//     (row.needsCondition). Not: a condition makes a sale.
//  8. "Newest" compares instants, not UTC dates. Of equal instants the highest
//     id is newest, except for the winning price: there the text has "newest,
//     then lowest id", which would be empty if newest looked at ids.
//
// Sizes:
//
//  9. A size is known when the text parses, is in the product's unit, and is
//     not "per weight": "per kg" and "/lb" are the unit of the price and not a
//     package, as in the quality gate (statedSize). Not: "/lb" is 454 g, far
//     from a standard of 1 kg, and a listed different size.
//  10. An approximate size or a range is a known size (its middle), for ratio,
//     preference and differentSizeItemIds alike. Only for unsupported_quantity
//     is it no pack. Not: unknown.
//  11. The preference for the standard size, and differentSizeItemIds, hold for
//     per-kg goods too, against their standard size; the text makes no
//     exception. Not: per-kg goods have no size. A size that is unknown makes a
//     per-kg row a first choice and is no fixed pack.
//  12. "Within 1%" is |a - s| <= s/100, bounds included, of the standard size s
//     (differs). Not: a ratio between 1/1.01 and 1.01, or bounds excluded.
//  13. A count differs when it is not equal, however near; of a range the
//     middle counts, and so do the pieces beside a weight. Not: by more than
//     1%, or a range always differs. An unknown count does not differ.
//  14. The unit `unit` makes a counted product, however it is sold.
//  15. qty / W is exact. W is the size in grams, whatever the product's unit:
//     one third of a kilogram, which reads as 333.333333 g, is never whole, nor
//     is a pound.
//  16. Sizes are decimal numbers: a float64 is taken for its shortest decimal
//     text, not for its binary value (sizeOf).
//
// Prices:
//
//  17. expired_promotion comes before conditional_promotion, so a conditional
//     sale that has ended is dropped even where the regular price is known and
//     higher. An ended conditional sale whose regular price is known and not
//     higher is no expired promotion, and then lacks a higher regular price:
//     conditional_promotion. Not: its regular price is usable in both cases.
//  18. An ended sale that stays because its regular price is not higher is
//     still on sale: it is in onSaleItemIds. Not: it is over.
//  19. The sale's end is compared with the UTC date of the request, as it
//     stands; on the day itself the sale runs.
//  20. The lowest line wins by the rounded line of the requested quantity, at
//     the price that the shopper gets (the regular one of a conditional sale).
//     Not: unrounded, or by effective price.
//  21. Package goods are rounded once, for one package, then multiplied. Per-kg
//     lines are rounded once, half up too. The size-adjusted line of a
//     conditional sale has the regular price as well.
//
// Items and chains:
//
//  22. normalizedCountItemIds and unsupportedQuantityItemIds hold an item as
//     soon as one row was dropped for that reason, even where another row gave
//     its chain a price. A row counts under the first reason that drops it: a
//     stale row of another count is stale.
//  23. A requested chain whose active stores are all uncertain is answered, in
//     excludedStores; it has no result in stores and no exclusions. A chain
//     with inactive stores only is not in the city: store_unavailable. A banner
//     without the shopper flag is no chain: unknown_store.
//  24. An eligible chain without any listing is in stores, with
//     no_observed_prices and an exclusion for each item.
//  25. untrackedItemIds asks for an active listing of an active product at an
//     eligible chain, rows or not. Without eligible chains every item is
//     untracked.
//  26. An exclusion's reason is that of the newest contribution, where the row
//     of a series with passing rows is the latest passing one, though failing
//     rows may be newer.
//  27. weightedItemIds has inactive per-kg products too.
//  28. observationSpan spans the winning rows of all stores shown.
//
// Recommendation:
//
//  29. 2% of L is exact, not rounded to cents, and its bound is close.
//  30. The size-adjusted total of another complete chain must be strictly
//     lower to disagree.
//  31. Codes of reasons: one of the status; with insufficient_coverage also
//     untracked_items if there are any, and unsupported_quantity if an
//     exclusion has that reason. Not: these two on every status, or the second
//     whenever unsupportedQuantityItemIds has an item: "blocking items" block.
//
// Split:
//
//  32. Of equally cheap divisions of a list between two chains the most lopsided
//     one counts, then the one with more at the first chain by key. If that
//     leaves one chain without an item, the two are no pair.
//  33. The cheapest pair must cost less than each chain alone at standard sizes,
//     not only than the cheapest one at the shelf. Pairs that are too close to it
//     are not held against it: they are listed beside it.
package oracle
