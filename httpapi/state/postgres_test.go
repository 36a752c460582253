package state

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/larder-index/larder/httpapi/state/pgtest"
)

// TestOnPostgreSQL runs the tests of this package on PostgreSQL, but for those about a file.
func TestOnPostgreSQL(t *testing.T) {
	pgtest.Again(t, "^Test", "^Test(Name|RefusedFiles|OpenMakesAPrivateFile|OneServer|Replaced|Backup|OnPostgreSQL)$")
}

// version4 is a server of version 4 on a database, by the statements that it had.
type version4 struct{ *sql.DB }

// opens reports whether it takes the database for its own.
func (v version4) opens() bool {
	var id, version, tables int64
	check(v.QueryRow("SELECT CASE version WHEN 0 THEN 0 ELSE 1280463700 END, version, version FROM larder_state WHERE id = 1").Scan(&id, &version, &tables))
	return id == applicationID && version == 4
}

func (v version4) ping() { must(v.Exec("UPDATE larder_state SET version = 4 WHERE version <= 4")) }

// append logs and counts one request of a key, unless its month is used up.
func (v version4) append(k Key, limit int64) (logged bool, err error) {
	t := must(v.Begin())
	defer t.Rollback() //nolint:errcheck // it is committed, or there is an error already
	var after int64
	if err := t.QueryRow(`INSERT INTO quotas AS q (key_id, month, counted) VALUES ($1, $2, $3)
		ON CONFLICT (key_id, month) DO UPDATE SET counted = q.counted + excluded.counted RETURNING counted`, k.ID, "2026-11", 1).Scan(&after); err != nil || after > limit {
		return false, err
	}
	at := noon.UnixNano()
	_, err1 := t.Exec(`INSERT INTO requests (at, key_id, auth, endpoint, status, counted, bytes, latency, query, request_id)
		VALUES ($1, $2, 'key', '/api/v1/index', 200, 1, 10, 1000, '', '')`, at, k.ID)
	_, err2 := t.Exec(`INSERT INTO daily_usage AS d (key_id, day, endpoint, status_class, requests, counted, bytes, first_at, last_at)
		VALUES ($1, '2026-11-20', '/api/v1/index', 2, 1, 1, 10, $2, $2)
		ON CONFLICT (key_id, day, endpoint, status_class) DO UPDATE SET
			requests = d.requests + excluded.requests, counted = d.counted + excluded.counted, bytes = d.bytes + excluded.bytes,
			first_at = CASE WHEN excluded.first_at < d.first_at THEN excluded.first_at ELSE d.first_at END,
			last_at = CASE WHEN excluded.last_at > d.last_at THEN excluded.last_at ELSE d.last_at END`, k.ID, at)
	if err = errors.Join(err1, err2); err == nil {
		err = t.Commit()
	}
	return err == nil, err
}

// TestTwoVersions upgrades a database under the load of a server of the version before, which
// goes on beside the new one and may start again. Both share a key's month, to the request. A
// database of a later version is used if that allows it.
func TestTwoVersions(t *testing.T) {
	path := statePath(t)
	if !OnPostgreSQL(path) {
		return // TestOnPostgreSQL runs it
	}
	const limit = 1500
	made := open(t, path, Options{})
	k, _ := newKey(t, made, NewKey{PerMonth: limit})
	age(t, made, 4)
	old := version4{must(pgtest.Open(path))}
	defer old.Close()
	var loggedByOld, loggedByNew atomic.Int64
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for logged, err := true, error(nil); logged; old.ping() {
				for logged, err = old.append(k, limit); again(err); logged, err = old.append(k, limit) {
				}
				if check(err); logged {
					loggedByOld.Add(1)
				}
			}
		})
	}
	for loggedByOld.Load() < 50 {
		old.ping()
	}
	db := open(t, path, Options{Serve: true})
	for range 3 {
		wg.Go(func() {
			for {
				e := ok(k)
				e.Limit = limit
				err := db.Append(context.Background(), e)
				if _, spent := errors.AsType[*QuotaError](err); spent {
					return
				}
				check(err)
				loggedByNew.Add(1)
			}
		})
	}
	wg.Wait()
	if n, m := loggedByOld.Load(), loggedByNew.Load(); n+m != limit || m == 0 {
		t.Errorf("the old server logged %d, the new one %d", n, m)
	}
	for range MaxRefusals + 5 {
		check(db.Append(t.Context(), Entry{KeyID: k.ID, Auth: AuthKey, Endpoint: "/", Status: 429}))
	}
	if n := count(t, path, `SELECT sum(counted) FROM requests WHERE $1 = (SELECT counted FROM quotas)
		AND $1 = (SELECT sum(counted) FROM daily_usage) AND 5 = (SELECT sum(requests) FROM refusals)`, limit); n != limit {
		t.Errorf("%d are logged, or the sums are others", n)
	}
	if old.ping(); !old.opens() {
		t.Error("the old server can't start again")
	}
	check(db.Ping(t.Context()))
	must(old.Exec("UPDATE larder_state SET version = $1 WHERE id = 2", SchemaVersion+1))
	later := open(t, path, Options{Serve: true})
	check(errors.Join(later.Ping(t.Context()), later.Append(t.Context(), Entry{KeyID: k.ID, Auth: AuthKey, Endpoint: "/", Status: 400})))
	if n := count(t, path, "SELECT version FROM larder_state WHERE id = 2"); n != SchemaVersion+1 {
		t.Errorf("the later version became %d", n)
	}
	must(old.Exec("UPDATE larder_state SET version = $1", SchemaVersion+1))
	if _, err := Open(t.Context(), path, Options{Now: newClock().now}); !errors.Is(err, ErrNotState) || !strings.Contains(err.Error(), "use a newer larder") {
		t.Errorf("a later version that excludes this one: %v", err)
	}
}

// TestUpgradeLocked upgrades a database whose tables another transaction has locked. The upgrade
// waits for its end, or the error names it.
func TestUpgradeLocked(t *testing.T) {
	path := statePath(t)
	if !OnPostgreSQL(path) {
		return // TestOnPostgreSQL runs it
	}
	age(t, open(t, path, Options{}), 4)
	other := must(pgtest.Open(path))
	defer other.Close()
	holds := must(other.Begin())
	must(holds.Exec("SET application_name = 'migration'; SELECT * FROM larder_state FOR UPDATE"))
	defer func(n int) { attempts = n }(attempts)
	attempts = 1
	_, err := Open(t.Context(), path, Options{Now: newClock().now})
	for _, want := range []string{path, "are locked by PostgreSQL's process ", "(user larder, migration, 127.0.0.1", "idle in transaction", "end that transaction"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	attempts = 1000
	opened := make(chan error)
	go func() {
		db, err := Open(context.Background(), path, Options{Now: newClock().now})
		if err == nil {
			err = db.Close()
		}
		opened <- err
	}()
	waits := "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'larder' AND wait_event_type = 'Lock'"
	for count(t, path, waits) == 0 && t.Context().Err() == nil {
	}
	check(holds.Rollback())
	if err := <-opened; err != nil {
		t.Error(err)
	}
}
