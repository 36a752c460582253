package state

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

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
