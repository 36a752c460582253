//go:build linux && torture

package torture

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// metric returns the value of a metric that has no labels.
func (s *server) metric(t *testing.T, name string) float64 {
	t.Helper()
	got, err := get(once, s.admin+"/metrics", "")
	if err != nil || got.status != 200 {
		t.Fatalf("%v %v", got, err)
	}
	for line := range strings.Lines(string(got.body)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("no metric %s", name)
	return 0
}

// peak is the most memory that a server ever had, in bytes.
func (s *server) peak(t *testing.T) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kib int64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	return kib << 10
}

// holds counts what a server gathers when it does not let go.
type holds struct{ goroutines, descriptors, heap float64 }

func (s *server) holds(t *testing.T) holds {
	return holds{s.metric(t, "go_goroutines"), s.metric(t, "process_open_fds"), s.metric(t, "go_memstats_heap_alloc_bytes")}
}

// few lets a server collect garbage often, so that its heap tells what is held.
const few = "GOGC=25"

// rest returns what a server holds when nothing is asked of it: the least that
// is seen while it does some work, since garbage is collected only then.
func (s *server) rest(t *testing.T, key string) holds {
	t.Helper()
	least := s.holds(t)
	for range 10 {
		var wg sync.WaitGroup
		for range 8 { // at once, so that all connections to the state are open
			wg.Go(func() { get(once, s.public+"/api/v1/prices?limit=200", key) })
		}
		wg.Wait()
		x := s.holds(t)
		least = holds{min(least.goroutines, x.goroutines), min(least.descriptors, x.descriptors), min(least.heap, x.heap)}
	}
	return least
}

// backTo checks that a server comes to hold no more than before, but for some
// buffers that are kept for reuse, and connections to the state, of which there
// are at most four more, with two files each.
func (s *server) backTo(t *testing.T, before holds, key string) holds {
	t.Helper()
	const spare, files = 24 << 20, 8
	for began := time.Now(); ; {
		after := s.rest(t, key)
		switch {
		case after.goroutines <= before.goroutines && after.descriptors <= before.descriptors+files && after.heap <= before.heap+spare:
			return after
		case time.Since(began) > patience:
			t.Errorf("it holds %+v, before %+v", after, before)
			return after
		}
	}
}
