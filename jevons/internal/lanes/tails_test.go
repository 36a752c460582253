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
func trimmed(tails *Tails, x []float64, t int) [Width]float64 {
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
	tails.Means(&sums, columns, trim)
	return sums.Total[Relatives]
}

// slowTrimmedMean sorts and slices, as the definition reads.
func slowTrimmedMean(x []float64, t int) float64 {
	sorted := slices.Sorted(slices.Values(x))
	return stat.Mean(sorted[t:len(sorted)-t], nil)
}

// checkTrimmed compares the means of all weeks with sorting.
func checkTrimmed(t *rapid.T, tails *Tails, x []float64, drop int) {
	want := slowTrimmedMean(x, drop)
	for j, got := range trimmed(tails, x, drop) {
		if !(math.Abs(got-want) <= 1e-12) {
			t.Fatalf("%d of %d dropped at each end, week %d: %v, want %v", drop, len(x), j, got, want)
		}
	}
}

func TestTrimmedMeanEqualsSorting(t *testing.T) {
	onBoth(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.OneOf(rapid.IntRange(3, 300), rapid.IntRange(600, 3000)).Draw(t, "n")
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
			drop := rapid.OneOf(rapid.IntRange(1, (n-1)/2), rapid.IntRange(1, min(2*mostRanks, (n-1)/2))).Draw(t, "drop")
			checkTrimmed(t, NewTails(n+1), x, drop)
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
			for range 2 { // the second time in the same memory
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
				tails.Means(&sums, columns, trim)
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

func TestPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 60), func(v int) float64 { return float64(v) }), 1, 200).Draw(t, "values")
		k := rapid.IntRange(0, len(values)-1).Draw(t, "k")
		sorted := slices.Sorted(slices.Values(values))
		given := slices.Clone(values)
		if part(values, k); values[k] != sorted[k] {
			t.Fatalf("place %d of %v has %v, want %v", k, given, values[k], sorted[k])
		}
		if slices.Max(values[:k+1]) > sorted[k] || slices.Min(values[k:]) < sorted[k] {
			t.Fatalf("place %d of %v: not parted: %v", k, given, values)
		}
		slices.Sort(values)
		if !slices.Equal(values, sorted) {
			t.Fatalf("place %d of %v: other values: %v", k, given, values)
		}
	})
}

// Orders in which a careless choice of the pivot takes the square of the time.
func TestPartInOrder(t *testing.T) {
	const n = 1 << 20
	for name, value := range map[string]func(i int) float64{
		"ascending": func(i int) float64 { return float64(i) }, "descending": func(i int) float64 { return float64(n - i) },
		"equal": func(int) float64 { return 1 }, "up and down": func(i int) float64 { return float64(min(i, n-i)) },
	} {
		values := make([]float64, n)
		for i := range values {
			values[i] = value(i)
		}
		sorted := slices.Sorted(slices.Values(values))
		for _, k := range []int{0, 1, n / 10, n / 2, n - 1} {
			if part(values, k); values[k] != sorted[k] {
				t.Errorf("%s: place %d has %v, want %v", name, k, values[k], sorted[k])
			}
		}
	}
}

func TestKnownTrimmedMeans(t *testing.T) {
	onBoth(t, func(t *testing.T) {
		for _, c := range []struct {
			to   int // the values are 0, 1, 2 and so on, and one more
			last float64
			want float64
		}{
			{10, 50, 5.5}, // R documentation of mean: x <- c(0:10, 50); mean(x, trim = 0.10) is 5.5
			{18, 19, 9.5}, // SciPy documentation of stats.trim_mean: trim_mean(np.arange(20), 0.1) is 9.5
			{7, 17, 5},
		} {
			x := []float64{c.last}
			for i := range c.to + 1 {
				x = append(x, float64(i))
			}
			if got := trimmed(NewTails(len(x)+1), x, len(x)/10); got != (Band{c.want, c.want, c.want, c.want, c.want, c.want, c.want, c.want}) {
				t.Errorf("the mean of 0 to %d and %v is %v, want %v", c.to, c.last, got, c.want)
			}
		}
	})
}
