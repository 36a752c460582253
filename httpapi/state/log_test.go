package state

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// logged returns the log as text.
func logged(t *testing.T, db *DB) []string {
	t.Helper()
	rows := must(db.readers.Query(
		"SELECT at, coalesce(CAST(key_id AS TEXT), 'NULL'), auth, endpoint, status, counted, bytes, latency, query " +
			"FROM requests ORDER BY id"))
	defer rows.Close()
	var list []string
	for rows.Next() {
		var at, status, counted, bytes, latency int64
		var key, auth, endpoint, query string
		check(rows.Scan(&at, &key, &auth, &endpoint, &status, &counted, &bytes, &latency, &query))
		list = append(list, fmt.Sprintln(moment(at).Format(time.RFC3339Nano), key, auth, endpoint, status, counted,
			bytes, time.Duration(latency), query))
	}
	check(rows.Err())
	return list
}

func TestAppend(t *testing.T) {
	db, _ := serving(t)
	k, secret := newKey(t, db, NewKey{})
	for _, e := range []Entry{
		{Auth: AuthNone, Endpoint: "/api/public/index", Status: 401, Query: "key=" + secret},
		{Auth: AuthNone, Endpoint: "/api/public/index", Status: 401, Query: "key=" + secret + "&city=%00%FF%2500"},
		{KeyID: k.ID, Auth: AuthSession, Endpoint: "/api/public/index", Status: 200, Bytes: 1 << 40,
			Latency: 1500 * time.Microsecond, Query: "city=Quebec%20City"},
		{Time: noon.Add(-time.Nanosecond), KeyID: k.ID, Auth: AuthKey, Endpoint: "/api/v1/prices", Status: 403,
			Latency: -time.Second},
	} {
		check(db.Append(t.Context(), e))
	}
	last := ok(k)
	last.Limit = 1
	check(db.Append(t.Context(), last))
	want := []string{
		"2026-11-20T12:00:00Z NULL none /api/public/index 401 0 0 0s key=KEY-REMOVED\n",
		"2026-11-20T12:00:00Z NULL none /api/public/index 401 0 0 0s key=KEY-REMOVED&city=\uFFFD\uFFFD\uFFFD\n",
		"2026-11-20T12:00:00Z 1 session /api/public/index 200 0 1099511627776 1.5ms city=Quebec%20City\n",
		"2026-11-20T11:59:59.999999999Z 1 key /api/v1/prices 403 0 0 0s \n",
		"2026-11-20T12:00:00Z 1 key /api/v1/index 200 1 10 1ms \n",
	}
	if d := cmp.Diff(want, logged(t, db)); d != "" {
		t.Error(d)
	}
	if odd := Auth(7).String(); odd != "auth(7)" {
		t.Error(odd)
	}
}

