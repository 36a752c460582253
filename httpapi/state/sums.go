package state

import (
	"database/sql"
	"time"
)

// addToMonth adds to a row of the monthly sums, or makes it.
const addToMonth = `INSERT INTO monthly_usage
	(key_id, month, endpoint, status_class, requests, counted, bytes, first_at, last_at)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, counted = counted + excluded.counted,
		bytes = bytes + excluded.bytes, first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`

// sumKey is the key of a row of monthly_usage.
type sumKey struct {
	keyID    int64
	month    Month
	endpoint string
	class    int
}

// sum is what a batch adds to such a row.
type sum struct {
	requests, counted, bytes int64
	first, last              time.Time
}

func (r *entryRow) addTo(sums map[sumKey]*sum) {
	k := sumKey{r.KeyID, MonthOf(r.Time), r.Endpoint, r.Status / 100}
	s := sums[k]
	if s == nil {
		s = &sum{first: r.Time, last: r.Time}
		sums[k] = s
	}
	s.requests++
	if r.counted {
		s.counted++
	}
	s.bytes += r.Bytes
	if r.Time.Before(s.first) {
		s.first = r.Time
	}
	if r.Time.After(s.last) {
		s.last = r.Time
	}
}

func (s *sum) store(stmt *sql.Stmt, k sumKey) error {
	_, err := stmt.Exec(k.keyID, k.month.String(), k.endpoint, k.class, s.requests, s.counted, s.bytes,
		s.first.UnixNano(), s.last.UnixNano())
	return err
}
