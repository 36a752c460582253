// Package compare compares the cost of a shopping list at the grocery chains of
// one city. A comparison is dated and exact to the cent. It says what it leaves
// out, and names a cheapest chain only when the prices support it.
//
// # What it decides for you
//
// A [Projection] holds the part of a panel that comparisons need. [Evaluate]
// compares a [Request] as of an instant. The current price of an item at a chain
// comes from the latest rows of its listings at the chain's stores in the city:
//
//	latest      of each listing and store, the last row up to the instant that
//	            passes the quality gate
//	dropped     rows more than 8 days old; of a sale that is over; of a counted
//	            good in another count; of a fixed pack that does not divide the
//	            quantity; of a sale with a condition and no known price without it
//	chosen      of the rest, the packages within 1% of the standard size, else
//	            those nearest to it; of these the lowest line total; then the
//	            newest
//
// Days are those of UTC. When no row is left, the newest row gives the [Reason],
// so every missing item of every chain has one. Regular prices are read after
// [panel.Observation.RestateRegular], and placeholders count as unknown. A sale
// with a condition is not counted: the item costs its regular price.
//
//	line        packages: price * size / standard size, to cents, * quantity;
//	            by weight: price * kilograms, to cents
//	total       the sum of the lines
//
// Let L be the lowest total of the chains with the complete list. Totals within
// max(0.05 CAD, 2% of L) of it are too close to call. If another chain is cheaper
// at standard sizes, no chain is named either. Stock plays no part.
//
// # One stop or two
//
// [Result.Split] values a second stop: it buys each item at the cheaper of two
// chains, and names the cheapest of the pairs with the whole list between them.
//
//	baseline    the lowest total of the chains with the complete list
//	pair        the sum of the lower line of each item
//	saving      baseline - pair, in cents
//
// A pair is held to the rule of the recommendation: no pair is named when the
// cheapest one is no cheaper than some chain at standard sizes, or dearer there
// than another pair. Pairs within the margin of a close call are listed beside it.
// When no chain has the complete list, no saving is stated. The time and fare of a
// second stop are left to the shopper.
//
// # What it refuses
//
// A request without a list or a city: nothing is substituted. A request that is
// unknown, repeated or malformed in any part, with an [Error] that says what to
// change. Rows of stores of uncertain location, of retired listings, of inactive
// products, and unapproved rows of a verified banner. A recommendation when fewer
// than two chains have the list complete and fresh. Prices of other chains, cities
// or days.
//
// # Exactness
//
// Money is in whole cents, prices in ten-thousandths of a dollar, sizes in
// millionths of a gram, millilitre or piece. Products are rounded once, half up.
// No amount is a float.
//
// The package knows no HTTP, SQL or clock. docs/methodology.md describes the panel
// and its gate.
package compare
