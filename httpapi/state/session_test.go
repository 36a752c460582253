package state

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func signIn(t *testing.T, db *DB, secret string) string {
	t.Helper()
	token, _ := must2(db.SignIn(t.Context(), secret))
	return token
}

// alive reports whether a session goes on.
func alive(t *testing.T, db *DB, token string) bool {
	t.Helper()
	_, err := db.Session(t.Context(), token)
	if err != nil && !errors.Is(err, ErrNoSession) {
		t.Fatal(err)
	}
	return err == nil
}

// TestSessionsEnd disables and rotates a key. Its sessions end, but the one that rotates, and
// its links are void. Those of another key go on.
func TestSessionsEnd(t *testing.T) {
	db, _ := serving(t)
	k, secret := newKey(t, db, NewKey{})
	other, otherSecret := newKey(t, db, NewKey{})
	theirs := signIn(t, db, otherSecret)
	theirLink, _ := must2(db.NewLink(t.Context(), other.ID))
	var mine string
	for _, c := range []struct {
		name string
		end  func() (string, error)
		kept bool
	}{
		{"disabled", func() (string, error) {
			must(db.DisableKey(t.Context(), k.ID))
			if _, _, err := db.NewLink(t.Context(), k.ID); err != ErrKeyDisabled {
				t.Errorf("a link of a disabled key: %v", err)
			}
			_, err := db.EnableKey(t.Context(), k.ID)
			return secret, err
		}, false},
		{"rotated by the operator", func() (string, error) {
			_, s, err := db.RotateKey(t.Context(), k.ID)
			return s,
				err
		}, false},
		{"rotated from a session", func() (string, error) {
			_, s,
				err := db.RotateKeyFrom(t.Context(), mine)
			return s, err
		}, true},
	} {
		mine = signIn(t, db, secret)
		second := signIn(t, db, secret)
		link, _ := must2(db.NewLink(t.Context(), k.ID))
		secret = must(c.end())
		if _, _, err := db.Redeem(t.Context(), link); err != ErrNoLink || alive(t, db, second) ||
			alive(t, db, mine) != c.kept || !alive(t, db, theirs) {
			t.Errorf("%s: the wrong sessions and links ended; %v", c.name, err)
		}
	}
	must2(db.Redeem(t.Context(), theirLink))
	if _, s, err := db.RotateKeyFrom(t.Context(), newToken()); err != ErrNoSession || s != "" {
		t.Error(s, err)
	}
}

// TestRedeemOnce redeems a link 64 times at once over two connections. One succeeds.
func TestRedeemOnce(t *testing.T) {
	db, c := serving(t)
	other := open(t, db.path, Options{Now: c.now})
	k, _ := newKey(t, db, NewKey{})
	link, expires := must2(db.NewLink(t.Context(), k.ID))
	var won, lost atomic.Int32
	var wg sync.WaitGroup
	for i := range 64 {
		on := []*DB{db, other}[i%2]
		wg.Go(func() {
			token, s, err := on.Redeem(t.Context(), link)
			switch {
			case err == nil && s.Key == k && alive(t, db, token):
				won.Add(1)
			case err == ErrNoLink && token == "":
				lost.Add(1)
			default:
				t.Error(s, err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || lost.Load() != 63 || count(t, db.path, "SELECT count(*) FROM sessions") != 1 {
		t.Errorf("%d sessions, %d refused", won.Load(), lost.Load())
	}
	// The row of a link that has ended goes when the next one is made.
	must2(db.NewLink(t.Context(), k.ID))
	c.set(expires)
	must2(db.NewLink(t.Context(), k.ID))
	if n := count(t, db.path, "SELECT count(*) FROM signin_links"); n != 1 {
		t.Errorf("%d links", n)
	}
}

func TestOldestSessionsEnd(t *testing.T) {
	db, c := serving(t)
	_, secret := newKey(t, db, NewKey{})
	_, other := newKey(t, db, NewKey{Name: "another"})
	tokens := []string{signIn(t, db, other)}
	for range MaxSessions + 2 {
		c.set(c.now().Add(time.Second))
		tokens = append(tokens, signIn(t, db, secret))
	}
	for i, token := range tokens {
		if want := i == 0 || i > 2; alive(t, db, token) != want {
			t.Errorf("session %d goes on: %t", i, !want)
		}
	}
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
	call := func(status int, limit int64, at time.Time) error {
		e := ok(k)
		e.Status, e.Limit, e.Time = status, limit, at
		return db.Append(t.Context(), e)
	}
	next := noon.AddDate(0, 1, 0)
	for _, x := range []struct {
		name   string
		status int
		limit  int64
		at     time.Time
		used   int64 // then
	}{
		{"below 200", 199, 2, noon, 0}, {"300", 300, 2, noon, 0}, {"not modified", 304, 2, noon, 0},
		{"500", 500, 2, noon, 0},
		{"200", 200, 2, noon, 1}, {"299", 299, 2, noon, 2}, {"one that does not count", 200, 0, noon, 2},
		{"a larger limit", 200, 3, noon, 3}, {"no limit", 200, Unlimited, noon, 4},
		{"the next month", 200, 2, next, 4}, {"late, of this month", 200, 9, noon, 5},
	} {
		if err := call(x.status, x.limit, x.at); err != nil || used(t, db, k) != x.used {
			t.Errorf("%s: %v, %d used", x.name, err, used(t, db, k))
		}
		if x.used == 0 {
			continue
		}
		if err := call(200, x.used, noon); !errors.As(err, new(*QuotaError)) || used(t, db, k) != x.used {
			t.Errorf("%s, and one more: %v, %d used", x.name, err, used(t, db, k))
		}
	}
	err := call(200, 5, noon)
	end := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	if q, _ := errors.AsType[*QuotaError](err); q == nil || q.Quota != (Quota{"2026-11", 5, 5, end}) ||
		q.Remaining() != 0 || err.Error() != "the quota of 5 requests for 2026-11 is used up" {
		t.Errorf("got %v", err)
	}
	// A restart and a purge lose nothing.
	c.set(next)
	must(db.Purge(t.Context(), next))
	other := open(t, db.path, Options{Now: c.now})
	if q, err := other.Quota(t.Context(), k); err != nil || q != (Quota{"2026-12", 2, 1, end.AddDate(0, 1, 0)}) {
		t.Errorf("%+v, %v", q, err)
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
	if end := MonthOf(noon).Next().Next().Start(); !end.Equal(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error(end)
	}
}
