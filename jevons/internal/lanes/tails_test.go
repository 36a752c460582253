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
	tails.Means(&sums, columns, trim, near)
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

// TestMeansOfEveryStream compares with sorting where the streams Earlier and Later
// have other values than Relatives, as they have of stores with several series,
// and where they have fewer.
func TestMeansOfEveryStream(t *testing.T) {
	onBoth(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 140).Draw(t, "stores")
			share := rapid.IntRange(0, 49).Draw(t, "percent")
			trim := make([]int32, n+1)
			for n := range trim {
				trim[n] = int32(n * share / 100)
			}
			tails := NewTails(n)
			var near Near
			for range 2 { // the second time with what the first one found
				rows, base := columnsOf(t, n)
				columns, sums := make([]Column, n), Sums{}
				Relate(columns, rows, base, &sums)
				several := rapid.Bool().Draw(t, "several")
				if several {
					slices.Reverse(rows)
					other := make([]Column, n)
					Relate(other, rows, base, &sums)
					for i := range columns {
						columns[i][Earlier], columns[i][Later] = other[i][Earlier], other[i][Later]
					}
					AddColumns(&sums, columns)
				}
				tails.Means(&sums, columns, trim, &near)
				for s := range Streams {
					for j := range Width {
						checkMean(t, columns, s, j, share, sums.Total[s][j])
					}
				}
			}
		})
	})
}

// checkMean compares a trimmed mean with sorting.
func checkMean(t *rapid.T, columns []Column, stream, j, share int, got float64) {
	var x []float64
	for i := range columns {
		if v := columns[i][stream][j]; !math.IsNaN(v) {
			x = append(x, v)
		}
	}
	if len(x) == 0 {
		if got != 0 {
			t.Fatalf("stream %d, week %d: %v, and there are no values", stream, j, got)
		}
		return
	}
	if want := slowTrimmedMean(x, len(x)*share/100); !(math.Abs(got-want) <= 1e-12) {
		t.Fatalf("stream %d, week %d, %d values: %v, want %v", stream, j, len(x), got, want)
	}
}

// TestNothingIsKept takes means of one place after another, such that the tails of
// relatives are long and those of later ones are not: what was found of the place
// before must not serve the next.
func TestNothingIsKept(t *testing.T) {
	onBoth(t, func(t *testing.T) {
		tails := NewTails(490)
		trim := make([]int32, 491)
		for n := range trim {
			trim[n] = int32(n / 10)
		}
		means := func(tails *Tails, n, missing int, value func(i int) float64) [Streams]Band {
			rows, base, columns, sums := make([]Row, n), make([]float64, n), make([]Column, n), Sums{}
			for i := range rows {
				for j := range rows[i] {
					rows[i][j] = value(i)
				}
				if i < missing {
					rows[i][0] = math.NaN()
				}
			}
			Relate(columns, rows, base, &sums)
			tails.Means(&sums, columns, trim, &Near{})
			return sums.Total
		}
		second := func(tails *Tails) [Streams]Band {
			return means(tails, 490, 10, func(i int) float64 { return float64(i) / 490 })
		}
		means(tails, 480, 0, func(i int) float64 { return math.Sin(float64(i)) })
		if got, want := second(tails), second(NewTails(490)); got != want {
			t.Errorf("%v after another place, %v by itself", got, want)
		}
	})
}
