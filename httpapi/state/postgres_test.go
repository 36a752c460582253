package state

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// TestOnPostgreSQL runs the tests of this package on PostgreSQL, but for those about a file.
func TestOnPostgreSQL(t *testing.T) {
	pgtest.Again(t, "^Test", "^Test(Name|RefusedFiles|OpenMakesAPrivateFile|OneServer|Replaced|Backup|OnPostgreSQL)$")
}

// TestOtherVersion opens a database whose tables are of another version.
func TestOtherVersion(t *testing.T) {
	path := statePath(t)
	if !OnPostgreSQL(path) {
		return // TestOnPostgreSQL runs it
	}
	db := open(t, path, Options{})
	must(db.writer.Exec("UPDATE larder_state SET version = version + 1"))
	_, err := Open(t.Context(), path, Options{Now: newClock().now})
	if !errors.Is(err, ErrNotState) || !strings.Contains(err.Error(), "use a newer larder") {
		t.Error(err)
	}
}

// TestHangs takes away the answers of a database while many readers and writers have calls under
// way. Each call ends at its deadline, whatever waits before it, and what was not logged in time is
// not logged later. Afterwards calls succeed again.
func TestHangs(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t, pgtest.Start(t, "fsync=off"))
	hole, silence := pgtest.BlackHole(t, address)
	const patience = 2 * time.Second
	db := must(Open(t.Context(), hole,
		Options{Now: newClock().now, Serve: true, Patience: patience}))
	defer db.Close()
	k, secret := newKey(t, db, NewKey{})
	check(db.Append(t.Context(), ok(k)))
	calls := map[string]func() error{
		"Lookup":    func() error { _, err := db.Lookup(context.Background(), secret); return err },
		"Append":    func() error { return db.Append(context.Background(), ok(k)) },
		"EnableKey": func() error { _, err := db.EnableKey(context.Background(), k.ID); return err },
		"Ping":      func() error { return db.Ping(context.Background()) },
	}
	silence(true)
	var wg sync.WaitGroup
	began := time.Now()
	for name, call := range calls {
		for range 15 { // more than there are connections
			wg.Go(func() {
				err := call()
				if took := time.Since(began); !errors.Is(err, ErrUnavailable) || took > patience+2*time.Second {
					t.Errorf("%s ended after %s with %v", name, took, err)
				}
			})
		}
	}
	wg.Wait()
	silence(false)
	for name, call := range calls {
		err := call()
		for range 3 { // a connection that was begun in the silence ends with its patience
			if err != nil {
				err = call()
			}
		}
		if err != nil {
			t.Errorf("%s, when the database answers again: %v", name, err)
		}
	}
	if n := count(t, address, "SELECT count(*) FROM requests"); n != 2 {
		t.Errorf("%d requests are logged; two were answered", n)
	}
}
