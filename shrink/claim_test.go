package shrink

import "testing"

// No two known events of a listing share an id, so this test claims ids directly.
func TestClaimID(t *testing.T) {
	const last = 1<<52 - 1
	taken := map[int64]bool{}
	for i, c := range [][2]int64{{5, 5}, {7, 7}, {5, 6}, {5, 8}, {8, 9}, {last, last}, {last, 1}, {1, 2}} {
		if got := claimID(taken, c[0]); got != c[1] {
			t.Errorf("claim %d: %d, want %d", i, got, c[1])
		}
	}
}
