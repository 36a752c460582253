package selection_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/larder-index/larder/panel/selection"
)

func TestAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(0, 60), 1, 200).Draw(t, "values")
		k := rapid.IntRange(0, len(values)-1).Draw(t, "k")
		sorted := slices.Sorted(slices.Values(values))
		given := slices.Clone(values)
		if got := selection.At(values, k); got != sorted[k] || values[k] != got {
			t.Fatalf("place %d of %v: %d, and %d stands there; want %d", k, given, got, values[k], sorted[k])
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
func TestAtInOrder(t *testing.T) {
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
			if got := selection.At(values, k); got != sorted[k] {
				t.Errorf("%s: place %d has %v, want %v", name, k, got, sorted[k])
			}
		}
	}
}

func ExampleAt() {
	prices := []int{499, 349, 529, 399, 449}
	fmt.Println(selection.At(prices, len(prices)/2))
	// Output: 449
}
