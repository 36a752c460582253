package httpapi

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParams compares queries with net/url. A query is read the same or refused, in a text
// that can be shown.
func FuzzParams(f *testing.F) {
	for _, s := range []string{"city=Toronto&limit=5", "limit=1&limit=2", "cíty=1", "a=%", "limit=%31", "from=2026-07-19;to=2026", "offset=99999999999999999999", "limit=-1", "=&&="} {
		f.Add(s)
	}
	names := []string{"city", "limit", "offset", "from"}
	f.Fuzz(func(t *testing.T, raw string) {
		shown := func(err error) {
			refused, ok := errors.AsType[*apiError](err)
			if !ok || refused.status() != http.StatusBadRequest || !utf8.ValidString(refused.Refusal.Error) || len(refused.Refusal.Error) > 1000 {
				t.Fatalf("%q: %v", raw, err)
			}
		}
		p, err := readParams(raw, names)
		if err != nil {
			shown(err)
			return
		}
		values, err := url.ParseQuery(raw)
		if err != nil {
			t.Fatalf("%q is taken", raw)
		}
		for name, list := range values {
			if !slices.Contains(names, name) || len(list) != 1 || p.values[name] != list[0] {
				t.Fatalf("%q becomes %v", raw, p)
			}
		}
		wrong := func() bool {
			err := p.err
			if p.err = nil; err != nil {
				shown(err)
			}
			return err != nil
		}
		if pg := p.page(10, 100); !wrong() && (pg.limit < 1 || pg.limit > 100 || pg.offset < 0 || pg.offset > maxWhole) {
			t.Fatalf("%q: %+v", raw, pg)
		}
		p.date("from", 0)
		wrong()
		if v := p.oneOf("city", []string{"Toronto"}); !wrong() && v != "" && v != "Toronto" {
			t.Fatalf("%q: city %q", raw, v)
		}
	})
}

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

// FuzzRequestHeaders puts a tag into a list of any other texts. It matches only there.
func FuzzRequestHeaders(f *testing.F) {
	for _, s := range []string{`"a", W/"b"`, `*`, `W/"abc`, `gzip;q=0, *`, `gzip;q=1e999`, ` GZIP ; q=0.5`, `,,;q=`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		const tag = `W/"0123456789abcdef"`
		if tagMatches(http.Header{"If-None-Match": {s}}, tag) && !strings.Contains(s, tag[2:]) && !strings.Contains(s, "*") {
			t.Fatalf("%q matches %s", s, tag)
		}
		for _, list := range []string{s + "," + tag, tag[2:] + "," + s} {
			if !tagMatches(http.Header{"If-None-Match": {list}}, tag) {
				t.Fatalf("%q does not match %s", list, tag)
			}
		}
		if takesGzip(http.Header{"Accept-Encoding": {s}}) && !strings.Contains(strings.ToLower(s), "gzip") && !strings.Contains(s, "*") {
			t.Fatalf("%q takes gzip", s)
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
