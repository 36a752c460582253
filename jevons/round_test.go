package jevons

import (
	"math"
	"testing"

	"github.com/larder-index/larder/panel"
)

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
		if got := PercentChange(c.v, c.q); got.Units != c.want || !got.Valid {
			t.Errorf("from %d to %d: %v, want %d", c.q, c.v, got, c.want)
		}
	}
	for _, c := range [][2]int64{{1, 0}, {math.MaxInt64, 1}} {
		if got := PercentChange(c[0], c[1]); got.Valid {
			t.Errorf("from %d to %d: %v, want null", c[1], c[0], got)
		}
	}
}

func TestUnclear(t *testing.T) {
	for _, x := range []struct {
		low, high int64
		want      bool
	}{{-1, 1, true}, {0, 5, true}, {-5, 0, true}, {1, 5, false}, {-5, -1, false}} {
		if got := Unclear(panel.FixedOf(x.low), panel.FixedOf(x.high)); got != x.want {
			t.Errorf("from %d to %d: %v", x.low, x.high, got)
		}
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
		if got := Percent(c.percent).of(c.n); got != c.want {
			t.Errorf("%d%% of %d = %d, want %d", c.percent, c.n, got, c.want)
		}
	}
	for _, c := range []struct {
		count, total int
		want         bool
	}{{30, 50, true}, {29, 50, false}, {3, 5, true}, {2, 4, false}, {0, 0, true}} {
		if got := Percent(60).metBy(c.count, c.total); got != c.want {
			t.Errorf("60%% met by %d of %d = %v", c.count, c.total, got)
		}
	}
}
