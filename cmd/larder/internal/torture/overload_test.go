//go:build linux && torture

package torture

import (
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Metrics that are read too often at once are refused in JSON, and the refusals
// of a disabled key fill no disk.
func TestServeOverload(t *testing.T) {
	db, state := small(t, "1"), filepath.Join(t.TempDir(), "state.db")
	newKey(t, state)
	disabled := newKey(t, state, "--per-minute", "30")
	must(t, "keys", "disable", "2", "--state", state)
	s := serve(t, db, state)
	var wg sync.WaitGroup
	var mu sync.Mutex
	scrapes, refusals := map[int]int{}, map[int]int{}
	for range 32 {
		wg.Go(func() {
			for range 20 {
				got, err := get(once, s.admin+"/metrics", "")
				if err != nil {
					t.Error(err)
					return
				}
				json := strings.HasPrefix(got.header.Get("Content-Type"), "application/json") && strings.Contains(string(got.body), `"code":"overloaded"`)
				if got.status != 200 && !(got.status == 503 && json && got.header.Get("Retry-After") != "") {
					t.Errorf("/metrics: %d %s", got.status, got.body)
				}
				refused, err := get(once, s.public+"/api/v1/index", disabled)
				if err != nil || refused.status != 403 || !strings.Contains(string(refused.body), `"key_disabled"`) {
					t.Errorf("the disabled key: %v %v", refused, err)
					return
				}
				mu.Lock()
				scrapes[got.status]++
				refusals[refused.status]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	s.kill()
	in := readLog(t, state)
	const minutes = 2 // they may see one end
	entries := query(t, state, "SELECT count(*) FROM requests")
	if n, err := strconv.Atoi(entries); err != nil || n < 20 || n > minutes*20 || in.requests != int64(refusals[403]) {
		t.Errorf("%s entries for %d refusals, of which the log knows %d", entries, refusals[403], in.requests)
	}
	t.Logf("promised: refusals in JSON, a disabled key's in 20 entries a minute, the rest counted; seen: /metrics %v; the key %v, in %s entries", scrapes, refusals, entries)
}
