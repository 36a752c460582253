package state

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Totals is a sum of requests. First and Last are times of arrival.
type Totals struct {
	Requests int64     `json:"requests"`
	Counted  int64     `json:"counted"` // against the quota
	Bytes    int64     `json:"bytes"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
}

// Usage is a key's use of a month.
type Usage struct {
	Month Month
	// Key is the key as it is now. Its ID is 0 for requests without a known key.
	Key   Key
	Total Totals
	Lines []UsageLine // by endpoint and status class, ascending
}

// UsageLine sums the requests of one endpoint with one class of status.
type UsageLine struct {
	Endpoint    string
	StatusClass int // 2 for 200 to 299
	Totals
}

// Usage returns the use of a month by key, ascending by id. Requests without a key
// come first. keyID selects one key; 0 selects all. A key without requests is left
// out. ErrNoKey if no key has the id. Usage reads sums, which Purge keeps.
func (db *DB) Usage(ctx context.Context, m Month, keyID int64) ([]Usage, error) {
	all, err := db.Keys(ctx)
	if err != nil {
		return nil, err
	}
	keys := map[int64]Key{0: {}}
	for _, k := range all {
		keys[k.ID] = k
	}
	if _, known := keys[keyID]; !known {
		return nil, fmt.Errorf("%w: %d", ErrNoKey, keyID)
	}
	type line struct {
		keyID int64
		UsageLine
	}
	lines, err := read(ctx, db, func(t tx) ([]line, error) {
		return list(t, func(r *sql.Rows) (l line, err error) {
			err = r.Scan(&l.keyID, &l.Endpoint, &l.StatusClass, &l.Requests, &l.Counted, &l.Bytes, at{&l.First}, at{&l.Last})
			return l, err
		}, `SELECT key_id, endpoint, status_class, requests, counted, bytes, first_at, last_at
			FROM monthly_usage WHERE month = $1 AND (CAST($2 AS BIGINT) = 0 OR key_id = $2) ORDER BY key_id, endpoint, status_class`, m.String(), keyID)
	})
	var usage []Usage
	for _, l := range lines {
		if n := len(usage); n == 0 || usage[n-1].Key.ID != l.keyID {
			usage = append(usage, Usage{Month: m, Key: keys[l.keyID]})
		}
		u := &usage[len(usage)-1]
		u.Total.add(l.Totals)
		u.Lines = append(u.Lines, l.UsageLine)
	}
	return usage, err
}

// DayUsage sums the requests of a key on one day.
type DayUsage struct {
	Date     string // YYYY-MM-DD, UTC
	Requests int64
	Counted  int64 // against the quota
	Bytes    int64
}

// Days returns a key's use of a month by day, ascending. Days without requests are
// left out.
func (db *DB) Days(ctx context.Context, m Month, keyID int64) ([]DayUsage, error) {
	return read(ctx, db, func(t tx) ([]DayUsage, error) {
		return list(t, func(r *sql.Rows) (d DayUsage, err error) {
			err = r.Scan(&d.Date, &d.Requests, &d.Counted, &d.Bytes)
			return d, err
		}, `SELECT day, CAST(sum(requests) AS BIGINT), CAST(sum(counted) AS BIGINT), CAST(sum(bytes) AS BIGINT)
			FROM daily_usage WHERE key_id = $1 AND day BETWEEN $2 AND $3 GROUP BY day ORDER BY day`, keyID, m.String()+"-01", m.String()+"-31")
	})
}

// CountedOn reports whether a request of a key at an endpoint has counted on the UTC day of a
// moment. An endpoint that is paid for once a day asks first.
func (db *DB) CountedOn(ctx context.Context, keyID int64, endpoint string, at time.Time) (bool, error) {
	return read(ctx, db, func(t tx) (counted bool, err error) {
		err = t.row("SELECT coalesce(sum(counted), 0) > 0 FROM daily_usage WHERE key_id = $1 AND day = $2 AND endpoint = $3",
			keyID, at.UTC().Format(time.DateOnly), endpoint).Scan(&counted)
		return counted, err
	})
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

// purgeBatch is how many rows a purge deletes in one transaction. A server on the
// same file waits for one transaction at most.
const purgeBatch = 5000

// Purge deletes the entries of requests that came in before a moment, and returns how many
// there were. Sums, quotas and Usage stay. An interrupted purge returns its rows so far with
// the error.
func (db *DB) Purge(ctx context.Context, before time.Time) (deleted int64, err error) {
	if !storable(before) {
		return 0, fmt.Errorf("purge before %s: use a moment in the years %d to %d", before.Format(time.RFC3339), firstYear, lastYear)
	}
	for n := int64(purgeBatch); n == purgeBatch && err == nil; deleted += n {
		n, err = write(ctx, db, func(t tx) (int64, error) {
			return t.exec("DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE at < $1 LIMIT $2)", before.UnixNano(), purgeBatch)
		})
	}
	return deleted, err
}

// addToDay adds to a row of the daily sums, or makes it.
const addToDay = `INSERT INTO daily_usage
	(key_id, day, endpoint, status_class, requests, counted, bytes, first_at, last_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
	ON CONFLICT (key_id, day, endpoint, status_class) DO UPDATE SET
		requests = daily_usage.requests + excluded.requests, counted = daily_usage.counted + excluded.counted, bytes = daily_usage.bytes + excluded.bytes,
		first_at = CASE WHEN excluded.first_at < daily_usage.first_at THEN excluded.first_at ELSE daily_usage.first_at END,
		last_at = CASE WHEN excluded.last_at > daily_usage.last_at THEN excluded.last_at ELSE daily_usage.last_at END`

// sumKey is the key of a row of daily_usage or, without the last two, of quotas.
type sumKey struct {
	keyID    int64
	period   string // YYYY-MM-DD or YYYY-MM, UTC
	endpoint string
	class    int
}

func (k sumKey) compare(other sumKey) int {
	return cmp.Or(cmp.Compare(k.keyID, other.keyID), cmp.Compare(k.period, other.period), cmp.Compare(k.endpoint, other.endpoint), cmp.Compare(k.class, other.class))
}

func (o *op) addTo(sums map[sumKey]Totals) {
	e := o.entry
	one := Totals{Requests: 1, Bytes: e.Bytes, First: e.Time, Last: e.Time}
	if o.counted {
		one.Counted = 1
	}
	k := sumKey{e.KeyID, e.Time.UTC().Format(time.DateOnly), e.Endpoint, e.Status / 100}
	s := sums[k]
	s.add(one)
	sums[k] = s
}

// Month is a calendar month in UTC, counted from January of the year 0.
type Month int32

// MonthOf returns the month that a moment is in.
func MonthOf(t time.Time) Month {
	t = t.UTC()
	return Month(t.Year()*12 + int(t.Month()) - 1)
}

// ParseMonth reads a month written YYYY-MM.
func ParseMonth(s string) (Month, error) {
	t, err := time.Parse("2006-01", s)
	if err != nil {
		return 0, fmt.Errorf("month %q is not written YYYY-MM", s)
	}
	return MonthOf(t), nil
}

// Start returns the month's first moment.
func (m Month) Start() time.Time {
	return time.Date(int(m)/12, time.Month(m%12)+1, 1, 0, 0, 0, 0, time.UTC)
}

// String returns the month as YYYY-MM.
func (m Month) String() string { return m.Start().Format("2006-01") }

// MarshalText returns the month as YYYY-MM.
func (m Month) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// The years that moments may be in. The file's nanoseconds can hold them.
const firstYear, lastYear = 1970, 2199

func storable(t time.Time) bool {
	year := t.UTC().Year()
	return year >= firstYear && year <= lastYear
}

// QuotaError is the refusal of a request above the month's quota.
type QuotaError struct{ Quota }

func (e *QuotaError) Error() string {
	return fmt.Sprintf("the quota of %d requests for %s is used up; the next month begins at %s",
		e.Limit, e.Month, e.Resets.Format(time.RFC3339))
}

// Unwrap returns ErrQuota.
func (e *QuotaError) Unwrap() error { return ErrQuota }

// Quota is a key's use of a month.
type Quota struct {
	Month  Month
	Limit  int64 // or Unlimited
	Used   int64 // answered 2xx
	Resets time.Time
}

// Remaining returns what may still be used; Unlimited stays so.
func (q Quota) Remaining() int64 {
	if q.Limit == Unlimited {
		return Unlimited
	}
	return max(0, q.Limit-q.Used)
}

func quotaOf(m Month, limit, used int64) Quota {
	return Quota{Month: m, Limit: limit, Used: used, Resets: (m + 1).Start()}
}

// Quota returns a key's use of the current month.
func (db *DB) Quota(ctx context.Context, k Key) (Quota, error) {
	m := MonthOf(db.options.Now())
	used, err := read(ctx, db, func(t tx) (used int64, err error) {
		err = t.row("SELECT coalesce(sum(counted), 0) FROM quotas WHERE key_id = $1 AND month = $2", k.ID, m.String()).Scan(&used)
		return used, err
	})
	return quotaOf(m, k.Limits.PerMonth, used), err
}

// Count is Append for a request that counts against the month of its key, up to a limit,
// if its status is 2xx. The month is that of the entry's time. A request beyond the limit
// gets a *QuotaError and is not logged: refuse it and log that.
func (db *DB) Count(ctx context.Context, e Entry, limit int64) error {
	return db.log(ctx, &op{entry: &e, counted: e.Status/100 == 2, limit: limit})
}

// addToMonth counts requests of a month. Its row stays locked until the transaction ends.
const addToMonth = `INSERT INTO quotas (key_id, month, counted) VALUES ($1, $2, $3)
	ON CONFLICT (key_id, month) DO UPDATE SET counted = quotas.counted + excluded.counted RETURNING counted`

// countMonths counts the requests of a batch in their months. A request beyond the limit
// gets a *QuotaError.
func countMonths(t tx, batch []*op) error {
	ops := map[sumKey][]*op{}
	for _, o := range batch {
		if o.counted {
			k := sumKey{keyID: o.entry.KeyID, period: MonthOf(o.entry.Time).String()}
			ops[k] = append(ops[k], o)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(ops), sumKey.compare) {
		var after int64
		if err := t.row(addToMonth, k.keyID, k.period, len(ops[k])).Scan(&after); err != nil {
			return err
		}
		counted := after - int64(len(ops[k]))
		for _, o := range ops[k] {
			if counted >= o.limit {
				o.err = &QuotaError{quotaOf(MonthOf(o.entry.Time), o.limit, counted)}
				continue
			}
			counted++
		}
		if counted == after {
			continue
		}
		if _, err := t.exec("UPDATE quotas SET counted = $1 WHERE key_id = $2 AND month = $3", counted, k.keyID, k.period); err != nil {
			return err
		}
	}
	return nil
}
