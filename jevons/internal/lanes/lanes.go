// Package lanes is the arithmetic of the index engine on eight weeks side by side.
// Loops over stores and products then cost their overhead once for eight weeks.
//
// The Go code states the method. On a processor with AVX2, assembly does the same
// with four weeks in a register, unless the build tag purego is set. Both add in the
// same order, so they agree to the last bit, and tests hold them to it.
//
// A step goes Transpose, Relate, Add (banners to cities to the nation), then
// Divide or Tails.Means, then Aggregate.Add. A missing price is NaN: sums take it
// as zero and counts leave it out. All other values must be finite.
package lanes

import "unsafe"

// Width is how many weeks are computed side by side.
const Width = 8

// Band is one value in each of the weeks that are computed side by side.
type Band [Width]float64

// Row is the log prices of one series in the week before a band and in its weeks.
type Row [1 + Width]float64

// The four kinds of value that are averaged over stores.
const (
	Prices    = iota // log prices
	Relatives        // log relatives against base
	Earlier          // log relatives of the week before, where both weeks have one
	Later            // those of this week, where both weeks have one
	Streams
)

// Column is the values of one store, NaN where it has none.
type Column [Streams]Band

// Sums is the sums over the stores of one place, and how many values are in them.
// The streams Earlier and Later have values in the same weeks.
type Sums struct {
	Total [Streams]Band
	count [Later]Band
}

// The assembly knows the sizes of Row, Column, Sums and Aggregate.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Row{})-72]
	_ = [1]struct{}{}[unsafe.Sizeof(Column{})-256]
	_ = [1]struct{}{}[unsafe.Sizeof(Sums{})-448]
	_ = [1]struct{}{}[unsafe.Sizeof(Aggregate{})-640]
)

// Count returns how many values of a stream there are in each week.
func (s *Sums) Count(stream int) *Band { return &s.count[min(stream, Earlier)] }
