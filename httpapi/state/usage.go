package state

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Totals is what requests add up to.
type Totals struct {
	Requests int64
	Counted  int64 // of them, against the quota
	Bytes    int64
	First    time.Time // of the requests' coming in
	Last     time.Time
}

// Usage is a key's use of a month.
type Usage struct {
	Month Month
	// Key is the key as it is now. Its ID is 0 for requests without a known key.
	Key   Key
	Total Totals
	Lines []UsageLine // by endpoint and status class, ascending
}

// UsageLine is the part of a Usage that one endpoint answered with one class of
// status.
type UsageLine struct {
	Endpoint    string
	StatusClass int // 2 for 200 to 299
	Totals
}

// Usage returns what was used in a month, by key, ascending by id; requests
// without a key come first. With a key's id it returns that key's use alone. A
// key that was not used is left out. It goes by the monthly sums, so Purge does
// not change it.
func (db *DB) Usage(ctx context.Context, m Month, keyID int64) ([]Usage, error) {
	keys := make(map[int64]Key)
	all, err := db.Keys(ctx)
	if err != nil {
		return nil, err
	}
	for _, k := range all {
		keys[k.ID] = k
	}
	if keyID != 0 {
		if _, err := db.Key(ctx, keyID); err != nil {
			return nil, err
		}
	}
	rows, err := db.readers.QueryContext(ctx, `SELECT key_id, endpoint, status_class, requests, counted, bytes, first_at, last_at
		FROM monthly_usage WHERE month = ?1 AND (?2 = 0 OR key_id = ?2) ORDER BY key_id, endpoint, status_class`, m.String(), keyID)
	if err != nil {
		return nil, db.readError(err)
	}
	defer rows.Close()
	var list []Usage
	for rows.Next() {
		id, line, err := scanLine(rows)
		if err != nil {
			return nil, db.readError(err)
		}
		if n := len(list); n == 0 || list[n-1].Key.ID != id {
			list = append(list, Usage{Month: m, Key: keys[id]})
		}
		u := &list[len(list)-1]
		u.Total.add(line.Totals)
		u.Lines = append(u.Lines, line)
	}
	return list, db.readError(rows.Err())
}

func scanLine(rows *sql.Rows) (keyID int64, l UsageLine, err error) {
	var first, last int64
	err = rows.Scan(&keyID, &l.Endpoint, &l.StatusClass, &l.Requests, &l.Counted, &l.Bytes, &first, &last)
	l.First, l.Last = moment(first), moment(last)
	return keyID, l, err
}

func (t *Totals) add(u Totals) {
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

// purgeBatch is how many rows a purge deletes at a time, so that a server on
// the same file never waits long for its turn.
const purgeBatch = 5000

// Purge deletes the log of requests that came in before a moment, and returns
// how many there were. The monthly sums, and with them quotas and Usage, stay.
// If it is interrupted, what is deleted is deleted, and returned with the error.
func (db *DB) Purge(ctx context.Context, before time.Time) (deleted int64, err error) {
	if !storable(before) {
		return 0, fmt.Errorf("purge before %s: use a moment in the years %d to %d", before.Format(time.RFC3339), firstYear, lastYear)
	}
	for {
		n, err := write(ctx, db, func(t tx) (int64, error) {
			return t.exec("DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE at < ? LIMIT ?)", before.UnixNano(), purgeBatch)
		})
		deleted += n
		if err != nil || n < purgeBatch {
			return deleted, err
		}
	}
}
