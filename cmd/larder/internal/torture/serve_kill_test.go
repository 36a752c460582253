//go:build linux && torture

package torture

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Killed at any moment under load, the log has every response that a client
// received, the month's count is that of the log, and the next server goes on
// from it. A quota that ends in between is never exceeded.
func TestServeKilled(t *testing.T) {
	db, state := small(t, "1"), filepath.Join(t.TempDir(), "state.db")
	rounds := pick(3, 40)
	limit := rounds * 20 // used up before the end
	keys := []string{newKey(t, state), newKey(t, state, "--per-month", strconv.Itoa(limit))}
	r := rand.New(rand.NewPCG(5, 6))
	var got, limited received
	limited.next.Store(1 << 40) // queries of its own
	for round := range rounds {
		s := serve(t, db, state)
		stops := []func(){got.load(t, s, keys[0], 8), limited.load(t, s, keys[1], 2)}
		killer := time.AfterFunc(20*time.Millisecond+time.Duration(r.Int64N(int64(200*time.Millisecond))), s.kill)
		<-s.ended
		killer.Stop()
		for _, stop := range stops {
			stop()
		}
		got.inLog(t, state)
		limited.inLog(t, state)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
		again := serve(t, db, state)
		want := fmt.Sprintf(`"month";r=%d;`, limit-countedOf(t, state, 2))
		if left := again.mustGet(t, "/api/v1/usage", keys[1]).header.Get("RateLimit"); !strings.Contains(left, want) {
			t.Errorf("round %d: the server goes on from %s, by the log it is %s", round, left, want)
		}
		again.kill()
	}
	data := limited.counts()
	if data[200] > limit {
		t.Errorf("%d answers of a quota of %d", data[200], limit)
	}
	t.Logf("promised: nothing that was answered is missing from the log, and no quota is exceeded; seen in %d kills: answered %v, and %v of a quota of %d",
		rounds, got.counts(), data, limit)
}

// countedOf sums the counted requests of a key in the log.
func countedOf(t *testing.T, state string, key int) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(query(t, state, fmt.Sprintf("SELECT coalesce(sum(counted), 0) FROM requests WHERE key_id = %d", key)), &n); err != nil {
		t.Fatal(err)
	}
	return n
}
