package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/compare"
	"github.com/larder-index/larder/httpapi/pages"
	"github.com/larder-index/larder/httpapi/state"
)

// shownPage is a page as somebody gets it.
type shownPage struct {
	name string // its address, and for whom
	path string
	*response
}

// allPages gets every page, / and /account as a stranger and as a subscriber.
func allPages(f *fixture) []shownPage {
	f.t.Helper()
	cookie := withCookie(f.signIn(f.key(state.Standard)))
	var all []shownPage
	for _, x := range f.server.routes {
		if !x.page || x.under {
			continue
		}
		r := f.get(x.path, "")
		if r.StatusCode == http.StatusPermanentRedirect {
			continue
		}
		wantStatus(f.t, r, http.StatusOK)
		all = append(all, shownPage{x.path, x.path, r})
		if signedIn := f.get(x.path, "", cookie); !bytes.Equal(signedIn.body, r.body) {
			all = append(all, shownPage{x.path + " signed in", x.path, signedIn})
		}
	}
	return all
}

// TestPages gets every page, and checks what it bears besides its text.
func TestPages(t *testing.T) {
	f := serveDemo(t)
	all := allPages(f)
	var names []string
	for _, p := range all {
		names = append(names, p.name)
	}
	for _, want := range []string{
		"/", "/ signed in", "/account", "/account signed in", compare.ShopperPath, compare.MethodologyPath, "/docs", "/docs/api", "/docs/sizes",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no page %s", want)
		}
	}
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			h := p.Header
			for name, want := range map[string]string{
				"Content-Type":                 "text/html; charset=utf-8",
				"Content-Security-Policy":      pages.Policy,
				"X-Content-Type-Options":       "nosniff",
				"X-Frame-Options":              "DENY",
				"Referrer-Policy":              "no-referrer",
				"Cross-Origin-Opener-Policy":   "same-origin",
				"Cross-Origin-Resource-Policy": "same-origin",
				"Strict-Transport-Security":    "max-age=31536000",
			} {
				if got := h.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			bySession := p.path == "/" || p.path == "/account"
			wantAge, wantVary := "no-cache", "Accept-Encoding"
			if bySession {
				wantAge, wantVary = "no-store", "Accept-Encoding, Cookie"
			}
			if h.Get("Cache-Control") != wantAge || h.Get("Vary") != wantVary || bySession == (h.Get("ETag") != "") {
				t.Errorf("Cache-Control %q, Vary %q, ETag %q", h.Get("Cache-Control"), h.Get("Vary"), h.Get("ETag"))
			}
			if noindex := h.Get("X-Robots-Tag") == "noindex"; noindex != (p.path == "/account") {
				t.Errorf("X-Robots-Tag %q", h.Get("X-Robots-Tag"))
			}
		})
	}
}

// TestPageMethods asks for pages otherwise than with GET, and with what a browser
// has kept.
func TestPageMethods(t *testing.T) {
	f := serveDemo(t)
	cookie := withCookie(f.signIn(f.key(state.Standard)))
	for _, p := range allPages(f) {
		change := []func(*http.Request){}
		if strings.HasSuffix(p.name, "signed in") {
			change = append(change, cookie)
		}
		plain := f.get(p.path, "", change...)
		head := f.do(http.MethodHead, p.path, "", "", change...)
		if len(head.body) > 0 {
			t.Errorf("HEAD %s: a body", p.name)
		}
		for name := range plain.Header {
			if name != "Date" && name != "X-Request-Id" && head.Header.Get(name) != plain.Header.Get(name) {
				t.Errorf("HEAD %s: %s is %q, of GET %q", p.name, name, head.Header.Get(name), plain.Header.Get(name))
			}
		}
		packed := f.get(p.path, "", append(change, header("Accept-Encoding", "gzip"))...)
		body, err := plainBody(packed)
		if err != nil || !bytes.Equal(body, plain.body) || packed.Header.Get("Content-Encoding") != "gzip" || len(packed.body) >= len(plain.body) {
			t.Errorf("%s: packed %d of %d bytes, %v", p.name, len(packed.body), len(plain.body), err)
		}
		if tag := plain.Header.Get("ETag"); tag != "" {
			if r := f.get(p.path, "", header("If-None-Match", tag)); r.StatusCode != http.StatusNotModified || len(r.body) > 0 {
				t.Errorf("%s: %d for what is kept", p.name, r.StatusCode)
			}
		}
		r := f.post(p.path, "{}")
		wantError(t, "POST "+p.name, r, http.StatusMethodNotAllowed, "method_not_allowed")
	}
	if r := f.get("/docs/methodology", ""); r.StatusCode != http.StatusPermanentRedirect || r.Header.Get("Location") != compare.MethodologyPath {
		t.Errorf("/docs/methodology: %d to %q", r.StatusCode, r.Header.Get("Location"))
	}
}

