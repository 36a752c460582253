package state

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func reserve(t *testing.T, db *DB, k Key) *Reservation {
	t.Helper()
	r, err := db.Reserve(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func used(t *testing.T, db *DB, k Key) int64 {
	t.Helper()
	q, err := db.Quota(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return q.Used
}

// TestReserveConcurrently sends 64 requests at once against a quota of 20. Exactly 20 are
// counted, since those that fail or are cancelled give their call back.
func TestReserveConcurrently(t *testing.T) {
	db, _ := serving(t)
	k, _ := newKey(t, db, NewKey{PerMonth: 20})
	var granted, most, refused atomic.Int64
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for j := range 20 {
				r, err := db.Reserve(t.Context(), k)
				if errors.Is(err, ErrQuota) {
					refused.Add(1)
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				e := ok(k)
				switch (i + j) % 4 {
				case 0:
					e.Status = 500
				case 1:
					r.Cancel()
					continue
				}
				if err := r.Settle(t.Context(), e); err != nil {
					t.Error(err)
				}
				if e.Status == 200 {
					granted.Add(1)
				}
				q, err := db.Quota(t.Context(), k)
				if err != nil {
					t.Error(err)
				}
				for m := most.Load(); q.Used > m && !most.CompareAndSwap(m, q.Used); m = most.Load() {
				}
			}
		})
	}
	wg.Wait()
	logged := count(t, db.path, "SELECT count(*) FROM requests WHERE status = 200")
	if granted.Load() != 20 || logged != 20 || used(t, db, k) != 20 || most.Load() > 20 || refused.Load() == 0 {
		t.Errorf("%d granted, %d logged, %d used, at most %d, %d refused",
			granted.Load(), logged, used(t, db, k), most.Load(), refused.Load())
	}
}

func TestReservation(t *testing.T) {
	db, c := serving(t)
	k, _ := newKey(t, db, NewKey{PerMonth: 2})
	ctx := t.Context()
	settle := func(r *Reservation, status int) {
		t.Helper()
		e := ok(k)
		e.Status = status
		if err := r.Settle(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	for _, status := range []int{199, 300, 304, 404, 500} {
		settle(reserve(t, db, k), status)
		if n := used(t, db, k); n != 0 {
			t.Errorf("a %d counts", status)
		}
	}
	late := reserve(t, db, k)
	e := ok(k)
	e.Time = noon.Add(time.Hour) // the log has the instant of the reservation
	if err := late.Settle(ctx, e); err != nil || count(t, db.path, "SELECT max(at) FROM requests") != noon.UnixNano() {
		t.Errorf("%v, or the entry has another time than the reservation", err)
	}
	r := reserve(t, db, k)
	if q, err := db.Quota(ctx, k); err != nil || q != (Quota{Month: MonthOf(noon), Limit: 2, Used: 2, Pending: 1, Resets: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}) {
		t.Errorf("%+v, %v", q, err)
	}
	_, err := db.Reserve(ctx, k)
	if q, isQuota := errors.AsType[*QuotaError](err); !isQuota || q.Remaining() != 0 || !errors.Is(err, ErrQuota) ||
		err.Error() != "the quota of 2 requests for 2026-11 is used up; the next month begins at 2026-12-01T00:00:00Z" {
		t.Errorf("got %v", err)
	}
	for range 2 {
		r.Cancel()
	}
	if n := used(t, db, k); n != 1 {
		t.Errorf("%d used after cancelling twice", n)
	}
	if err := r.Settle(ctx, ok(k)); err == nil {
		t.Error("a cancelled reservation was settled")
	}
	r = reserve(t, db, k)
	settle(r, 299)
	r.Cancel()
	if err := r.Settle(ctx, ok(k)); err == nil || used(t, db, k) != 2 {
		t.Errorf("settled twice: %v, %d used", err, used(t, db, k))
	}
	// Entries without a reservation do not count.
	if err := db.Append(ctx, ok(k)); err != nil || used(t, db, k) != 2 {
		t.Errorf("%v, %d used", err, used(t, db, k))
	}
	// A larger limit holds at once; so does no limit.
	k.Limits.PerMonth = 3
	settle(reserve(t, db, k), 200)
	k.Limits.PerMonth = Unlimited
	settle(reserve(t, db, k), 200)
	if q, err := db.Quota(ctx, k); err != nil || q.Remaining() != Unlimited || q.Used != 4 {
		t.Errorf("%+v, %v", q, err)
	}
	// What can't be logged is given back.
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := reserve(t, db, k).Settle(cancelled, ok(k)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := reserve(t, db, k).Settle(ctx, Entry{Auth: AuthKey, Status: 200}); err == nil {
		t.Error("an entry without endpoint was logged")
	}
	if n := used(t, db, k); n != 4 {
		t.Errorf("%d used", n)
	}
	// Another process reads the same count; only the server may reserve.
	other := open(t, db.path, Options{Now: c.now})
	if n := used(t, other, k); n != 4 {
		t.Errorf("%d used", n)
	}
	_, err1 := other.Reserve(ctx, k)
	if err2 := other.Append(ctx, ok(k)); err1 != ErrNotServing || err2 != ErrNotServing {
		t.Error(err1, err2)
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
		if back, err := ParseMonth(m.String()); m.String() != want || err != nil || back != m {
			t.Errorf("%v: %v, %v, %v", in, m, back, err)
		}
	}
	if m := MonthOf(noon) + 2; m.String() != "2027-01" || !m.Start().Equal(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error(m)
	}
}
