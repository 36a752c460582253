//go:build linux && torture

package torture

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// answer is a response that was received whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// get asks once, with headers, each a name and a value; an empty key sends none.
func get(client *http.Client, address, key string, headers ...string) (*answer, error) {
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, err
	}
	return &answer{got.StatusCode, got.Header, body}, nil
}

// newClient is a client that keeps connections, and gives up after patience.
func newClient(t *testing.T) *http.Client {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}, Timeout: patience}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// once asks over a connection of its own, so that none is left open.
var once = &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}, Timeout: patience}

// mustGet is get from a server that answers.
func (s *server) mustGet(t *testing.T, path, key string) *answer {
	t.Helper()
	got, err := get(once, s.public+path, key)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.log.tail())
	}
	return got
}

// received are the responses that clients had whole, by the query, of which
// there is one of each.
type received struct {
	next atomic.Int64
	mu   sync.Mutex
	all  map[string]int // status
}

// ask sends requests, each with a query of its own, until one fails or stop is
// closed. Every fifth is one that is refused.
func (r *received) ask(client *http.Client, address, key string, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		n := r.next.Add(1)
		query := fmt.Sprintf("limit=1&offset=%d", n)
		if n%5 == 4 {
			query += "&from=never"
		}
		got, err := get(client, address+"/api/v1/index?"+query, key)
		if err != nil {
			return
		}
		r.mu.Lock()
		if r.all == nil {
			r.all = map[string]int{}
		}
		r.all[query] = got.status
		r.mu.Unlock()
	}
}

// counts returns how many were answered with each status.
func (r *received) counts() map[int]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	by := map[int]int{}
	for _, status := range r.all {
		by[status]++
	}
	return by
}

// copy returns the responses so far.
func (r *received) copy() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.all)
}

// load asks from several connections until stopped or the server is gone.
func (r *received) load(t *testing.T, s *server, key string, workers int) (stop func()) {
	client, done := newClient(t), make(chan struct{})
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() { r.ask(client, s.public, key, done) })
	}
	return sync.OnceFunc(func() {
		close(done)
		wg.Wait()
		client.CloseIdleConnections()
	})
}

// ready is /readyz of the admin address.
type ready struct {
	Status, Code string
	Snapshot     struct {
		Hash           *string
		Swaps, Refused int
		File           struct{ Status, Reason, Detail string }
	}
	State struct{ Status, Detail string }
}

// readiness asks a server how it is.
func (s *server) readiness(t *testing.T) (status int, x ready) {
	t.Helper()
	got, err := get(once, s.admin+"/readyz", "")
	if err != nil {
		t.Fatalf("%v\n%s", err, s.log.tail())
	}
	if err := json.Unmarshal(got.body, &x); err != nil {
		t.Fatal(err)
	}
	return got.status, x
}

// eventually asks until the answer is yes, as long as patience lasts.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline, tick := time.After(patience), time.NewTicker(5*time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("never: %s", what)
		}
	}
}
