package oracle

import (
	"math"
	"testing"
	"time"
)

func TestRoundHalfAwayFromZero(t *testing.T) {
	cases := []struct {
		v        float64
		decimals int
		want     int64
	}{
		{100.00005, 4, 1000001},
		{100.00004999999999, 4, 1000001}, // within 1e-9 of the tie
		{100.0000499, 4, 1000000},        // 1e-7 below it
		{-0.00005, 4, -1},
		{-0.00004, 4, 0},
		{2.675, 2, 268}, // 2.67499999999999982236431605997495353221893310546875
		{1.005, 2, 101},
		{1.004, 2, 100},
		{0, 4, 0},
	}
	for _, c := range cases {
		if got := roundUnits(c.v, c.decimals); got != c.want {
			t.Errorf("roundUnits(%v, %d) = %d, want %d", c.v, c.decimals, got, c.want)
		}
	}
}

func TestRatioChange(t *testing.T) {
	cases := []struct {
		v, q int64
		want float64
	}{
		{1050000, 1000000, 5},
		{950000, 1000000, -5},
		{1100000, 2000000, -45},
		// 1 * 100 / 2,000,000 = 0.00005 percent: a tie, away from zero.
		{2000001, 2000000, 0.0001},
		{1999999, 2000000, -0.0001},
		// 1 * 100 / 2,000,001 = 0.000049999975: under the tie.
		{2000002, 2000001, 0},
		{2000000, 2000001, 0},
		{1000000, 1000000, 0},
		// 7 * 100 / 3 = 233.33333...
		{10, 3, 233.3333},
	}
	for _, c := range cases {
		got := ratioChange(c.v, c.q)
		if got != c.want || (got == 0 && math.Signbit(got)) {
			t.Errorf("ratioChange(%d, %d) = %v, want %v", c.v, c.q, got, c.want)
		}
	}
}

func TestSumKeepsSmallTerms(t *testing.T) {
	if got := sum([]float64{1, 1e100, 1, -1e100}); got != 2 {
		t.Errorf("sum = %v, want 2", got)
	}
}

func TestTrimmedMean(t *testing.T) {
	cases := []struct {
		n    int
		want float64
	}{
		// The values are 1 to n-1 and 1000, unsorted.
		{9, (36.0 + 1000) / 9}, // floor(0.9) = 0 dropped
		{10, 44.0 / 8},         // 1 dropped at each end: 2..9
		{19, 170.0 / 17},       // floor(1.9) = 1: 2..18
		{20, 168.0 / 16},       // 2: 3..18
	}
	for _, c := range cases {
		values := []float64{1000}
		for i := c.n - 1; i >= 1; i-- {
			values = append(values, float64(i))
		}
		if got := trimmedMean(values, 10); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("n = %d: %v, want %v", c.n, got, c.want)
		}
	}
}

func TestWeekOf(t *testing.T) {
	cases := []struct{ at, want string }{
		{"2026-07-13T02:00:00Z", "2026-07-12"}, // Sunday 22:00 in Toronto
		{"2026-07-13T03:59:59Z", "2026-07-12"},
		{"2026-07-13T04:00:00Z", "2026-07-19"}, // Monday 00:00 EDT
		{"2026-07-20T03:59:59Z", "2026-07-19"},
		{"2026-07-19T23:30:00-07:00", "2026-07-26"}, // Monday 02:30 in Toronto
		// Clocks go back on Sunday 2026-11-01: the week has 169 hours.
		{"2026-10-26T03:59:59Z", "2026-10-25"}, // still EDT
		{"2026-10-26T04:00:00Z", "2026-11-01"},
		{"2026-11-02T04:59:59Z", "2026-11-01"}, // EST now
		{"2026-11-02T05:00:00Z", "2026-11-08"},
		// Clocks go forward on Sunday 2027-03-14: the week has 167 hours.
		{"2027-03-08T04:59:59Z", "2027-03-07"},
		{"2027-03-08T05:00:00Z", "2027-03-14"},
		{"2027-03-15T03:59:59Z", "2027-03-14"},
		{"2027-03-15T04:00:00Z", "2027-03-21"},
	}
	for _, c := range cases {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := weekOf(at); got != c.want {
			t.Errorf("weekOf(%s) = %s, want %s", c.at, got, c.want)
		}
	}
}

func TestCloses(t *testing.T) {
	cases := map[string]string{
		"2026-07-19": "2026-07-20T04:00:00Z",
		"2026-11-01": "2026-11-02T05:00:00Z",
		"2027-03-07": "2027-03-08T05:00:00Z",
		"2027-03-14": "2027-03-15T04:00:00Z",
	}
	for week, want := range cases {
		if got := closes(week).UTC().Format(time.RFC3339); got != want {
			t.Errorf("closes(%s) = %s, want %s", week, got, want)
		}
	}
}
