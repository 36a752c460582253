package lanes

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// trimmed returns the mean of x without the t smallest and largest values, as
// Means takes it in each week of a band: in week j the values stand j columns
// further, with a missing one among them.
func trimmed(tails *Tails, x []float64, t int, near *Near) [Width]float64 {
	columns := make([]Column, len(x)+1)
	trim := make([]int32, len(x)+1)
	trim[len(x)] = int32(t)
	for j := range Width {
		none := len(x) * j / Width
		columns[none][Relatives][j] = math.NaN()
		for i, v := range x {
			columns[(none+1+i)%len(columns)][Relatives][j] = v
		}
	}
	// The other streams lack the same values here.
	for i := range columns {
		for s := range columns[i] {
			columns[i][s] = columns[i][Relatives]
		}
	}
	var sums Sums
	AddColumns(&sums, columns)
	tails.Means(&sums, columns, true, trim, near)
	return sums.Total[Relatives]
}

// slowTrimmedMean sorts and slices, as the definition reads.
func slowTrimmedMean(x []float64, t int) float64 {
	sorted := slices.Sorted(slices.Values(x))
	return stat.Mean(sorted[t:len(sorted)-t], nil)
}

// checkTrimmed compares the means of all weeks with sorting.
func checkTrimmed(t *rapid.T, tails *Tails, x []float64, drop int, near *Near) {
	want := slowTrimmedMean(x, drop)
	for j, got := range trimmed(tails, x, drop, near) {
		if !(math.Abs(got-want) <= 1e-12) {
			t.Fatalf("%d of %d dropped at each end, week %d: %v, want %v", drop, len(x), j, got, want)
		}
	}
}

func TestTrimmedMeanEqualsSorting(t *testing.T) {
	onBoth(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			// Few distinct values, so that ties are common.
			value := rapid.OneOf(
				rapid.Float64Range(-40, 40),
				rapid.SampledFrom([]float64{-1, 0, 0, 1, 2}),
			)
			x := rapid.SliceOfN(value, 1, 300).Draw(t, "x")
			drop := rapid.IntRange(0, (len(x)-1)/2).Draw(t, "drop")
			checkTrimmed(t, NewTails(len(x)+1), x, drop, &Near{})
		})
	})
}

// TestMemoryDoesNotMatter takes trimmed means of sets that drift, with the
// memory of the sets before and without: they must be equal to the last bit.
func TestMemoryDoesNotMatter(t *testing.T) {
	onBoth(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(20, 200).Draw(t, "n")
			drop := rapid.IntRange(2, (n-1)/2).Draw(t, "drop")
			x := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{0, 0.1})), n, n).Draw(t, "x")
			tails := NewTails(n + 1)
			var near Near
			for step := range 12 {
				for i := range x {
					x[i] += rapid.SampledFrom([]float64{0, 0, 0.01, -0.02, 0.3}).Draw(t, "drift")
				}
				got := trimmed(tails, x, drop, &near)
				if want := trimmed(NewTails(n+1), x, drop, &Near{}); got != want {
					t.Fatalf("step %d: %.17g with memory, %.17g without", step, got, want)
				}
				checkTrimmed(t, tails, x, drop, &near)
			}
		})
	})
}

func TestTrimmedMeanOfManyStores(t *testing.T) {
	onBoth(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(600, 3000).Draw(t, "n")
			kind := rapid.SampledFrom([]string{"random", "ascending", "descending", "equal", "two values", "far apart", "a cluster and outliers"}).Draw(t, "kind")
			seed := rapid.Uint64().Draw(t, "seed")
			x := make([]float64, n)
			for i := range x {
				seed = seed*6364136223846793005 + 1442695040888963407
				random := float64(seed>>40) / (1 << 24)
				switch kind {
				case "random":
					x[i] = random
				case "ascending":
					x[i] = float64(i) / 1000
				case "descending":
					x[i] = float64(n-i) / 1000
				case "two values":
					x[i] = float64(seed >> 63)
				case "far apart":
					x[i] = math.Exp(-40 * random)
				case "a cluster and outliers":
					x[i] = random * 1e-9
					if i%9 == 0 {
						x[i] = 26 * (random - 0.5)
					}
				}
			}
			drop := rapid.OneOf(rapid.IntRange(2, (n-1)/2), rapid.IntRange(2, 2*mostRanks)).Draw(t, "drop")
			checkTrimmed(t, NewTails(n+1), x, drop, &Near{})
		})
	})
}
