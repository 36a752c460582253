package state

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCreateKey(t *testing.T) {
	db := open(t, statePath(t), Options{})
	got, secret := newKey(t, db, NewKey{
		Name: "Épicerie d'ici", Tier: Professional, Prefix: "acme",
		Expires: noon.Add(time.Hour), PerMinute: 7, PerMonth: Unlimited, Networks: "192.0.2.0/25",
	})
	want := Key{
		ID: 1, Name: "Épicerie d'ici", Tier: Professional, Prefix: "acme", Start: secret[len("acme_live_"):][:4],
		Limits: Limits{7, Unlimited}, Created: noon, Expires: noon.Add(time.Hour), Networks: "192.0.2.0/25",
	}
	if d := cmp.Diff(want, got); d != "" || got.Shown() != "acme_live_"+want.Start {
		t.Error(got.Shown(), d)
	}
	plain, other := newKey(t, db, NewKey{Tier: Research})
	if plain.Limits != Research.Limits() || !plain.Expires.IsZero() || plain.ID != 2 ||
		!strings.HasPrefix(other, "larder_live_") {
		t.Errorf("%+v", plain)
	}
	if k, err := db.Lookup(t.Context(), secret); err != nil || k != got {
		t.Errorf("%+v, %v", k, err)
	}
	keys, err := db.Keys(t.Context())
	if d := cmp.Diff([]Key{want, plain}, keys); d != "" || err != nil {
		t.Error(err, d)
	}
	if _, err := new(DB).Lookup(t.Context(), newSecret("a")+"x"); err != ErrUnknownKey {
		t.Errorf("without a database: %v", err)
	}
}

// TestRefusedKeys makes and changes keys in ways that no key can be. Nothing is changed.
func TestRefusedKeys(t *testing.T) {
	db := open(t, statePath(t), Options{})
	k, _ := newKey(t, db, NewKey{})
	create := func(n NewKey) error { _, _, err := db.CreateKey(t.Context(), n); return err }
	set := func(m Terms) error { _, err := db.SetTerms(t.Context(), k.ID, m); return err }
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"no name", `name ""`, create(NewKey{Tier: Standard})},
		{"white space", `name " a"`, create(NewKey{Name: " a", Tier: Standard})},
		{"control character", `name "a\nb"`, create(NewKey{Name: "a\nb", Tier: Standard})},
		{"not UTF-8", `name "a\xff"`, create(NewKey{Name: "a\xff", Tier: Standard})},
		{"long name", "1 to 200 bytes", create(NewKey{Name: strings.Repeat("a", 201), Tier: Standard})},
		{"a secret as name", "looks like a key", create(NewKey{Name: newSecret("larder"), Tier: Standard})},
		{"no tier", "tier: use research", create(NewKey{Name: "a"})},
		{"past expiry", "2026-11-20T12:00:00Z is not in the future",
			create(NewKey{Name: "a", Tier: Standard, Expires: noon})},
		{"prefix", `prefix "a_b"`, create(NewKey{Name: "a", Tier: Standard, Prefix: "a_b"})},
		{"long prefix", "16 at most", create(NewKey{Name: "a", Tier: Standard, Prefix: strings.Repeat("a", 17)})},
		{"no terms", "say what to change", set(Terms{})},
		{"tier beyond", "tier: use research", set(Terms{Tier: new(Enterprise + 1)})},
		{"negative minute", "can't be negative", set(Terms{PerMinute: new(int64(-1))})},
		{"negative month", "can't be negative", set(Terms{PerMonth: new(int64(-1))})},
		{"past", "is not in the future", set(Terms{Tier: new(Enterprise), Expires: new(noon)})},
		{"far", "is beyond the year", set(Terms{Expires: new(time.Date(2262, 4, 12, 0, 0, 0, 0, time.UTC))})},
	} {
		if !errors.Is(c.err, ErrInvalid) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, c.err, c.want)
		}
	}
	if keys := must(db.Keys(t.Context())); len(keys) != 1 || keys[0] != k {
		t.Error(keys)
	}
}

func TestSetTerms(t *testing.T) {
	db := open(t, statePath(t), Options{})
	other, _ := newKey(t, db, NewKey{})
	k, secret := newKey(t, db, NewKey{Tier: Research, PerMinute: 7})
	later := noon.Add(time.Hour)
	for _, c := range []struct {
		name  string
		terms Terms
		want  func(*Key)
	}{
		{"tier; its own limit stays", Terms{Tier: new(Professional)},
			func(k *Key) { k.Tier, k.Limits = Professional, Limits{7, 500_000} }},
		{"limits", Terms{PerMinute: new(int64(9)), PerMonth: new(int64(Unlimited))},
			func(k *Key) { k.Limits = Limits{9, Unlimited} }},
		{"one limit", Terms{PerMonth: new(int64(11))}, func(k *Key) { k.Limits = Limits{9, 11} }},
		{"the tier's limits", Terms{PerMinute: new(int64(0)), PerMonth: new(int64(0))},
			func(k *Key) { k.Limits = Limits{600, 500_000} }},
		{"expiry", Terms{Expires: &later}, func(k *Key) { k.Expires = later }},
		{"networks", Terms{Networks: new(Networks("192.0.2.0/24"))}, func(k *Key) { k.Networks = "192.0.2.0/24" }},
		{"everything", Terms{new(Standard), new(int64(1)), new(int64(2)), new(time.Time{}), new(Networks)},
			func(k *Key) {
				k.Tier, k.Limits, k.Expires, k.Networks = Standard, Limits{1, 2}, time.Time{}, ""
			}},
	} {
		c.want(&k)
		got, err := db.SetTerms(t.Context(), k.ID, c.terms)
		if d := cmp.Diff(k, got); d != "" || err != nil {
			t.Error(c.name, err, d)
		}
		if found, err := db.Lookup(t.Context(), secret); err != nil || found != got {
			t.Error(c.name, found, err)
		}
	}
	if still := keyOf(t, db, other.ID); still != other {
		t.Errorf("another key was changed: %+v", still)
	}
}

