package state

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// TestMain lets the test binary be the process that is killed while it serves.
func TestMain(m *testing.M) {
	if path := os.Getenv("LARDER_TEST_STATE"); path != "" {
		serveUntilKilled(path)
	}
	os.Exit(m.Run())
}

// clock is a clock that tests set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

// noon is when tests start.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func newClock() *clock { return &clock{at: noon} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = t
}

// statePath returns where a new state may be: a file, or a database in the process that
// pgtest.Again starts.
func statePath(t testing.TB) string {
	if server := os.Getenv(pgtest.Environment); server != "" {
		return pgtest.Database(t, server)
	}
	return filepath.Join(t.TempDir(), "state.db")
}

// open opens a state until the test ends. Later options win.
func open(t testing.TB, path string, o Options) *DB {
	t.Helper()
	if o.Now == nil {
		o.Now = newClock().now
	}
	db, err := Open(context.Background(), pgtest.WithPassword(path), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// serving opens a new state for serving.
func serving(t testing.TB) (*DB, *clock) {
	c := newClock()
	return open(t, statePath(t), Options{Serve: true, Now: c.now}), c
}

func newKey(t testing.TB, db *DB, n NewKey) (Key, string) {
	t.Helper()
	if n.Name == "" {
		n.Name = "Test"
	}
	if n.Tier == 0 {
		n.Tier = Standard
	}
	k, secret, err := db.CreateKey(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return k, secret
}

// count runs a query for one number, on a connection of its own.
func count(t testing.TB, path, query string, args ...any) (n int64) {
	t.Helper()
	c, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if OnPostgreSQL(path) {
		c, err = pgtest.Open(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func ok(k Key) Entry {
	return Entry{KeyID: k.ID, Auth: AuthKey, Endpoint: "/api/v1/index", Status: 200, Bytes: 10, Latency: time.Millisecond}
}

// serveUntilKilled answers requests of the first key from many goroutines and
// prints the number of each one that it may answer.
func serveUntilKilled(path string) {
	ctx := context.Background()
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	db, err := Open(ctx, path, Options{Serve: true, Now: newClock().now})
	if err != nil {
		fail(err)
	}
	k, err := db.Key(ctx, 1)
	if err != nil {
		fail(err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for worker := range 16 {
		wg.Go(func() {
			for i := 0; ; i++ {
				e := ok(k)
				e.Query = fmt.Sprintf("%d-%d-%d", os.Getpid(), worker, i)
				if i%4 == 3 {
					e.Status = 304
				}
				if err := db.Count(ctx, e, Unlimited); err != nil {
					fail(err)
				}
				mu.Lock()
				fmt.Println(e.Query)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// TestKilledServer kills a server with SIGKILL. Acknowledged entries are in the log once,
// the count equals the log, and the lock is free again.
func TestKilledServer(t *testing.T) {
	path := statePath(t)
	admin := open(t, path, Options{})
	k, _ := newKey(t, admin, NewKey{Tier: Enterprise})
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for round := range 4 {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "LARDER_TEST_STATE="+path)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			seen[lines.Text()] = true
			if n == 100 { // another process, meanwhile
				newKey(t, admin, NewKey{})
			}
			if n == 200+500*round {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("it was not killed")
		}

		db := open(t, path, Options{Serve: true})
		q, err := db.Quota(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		if want := count(t, path, "SELECT count(*) FROM requests WHERE counted = 1 AND status = 200 AND key_id = $1", k.ID); q.Used != want || want == 0 {
			t.Errorf("%d used, %d in the log", q.Used, want)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	db := open(t, path, Options{})
	rows, err := db.readers.QueryContext(t.Context(), "SELECT query FROM requests")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	times, logged := map[string]int{}, int64(0)
	for rows.Next() {
		var query string
		if err := rows.Scan(&query); err != nil {
			t.Fatal(err)
		}
		times[query]++
		logged++
	}
	for e := range seen {
		if times[e] != 1 {
			t.Errorf("%s was acknowledged and is %d times there", e, times[e])
		}
	}
	t.Logf("%d acknowledged, %d logged", len(seen), logged)
	if all := count(t, path, "SELECT sum(requests) FROM monthly_usage"); all != logged {
		t.Errorf("%d in the monthly sums, %d in the log", all, logged)
	}
}
