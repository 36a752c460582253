package state

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// TestOverlap rotates a key with an overlap. Both secrets are good until it ends, to the
// nanosecond, also for signing in and after a restart. Then the old one is unknown.
func TestOverlap(t *testing.T) {
	c := newClock()
	path := statePath(t)
	db := open(t, path, Options{Now: c.now})
	k, old := newKey(t, db, NewKey{})
	session, _ := must2(db.SignIn(t.Context(), old))
	k, newer, err := db.RotateKey(t.Context(), k.ID, 72*time.Hour)
	end := noon.Add(72 * time.Hour)
	if err != nil || k.Old.Until != end || k.Old.Start != startOf(old) || k.Start != startOf(newer) || k.Old.Used != noon || !k.Used.IsZero() {
		t.Fatalf("%+v %v", k, err)
	}
	if _, err := db.Session(t.Context(), session); err != nil {
		t.Errorf("the session: %v", err)
	}
	again := open(t, path, Options{Now: c.now, Serve: true})
	for _, x := range []struct {
		at   time.Time
		want error
	}{{noon, nil}, {end.Add(-1), nil}, {end, ErrUnknownKey}, {end.Add(time.Hour), ErrUnknownKey}} {
		c.set(x.at)
		for _, db := range []*DB{db, again} {
			if got, err := db.Lookup(t.Context(), newer); err != nil || got.ByOld || !got.Ends().IsZero() {
				t.Errorf("%s: the newer one: %+v %v", x.at, got, err)
			}
			got, err := db.Lookup(t.Context(), old)
			if err != x.want || err == nil && (!got.ByOld || got.ID != k.ID || got.Ends() != end || !got.Overlaps(x.at)) {
				t.Errorf("%s: the old one: %+v %v", x.at, got, err)
			}
			if _, _, err := db.SignIn(t.Context(), old); err != x.want {
				t.Errorf("%s: sign in with the old one: %v", x.at, err)
			}
		}
	}
	if k, err := db.Key(t.Context(), k.ID); err != nil || k.Overlaps(end) {
		t.Errorf("%+v %v", k, err)
	}
	expiring := Key{ByOld: true, Old: OldSecret{Until: end}, Expires: end.Add(-1)}
	if expiring.Ends() != end.Add(-1) {
		t.Error("a key that expires before its old secret ends: ", expiring.Ends())
	}
}

// TestOverlapTwice rotates during an overlap. No secret that is in use dies early, but by a
// rotation without overlap.
func TestOverlapTwice(t *testing.T) {
	db, c := serving(t)
	k, first := newKey(t, db, NewKey{})
	rotate := func(overlap time.Duration) (string, error) {
		t.Helper()
		_, secret, err := db.RotateKey(t.Context(), k.ID, overlap)
		return secret, err
	}
	good := func(name, secret string, want error) {
		t.Helper()
		if _, err := db.Lookup(t.Context(), secret); err != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	lost := must(rotate(time.Hour))
	must(rotate(2 * time.Hour))       // the answer was lost, and again
	second := must(rotate(time.Hour)) // the first one is good for two hours all the same
	good("first", first, nil)
	good("lost", lost, ErrUnknownKey)
	if k = must(db.Lookup(t.Context(), second)); k.Old.Until != noon.Add(2*time.Hour) {
		t.Errorf("%+v", k)
	}
	e := ok(k)
	e.Secret = k.Secret()
	check(db.Append(t.Context(), e))
	if _, err := rotate(time.Hour); !errors.Is(err, ErrOverlap) || !strings.Contains(err.Error(), "2026-11-20T14:00:00Z") {
		t.Errorf("while both are in use: %v", err)
	}
	good("first", first, nil)
	good("second", second, nil)
	c.set(noon.Add(2 * time.Hour))
	third := must(rotate(time.Hour))
	good("first", first, ErrUnknownKey)
	good("second", second, nil)
	good("third", third, nil)
	fourth := must(rotate(0))
	for name, secret := range map[string]string{"first": first, "second": second, "third": third} {
		good(name, secret, ErrUnknownKey)
	}
	good("fourth", fourth, nil)
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
	use := func(secret string) {
		t.Helper()
		k := must(db.Lookup(t.Context(), secret))
		e := ok(k)
		e.Secret, e.Status = k.Secret(), 403
		check(db.Append(t.Context(), e))
	}
	want := func(used, oldUsed time.Time) {
		t.Helper()
		if k, err := db.Key(t.Context(), k.ID); err != nil || k.Used != used || k.Old.Used != oldUsed {
			t.Errorf("used %s and %s, want %s and %s; %v", k.Used, k.Old.Used, used, oldUsed, err)
		}
	}
	never := time.Time{}
	want(never, never)
	use(old)
	c.set(noon.Add(useEvery - 1))
	use(old)
	want(noon, never)
	_, newer := must2(db.RotateKey(t.Context(), k.ID, time.Hour))
	want(never, noon)
	use(newer)
	want(noon.Add(useEvery-1), noon)
	c.set(noon.Add(useEvery))
	use(old)
	use(newer)
	want(noon.Add(useEvery-1), noon.Add(useEvery))
	// The clock was set back: a last use does not move back.
	c.set(noon.Add(-time.Hour))
	use(old)
	want(noon.Add(useEvery-1), noon.Add(useEvery))
	e := ok(k)
	e.Auth = AuthSession
	c.set(noon.Add(2 * time.Hour))
	check(db.Append(t.Context(), e))
	want(noon.Add(useEvery-1), noon.Add(useEvery))
}

func TestNetworks(t *testing.T) {
	const n Networks = "192.0.2.0/25,2001:db8::/32,203.0.113.9/32"
	for address, want := range map[string]bool{
		"192.0.2.0": true, "192.0.2.127": true, "192.0.2.128": false, "192.0.1.255": false, "2001:db8:ffff::1": true, "2001:db9::": false,
		"203.0.113.9": true, "203.0.113.8": false, "::1": false,
	} {
		if a := netip.MustParseAddr(address); n.Allow(a) != want || !Networks("").Allow(a) {
			t.Errorf("%s: %t", address, !want)
		}
	}
	if n.Allow(netip.Addr{}) || !Networks("").Allow(netip.Addr{}) {
		t.Error("no address")
	}
	db := open(t, statePath(t), Options{})
	k, secret := newKey(t, db, NewKey{Networks: n})
	if found, err := db.Lookup(t.Context(), secret); err != nil || found != k || found.Networks != n {
		t.Errorf("%+v %v", found, err)
	}
}
