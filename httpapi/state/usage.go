package state

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Totals is a sum of requests. First and Last are times of arrival; they are zero in sums
// of a day, and JSON leaves them out then.
type Totals struct {
	Requests int64     `json:"requests"`
	Counted  int64     `json:"counted"` // against the quota
	Bytes    int64     `json:"bytes"`
	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
}

// Add adds other requests.
func (t *Totals) Add(u Totals) {
	if t.Requests == 0 || u.First.Before(t.First) {
		t.First = u.First
	}
	if u.Last.After(t.Last) {
		t.Last = u.Last
	}
	t.Requests += u.Requests
	t.Counted += u.Counted
	t.Bytes += u.Bytes
}

// Usage sums the requests of a key in a month to one endpoint with one class of status.
type Usage struct {
	KeyID       int64  `json:"-"` // 0: no known key
	Name        string `json:"-"` // of the key, as it is now
	Tier        string `json:"-"`
	Endpoint    string `json:"endpoint"`
	StatusClass int    `json:"status_class"` // 2 for 200 to 299
	Totals
}

// Usage returns the use of a month, by key, endpoint and status class, ascending. Requests
// without a key come first. keyID selects one key; 0 selects all. ErrNoKey if no key has the
// id. Usage reads sums, which Purge keeps.
func (db *DB) Usage(ctx context.Context, m Month, keyID int64) ([]Usage, error) {
	return read(ctx, db, func(t tx) ([]Usage, error) {
		if keyID != 0 {
			if _, err := t.key(keyID); err != nil {
				return nil, err
			}
		}
		return list(t, func(r *sql.Rows) (u Usage, err error) {
			err = r.Scan(&u.KeyID, &u.Name, &u.Tier, &u.Endpoint, &u.StatusClass, &u.Requests, &u.Counted, &u.Bytes,
				at{&u.First}, at{&u.Last})
			return u, err
		}, `SELECT u.key_id, coalesce(k.name, ''), coalesce(k.tier, ''), endpoint, status_class, requests, counted,
			bytes, first_at, last_at
			FROM monthly_usage u LEFT JOIN keys k ON k.id = u.key_id
			WHERE month = $1 AND (CAST($2 AS BIGINT) = 0 OR u.key_id = $2) ORDER BY u.key_id, endpoint, status_class`,
			m, keyID)
	})
}

// DayUsage sums the requests of a key on one day.
type DayUsage struct {
	Date string `json:"date"` // YYYY-MM-DD, UTC
	Totals
}

// Days returns a key's use of a month by day, ascending. Days without requests are
// left out.
func (db *DB) Days(ctx context.Context, m Month, keyID int64) ([]DayUsage, error) {
	return read(ctx, db, func(t tx) ([]DayUsage, error) {
		return list(t, func(r *sql.Rows) (d DayUsage, err error) {
			err = r.Scan(&d.Date, &d.Requests, &d.Counted, &d.Bytes)
			return d, err
		}, `SELECT day, CAST(sum(requests) AS BIGINT), CAST(sum(counted) AS BIGINT), CAST(sum(bytes) AS BIGINT)
			FROM daily_usage WHERE key_id = $1 AND day BETWEEN $2 AND $3 GROUP BY day ORDER BY day`,
			keyID, m+"-01", m+"-31")
	})
}

const purgeBatch = 5000 // rows that a purge deletes in one transaction, for which a server may wait

// Purge deletes the rows of requests and refusals that came in before a moment, and returns how
// many there were. Sums, quotas and Usage stay. An interrupted purge returns its rows so far with
// the error.
func (db *DB) Purge(ctx context.Context, before time.Time) (deleted int64, err error) {
	if !storable(before) {
		return 0, fmt.Errorf("purge before %s: use a moment in the years %d to %d", before.Format(time.RFC3339),
			firstYear, lastYear)
	}
	for _, rows := range []string{
		"requests WHERE id IN (SELECT id FROM requests WHERE at < $1 LIMIT $2)",
		`refusals WHERE (key_id, minute, endpoint, status) IN (SELECT key_id, minute, endpoint, status FROM refusals
			WHERE last_at < $1 LIMIT $2)`,
	} {
		for n := int64(purgeBatch); n == purgeBatch && err == nil; deleted += n {
			n, err = write(ctx, db, func(t tx) (int64, error) {
				return t.exec("DELETE FROM "+rows, before.UnixNano(), purgeBatch)
			})
		}
	}
	return deleted, err
}
