//go:build linux && torture

package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
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

// Backups are made under load, and one of what a killed server left. Put in the place of the
// state, each has every response that a client received before it was begun, and serves on.
func TestBackupRestored(t *testing.T) {
	dir := t.TempDir()
	db, state := small(t, "1"), filepath.Join(dir, "state.db")
	key := newKey(t, state)
	s := serve(t, db, state)
	var got received
	stop := got.load(t, s, key, 8)
	type backup struct {
		path     string
		answered map[string]int
	}
	var all []backup
	make := func() {
		b := backup{filepath.Join(dir, fmt.Sprintf("backup-%d.db", len(all))), got.copy()}
		must(t, "backup", "--state", state, b.path)
		all = append(all, b)
	}
	for range pick(3, 20) {
		n := len(got.copy())
		eventually(t, "more is answered", func() bool { return len(got.copy()) >= n+100 })
		make()
	}
	s.kill()
	stop()
	make()
	for i, b := range all {
		restored := filepath.Join(dir, "restored.db")
		for _, end := range []string{"", "-wal", "-shm"} {
			os.Remove(restored + end) //nolint:errcheck // of a server that was killed
		}
		content, err := os.ReadFile(b.path)
		if err == nil {
			err = os.WriteFile(restored, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		before := received{all: b.answered}
		before.inLog(t, restored)
		again := serve(t, db, restored)
		again.mustGet(t, "/api/v1/index?limit=1", key)
		again.kill()
		if t.Failed() {
			t.Fatalf("in backup %d", i)
		}
	}
	t.Logf("promised: a backup has all that was answered before it; seen in %d backups under load and one after a kill: %d answers",
		len(all)-1, len(all[len(all)-1].answered))
}

// countedOf sums the counted requests of a key in the log.
func countedOf(t *testing.T, state string, key int) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(query(t, state, fmt.Sprintf("SELECT coalesce(sum(counted), 0) FROM requests WHERE key_id = %d", key)), &n); err != nil {
		t.Fatal(err)
	}
	return n
}
