package state

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestOverlap rotates during an overlap. No secret that is in use dies early, but by a
// rotation without overlap.
func TestOverlap(t *testing.T) {
	db, c := serving(t)
	k, first := newKey(t, db, NewKey{})
	rotate := func(overlap time.Duration) (string, error) {
		_, secret, err := db.RotateKey(t.Context(), k.ID, overlap)
		return secret, err
	}
	good := func(when string, want ...string) {
		t.Helper()
		for _, secret := range want {
			if _, err := db.Lookup(t.Context(), secret); err != nil {
				t.Errorf("%s: %v", when, err)
			}
		}
	}
	dead := func(when string, want ...string) {
		t.Helper()
		for _, secret := range want {
			_, _, err := db.SignIn(t.Context(), secret)
			if _, err2 := db.Lookup(t.Context(), secret); err != ErrUnknownKey || err2 != err {
				t.Errorf("%s: %v, %v", when, err, err2)
			}
		}
	}
	lost := must(rotate(time.Hour))
	must(rotate(2 * time.Hour))       // the answer was lost, and again
	second := must(rotate(time.Hour)) // the first one is good for two hours all the same
	good("overlapping", first, second)
	dead("lost", lost)
	end := noon.Add(2 * time.Hour)
	for _, secret := range []string{first, second} {
		old := secret == first
		k, err := db.Lookup(t.Context(), secret)
		if err != nil || k.Old != (OldSecret{Start: startOf(first), Until: end}) || k.ByOld != old ||
			k.Ends().Equal(end) != old || k.Secret() != startOf(secret) {
			t.Errorf("%+v, %v", k, err)
		}
	}
	signIn(t, db, second)
	if _, err := rotate(time.Hour); !errors.Is(err, ErrOverlap) ||
		!strings.Contains(err.Error(), "2026-11-20T14:00:00Z") {
		t.Errorf("while both are in use: %v", err)
	}
	c.set(end.Add(-1))
	good("until its end", first, second)
	c.set(end)
	third := must(rotate(time.Hour))
	dead("after its end", first)
	good("overlapping again", second, third)
	fourth := must(rotate(0))
	dead("without an overlap", first, second, third)
	good("without an overlap", fourth)
	for _, overlap := range []time.Duration{-1, MaxOverlap + 1} {
		if _, err := rotate(overlap); !errors.Is(err, ErrInvalid) {
			t.Errorf("an overlap of %s: %v", overlap, err)
		}
	}
	must(rotate(MaxOverlap))
}

// TestLastUse logs requests with both secrets of a key. Each has its own last use, which
// moves on after a minute.
func TestLastUse(t *testing.T) {
	db, c := serving(t)
	k, old := newKey(t, db, NewKey{})
	use := func(secret string, auth Auth) {
		t.Helper()
		e := ok(k)
		e.Secret, e.Auth, e.Status = startOf(secret), auth, 403
		check(db.Append(t.Context(), e))
	}
	want := func(used, oldUsed time.Time) {
		t.Helper()
		if k := keyOf(t, db, k.ID); k.Used != used || k.Old.Used != oldUsed {
			t.Errorf("used %s and %s, want %s and %s", k.Used, k.Old.Used, used, oldUsed)
		}
	}
	never, soon, later := time.Time{}, noon.Add(useEvery-1), noon.Add(useEvery)
	want(never, never)
	use(old, AuthKey)
	c.set(soon)
	use(old, AuthKey)
	want(noon, never)
	_, newer := must2(db.RotateKey(t.Context(), k.ID, time.Hour))
	want(never, noon)
	use(newer, AuthKey)
	want(soon, noon)
	c.set(later)
	use(old, AuthKey)
	use(newer, AuthKey)
	want(soon, later)
	c.set(noon.Add(-time.Hour)) // a last use does not move back
	use(old, AuthKey)
	want(soon, later)
	c.set(noon.Add(2 * time.Hour))
	use(newer, AuthSession)
	want(soon, later)
}

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
			_, s, err := db.RotateKey(t.Context(), k.ID, 0)
			return s,
				err
		}, false},
		{"rotated from a session", func() (string, error) {
			_, s,
				err := db.RotateKeyFrom(t.Context(), mine, 0)
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
	if _, s, err := db.RotateKeyFrom(t.Context(), newToken(), 0); err != ErrNoSession || s != "" {
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
