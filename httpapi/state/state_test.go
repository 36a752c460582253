package state

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// must returns the result of a call that works, or panics; must2 returns two.
func must[T any](x T, err error) T {
	check(err)
	return x
}

func must2[T, U any](x T, y U, err error) (T, U) {
	check(err)
	return x, y
}

func check(err error) {
	if err != nil {
		panic(err)
	}
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
	db := must(Open(context.Background(), path, o))
	t.Cleanup(func() {
		check(db.Close())
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
	k, secret := must2(db.CreateKey(t.Context(), n))
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
	check(c.QueryRow(query, args...).Scan(&n))
	return n
}

func ok(k Key) Entry {
	return Entry{KeyID: k.ID, Auth: AuthKey, Endpoint: "/api/v1/index", Status: 200, Bytes: 10,
		Latency: time.Millisecond}
}
