package lanes

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// columnsOf draws columns as they are made of prices: of n stores in the weeks of
// a band, with gaps.
func columnsOf(t *rapid.T, n int) (rows []Row, base []float64) {
	rows, base = make([]Row, n), make([]float64, n)
	price := func(what string) float64 {
		v := rapid.IntRange(-400, 4000).Draw(t, what)
		if v < 0 {
			return math.NaN()
		}
		return math.Log(float64(1+v) / 100)
	}
	for i := range rows {
		base[i] = price("base")
		last := price("price")
		for j := range rows[i] {
			if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
				last = price("price")
			}
			rows[i][j] = last
		}
	}
	return rows, base
}

// same compares to the last bit, NaN equal to NaN.
func same(t *rapid.T, what string, fast, slow any) {
	t.Helper()
	bits := func(v any) []byte {
		b, err := binary.Append(nil, binary.NativeEndian, v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if bytes.Equal(bits(fast), bits(slow)) { // much faster
		return
	}
	if diff := cmp.Diff(slow, fast, cmpopts.EquateNaNs(), cmp.AllowUnexported(Sums{}, Aggregate{})); diff != "" {
		t.Fatalf("%s differ (-Go +AVX2):\n%s", what, diff)
	}
}

// TestBothWaysAgree runs an engine's pass over a product both ways: whatever one
// way computes, the other does to the last bit.
func TestBothWaysAgree(t *testing.T) {
	if !useAVX2 {
		t.Skip("this build has one way only")
	}
	rapid.Check(t, func(t *rapid.T) {
		rows, base := columnsOf(t, rapid.OneOf(rapid.IntRange(1, 200), rapid.IntRange(480, 700)).Draw(t, "stores"))
		weight := rapid.Float64Range(0, 5).Draw(t, "weight")
		share := rapid.IntRange(0, 49).Draw(t, "percent")
		trim := make([]int32, len(rows)+1)
		for n := range trim {
			trim[n] = int32(n * share / 100)
		}
		type outcome struct {
			Sums        Sums
			Of, Twice   Sums
			Means, Half Sums
			Aggregate   Aggregate
		}
		pass := func(way int) (columns []Column, o outcome) {
			defer func(was bool) { setAVX2(was) }(setAVX2(way == 1))
			columns = make([]Column, len(rows))
			Relate(columns, rows, base, &o.Sums)
			AddColumns(&o.Of, columns)
			Add(&o.Twice, []Sums{o.Sums, o.Of, o.Sums})
			o.Means, o.Half = o.Sums, o.Sums
			Divide(&o.Means)
			NewTails(len(rows)).Means(&o.Half, columns, trim)
			o.Aggregate.Add(&o.Means, &o.Means.Total[Prices], weight)
			o.Aggregate.Add(&o.Half, &o.Means.Total[Prices], 1)
			return columns, o
		}
		slowColumns, slow := pass(0)
		columns, fast := pass(1)
		same(t, "columns", columns, slowColumns)
		same(t, "passes", fast, slow)
		same(t, "sums", slow.Of, slow.Sums)
	})
}

// TestRelate compares with the definitions, one value at a time.
func TestRelate(t *testing.T) {
	onBoth(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			rows, base := columnsOf(t, rapid.IntRange(0, 150).Draw(t, "stores"))
			columns := make([]Column, len(rows))
			var sums Sums
			Relate(columns, rows, base, &sums)
			for j := range Width {
				var want [Streams]struct{ total, count float64 }
				for i, row := range rows {
					before, now := row[j], row[j+1]
					both := math.NaN()
					if !math.IsNaN(before) {
						both = now - base[i]
					}
					early := math.NaN()
					if !math.IsNaN(now) {
						early = before - base[i]
					}
					for s, v := range [Streams]float64{now, now - base[i], early, both} {
						if got := columns[i][s][j]; got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
							t.Fatalf("store %d, stream %d, week %d: %v, want %v", i, s, j, got, v)
						}
						if !math.IsNaN(v) {
							want[s].total += v
							want[s].count++
						}
					}
				}
				for s, want := range want {
					if got := sums.Count(s)[j]; got != want.count {
						t.Fatalf("stream %d, week %d: %v values, want %v", s, j, got, want.count)
					}
					if got := sums.Total[s][j]; math.Abs(got-want.total) > 1e-12*(1+want.count) {
						t.Fatalf("stream %d, week %d: %v, want %v", s, j, got, want.total)
					}
				}
			}
		})
	})
}

func TestExp(t *testing.T) {
	check := func(x float64) {
		t.Helper()
		if got, want := Exp(x), math.Exp(x); math.Abs(got-want) > 5e-16*want || math.IsNaN(got) {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
	for i := range 2_000_000 {
		check(float64(i-1_000_000) * 3.1e-5)
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1e-300, 1, -1, 699.9, -699.9, 700, -750, 709} {
		check(x)
	}
	if !math.IsNaN(Exp(math.NaN())) || !math.IsInf(Exp(1000), 1) || Exp(0) != 1 {
		t.Errorf("Exp of NaN is %v, of 1000 %v, of 0 %v", Exp(math.NaN()), Exp(1000), Exp(0))
	}
}

// onBoth runs a test in Go and, where there is another way, in that one.
func onBoth(t *testing.T, test func(t *testing.T)) {
	ways := map[string]bool{"Go": false}
	if useAVX2 {
		ways["AVX2"] = true
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			defer func(was bool) { setAVX2(was) }(setAVX2(way))
			test(t)
		})
	}
}
