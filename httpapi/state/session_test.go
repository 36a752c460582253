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
