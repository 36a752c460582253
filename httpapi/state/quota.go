package state

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// quotas counts, by key and month, the requests that were counted and those that are
// under way. A counter is read from the state when its key is first seen in a month. Only
// Reserve raises counted + pending, and only below the limit.
//
// In a file only this process changes the count, and counted is at least what the file has.
// Servers that share a state learn what the others counted with each batch that they write,
// and from the state once a second. So a counter may lag behind, and the transaction that
// logs a request decides: it counts no request beyond the limit.
type quotas struct {
	mu       sync.Mutex
	latest   Month // that was asked for
	counters map[quotaKey]*counter
}

type quotaKey struct {
	keyID int64
	month Month
}

// counter is under quotas.mu. known is the state's count as of the last batch or reading.
type counter struct {
	counted, pending, known int64
	read                    time.Time
}

// quotaAge is how old the count of a shared state may be.
const quotaAge = time.Second

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
	limit   int64
	at      time.Time
	settled bool // under quotas.mu
}

// Reserve takes one request out of the current month's quota of a key. A
// *QuotaError if the quota is used up.
func (db *DB) Reserve(ctx context.Context, k Key) (*Reservation, error) {
	if !db.options.Serve {
		return nil, ErrNotServing
	}
	at := db.options.Now()
	q := &db.quotas
	if err := db.learn(ctx, quotaKey{k.ID, MonthOf(at)}, at); err != nil {
		return nil, err
	}
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
	return &Reservation{db: db, counter: c, keyID: k.ID, limit: k.Limits.PerMonth, at: at}, nil
}

// Quota returns a key's use of the current month. A server's next Reserve
// uses the same count.
func (db *DB) Quota(ctx context.Context, k Key) (Quota, error) {
	now := db.options.Now()
	month := MonthOf(now)
	if !db.options.Serve {
		counted, err := db.countedIn(ctx, k.ID, month)
		return (&counter{counted: counted}).quota(k, month), err
	}
	if err := db.learn(ctx, quotaKey{k.ID, month}, now); err != nil {
		return Quota{}, err
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
	q.turn(m)
	k := quotaKey{keyID, m}
	if c := q.counters[k]; c != nil {
		return c, nil
	}
	counted, err := db.countedIn(ctx, keyID, m)
	if err != nil {
		return nil, err
	}
	c := &counter{counted: counted, known: counted}
	q.counters[k] = c
	return c, nil
}

// turn begins a month; quotas.mu is held.
func (q *quotas) turn(m Month) {
	if q.counters == nil {
		q.counters = make(map[quotaKey]*counter)
	}
	if m > q.latest {
		q.latest = m
		maps.DeleteFunc(q.counters, func(_ quotaKey, c *counter) bool { return c.pending == 0 })
	}
}

// learn reads a count that is old from a shared state. It does not hold quotas.mu meanwhile,
// since the database may be slow. A counter with requests under way is left alone: their
// batch will tell, and the count that is read may have them or not.
func (db *DB) learn(ctx context.Context, k quotaKey, now time.Time) error {
	if !db.engine.postgres {
		return nil
	}
	q := &db.quotas
	q.mu.Lock()
	q.turn(k.month)
	c := q.counters[k]
	fresh := c != nil && (c.pending > 0 || now.Sub(c.read).Abs() < quotaAge)
	q.mu.Unlock()
	if fresh {
		return nil
	}
	counted, err := db.countedIn(ctx, k.keyID, k.month)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if c = q.counters[k]; c == nil {
		c = &counter{}
		q.counters[k] = c
	}
	if c.pending == 0 && counted >= c.counted {
		c.counted, c.known, c.read = counted, counted, now
	}
	return nil
}

// monthTotal is the count of a month after a batch, and how many of it the batch counted.
type monthTotal struct{ counted, batch int64 }

// settle learns from a batch what other servers have counted.
func (q *quotas) settle(months map[quotaKey]monthTotal) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for k, m := range months {
		if c := q.counters[k]; c != nil {
			c.counted += m.counted - c.known - m.batch
			c.known = m.counted
		}
	}
}

// addToMonth counts requests of a month. Its row stays locked until the transaction ends.
const addToMonth = `INSERT INTO quotas (key_id, month, counted) VALUES ($1, $2, $3)
	ON CONFLICT (key_id, month) DO UPDATE SET counted = quotas.counted + excluded.counted RETURNING counted`

// countMonths counts the requests of a batch in their months. A request beyond the limit
// gets a *QuotaError: it is not logged here.
func countMonths(t tx, batch []*op) (map[quotaKey]monthTotal, error) {
	ops := map[quotaKey][]*op{}
	for _, o := range batch {
		if o.entry != nil && o.entry.counted {
			k := quotaKey{o.entry.KeyID, MonthOf(o.entry.Time)}
			ops[k] = append(ops[k], o)
		}
	}
	months := map[quotaKey]monthTotal{}
	for _, k := range slices.SortedFunc(maps.Keys(ops), quotaKey.compare) {
		n := int64(len(ops[k]))
		var m monthTotal
		if err := t.row(addToMonth, k.keyID, k.month.String(), n).Scan(&m.counted); err != nil {
			return nil, err
		}
		m.counted -= n
		for _, o := range ops[k] {
			if m.counted >= o.entry.limit {
				o.err = &QuotaError{Quota{Month: k.month, Limit: o.entry.limit, Used: m.counted, Resets: (k.month + 1).Start()}}
				continue
			}
			m.counted++
			m.batch++
		}
		if m.batch < n {
			if _, err := t.exec("UPDATE quotas SET counted = $1 WHERE key_id = $2 AND month = $3", m.counted, k.keyID, k.month.String()); err != nil {
				return nil, err
			}
		}
		months[k] = m
	}
	return months, nil
}

func (k quotaKey) compare(other quotaKey) int {
	return cmp.Or(cmp.Compare(k.keyID, other.keyID), cmp.Compare(k.month, other.month))
}

// countedIn reads a month's count from the state.
func (db *DB) countedIn(ctx context.Context, keyID int64, m Month) (counted int64, err error) {
	ctx, cancel := db.bounded(ctx)
	defer cancel()
	err = db.readers.QueryRowContext(ctx, "SELECT counted FROM quotas WHERE key_id = $1 AND month = $2", keyID, m.String()).Scan(&counted)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return counted, db.readError(err)
}

var errSettled = errors.New("the reservation is settled already")

// Settle logs the request that was reserved for, and returns when that is on disk:
// only then may the answer be sent. A status of 2xx counts; with any other, or when
// it can't be logged, the reservation is given back. The entry's time and key are
// those of the reservation, so the request is billed in the month that it came from.
//
// Servers that share a state may have used up the quota since Reserve. Then Settle returns
// a *QuotaError, and logs nothing: the caller refuses the request and logs that.
func (r *Reservation) Settle(ctx context.Context, e Entry) error {
	if !r.end(0) {
		return errSettled
	}
	e.Time, e.KeyID = r.at, r.keyID
	counted := e.Status >= 200 && e.Status <= 299
	err := r.db.append(ctx, &entryRow{Entry: e, counted: counted, limit: r.limit})
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
