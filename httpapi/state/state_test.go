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
