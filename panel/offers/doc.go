// Package offers reads the prices of goods from files as others publish them.
//
// A [Mapping] says which column of a file holds what; it is data. Those of some publications
// are bundled, and [Detect] tells by a file's header which of them it is. [Read] then streams
// an [Offer] for each row, from tables with any usual delimiter and arrays of JSON, in UTF-8,
// UTF-16 or an older encoding, in folders, gz, and zip within zip.
//
// A row is read as it is written, or refused by file and line with a reason: nothing is lost,
// and nothing is guessed. So a price of two readings, in another currency, or without a size
// that it is for is refused. So is a row with a cell too many, or with a quote that has no
// end. What an offer is a price of is not decided here.
package offers
