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

func TestSession(t *testing.T) {
	db, c := serving(t)
	k, secret := newKey(t, db, NewKey{})
	token, s, err := db.SignIn(t.Context(), secret)
	if err != nil || s.Key != k || !s.Expires.Equal(noon.Add(12*time.Hour)) {
		t.Fatal(s, err)
	}
	c.set(noon.Add(12*time.Hour - 1)) // use does not prolong it
	s.Key.Used = noon
	if got, err := db.Session(t.Context(), token); err != nil || got != s {
		t.Error(got, err)
	}
	c.set(noon.Add(12 * time.Hour))
	if alive(t, db, token) {
		t.Error("it outlives its expiry")
	}
	if _, _, err := db.RotateKeyFrom(t.Context(), token, 0); err != ErrNoSession {
		t.Errorf("it rotates after its expiry: %v", err)
	}
	if alive(t, db, newToken()) || alive(t, db, "") {
		t.Error("a session that never was")
	}

	one, two := signIn(t, db, secret), signIn(t, db, secret)
	if n := count(t, db.path, "SELECT count(*) FROM sessions"); n != 2 {
		t.Errorf("%d sessions; the expired one is not cleared away", n)
	}
	for range 2 {
		check(db.SignOut(t.Context(), one))
	}
	if alive(t, db, one) || !alive(t, db, two) {
		t.Error("signing out ends another session, or not its own")
	}
	check(db.SignOut(t.Context(), "nonsense"))
}

// TestSessionOfRefusedKey lets keys expire and disables them. Their sessions and links end
// and do not come back.
func TestSessionOfRefusedKey(t *testing.T) {
	db, c := serving(t)
	k, secret := newKey(t, db, NewKey{Expires: noon.Add(10 * time.Minute)})
	token := signIn(t, db, secret)
	link, _ := must2(db.NewLink(t.Context(), k.ID))
	c.set(noon.Add(10 * time.Minute))
	if s, err := db.Session(t.Context(), token); !errors.Is(err, ErrKeyExpired) || s.Key.ID != k.ID {
		t.Error(s, err)
	}
	_, _, err1 := db.SignIn(t.Context(), secret)
	_, _, err2 := db.NewLink(t.Context(), k.ID)
	_, _, err3 := db.Redeem(t.Context(), link)
	_, _, err4 := db.RotateKeyFrom(t.Context(), token, 0)
	for _, err := range []error{err1, err2, err3, err4} {
		if !errors.Is(err, ErrKeyExpired) {
			t.Error(err)
		}
	}
	if _, _, err := db.SignIn(t.Context(), newSecret("larder")); !errors.Is(err, ErrUnknownKey) {
		t.Error(err)
	}

	k, secret = newKey(t, db, NewKey{})
	token = signIn(t, db, secret)
	link, _ = must2(db.NewLink(t.Context(), k.ID))
	must(db.DisableKey(t.Context(), k.ID))
	if _, _, err := db.SignIn(t.Context(), secret); !errors.Is(err, ErrKeyDisabled) {
		t.Error(err)
	}
	if _, _, err := db.NewLink(t.Context(), k.ID); !errors.Is(err, ErrKeyDisabled) {
		t.Error(err)
	}
	must(db.EnableKey(t.Context(), k.ID))
	if alive(t, db, token) {
		t.Error("a session comes back with its key")
	}
	if _, _, err := db.Redeem(t.Context(), link); !errors.Is(err, ErrNoLink) {
		t.Errorf("a link comes back with its key: %v", err)
	}
}

// TestRotationEndsSessions rotates a key. Its other sessions end and its links are void. The
// session that asked and those of other keys go on.
func TestRotationEndsSessions(t *testing.T) {
	db, _ := serving(t)
	k, secret := newKey(t, db, NewKey{})
	_, otherSecret := newKey(t, db, NewKey{})
	other := signIn(t, db, otherSecret)

	mine, theirs := signIn(t, db, secret), signIn(t, db, secret)
	link, _ := must2(db.NewLink(t.Context(), k.ID))
	got, secret2, err := db.RotateKeyFrom(t.Context(), mine, 0)
	if err != nil || got.ID != k.ID || got.Rotated.IsZero() {
		t.Fatal(got, err)
	}
	if !alive(t, db, mine) || alive(t, db, theirs) || !alive(t, db, other) {
		t.Error("the wrong sessions ended")
	}
	if _, _, err := db.Redeem(t.Context(), link); err != ErrNoLink {
		t.Errorf("the link is still good: %v", err)
	}
	if _, err := db.Lookup(t.Context(), secret); err != ErrUnknownKey {
		t.Error(err)
	}
	must(db.Lookup(t.Context(), secret2))
	if _, _, err := db.SignIn(t.Context(), secret); err != ErrUnknownKey {
		t.Error(err)
	}
	must2(db.RotateKey(t.Context(), k.ID, 0))
	if alive(t, db, mine) || !alive(t, db, other) {
		t.Error("the operator's rotation ended the wrong sessions")
	}
	for _, token := range []string{theirs, "nonsense"} {
		if _, s, err := db.RotateKeyFrom(t.Context(), token, 0); err != ErrNoSession || s != "" {
			t.Error(s, err)
		}
	}
}

// TestRedeemOnce redeems a link 64 times at once over two connections. One succeeds.
func TestRedeemOnce(t *testing.T) {
	db, c := serving(t)
	other := open(t, db.path, Options{Now: c.now})
	k, _ := newKey(t, db, NewKey{})
	link, expires, err := db.NewLink(t.Context(), k.ID)
	if err != nil || !expires.Equal(noon.Add(15*time.Minute)) {
		t.Fatal(expires, err)
	}
	var won, lost atomic.Int32
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range 64 {
		on := []*DB{db, other}[i%2]
		wg.Go(func() {
			<-start
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
	close(start)
	wg.Wait()
	if won.Load() != 1 || lost.Load() != 63 || count(t, db.path, "SELECT count(*) FROM sessions") != 1 {
		t.Errorf("%d sessions, %d refused", won.Load(), lost.Load())
	}

	// A link ends by itself, and its row goes when the next one is made.
	link, expires = must2(db.NewLink(t.Context(), k.ID))
	c.set(expires)
	if _, _, err := db.Redeem(t.Context(), link); err != ErrNoLink {
		t.Error(err)
	}
	link, expires, err = db.NewLink(t.Context(), k.ID)
	if n := count(t, db.path, "SELECT count(*) FROM signin_links"); err != nil || n != 1 {
		t.Errorf("%d links, %v", n, err)
	}
	c.set(expires.Add(-1))
	must2(db.Redeem(t.Context(), link))
}

func TestOldestSessionsEnd(t *testing.T) {
	db, c := serving(t)
	_, secret := newKey(t, db, NewKey{})
	_, other := newKey(t, db, NewKey{Name: "another"})
	kept := signIn(t, db, other)
	var tokens []string
	for i := range MaxSessions + 2 {
		c.set(noon.Add(time.Duration(i+1) * time.Second))
		tokens = append(tokens, signIn(t, db, secret))
	}
	for i, token := range tokens {
		if want := i >= 2; alive(t, db, token) != want {
			t.Errorf("session %d goes on: %t", i, !want)
		}
	}
	if !alive(t, db, kept) {
		t.Error("another key's session ended")
	}
}
