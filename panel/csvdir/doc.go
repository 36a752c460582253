// Package csvdir reads and writes panel directories: folders of CSV files that
// hold a price panel as people and other programs exchange it.
//
// [Open] checks the folder as a whole: the required files are there, plain or
// gzipped but not both, and have the columns of package panel's lists. [Read]
// returns the rows of one table, each as a record of package basket or panel, or
// as a [Reject] with its fault. After a bad row, reading goes on at the next one.
// Values are taken exactly or not at all: a price with five decimals, a time
// without an offset or a boolean other than 0 and 1 is a reject, never a guess.
// The caller judges rows together: unknown references, repeated ids.
//
// [Write] is the reverse. The same rows give the same bytes.
package csvdir
