//go:build !purego

package lanes

// useAVX2 says that the processor has it, and the system keeps its registers. Tests take it away.
var useAVX2 = hasAVX2()

func hasAVX2() bool

// The inner loop of Relate, Add, Divide and Aggregate.Add. Each n is at least 1.
//
//go:noescape
func relateAVX2(to *Column, rows *Row, base *float64, n int, sums *Sums)

//go:noescape
func addAVX2(sums, pieces *Sums, n int)

//go:noescape
func divideAVX2(sums *Sums)

//go:noescape
func aggregateAVX2(a *Aggregate, means *Sums, nation *Band, weight float64, t *expTable)

// insertAVX2 inserts the values of n columns, at least 1, with their sign turned by
// flip, into rows that are in order, at least 1.
//
//go:noescape
func insertAVX2(first *Band, n int, rows *Band, numRows int, flip uint64)
