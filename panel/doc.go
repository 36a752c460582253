// Package panel holds a price panel in memory: products, places, and the prices
// of every series, week by week. Its quality gate decides which of these prices
// count.
//
// # What it decides for you
//
// A price belongs to the ISO week of the moment it was seen, by the panel's [Calendar],
// and a week is named by its Sunday. A series is one listing at one
// store. Its price of a week is the geometric mean of that week's prices.
// A price counts in the index when its store, listing and product are active,
// its banner is an index banner and its verdict is [Pass]. All others are
// counted, by reason, and not kept. Money is exact: a [Price] is whole
// ten-thousandths of the currency.
//
// [Gate] gives rows their verdicts: by their title and package, and by the
// [Quarantine] entries that name them. [Derivation] makes such entries out of all
// rows of a panel. A [Builder] takes the verdict that comes with a row. The
// rules and their bounds are in docs/rules.md; [GateVersion] names their revision.
//
// # What it refuses
//
// A [Builder] refuses records that contradict each other or themselves: a price
// that is not above 0 or has more than four decimals, an unknown store, a listing
// of one banner seen at a store of another, an id that is taken, a moment outside
// the years 1970 to 2199. The [RecordError] names the record. Nothing is imputed:
// a week without a price is a gap.
//
// # In memory
//
// Series are sorted by product, city, banner, store and listing, and each week
// is one dense block of log prices in that order: eight bytes for each series,
// priced or not. A [Panel] has no single rows: [Rows] holds them, with their
// judgements. The package knows no files, no SQL and no clock.
package panel
