package state

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// counted logs a request that counts against the key's month.
func counted(t *testing.T, db *DB, k Key, e Entry) error {
	t.Helper()
	e.Limit = k.Limits.PerMonth
	return db.Append(t.Context(), e)
}

func used(t *testing.T, db *DB, k Key) int64 {
	t.Helper()
	q := must(db.Quota(t.Context(), k))
	return q.Used
}

// TestCountConcurrently sends 64 times 20 requests at once against a quota of 20, on
// PostgreSQL to two servers. Exactly 20 of 2xx are logged.
func TestCountConcurrently(t *testing.T) {
	db, c := serving(t)
	servers := []*DB{db, db}
	if OnPostgreSQL(db.path) {
		servers[1] = open(t, db.path, Options{Serve: true, Now: c.now})
	}
	k, _ := newKey(t, db, NewKey{PerMonth: 20})
	var granted, refused atomic.Int64
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for j := range 20 {
				e := ok(k)
				if (i+j)%4 == 0 {
					e.Status = 500
				}
				e.Limit = 20
				switch err := servers[i%2].Append(t.Context(), e); {
				case errors.As(err, new(*QuotaError)):
					refused.Add(1)
				case err != nil:
					t.Error(err)
				case e.Status == 200:
					granted.Add(1)
				}
			}
		})
	}
	wg.Wait()
	logged := count(t, db.path, "SELECT count(*) FROM requests WHERE status = 200")
	if granted.Load() != 20 || logged != 20 || used(t, db, k) != 20 || refused.Load() != 940 {
		t.Errorf("%d granted, %d logged, %d used, %d refused", granted.Load(), logged, used(t, db, k), refused.Load())
	}
}

func TestCount(t *testing.T) {
	db, c := serving(t)
	k, _ := newKey(t, db, NewKey{PerMonth: 2})
	ctx := t.Context()
	for _, status := range []int{199, 300, 304, 404, 500} {
		e := ok(k)
		if e.Status = status; counted(t, db, k, e) != nil || used(t, db, k) != 0 {
			t.Errorf("a %d counts", status)
		}
	}
	for _, status := range []int{200, 299} {
		e := ok(k)
		if e.Status = status; counted(t, db, k, e) != nil {
			t.Errorf("a %d is not logged", status)
		}
	}
	if q, err := db.Quota(ctx, k); err != nil || q != (Quota{Month: MonthOf(noon), Limit: 2, Used: 2, Resets: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}) {
		t.Errorf("%+v, %v", q, err)
	}
	err := counted(t, db, k, ok(k))
	if q, isQuota := errors.AsType[*QuotaError](err); !isQuota || q.Remaining() != 0 ||
		err.Error() != "the quota of 2 requests for 2026-11 is used up" {
		t.Errorf("got %v", err)
	}
	if err := db.Append(ctx, ok(k)); err != nil || used(t, db, k) != 2 {
		t.Errorf("%v, %d used", err, used(t, db, k))
	}
	// A larger limit holds at once; so does no limit.
	limited := func(limit int64, at time.Time) error {
		e := ok(k)
		e.Limit, e.Time = limit, at
		return db.Append(ctx, e)
	}
	if err := errors.Join(limited(3, noon), limited(Unlimited, noon)); err != nil || used(t, db, k) != 4 {
		t.Errorf("%v, %d used", err, used(t, db, k))
	}
	// A request belongs to the month that it came in. A restart and a purge lose nothing.
	c.set(noon.AddDate(0, 1, 0))
	if err := errors.Join(limited(9, noon), limited(9, c.now())); err != nil || used(t, db, k) != 1 {
		t.Errorf("%v, %d used in December", err, used(t, db, k))
	}
	must(db.Purge(ctx, c.now()))
	c.set(noon)
	other := open(t, db.path, Options{Now: c.now})
	if used(t, other, k) != 5 {
		t.Errorf("%d used", used(t, other, k))
	}
}

func TestMonth(t *testing.T) {
	east := time.FixedZone("", 9*3600)
	for in, want := range map[time.Time]string{
		time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC): "2026-12",
		time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC):      "2027-01",
		time.Date(2027, 1, 1, 8, 59, 59, 0, east):        "2026-12",
	} {
		m := MonthOf(in)
		if back, err := ParseMonth(string(m)); string(m) != want || err != nil || back != m {
			t.Errorf("%v: %v, %v, %v", in, m, back, err)
		}
	}
	if m := MonthOf(noon).Next().Next(); m != "2027-01" || !m.Start().Equal(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error(m)
	}
}
