//go:build linux && torture

package torture

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// replicas are servers on one database, asked in turn.
type replicas struct {
	all  []*server
	turn atomic.Int64
	mu   sync.Mutex
	by   map[int]int // answers by status
}

// load asks with some clients until n answers came.
func (r *replicas) load(t *testing.T, key string, n int64, clients int) {
	var asked atomic.Int64
	var wg sync.WaitGroup
	r.by = map[int]int{}
	for range clients {
		wg.Go(func() {
			client := newClient(t)
			for asked.Load() < n {
				got, err := get(client, r.all[r.turn.Add(1)%int64(len(r.all))].public+"/api/v1/products", key)
				if err != nil {
					continue // it was killed
				}
				asked.Add(1)
				r.mu.Lock()
				r.by[got.status]++
				r.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// cpu is the processor time that the servers have used.
func (r *replicas) cpu(t *testing.T) (used time.Duration) {
	for _, s := range r.all {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest)
		for _, field := range fields[11:13] { // user and system, in hundredths
			ticks, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			used += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	return used
}

// Three servers on one PostgreSQL, a round-robin in front, one of them killed under load: the
// month is exact to the request. And three need hardly more processor time for a request than
// one does, at 64 clients for each: the sum of their throughput, each on processors of its own, is that of one times
// three times the ratio. PostgreSQL and the servers share the processors here, so the test
// measures the ratio of the servers' time.
func TestReplicas(t *testing.T) {
	database := pgtest.Database(t, pgtest.Start(t).Address)
	t.Setenv("LARDER_NOW", testNow)
	db := small(t, "1")
	key := newKey(t, database)
	n := int64(pick(3_000, 12_000))
	one := &replicas{all: []*server{serve(t, db, database)}}
	perRequest := func(r *replicas) time.Duration {
		clients := 64 * len(r.all)
		r.load(t, key, n/3, clients) // connections and caches
		before := r.cpu(t)
		r.load(t, key, n*int64(len(r.all)), clients)
		if len(r.by) != 1 || r.by[http.StatusOK] == 0 {
			t.Fatalf("answers by status: %v", r.by)
		}
		return (r.cpu(t) - before) / time.Duration(r.by[http.StatusOK])
	}
	alone := perRequest(one)
	three := &replicas{all: []*server{one.all[0], serve(t, db, database), serve(t, db, database)}}
	together := perRequest(three)
	scale := 3 * float64(alone) / float64(together)
	least := 2.2
	if testing.Short() { // few requests, measured by hundredths of a second
		least = 1.8
	}
	if scale < least {
		t.Errorf("three servers need %s for a request, one %s: the throughput is that of one times %.2f", together, alone, scale)
	}

	quota := int(n / 3)
	limited := newKey(t, database, "--per-month", strconv.Itoa(quota))
	killer := time.AfterFunc(100*time.Millisecond, three.all[2].kill)
	defer killer.Stop()
	three.load(t, limited, n, 64)
	var usage []struct {
		Key     int `json:"key_id"`
		Counted int
	}
	out := must(t, "usage", "--state", database, "--month", "2026-11", "--format", "json")
	if err := json.Unmarshal([]byte(out), &usage); err != nil {
		t.Fatal(err)
	}
	counted := usage[len(usage)-1].Counted
	// A request that was counted and whose answer was under way when its server was killed.
	lost := counted - three.by[http.StatusOK]
	if counted != quota || lost < 0 || lost > 64 || three.by[http.StatusOK]+three.by[http.StatusTooManyRequests] != sum(three.by) {
		t.Errorf("%d counted of a quota of %d, answers %v", counted, quota, three.by)
	}
	t.Logf("promised: the month is exact on three servers, one of them killed; seen %d counted of %d, answers %v; a request takes %s of one server's time, %s of three: %.2f times the throughput",
		counted, quota, three.by, alone, together, scale)
}

func sum(by map[int]int) (n int) {
	for _, count := range by {
		n += count
	}
	return n
}
