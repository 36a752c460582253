//go:build !purego

package lanes

// useAVX2 says that the processor has it. Tests take it away.
var useAVX2 = hasAVX2()

// hasAVX2 asks the processor, and whether the system keeps its registers.
func hasAVX2() bool

// relateAVX2 is relate, for n of at least 1.
//
//go:noescape
func relateAVX2(to *Column, rows *Row, base *float64, n int, sums *Sums)

// addAVX2 is Add, for n of at least 1.
//
//go:noescape
func addAVX2(sums, pieces *Sums, n int)

// divideAVX2 is Divide.
//
//go:noescape
func divideAVX2(sums *Sums)

// insertAVX2 inserts the values of n columns, at least 1, with their sign turned by
// flip, into rows that are in order, at least 1.
//
//go:noescape
func insertAVX2(first *Band, n int, rows *Band, numRows int, flip uint64)

// aggregateAVX2 is Aggregate.Add.
//
//go:noescape
func aggregateAVX2(a *Aggregate, means *Sums, nation *Band, weight float64, t *expTable)
