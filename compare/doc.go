// Package compare compares what a shopping list costs at the grocery chains of
// one city: a dated comparison, exact to the cent, that says what it leaves out
// and names a cheapest chain only when the prices bear it out.
//
// # What it decides for you
//
// A [Projection] holds what comparisons need of a panel; [Evaluate] puts a
// [Request] to it as of an instant. The current price of an item at a chain is
// found among the latest rows of its listings at its stores in the city:
//
//	latest      of each listing and store, the last row up to the instant that
//	            passes the quality gate
//	dropped     more than 8 days old; of a sale that is over; a counted good in
//	            another count; a fixed pack that the quantity is no multiple of;
//	            a sale with a condition and no known price without it
//	chosen      of what is left, the packages within 1% of the standard size,
//	            else those nearest to it; of these the lowest line total; then
//	            the newest
//
// Days are those of UTC. Where no row is left, the newest says why: every
// missing item of every chain has a [Reason]. Regular prices are read by
// [panel.Observation.RestateRegular] first, and count as unknown where they are
// placeholders. A sale with a condition is never given to the shopper: its item
// stands at the regular price.
//
//	line        packages: price * size / standard size, to cents, * quantity;
//	            by weight: price * kilograms, to cents
//	total       the sum of the lines
//
// With L the lowest total of the chains that have the complete list, others
// within max(0.05 CAD, 2% of L) are too close to call. When another chain is
// cheaper than the lowest with all packages restated to the standard size, no
// chain is named either. Being out of stock changes nothing.
//
// # One stop or two
//
// [Result.Split] says what a second stop is worth: each item is bought at the
// cheaper of two chains, and of all pairs that have the whole list between them
// the cheapest is named.
//
//	baseline    the lowest total of the chains that have the complete list
//	pair        the sum of the lower line of each item
//	saving      baseline - pair, in cents
//
// A pair is held to the rule of the recommendation: when it is no cheaper than
// some chain at standard sizes, or dearer there than another pair, none is named.
// Pairs within the margin of a close call are listed beside it, since none of
// them is the cheapest: whatever the shopper takes of those that have a saving,
// it is real. Where no chain has the complete list there is no saving to state.
// What a stop costs in time is not the package's to know.
//
// # What it refuses
//
// A list or a city that is not given: nothing is substituted. Requests that are
// unknown, repeated or malformed in any part, with an [Error] that says what to
// change. Rows of stores whose location is uncertain, of retired listings and
// inactive products, and those of a verified banner that nobody approved: they
// serve no comparison. A list that fewer than two chains have complete and fresh
// gets a comparison but no recommendation; prices are not carried over from
// other chains, cities or days.
//
// # Exactness
//
// Money is in whole cents, prices in ten-thousandths of a dollar, sizes in
// millionths of a gram, millilitre or piece; products are rounded once, half up.
// No float touches an amount.
//
// The package knows no HTTP, no SQL and no clock. docs/methodology.md has the
// method of the panel and of its gate.
package compare
