package state

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

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
