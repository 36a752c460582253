package state

import (
	"context"
	"fmt"
	"time"
)

// Month is a calendar month in UTC, written YYYY-MM.
type Month string

const monthForm = "2006-01"

// MonthOf returns the month that a moment is in.
func MonthOf(t time.Time) Month { return Month(t.UTC().Format(monthForm)) }

// ParseMonth reads a month written YYYY-MM.
func ParseMonth(s string) (Month, error) {
	t, err := time.Parse(monthForm, s)
	if err != nil {
		return "", fmt.Errorf("month %q is not written YYYY-MM", s)
	}
	return MonthOf(t), nil
}

// Start returns the month's first moment.
func (m Month) Start() time.Time {
	t, _ := time.Parse(monthForm, string(m))
	return t
}

// Next returns the month after it.
func (m Month) Next() Month { return MonthOf(m.Start().AddDate(0, 1, 0)) }

// The years that moments may be in. The file's nanoseconds can hold them.
const firstYear, lastYear = 1970, 2199

func storable(t time.Time) bool {
	year := t.UTC().Year()
	return year >= firstYear && year <= lastYear
}

// QuotaError is the refusal of a request above the month's quota.
type QuotaError struct{ Quota }

func (e *QuotaError) Error() string {
	return fmt.Sprintf("the quota of %d requests for %s is used up", e.Limit, e.Month)
}

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

// Quota returns a key's use of the current month.
func (db *DB) Quota(ctx context.Context, k Key) (Quota, error) {
	m := MonthOf(db.options.Now())
	used, err := read(ctx, db, func(t tx) (used int64, err error) {
		err = t.row("SELECT coalesce(sum(counted), 0) FROM quotas WHERE key_id = $1 AND month = $2",
			k.ID, m).Scan(&used)
		return used, err
	})
	return Quota{m, k.Limits.PerMonth, used, m.Next().Start()}, err
}

// countMonth counts requests of a key in their month, whose row stays locked until the
// transaction ends. A request beyond the limit gets a *QuotaError.
func (t tx) countMonth(k sumKey, rs []*request) error {
	var n, after int64
	for _, r := range rs {
		r.err = nil // of an earlier try
		n += r.counted
	}
	if n == 0 {
		return nil
	}
	if err := t.row(`INSERT INTO quotas AS q (key_id, month, counted) VALUES ($1, $2, $3)
		ON CONFLICT (key_id, month) DO UPDATE SET counted = q.counted + excluded.counted
		RETURNING counted`, k.keyID, k.period, n).Scan(&after); err != nil {
		return err
	}
	counted, m := after-n, Month(k.period)
	for _, r := range rs {
		if r.counted > 0 && counted >= r.Limit {
			r.err = &QuotaError{Quota{m, r.Limit, counted, m.Next().Start()}}
		} else {
			counted += r.counted
		}
	}
	if counted == after {
		return nil
	}
	_, err := t.exec("UPDATE quotas SET counted = $1 WHERE key_id = $2 AND month = $3", counted, k.keyID, k.period)
	return err
}
