package state

import (
	"strings"
	"testing"
)

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
