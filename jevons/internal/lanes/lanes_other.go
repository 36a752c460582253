//go:build !amd64 || purego

package lanes

// Without AVX2 none of these is called.
const useAVX2 = false

func relateAVX2(*Column, *Row, *float64, int, *Sums)             {}
func addAVX2(_, _ *Sums, _ int)                                  {}
func divideAVX2(*Sums)                                           {}
func insertAVX2(*Band, int, *Band, int, uint64)                  {}
func aggregateAVX2(*Aggregate, *Sums, *Band, float64, *expTable) {}
