//go:build linux && torture

package torture

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A key is rotated with an overlap while clients ask in a tight loop, and the server is
// restarted and killed. No request with either secret is 401. Once the overlap is over, the
// old secret is 401 within a second.
func TestRotationUnderLoad(t *testing.T) {
	t.Setenv("LARDER_NOW", testNow)
	db, state := small(t, "1"), filepath.Join(t.TempDir(), "state.db")
	old := newKey(t, state)
	var (
		current atomic.Pointer[server]
		newer   atomic.Pointer[string]
		asked   atomic.Int64
		wg      sync.WaitGroup
		mu      sync.Mutex
		counts  = map[int]int{}
	)
	enough := int64(pick(6_000, 100_000))
	current.Store(serve(t, db, state))
	for worker := range 8 {
		wg.Go(func() {
			client := newClient(t)
			for asked.Load() < enough {
				key := old
				if changed := newer.Load(); changed != nil && worker%2 == 0 {
					key = *changed
				}
				got, err := get(client, current.Load().public+"/api/v1/products", key, "If-None-Match", "*")
				if err != nil {
					continue // the server was stopped
				}
				asked.Add(1)
				mu.Lock()
				counts[got.status]++
				mu.Unlock()
			}
		})
	}
	// after waits until a share of the requests is answered.
	after := func(part, of int64) {
		for begin := time.Now(); asked.Load() < enough*part/of && time.Since(begin) < 10*patience; {
			time.Sleep(time.Millisecond)
		}
	}
	var made struct {
		Key string
		Old time.Time `json:"old_until"`
	}
	after(1, 5)
	if out := must(t, "keys", "rotate", "1", "--state", state, "--overlap", "72h", "--format", "json"); json.Unmarshal([]byte(out), &made) != nil || made.Key == "" || made.Old.IsZero() {
		t.Fatalf("rotated to %s", out)
	}
	newer.Store(&made.Key)
	after(2, 5)
	restarts := []func(*server){
		func(s *server) { s.cmd.Process.Signal(syscall.SIGTERM); <-s.ended }, //nolint:errcheck // it ends
		(*server).kill,
		(*server).kill,
	}
	for i, end := range restarts {
		end(current.Load())
		current.Store(serve(t, db, state))
		after(int64(3+i), 6)
	}
	wg.Wait()
	current.Load().kill()
	if len(counts) != 1 || counts[http.StatusNotModified] == 0 {
		t.Errorf("answers by status: %v", counts)
	}

	s := serve(t, db, state, at(made.Old.Add(-3*time.Second).Format(time.RFC3339)))
	var last time.Time
	for begin := time.Now(); ; {
		got := s.mustGet(t, "/api/v1/products", old)
		if got.status == http.StatusUnauthorized {
			break
		}
		if last = time.Now(); got.status != http.StatusOK || time.Since(begin) > patience {
			t.Fatalf("the old secret is %d after %s", got.status, time.Since(begin))
		}
		time.Sleep(10 * time.Millisecond)
	}
	if last.IsZero() || time.Since(last) > time.Second {
		t.Errorf("accepted last at %s", last)
	}
	if got := s.mustGet(t, "/api/v1/products", made.Key).status; got != http.StatusOK {
		t.Errorf("the newer secret is %d", got)
	}
	t.Logf("promised: no 401 across a rotation with an overlap, a restart and two kills; seen %s answers, by status %v", strconv.FormatInt(asked.Load(), 10), counts)
}
