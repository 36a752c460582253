package state

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"
)

// quotas counts, by key and month, the requests that were counted and those that are
// under way. A counter is read from the file when its key is first seen in a month.
// From then on only this process changes it. counted is at least what the file has.
// Only Reserve raises counted + pending, and only below the limit.
type quotas struct {
	mu       sync.Mutex
	latest   Month // that was asked for
	counters map[quotaKey]*counter
}

type quotaKey struct {
	keyID int64
	month Month
}

type counter struct{ counted, pending int64 } // under quotas.mu

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
	Month   Month
	Limit   int64 // or Unlimited
	Used    int64 // answered 2xx, and on a server also those under way
	Resets  time.Time
	Pending int64 // those of Used that are under way
}

// Remaining returns what may still be used; Unlimited stays so.
func (q Quota) Remaining() int64 {
	if q.Limit == Unlimited {
		return Unlimited
	}
	return max(0, q.Limit-q.Used)
}

// Reservation is a request taken out of a month's quota before it is served. It
// is settled once, by Settle or by Cancel.
type Reservation struct {
	db      *DB
	counter *counter
	keyID   int64
	at      time.Time
	settled bool // under quotas.mu
}

// Reserve takes one request out of the current month's quota of a key. A
// *QuotaError if the quota is used up.
func (db *DB) Reserve(ctx context.Context, k Key) (*Reservation, error) {
	if db.unlock == nil {
		return nil, ErrNotServing
	}
	at := db.options.Now()
	q := &db.quotas
	q.mu.Lock()
	defer q.mu.Unlock()
	c, err := db.counter(ctx, k.ID, MonthOf(at))
	if err != nil {
		return nil, err
	}
	if c.counted+c.pending >= k.Limits.PerMonth {
		return nil, &QuotaError{c.quota(k, MonthOf(at))}
	}
	c.pending++
	return &Reservation{db: db, counter: c, keyID: k.ID, at: at}, nil
}

// Quota returns a key's use of the current month. A server's next Reserve
// uses the same count.
func (db *DB) Quota(ctx context.Context, k Key) (Quota, error) {
	month := MonthOf(db.options.Now())
	if db.unlock == nil {
		counted, err := db.countedIn(ctx, k.ID, month)
		return (&counter{counted: counted}).quota(k, month), err
	}
	db.quotas.mu.Lock()
	defer db.quotas.mu.Unlock()
	c, err := db.counter(ctx, k.ID, month)
	if err != nil {
		return Quota{}, err
	}
	return c.quota(k, month), nil
}

func (c *counter) quota(k Key, m Month) Quota {
	return Quota{Month: m, Limit: k.Limits.PerMonth, Used: c.counted + c.pending, Pending: c.pending, Resets: (m + 1).Start()}
}

// counter returns the counter of a key and month; quotas.mu is held. When a month
// begins, it drops the counters without requests under way: they equal the file's
// sums. A request may still ask for the month before, when it came in just before
// midnight or the clock was set back.
func (db *DB) counter(ctx context.Context, keyID int64, m Month) (*counter, error) {
	q := &db.quotas
	if q.counters == nil {
		q.counters = make(map[quotaKey]*counter)
	}
	if m > q.latest {
		q.latest = m
		maps.DeleteFunc(q.counters, func(_ quotaKey, c *counter) bool { return c.pending == 0 })
	}
	k := quotaKey{keyID, m}
	if c := q.counters[k]; c != nil {
		return c, nil
	}
	counted, err := db.countedIn(ctx, keyID, m)
	if err != nil {
		return nil, err
	}
	c := &counter{counted: counted}
	q.counters[k] = c
	return c, nil
}

// countedIn reads a month's count from the file.
func (db *DB) countedIn(ctx context.Context, keyID int64, m Month) (counted int64, err error) {
	err = db.readers.QueryRowContext(ctx, "SELECT coalesce(sum(counted), 0) FROM daily_usage WHERE key_id = ? AND day BETWEEN ? || '-01' AND ? || '-31'",
		keyID, m.String(), m.String()).Scan(&counted)
	return counted, db.readError(err)
}

var errSettled = errors.New("the reservation is settled already")

// Settle logs the request that was reserved for, and returns when that is on disk:
// only then may the answer be sent. A status of 2xx counts; with any other, or when
// it can't be logged, the reservation is given back. The entry's time and key are
// those of the reservation, so the request is billed in the month that it came from.
func (r *Reservation) Settle(ctx context.Context, e Entry) error {
	if !r.end(0) {
		return errSettled
	}
	e.Time, e.KeyID = r.at, r.keyID
	counted := e.Status >= 200 && e.Status <= 299
	err := r.db.append(ctx, e, counted)
	r.db.quotas.mu.Lock()
	defer r.db.quotas.mu.Unlock()
	r.counter.pending--
	if counted && err == nil {
		r.counter.counted++
	}
	return err
}

// Cancel gives the request back, unless it is settled.
func (r *Reservation) Cancel() { r.end(1) }

// end marks the reservation as settled and gives some of it back. It returns false
// when the reservation was settled before.
func (r *Reservation) end(back int64) bool {
	r.db.quotas.mu.Lock()
	defer r.db.quotas.mu.Unlock()
	if r.settled {
		return false
	}
	r.settled = true
	r.counter.pending -= back
	return true
}
