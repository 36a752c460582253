package jevons

import (
	"errors"
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.17g, want %.17g within %g", what, got, want, tolerance)
	}
}

func TestTrimmedMeanKnownValues(t *testing.T) {
	// R documentation of mean: x <- c(0:10, 50); mean(x, trim = 0.10) is 5.5.
	r := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50}
	got, err := TrimmedMean(r, Percent(10))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "R's mean(c(0:10, 50), trim = 0.10)", got, 5.5, 0)
	if r[11] != 50 || r[0] != 0 {
		t.Error("TrimmedMean changed its input")
	}

	// SciPy documentation of stats.trim_mean: trim_mean(np.arange(20), 0.1) is 9.5.
	scipy := make([]float64, 20)
	for i := range scipy {
		scipy[i] = float64(i)
	}
	got, _ = TrimmedMean(scipy, Percent(10))
	near(t, "SciPy's trim_mean(arange(20), 0.1)", got, 9.5, 0)
}

func TestTrimmedMeanDropsWhatItTrims(t *testing.T) {
	repeat := func(v float64, n int, rest ...float64) []float64 {
		for range n {
			rest = append(rest, v)
		}
		return rest
	}
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{repeat(1, 16, 1e20, 1e20, -1e5, -1e5), 1},
		{repeat(0.1, 16, 1e10, 1e10, -5, -5), 0.1},
		{repeat(0.1, 16, math.MaxFloat64, math.MaxFloat64, -5, -5), 0.1},
		{repeat(0.1, 8, math.MaxFloat64, -math.MaxFloat64), 0.1},
	} {
		got, err := TrimmedMean(c.x, Percent(10))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "trimmed mean", got, c.want, 1e-16)
	}
}

func TestRoundHalfAwayFromZero(t *testing.T) {
	for _, c := range []struct {
		x    float64
		step int64
		want int64
	}{
		{2.345, twoDecimals, 23500}, {-2.345, twoDecimals, -23500}, {2.3449, twoDecimals, 23400},
		{100.00005, fourDecimals, 1000001}, {math.Exp(math.Log(2.345)), twoDecimals, 23500}, {-0.00001, fourDecimals, 0},
		{1e13, fourDecimals, 1e17},
	} {
		if got := round(c.x, c.step); got.Units != c.want || !got.Valid {
			t.Errorf("round(%v) = %v, want %d", c.x, got, c.want)
		}
	}
	for _, x := range []float64{1e15, math.Inf(1), math.NaN(), -1e300} {
		if got := round(x, fourDecimals); got.Valid {
			t.Errorf("round(%v) = %v, want null", x, got)
		}
	}
}

func TestPercentChange(t *testing.T) {
	for _, c := range []struct{ v, q, want int64 }{
		{1_100_000, 1_000_000, 10_0000},
		{2_000_001, 2_000_000, 1},  // 0.00005%: half a unit, away from zero
		{1_999_999, 2_000_000, -1}, // and below
		{4_000_001, 4_000_000, 0},  // 0.000025%
		{3_999_999, 4_000_000, 0},  // never -0
		{1e18, 1e17, 900_0000},
	} {
		if got := percentChange(c.v, c.q); got.Units != c.want || !got.Valid {
			t.Errorf("from %d to %d: %v, want %d", c.q, c.v, got, c.want)
		}
	}
	for _, c := range [][2]int64{{1, 0}, {math.MaxInt64, 1}} {
		if got := percentChange(c[0], c[1]); got.Valid {
			t.Errorf("from %d to %d: %v, want null", c[1], c[0], got)
		}
	}
}

func TestGeoMeanKnownValues(t *testing.T) {
	// Statistics Canada, course on price indices: relatives of an elementary
	// aggregate and their weights.
	relatives := []float64{1.1, 1.2, 0.9, 1.1}
	got, err := Mean(relatives)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Jevons", got, 1.069184, 5e-7)
	got, err = WeightedGeoMean(relatives, []float64{0.25, 0.3, 0.3, 0.15})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "weighted", got, 1.063125, 5e-7)
	got, err = WeightedGeoMean([]float64{2, 3}, []float64{1e308, 1e308})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "weighted by huge weights", got, math.Sqrt(6), 1e-15)
}

