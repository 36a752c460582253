// Package csvdir reads and writes panel directories: folders of CSV files that
// hold a price panel as people and other programs exchange it.
//
// It decides what a well-formed row is. [Open] checks the folder as a whole: the
// required files are there, plain or gzipped but not both, every column is
// known and none is missing. [Read] gives the rows of one table, each as a record
// of package basket or panel, or as a [Reject] that says what is wrong with it;
// after a bad row, reading goes on at the next one. Values are taken exactly or
// not at all: a price with five decimals, a time without an offset or a boolean
// other than 0 and 1 is a reject, never a guess. What rows mean together
// (unknown references, repeated ids) is for the caller to judge.
//
// [Write] is the reverse. It is deterministic: the same rows give the same bytes.
package csvdir