func keyOf(t *testing.T, db *DB, id int64) (k Key) {
	t.Helper()
	keys, err := db.Keys(t.Context())
	for _, x := range keys {
		if x.ID == id {
			k = x
		}
	}
	if err != nil || k.ID != id {
		t.Fatal(keys, err)
	}
	return k
}

func TestExpiry(t *testing.T) {
	for in, want := range map[string]time.Time{
		"2026-12-31":                time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		"2028-02-28":                time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC),
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
	k := Key{Expires: noon}
	if k.Valid(noon.Add(-1)) != nil || k.Valid(noon) != ErrKeyExpired {
		t.Error("a key is good until it expires")
	}
	if k.Disabled = noon; k.Valid(noon) != ErrKeyDisabled {
		t.Error("a disabled key is disabled, also if it has expired")
	}
}

func TestNetworks(t *testing.T) {
	const n Networks = "192.0.2.0/25,2001:db8::/32,203.0.113.9/32"
	for address, want := range map[string]bool{
		"192.0.2.0": true, "192.0.2.127": true, "192.0.2.128": false, "192.0.1.255": false, "2001:db8:ffff::1": true,
		"2001:db9::":  false,
		"203.0.113.9": true, "203.0.113.8": false, "::1": false,
	} {
		if a := netip.MustParseAddr(address); n.Allow(a) != want || !Networks("").Allow(a) {
			t.Errorf("%s: %t", address, !want)
		}
	}
	if n.Allow(netip.Addr{}) {
		t.Error("no address")
	}
}

// TestWellFormed checks shapes and checksums. The checksums come from zlib.crc32 of Python.
func TestWellFormed(t *testing.T) {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
	for secret, want := range map[string]bool{
		"larder_live_" + strings.Repeat("0", 32) + "0xJoHK": true, "acme1_live_" + digits + "0x7qfy": true,
		"larder_live_" + strings.Repeat("0", 32) + "0xJoHL": false, "": false,
	} {
		if WellFormed(secret) != want {
			t.Errorf("%q: want %t", secret, want)
		}
	}
	// The checksum is right and the shape is wrong.
	for _, body := range []string{
		"larder_live_" + strings.Repeat("0", 31) + "-", "larder_live_" + strings.Repeat("0", 30) + "é",
		"Larder_live_" + digits, "1a_live_" + digits, strings.Repeat("a", 17) + "_live_" + digits,
		"larder_test_" + digits, "a_b_live_" + digits, "larder_live_" + digits + "0", "_live_" + digits,
	} {
		if WellFormed(body + checksum(body)) {
			t.Errorf("%q passes", body)
		}
	}
}

// TestNewSecret draws a thousand secrets. They differ, and all characters occur.
func TestNewSecret(t *testing.T) {
	seen, random := map[string]bool{}, map[rune]bool{}
	for range 1000 {
		s := newSecret("larder")
		for _, c := range randomBase62(randomLength) {
			random[c] = true
		}
		if !WellFormed(s) || len(s) != 50 || seen[s] {
			t.Fatalf("%q", s)
		}
		seen[s] = true
		if Redact("x="+s+"&y=1") != "x=KEY-REMOVED&y=1" {
			t.Errorf("%q stays in a text", s)
		}
	}
	if len(random) != len(base62) {
		t.Errorf("%d characters occur", len(random))
	}
	if a, b := newToken(), newToken(); a == b || !isToken(a) || isToken(a[1:]) || isToken(a+"A") || isToken("=") {
		t.Errorf("tokens %q, %q", a, b)
	}
}

func TestCleanQuery(t *testing.T) {
	secret, token := newSecret("acme"), newToken()
	encoded := strings.ReplaceAll(secret, "_", "%5F")
	for _, c := range []struct{ name, raw, want string }{
		{"none", "", ""},
		{"as sent", "city=St.%20John%27s&from=2026-09-01&x=%zz", "city=St.%20John%27s&from=2026-09-01&x=%zz"},
		{"key", "api_key=" + secret + "&limit=5", "api_key=KEY-REMOVED&limit=5"},
		{"as a name", secret, "KEY-REMOVED"},
		{"token", "signin=" + token + "&limit=5", "signin=KEY-REMOVED&limit=5"},
		{"as long as a token", "x=" + strings.Repeat("-", len(token)+1), "x=" + strings.Repeat("-", len(token)+1)},
		{"cut short", "k=" + secret[:30], "k=KEY-REMOVED"},
		{"encoded", "k=" + encoded + "&city=Quebec%20City", "k=KEY-REMOVED&city=Quebec City"},
		{"encoded twice", "k=" + strings.ReplaceAll(encoded, "%", "%25"), "k=KEY-REMOVED"},
		{"beside a wrong escape", "x=%zz&y=%&k=" + encoded, "x=%zz&y=%&k=KEY-REMOVED"},
		{"plain and encoded", "a=" + secret + "&b=" + encoded, "a=KEY-REMOVED&b=KEY-REMOVED"},
		{"not UTF-8", "a=\xff", "a=\uFFFD"},
		{"long", strings.Repeat("é", 3000), strings.Repeat("é", 2048)},
		{"key at the cut", strings.Repeat("x", 4080) + "&" + secret, strings.Repeat("x", 4080) + "&KEY-REMOVED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := cleanQuery(c.raw); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
