package state

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// TestQuotaModel compares the quota after every step with a model of two numbers for each
// month: calls answered 2xx, and calls under way. Steps reserve, settle, cancel, move the
// clock across months and back, purge the log and restart the server.
func TestQuotaModel(t *testing.T) {
	const limit, runs, steps = 4, 12, 120
	moments := []time.Time{
		time.Date(2026, 11, 30, 23, 59, 59, 999_999_999, time.UTC),
		time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	type month struct{ counted, pending int64 }
	type underWay struct {
		r *Reservation
		m *month
	}
	for run := range uint64(runs) {
		random := rand.New(rand.NewPCG(run, 20261120))
		path, c := statePath(t), newClock()
		db := open(t, path, Options{Serve: true, Now: c.now})
		k, _ := newKey(t, db, NewKey{PerMonth: limit})
		model := map[Month]*month{}
		var pending []underWay
		take := func() underWay {
			i := random.IntN(len(pending))
			u := pending[i]
			pending[i] = pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			u.m.pending--
			return u
		}
		for step := range steps {
			m := model[MonthOf(c.now())]
			if m == nil {
				m = &month{}
				model[MonthOf(c.now())] = m
			}
			switch what := random.IntN(100); {
			case what < 45:
				r, err := db.Reserve(t.Context(), k)
				if granted := m.counted+m.pending < limit; granted != (err == nil) || !granted && !errors.Is(err, ErrQuota) {
					t.Fatalf("run %d, step %d: %v with %+v", run, step, err, *m)
				}
				if err == nil {
					m.pending++
					pending = append(pending, underWay{r, m})
				}
			case what < 70 && len(pending) > 0:
				u, e := take(), ok(k)
				if random.IntN(3) == 0 {
					e.Status = 304
				} else {
					u.m.counted++
				}
				if err := u.r.Settle(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			case what < 80 && len(pending) > 0:
				take().r.Cancel()
			case what < 93:
				c.set(moments[random.IntN(len(moments))])
			case what < 96:
				if _, err := db.Purge(t.Context(), c.now()); err != nil {
					t.Fatal(err)
				}
			default: // a restart loses the calls under way
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
				for len(pending) > 0 {
					take()
				}
				db = open(t, path, Options{Serve: true, Now: c.now})
			}
			now := model[MonthOf(c.now())]
			if now == nil {
				now = &month{}
			}
			q, err := db.Quota(t.Context(), k)
			if err != nil || q.Used != now.counted+now.pending || q.Pending != now.pending || q.Remaining() != limit-q.Used {
				t.Fatalf("run %d, step %d: %+v, %v; want %+v", run, step, q, err, *now)
			}
		}
	}
}
