package state

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestUsage(t *testing.T) {
	db, c := serving(t)
	a, _ := newKey(t, db, NewKey{Name: "A", Tier: Research})
	b, _ := newKey(t, db, NewKey{Name: "B"})
	newKey(t, db, NewKey{Name: "never used"})
	at := func(hour int) time.Time { return noon.Add(time.Duration(hour) * time.Hour) }
	call := func(hour int, k Key, endpoint string, status int, bytes int64) {
		t.Helper()
		c.set(at(hour))
		e := Entry{KeyID: k.ID, Auth: AuthKey, Endpoint: endpoint, Status: status, Bytes: bytes}
		check(counted(t, db, k, e))
	}
	call(5, a, "/api/v1/products", 200, 100)
	call(3, a, "/api/v1/products", 206, 30)
	call(4, a, "/api/v1/products", 304, 0)
	call(1, a, "/api/public/index", 200, 7)
	call(2, b, "/api/v1/prices", 500, 9)
	call(24*20, b, "/api/v1/prices", 200, 11) // in December
	c.set(at(0))
	check(db.Append(t.Context(), Entry{Endpoint: "/api/v1/prices", Status: 401, Bytes: 20}))
	november := []Usage{
		{0, "", "", "/api/v1/prices", 4, Totals{1, 0, 20, at(0), at(0)}},
		{a.ID, "A", "research", "/api/public/index", 2, Totals{1, 1, 7, at(1), at(1)}},
		{a.ID, "A", "research", "/api/v1/products", 2, Totals{2, 2, 130, at(3), at(5)}},
		{a.ID, "A", "research", "/api/v1/products", 3, Totals{1, 0, 0, at(4), at(4)}},
		{b.ID, "B", "standard", "/api/v1/prices", 5, Totals{1, 0, 9, at(2), at(2)}},
	}
	check := func(m Month, key int64, want []Usage) {
		t.Helper()
		got, err := db.Usage(t.Context(), m, key)
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" || err != nil {
			t.Errorf("%s, key %d: %v\n%s", m, key, err, d)
		}
	}
	check("2026-11", 0, november)
	check("2026-11", a.ID, november[1:4])
	check("2026-11", 3, nil)
	check("2026-10", 0, nil)
	december := at(24 * 20)
	check("2026-12", 0, []Usage{{b.ID, "B", "standard", "/api/v1/prices", 2, Totals{1, 1, 11, december, december}}})

	// Before means before: the row of that moment stays.
	if n, err := db.Purge(t.Context(), at(4)); n != 4 || err != nil {
		t.Error(n, err)
	}
	if n := count(t, db.path, "SELECT min(at) FROM requests"); n != at(4).UnixNano() {
		t.Errorf("the first row is of %v", moment(n))
	}
	check("2026-11", 0, november)
	if n := used(t, db, a); n != 3 {
		t.Errorf("%d used", n)
	}
}

// TestSumsAreThoseOfTheLog compares the daily sums with sums over the rows.
func TestSumsAreThoseOfTheLog(t *testing.T) {
	db, c := serving(t)
	keys := []Key{{}, {}, {}}
	for i := range keys {
		keys[i], _ = newKey(t, db, NewKey{Tier: Enterprise})
	}
	done := make(chan struct{})
	for g := range 8 {
		go func() {
			defer func() { done <- struct{}{} }()
			for i := range 100 {
				k := keys[(g+i)%3]
				e := ok(k)
				e.Endpoint = []string{"/a", "/b"}[i%2]
				e.Status = []int{200, 201, 304, 404, 503}[i%5]
				e.Bytes = int64(i)
				check(counted(t, db, k, e))
				c.set(noon.Add(time.Duration(i) * 12 * time.Hour))
			}
		}()
	}
	for range 8 {
		<-done
	}
	day := "strftime('%Y-%m-%d', at / 1000000000, 'unixepoch')"
	if db.engine.postgres {
		day = "to_char(to_timestamp(at / 1000000000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
	}
	byDay := `SELECT count(*) FROM (
		SELECT key_id, ` + day + ` AS day, endpoint, status / 100 AS class,
			count(*), sum(counted), sum(bytes), min(at), max(at) FROM requests GROUP BY 1, 2, 3, 4 `
	for op, want := range map[string]int64{"EXCEPT": 0, "INTERSECT": count(t, db.path, "SELECT count(*) FROM daily_usage")} {
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
			INSERT INTO requests (at, auth, endpoint, status, counted, bytes, latency, query) SELECT CAST(i AS BIGINT), 'none', '/', 200, 0, 0, 0, '' FROM n`, 2*purgeBatch+7)
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