func TestMatchedKnownValues(t *testing.T) {
	// price6 of the R package gpindex: six products, five periods.
	price6 := map[string][5]float64{
		"A": {1, 1.2, 1, .8, 1},
		"B": {1, 3, 1, .5, 1},
		"C": {1, 1.3, 1.5, 1.6, 1.6},
		"D": {1, .7, .5, .3, .1},
		"E": {1, 1.4, 1.7, 1.9, 2},
		"F": {1, .8, .6, .4, .2},
	}
	period := func(i int) map[string]float64 {
		prices := map[string]float64{}
		for k, p := range price6 {
			prices[k] = p[i]
		}
		return prices
	}
	for i, want := range map[int]float64{1: 1.241920090268420, 4: 0.632455532033676} {
		matched, err := Matched(period(0), period(i))
		if err != nil {
			t.Fatal(err)
		}
		var relatives []float64
		for _, m := range matched {
			relatives = append(relatives, m.Value)
		}
		got, err := Mean(relatives)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Jevons of price6", got, want, 1e-14)
	}
}

func TestMatchedLeavesOutTheUnmatched(t *testing.T) {
	got, err := Matched(map[int]float64{3: 2, 1: 4, 2: 1}, map[int]float64{1: 2, 3: 3, 9: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := []Relative[int]{{1, 0.5}, {3, 1.5}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := Matched(map[int]float64{1: 1e-300}, map[int]float64{1: 1e300}); !errors.Is(err, ErrNotPositive) {
		t.Errorf("an infinite relative: %v", err)
	}
	if got, err := Matched(map[int]float64{1: 1}, map[int]float64{2: 1}); err != nil || len(got) != 0 {
		t.Errorf("nothing matched: got %v, %v", got, err)
	}
}

func TestConditionsOfTheData(t *testing.T) {
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := Mean([]float64{1, bad}); !errors.Is(err, ErrNotPositive) {
			t.Errorf("Mean of %v: %v", bad, err)
		}
		if _, err := WeightedGeoMean([]float64{1, bad}, []float64{1, 1}); !errors.Is(err, ErrNotPositive) {
			t.Errorf("WeightedGeoMean of %v: %v", bad, err)
		}
		if _, err := Matched(map[int]float64{1: 1}, map[int]float64{1: bad}); !errors.Is(err, ErrNotPositive) {
			t.Errorf("Matched with %v: %v", bad, err)
		}
	}
	for _, bad := range [][]float64{{1, -1}, {1, math.NaN()}, {0, 0}, {1, math.Inf(1)}} {
		if _, err := WeightedGeoMean([]float64{1, 2}, bad); !errors.Is(err, ErrWeight) {
			t.Errorf("weights %v: %v", bad, err)
		}
	}
	if _, err := Mean(nil); !errors.Is(err, ErrEmpty) {
		t.Errorf("Mean of nothing: %v", err)
	}
	if _, err := TrimmedMean(nil, Percent(10)); !errors.Is(err, ErrEmpty) {
		t.Errorf("TrimmedMean of nothing: %v", err)
	}
	if got, err := TrimmedMean([]float64{1, math.NaN()}, Percent(10)); err != nil || !math.IsNaN(got) {
		t.Errorf("TrimmedMean with a NaN: %v, %v", got, err)
	}
}

func TestShareCountsInIntegers(t *testing.T) {
	for _, c := range []struct {
		percent, n, want int
	}{
		{10, 9, 0}, {10, 10, 1}, {10, 19, 1}, {10, 20, 2}, {10, 30, 3},
		{29, 100, 29}, // 0.29 * 100 is 28.999999999999996 in floating point
		{7, 100, 7},   // 0.07 * 100 is 7.000000000000001
		{0, 50, 0},
	} {
		if got := Percent(c.percent).Of(c.n); got != c.want {
			t.Errorf("%d%% of %d = %d, want %d", c.percent, c.n, got, c.want)
		}
	}
	for _, c := range []struct {
		count, total int
		want         bool
	}{{30, 50, true}, {29, 50, false}, {3, 5, true}, {2, 4, false}, {0, 0, true}} {
		if got := Percent(60).MetBy(c.count, c.total); got != c.want {
			t.Errorf("60%% met by %d of %d = %v", c.count, c.total, got)
		}
	}
}