// TestBatchWithFailures writes a batch with a request of an unknown key, and changes that are
// cancelled or fail. Each fails alone.
func TestBatchWithFailures(t *testing.T) {
	db, _ := serving(t)
	k, _ := newKey(t, db, NewKey{})
	var batch []*request
	for _, id := range []int64{k.ID, 77, k.ID} {
		r := &request{Entry: ok(k), done: make(chan error, 1), ctx: t.Context()}
		r.Time, r.KeyID = noon, id
		batch = append(batch, r)
	}
	db.commit(batch) // nothing else is written
	if err1, err2, err3 := <-batch[0].done, <-batch[1].done, <-batch[2].done; err1 != nil || !contradicts(err2) ||
		err3 != nil {
		t.Errorf("%v %v %v", err1, err2, err3)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Append(cancelled, ok(k)); err != context.Canceled {
		t.Error(err)
	}
	if _, s, err := db.RotateKey(cancelled, k.ID); err != context.Canceled || s != "" {
		t.Error(s, err)
	}
	bad := errors.New("bad")
	for _, want := range []error{bad, nil} {
		_, err := write(t.Context(), db, func(t tx) (int64, error) {
			n, err := t.exec("UPDATE keys SET name = name || '+'")
			return n, errors.Join(err, want)
		})
		if !errors.Is(err, want) {
			t.Error(err)
		}
	}
	if got := keyOf(t, db, k.ID); got.Name != "Test+" {
		t.Error(got)
	}
	if n := count(t, db.path, "SELECT sum(requests) FROM monthly_usage"); n != 2 || len(logged(t, db)) != 2 {
		t.Errorf("%d in the sums, log %v", n, logged(t, db))
	}
}

// TestCloseDrains closes a state under load. Close finishes accepted writes and refuses
// later ones.
func TestCloseDrains(t *testing.T) {
	path := statePath(t)
	db := open(t, path, Options{Serve: true})
	k, secret := newKey(t, db, NewKey{})
	var done, refused atomic.Int64
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			for {
				switch err := db.Append(context.Background(), ok(k)); err {
				case nil:
					done.Add(1)
				case ErrClosed:
					refused.Add(1)
					return
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	for done.Load() < 500 {
		check(db.Ping(t.Context()))
	}
	check(db.Close())
	wg.Wait()
	if !OnPostgreSQL(path) {
		onlyFile(t, path)
	}
	if n := count(t, path, "SELECT count(*) FROM requests"); n != done.Load() || refused.Load() != 32 {
		t.Errorf("%d acknowledged, %d logged, %d refused", done.Load(), n, refused.Load())
	}
	ctx := t.Context()
	_, err1 := db.Lookup(ctx, secret)
	_, err2 := db.Usage(ctx, MonthOf(noon), 0)
	_, _, err3 := db.CreateKey(ctx, NewKey{Name: "a", Tier: Research})
	for _, err := range []error{err1, err2, err3, db.Ping(ctx), db.Append(ctx, ok(k))} {
		if err != ErrClosed {
			t.Errorf("after closing: %v", err)
		}
	}
	check(db.Close())
}

// TestRefusals logs many refusals. The first of a key in a minute have rows, others are counted
// in a row by endpoint and status, and the sums have all of them.
func TestRefusals(t *testing.T) {
	db, c := serving(t)
	a, _ := newKey(t, db, NewKey{})
	b, _ := newKey(t, db, NewKey{})
	for range 2 {
		for i := range 3 * MaxRefusals {
			check(db.Append(t.Context(),
				Entry{KeyID: a.ID, Auth: AuthKey, Endpoint: []string{"/a", "/b"}[i%2], Status: 429, Bytes: 3}))
		}
		check(db.Append(t.Context(), Entry{KeyID: a.ID, Auth: AuthKey, Endpoint: "/a", Status: 403}))
		check(db.Append(t.Context(), Entry{KeyID: a.ID, Auth: AuthKey, Endpoint: "/a", Status: 400})) // no refusal
		check(db.Append(t.Context(), Entry{KeyID: b.ID, Auth: AuthKey, Endpoint: "/a", Status: 429}))
		c.set(c.now().Add(time.Minute))
	}
	for query, want := range map[string]int64{
		"SELECT count(*) FROM requests":           2 * (MaxRefusals + 2),
		"SELECT sum(requests) FROM monthly_usage": 2 * (3*MaxRefusals + 3),

		// 429 of two endpoints, 403
		"SELECT count(*) FROM refusals":                                              2 * 3,
		"SELECT sum(requests) FROM refusals":                                         2 * (2*MaxRefusals + 1),
		"SELECT min(requests) FROM refusals WHERE status = 429":                      MaxRefusals,
		"SELECT min(bytes) FROM refusals WHERE status = 429":                         3 * MaxRefusals,
		"SELECT sum(first_at - 60000000000 * minute) FROM refusals WHERE key_id = 1": 0,
	} {
		if n := count(t, db.path, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
	if n, err := db.Purge(t.Context(), noon.Add(30*time.Second)); n != MaxRefusals+2+3 || err != nil {
		t.Errorf("%d rows purged, %v", n, err)
	}
}

// TestRefusalsTriedAgain logs refusals in a transaction that fails, since it has a request of an
// unknown key, and then one by one. Each counts once among those that have rows. A transaction
// that panics counts none and leaves nobody waiting.
func TestRefusalsTriedAgain(t *testing.T) {
	db, c := serving(t)
	k, _ := newKey(t, db, NewKey{})
	batch := func() (all []*request) {
		for i := range MaxRefusals + 1 {
			r := &request{Entry: Entry{KeyID: k.ID, Auth: AuthKey, Endpoint: "/a", Status: 429, Time: c.now()},
				done: make(chan error, 1), ctx: t.Context()}
			if i == MaxRefusals {
				r.KeyID = 77
			}
			all = append(all, r)
		}
		return all
	}
	panicked, writer := batch(), db.writer
	db.waiting, db.writer = panicked, nil
	for name, f := range map[string]func(){
		"Append": func() { db.Append(t.Context(), ok(k)) },
		"write":  func() { write(t.Context(), db, func(tx) (int, error) { return 0, nil }) },
	} {
		func() {
			defer func() {
				if recover() == nil || len(db.turn) != 1 {
					t.Fatalf("%s: no panic, or it kept the turn", name)
				}
			}()
			f()
		}()
	}
	db.writer = writer
	for _, r := range panicked {
		if len(r.done) != 1 || <-r.done == nil {
			t.Fatal("a request of a panic waits on, or counts as logged")
		}
	}
	db.commit(batch())
	if n := len(logged(t, db)); n != MaxRefusals {
		t.Errorf("%d rows, want %d", n, MaxRefusals)
	}
	check(db.Append(t.Context(), Entry{KeyID: k.ID, Auth: AuthKey, Endpoint: "/a", Status: 429}))
	if n := count(t, db.path, "SELECT sum(requests) FROM refusals"); n != 1 || len(logged(t, db)) != MaxRefusals {
		t.Errorf("one more: %d in the table of refusals, %d rows", n, len(logged(t, db)))
	}
}

// TestSumsAreThoseOfTheLog compares the daily sums with sums over the rows.
func TestSumsAreThoseOfTheLog(t *testing.T) {
	db, c := serving(t)
	keys := []Key{{}, {}, {}}
	for i := range keys {
		keys[i], _ = newKey(t, db, NewKey{Tier: Enterprise})
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100 {
				k := keys[(g+i)%3]
				e := ok(k)
				e.Endpoint = []string{"/a", "/b"}[i%2]
				e.Status = []int{200, 201, 304, 404, 503}[i%5]
				e.Bytes = int64(i)
				e.Limit = Unlimited
				check(db.Append(t.Context(), e))
				c.set(noon.Add(time.Duration(i) * 12 * time.Hour))
			}
		})
	}
	wg.Wait()
	day := "strftime('%Y-%m-%d', at / 1000000000, 'unixepoch')"
	if db.engine.postgres {
		day = "to_char(to_timestamp(at / 1000000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
	}
	byDay := `SELECT count(*) FROM (
		SELECT key_id, ` + day + ` AS day, endpoint, status / 100 AS class,
			count(*), sum(counted), sum(bytes), min(at), max(at) FROM requests GROUP BY 1, 2, 3, 4 `
	for op, want := range map[string]int64{"EXCEPT": 0,
		"INTERSECT": count(t, db.path, "SELECT count(*) FROM daily_usage")} {
		if n := count(t, db.path, byDay+op+" SELECT * FROM daily_usage) AS days"); n != want {
			t.Errorf("%s: %d rows, want %d", op, n, want)
		}
	}
}

// TestPurgeMany purges more rows than one transaction deletes.
func TestPurgeMany(t *testing.T) {
	db, _ := serving(t)
	_, err := write(t.Context(), db, func(t tx) (int64, error) {
		return t.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			INSERT INTO requests (at, auth, endpoint, status, counted, bytes, latency, query) SELECT CAST(i AS
			BIGINT), 'none', '/', 200, 0, 0, 0, '' FROM n`, 2*purgeBatch+7)
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := db.Purge(t.Context(), moment(2*purgeBatch+3)); n != 2*purgeBatch+2 || err != nil {
		t.Error(n, err)
	}
	if n, err := db.Purge(t.Context(), time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)); n != 0 || err == nil {
		t.Error(n, err)
	}
	if n := count(t, db.path, "SELECT count(*) FROM requests"); n != 5 {
		t.Errorf("%d rows are left", n)
	}
}
