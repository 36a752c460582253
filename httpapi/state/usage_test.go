package state

import (
	"sync"
	"testing"
	"time"
)

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
