package httpapi

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// FuzzForwarded sends any X-Forwarded-For. There is always a client, and the header of an
// untrusted sender changes nothing.
func FuzzForwarded(f *testing.F) {
	for _, s := range []string{"192.0.2.7", "2001:db8::1, 10.0.0.1", "[2001:db8::1]:443", "unknown", "192.0.2.7:1,,10.0.0.9", "fe80::1%eth0", "::ffff:192.0.2.7"} {
		f.Add(s, s)
	}
	s := &Server{Config: Config{Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}
	f.Fuzz(func(t *testing.T, first, second string) {
		header := http.Header{"X-Forwarded-For": {first, second}}
		by := func(remote string) netip.Prefix { return s.client(&http.Request{RemoteAddr: remote, Header: header}) }
		if got := by("192.0.2.9:1"); got != netip.MustParsePrefix("192.0.2.9/32") {
			t.Fatalf("a stranger with %q is %v", header, got)
		}
		got := by("10.0.0.1:1")
		if bits := got.Bits(); bits != 32 && bits != 64 || got != got.Masked() || got.Addr().Is4In6() || got.Addr().Zone() != "" {
			t.Fatalf("%q: %v", header, got)
		}
	})
}

// FuzzOrigin makes sure that the origin of an accepted address is its own origin.
func FuzzOrigin(f *testing.F) {
	for _, s := range []string{"https://prices.example.org", "HTTP://Example.ORG:80/", "https://[2001:db8::1]:8443", "https://a@b", "ftp://x", "https://x:443:443", "https://", "https://x:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		origin, err := originOf(s)
		if err != nil {
			return
		}
		again, err := originOf(origin)
		if err != nil || again != origin {
			t.Fatalf("%q becomes %q, then %q, %v", s, origin, again, err)
		}
		if strings.HasSuffix(origin, "/") || !strings.HasPrefix(origin, "http") {
			t.Fatalf("%q becomes %q", s, origin)
		}
	})
}
