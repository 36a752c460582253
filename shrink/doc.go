// Package shrink finds packages that got smaller while the listing stayed the
// same (shrinkflation), and grades how far such a finding can be trusted.
//
// # What it decides
//
// [Detect] reads the rows of one listing and compares package sizes within a
// store. A store switches when its size is smaller than in its previous row with
// a size, unless that larger size appeared only once between rows of the smaller
// one. Detect records one event for a listing, an old and a new size, at the
// third row that shows the new size at the stores that switched. One row is not
// enough, because a size may be misread once. There is no event if a switched
// store has gone back to a larger size by then. Rows count whatever the quality
// gate says of them, so an event does not depend on which part of a panel was
// imported first.
//
// [Grade] compares two numbers of an event, its changes of size and of unit
// price. A pack that shrinks by X percent at an unchanged shelf price costs
// about X percent more per unit. The nearer the two, the surer the event.
// Grades are derived when they are asked for and never stored.
//
// # What it refuses
//
// Detect skips sizes that it can't compare: a text that [basket.ParseSize]
// refuses, a size in another unit than the product's, and every size sold by
// weight, because "per kg" is the basis of a price and no package. It skips rows
// without a price in range, as panel.Builder does. Products sold by the kilogram
// have no pack, so they give no events. docs/shrinkflation.md says how often a
// misread size still gives one.
//
// Prices and sizes are decimal numbers. Percent changes, unit prices and shelf
// prices are rounded once, from exact fractions.
//
// The package knows no files, no SQL and no clock.
package shrink
