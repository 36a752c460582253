package shrink_test

import (
	"testing"

	"github.com/larder-index/larder/shrink"
)

func TestEventID(t *testing.T) {
	// FNV-1a of the texts "7 750 650" and "7 0.1 0.05", worked out beside this
	// package and folded: low 52 bits xor high 12.
	for _, c := range []struct {
		listing  int64
		old, new float64
		want     int64
	}{{7, 750, 650, 1006640800488698}, {7, 0.1, 0.05, 2222493510857344}} {
		if got := shrink.EventID(c.listing, c.old, c.new); got != c.want {
			t.Errorf("EventID(%d, %v, %v) = %d, want %d", c.listing, c.old, c.new, got, c.want)
		}
	}
}

func TestEventIDsDiffer(t *testing.T) {
	seen := map[int64]bool{}
	for listing := range int64(4000) {
		for old := 400.0; old <= 1000; old += 100 {
			for _, part := range []float64{0.9, 0.95, 0.8} {
				id := shrink.EventID(listing, old, old*part)
				if id <= 0 || id >= 1<<52 || int64(float64(id)) != id {
					t.Fatalf("id %d is no positive number of 52 bits", id)
				}
				if seen[id] {
					t.Fatalf("id %d twice", id)
				}
				seen[id] = true
			}
		}
	}
}

func TestIDsAreKeptApart(t *testing.T) {
	const last = 1<<52 - 1
	taken := map[int64]bool{}
	for i, c := range [][2]int64{{5, 5}, {7, 7}, {5, 6}, {5, 8}, {8, 9}, {last, last}, {last, 1}, {1, 2}} {
		if got := shrink.ClaimID(taken, c[0]); got != c[1] {
			t.Errorf("claim %d: %d, want %d", i, got, c[1])
		}
	}
}
