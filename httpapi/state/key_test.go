package state

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTiers(t *testing.T) {
	want := []Limits{{60, 5_000}, {120, 50_000}, {600, 500_000}, {3_000, Unlimited}}
	for i, tier := range Tiers() {
		if back, err := ParseTier(tier.String()); err != nil || back != tier || tier.Limits() != want[i] {
			t.Errorf("%v: %v, %v, %v", tier, back, err, tier.Limits())
		}
	}
	if !(Research < Standard && Standard < Professional && Professional < Enterprise) {
		t.Error("the tiers are out of order")
	}
	if _, err := ParseTier("Standard"); err == nil || !strings.Contains(err.Error(), "research, standard, professional, enterprise") {
		t.Errorf("got %v", err)
	}
	if Tier(0).Limits() != (Limits{}) || Tier(9).Limits() != (Limits{}) {
		t.Error("no tier has limits")
	}
}

func TestCreateKey(t *testing.T) {
	db := open(t, statePath(t), Options{})
	got, secret := newKey(t, db, NewKey{
		Name: "Épicerie d'ici", Tier: Professional, Prefix: "acme",
		Expires: noon.Add(time.Hour), PerMinute: 7, PerMonth: Unlimited,
	})
	want := Key{
		ID: 1, Name: "Épicerie d'ici", Tier: Professional, Prefix: "acme", Start: secret[len("acme_live_"):][:4],
		Limits: Limits{7, Unlimited}, Created: noon, Expires: noon.Add(time.Hour),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !strings.HasPrefix(secret, got.Shown()) || got.Shown() != "acme_live_"+want.Start {
		t.Error(secret, got.Shown())
	}
	plain, other := newKey(t, db, NewKey{Tier: Research})
	if plain.Limits != Research.Limits() || !plain.Expires.IsZero() || plain.ID != 2 || !strings.HasPrefix(other, "larder_live_") {
		t.Errorf("%+v", plain)
	}
	for _, s := range []string{secret, other} {
		k, err := db.Lookup(t.Context(), s)
		byID, err2 := db.Key(t.Context(), k.ID)
		if err != nil || err2 != nil || k != byID {
			t.Errorf("%+v, %+v, %v, %v", k, byID, err, err2)
		}
	}
	keys, err := db.Keys(t.Context())
	if d := cmp.Diff([]Key{want, plain}, keys); d != "" || err != nil {
		t.Error(err, d)
	}
}

func TestCreateKeyRefuses(t *testing.T) {
	db := open(t, statePath(t), Options{})
	for _, c := range []struct {
		name string
		key  NewKey
		want string
	}{
		{"no name", NewKey{Tier: Standard}, `name ""`},
		{"white space", NewKey{Name: " a", Tier: Standard}, `name " a"`},
		{"control character", NewKey{Name: "a\nb", Tier: Standard}, `name "a\nb"`},
		{"not UTF-8", NewKey{Name: "a\xff", Tier: Standard}, `name "a\xff"`},
		{"long name", NewKey{Name: strings.Repeat("a", 201), Tier: Standard}, "1 to 200 bytes"},
		{"a secret as name", NewKey{Name: newSecret("larder"), Tier: Standard}, "looks like a key"},
		{"no tier", NewKey{Name: "a"}, "tier: use research"},
		{"past expiry", NewKey{Name: "a", Tier: Standard, Expires: noon}, "2026-11-20T12:00:00Z is not in the future"},
		{"prefix", NewKey{Name: "a", Tier: Standard, Prefix: "a_b"}, `prefix "a_b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, secret, err := db.CreateKey(t.Context(), c.key)
			if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) || secret != "" {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if keys, err := db.Keys(t.Context()); err != nil || len(keys) != 0 {
		t.Error(keys, err)
	}
}

func TestExpiry(t *testing.T) {
	for in, want := range map[string]time.Time{
		"2026-12-31":                time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		"2028-02-28":                time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC),
		"2026-12-31T18:00:00Z":      time.Date(2026, 12, 31, 18, 0, 0, 0, time.UTC),
		"2026-12-31T18:00:00-05:00": time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC),
	} {
		if got, err := ParseExpiry(in); err != nil || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "2026-02-30", "tomorrow", "2026-12-31T18:00:00", "31.12.2026"} {
		if _, err := ParseExpiry(in); err == nil || !strings.Contains(err.Error(), "a day such as 2026-12-31") {
			t.Errorf("%q: %v", in, err)
		}
	}

	// A day ends with its last nanosecond in UTC.
	c := newClock()
	db := open(t, statePath(t), Options{Now: c.now})
	end := must(ParseExpiry("2026-11-21"))
	k, secret := newKey(t, db, NewKey{Expires: end})
	c.set(time.Date(2026, 11, 21, 23, 59, 59, 999_999_999, time.UTC))
	must(db.Lookup(t.Context(), secret))
	c.set(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	if got, err := db.Lookup(t.Context(), secret); !errors.Is(err, ErrKeyExpired) || got.ID != k.ID {
		t.Error(got, err)
	}
	must(db.DisableKey(t.Context(), k.ID))
	if _, err := db.Lookup(t.Context(), secret); !errors.Is(err, ErrKeyDisabled) {
		t.Error(err)
	}
}

func TestDisableAndEnable(t *testing.T) {
	c := newClock()
	db := open(t, statePath(t), Options{Now: c.now})
	k, secret := newKey(t, db, NewKey{})
	ctx := t.Context()
	for i := range 2 { // the second time keeps the first time's moment
		c.set(noon.Add(time.Duration(i) * time.Hour))
		if got, err := db.DisableKey(ctx, k.ID); err != nil || !got.Disabled.Equal(noon) {
			t.Error(got, err)
		}
	}
	if got, err := db.Lookup(ctx, secret); !errors.Is(err, ErrKeyDisabled) || got.ID != k.ID {
		t.Error(got, err)
	}
	if got, err := db.EnableKey(ctx, k.ID); err != nil || got != k {
		t.Error(got, err)
	}
	must(db.Lookup(ctx, secret))
	for name, f := range map[string]func() error{
		"disable": func() error { _, err := db.DisableKey(ctx, 99); return err },
		"enable":  func() error { _, err := db.EnableKey(ctx, 99); return err },
		"rotate":  func() error { _, _, err := db.RotateKey(ctx, 99, 0); return err },
		"link":    func() error { _, _, err := db.NewLink(ctx, 99); return err },
		"key":     func() error { _, err := db.Key(ctx, 99); return err },
		"usage":   func() error { _, err := db.Usage(ctx, MonthOf(noon), 99); return err },
	} {
		if err := f(); !errors.Is(err, ErrNoKey) || err.Error() != "no such key: 99" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRotate(t *testing.T) {
	c := newClock()
	db := open(t, statePath(t), Options{Now: c.now})
	k, old := newKey(t, db, NewKey{Prefix: "acme", PerMinute: 5, Expires: noon.Add(48 * time.Hour)})
	c.set(noon.Add(time.Hour))
	rotated, secret := must2(db.RotateKey(t.Context(), k.ID, 0))
	k.Rotated, k.Start = noon.Add(time.Hour), secret[len("acme_live_"):][:4]
	if d := cmp.Diff(k, rotated); d != "" || !strings.HasPrefix(secret, "acme_live_") || secret == old {
		t.Error(secret, d)
	}
	if got, err := db.Lookup(t.Context(), secret); err != nil || got != rotated {
		t.Error(got, err)
	}
	// An old secret gets the answer of an unknown one.
	gone, err1 := db.Lookup(t.Context(), old)
	never, err2 := db.Lookup(t.Context(), newSecret("acme"))
	garbage, err3 := db.Lookup(t.Context(), "acme_live_x")
	if err1 != ErrUnknownKey || err2 != ErrUnknownKey || err3 != ErrUnknownKey || gone != never || gone != garbage || gone != (Key{}) {
		t.Error(gone, err1, never, err2, garbage, err3)
	}
}

// TestLookupChecksShapeFirst asks for malformed secrets without a database.
func TestLookupChecksShapeFirst(t *testing.T) {
	var none DB
	if _, err := none.Lookup(t.Context(), newSecret("a")+"x"); err != ErrUnknownKey {
		t.Error(err)
	}
}

// TestRotateWhileLookingUp looks a key up while another process rotates it. The server
// knows the newest secret only, from the instant the rotation returns.
func TestRotateWhileLookingUp(t *testing.T) {
	path := statePath(t)
	db, admin := open(t, path, Options{Serve: true}), open(t, path, Options{})
	k, first := newKey(t, db, NewKey{})
	var mu sync.RWMutex // held for writing while the key is rotated
	secrets := []string{first}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				mu.RLock()
				last := len(secrets) - 1
				_, err := db.Lookup(context.Background(), secrets[last])
				old := ErrUnknownKey
				if last > 0 {
					_, old = db.Lookup(context.Background(), secrets[last-1])
				}
				mu.RUnlock()
				if err != nil || old != ErrUnknownKey {
					t.Errorf("current %v, old %v", err, old)
					return
				}
			}
		})
	}
	for range 50 {
		mu.Lock()
		_, s, err := admin.RotateKey(t.Context(), k.ID, 0)
		secrets = append(secrets, s)
		mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
	}
	stop()
	wg.Wait()
}
