// Package oracle is a slow, plain evaluation of the shopper comparison, for tests
// only. It follows the sentences of the method one by one, keeps every amount as
// an exact fraction, and has nothing of package compare but the form of its
// results. It takes two things as given: basket.ParseSize reads package sizes, and
// rows come with the verdict of the quality gate.
//
// RandomWorld makes small worlds in which everything odd is common, with requests,
// to compare two evaluations on thousands of them.
//
// Where the method allows two readings, this package chose these:
//
//   - The gate comes before "latest": an older passing row serves although a newer
//     row of its series fails. If that row is dropped, no older one takes its place.
//   - An unapproved row of a verified banner does not exist, nor does one observed
//     after the instant of the request.
//   - The regular-price rule sees the price as collected. Then assumed_equal and
//     regularPriceBasisUnavailable make it unknown, at every banner.
//   - A condition or an end without "on sale" means nothing. A sale runs on the day of
//     its end. An ended one whose regular price is not higher is still a sale.
//   - "Newest" compares instants; of equal ones the highest id is newest, except for
//     the winning price, where the lowest id wins.
//   - A size is known when the text parses, in the product's unit, and is not "per
//     weight". A range counts by its middle. "Within 1%" has its bounds, of the
//     standard size. Of counts every difference counts. W is the size in grams.
//   - The lowest line wins by the rounded line of the quantity. Goods by the package are
//     rounded once, for one package; goods by weight once, for the line.
//   - An item is in normalizedCountItemIds or unsupportedQuantityItemIds as soon as one
//     row was dropped for that reason, which is the first that drops it.
//   - A chain whose active stores are all uncertain is excluded; one without active
//     stores is not in the city; one without listings is in stores.
//   - 2% of the lowest total is exact, bounds included. At standard sizes another chain
//     must be strictly lower to disagree.
//   - Of equally cheap divisions between two chains the most lopsided counts, then that
//     with more at the first chain by key. A pair must cost less than each chain alone
//     at standard sizes too.
package oracle
