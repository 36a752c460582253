// Package panel holds a price panel in memory: products, places, and the prices
// of every series, week by week. Its quality gate decides which of these prices
// count.
//
// # What it decides for you
//
// A price belongs to the ISO week of the moment it was seen, on Toronto's clock,
// and a week is named by its Sunday. A series is one retailer product (listing)
// at one store. Its price of a week is the geometric mean of that week's prices.
// A price counts in the index when its store, listing and product are active,
// its banner is an index banner and its verdict is [Pass]. All others are
// counted, by reason, and not kept. Money is exact: a [Price] is whole
// ten-thousandths of a dollar.
//
// # The quality gate
//
// [Gate] gives rows their verdicts. It sets aside the rows that a [Quarantine]
// entry names: those of a listing everywhere or at one store, or a single row.
// It fails rows whose title or package does not fit the product's [basket.Spec].
// What is not known can't fail: a missing spec, title or size. The gate judges no
// row by its price.
//
// [Derivation] makes entries out of all rows of a panel: listings at least half
// of whose rows are another product, series priced for another quantity, single
// rows priced per pound. Each entry states its evidence. Derivation leaves
// existing entries alone, in particular those that an operator released.
//
// The formulas and bounds are in docs/methodology.md; [GateVersion] names their
// revision. [Observation.RestateRegular] is the rule about regular prices there.
// A [Builder] takes the verdict that comes with a row, as a gate gave it.
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
// is one dense block of log prices in that order. So the prices of a product in
// the nation, in a city or at a banner there are contiguous, and the whole
// history is one forward pass. A block takes eight bytes for each series, priced
// or not, so a panel whose listings are replaced all the time holds mostly gaps.
// A [Panel] has no single rows: [Rows] holds them, with their judgements.
//
// The package knows no files, no SQL and no clock. Package panel/sqlite loads a
// panel from a snapshot; [Builder] makes one from your own data.
package panel
