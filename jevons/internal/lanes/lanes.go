// Package lanes is the arithmetic of the index engine on eight weeks side by side.
// Loops over stores and products then cost their overhead once for eight weeks.
//
// It has two forms of each step: plain Go, and AVX2 with four weeks in a register.
// AVX2 runs on processors that have it, unless the build tag purego is set. Both
// forms add in the same order, so they agree to the last bit, and tests hold them
// to it.
//
// A step goes Transpose, Relate, Add (banners to cities to the nation), then
// Divide or Tails.Means, then Aggregate.Add. A missing price is NaN: sums take it
// as zero and counts leave it out. All other values must be finite.
package lanes

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

// Count returns how many values of a stream there are in each week.
func (s *Sums) Count(stream int) *Band { return &s.count[min(stream, Earlier)] }