// TestPolicy reads the policies: no host but this one, nothing that stands in a
// page, and nothing that they forget to name.
func TestPolicy(t *testing.T) {
	for name, policy := range map[string]string{"of pages": pages.Policy, "of data": dataPolicy} {
		directives := map[string]string{}
		for d := range strings.SplitSeq(policy, ";") {
			what, value, _ := strings.Cut(strings.TrimSpace(d), " ")
			directives[what] = value
			if value != "'self'" && value != "'none'" && what != "require-trusted-types-for" {
				t.Errorf("%s: %s %s", name, what, value)
			}
		}
		// These don't fall back to default-src.
		for _, what := range []string{"default-src", "frame-ancestors"} {
			if directives[what] != "'none'" {
				t.Errorf("%s: %s is %q", name, what, directives[what])
			}
		}
		for _, what := range []string{"base-uri", "form-action"} {
			if name == "of pages" && directives[what] != "'none'" {
				t.Errorf("%s: %s is %q", name, what, directives[what])
			}
		}
	}
	f := serveDemo(t)
	for _, path := range []string{"/openapi.json", "/llms.txt", "/healthz", "/api/v1/index", "/api/shopper/catalog", "/account/session", "/nosuch"} {
		if got := f.get(path, "").Header.Get("Content-Security-Policy"); got != dataPolicy {
			t.Errorf("%s: policy %q", path, got)
		}
	}
}

// TestSessionPages signs in, out, and with what is no session any more.
func TestSessionPages(t *testing.T) {
	f := serveDemo(t)
	key, secret := f.created(state.NewKey{Tier: state.Research, Name: "Corner Shop Weekly"})
	cookie := f.signIn(secret)
	shows := func(what, name string, want bool, change ...func(*http.Request)) {
		t.Helper()
		for _, path := range []string{"/", "/account"} {
			body := string(f.get(path, "", change...).body)
			if got := !strings.Contains(body, `id="signin-form"`); got != want {
				t.Errorf("%s, %s: signed in %v", what, path, got)
			}
			if path == "/account" && strings.Contains(body, name) != want {
				t.Errorf("%s: the name is there, or not", what)
			}
		}
	}
	shows("no cookie", key.Name, false)
	shows("signed in", key.Name, true, withCookie(cookie))
	shows("a made-up cookie", key.Name, false, withCookie(&http.Cookie{Name: cookie.Name, Value: "x"}))
	shows("two cookies", key.Name, false, withCookie(cookie), withCookie(&http.Cookie{Name: cookie.Name, Value: "x"}))
	shows("a key and no session", key.Name, false, header("Authorization", "Bearer "+secret))
	if _, err := f.state.DisableKey(context.Background(), key.ID); err != nil {
		t.Fatal(err)
	}
	shows("disabled", key.Name, false, withCookie(cookie))

	short, secret := f.created(state.NewKey{Tier: state.Research, Name: "Daily Bread", Expires: f.clock.Now().Add(time.Hour)})
	cookie = f.signIn(secret)
	shows("not expired", short.Name, true, withCookie(cookie))
	f.clock.Advance(time.Hour)
	shows("expired", short.Name, false, withCookie(cookie))
}
