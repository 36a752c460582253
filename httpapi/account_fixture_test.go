package httpapi

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// behindProxy makes the server believe X-Forwarded-For, so that one test can be
// many clients.
func behindProxy(c *Config) {
	c.Trusted = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// asClient makes a request one of the n-th client.
func asClient(n int) func(*http.Request) {
	return header("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", n))
}

// post sends a JSON body.
func (f *fixture) post(path, body string, change ...func(*http.Request)) *response {
	f.t.Helper()
	return f.do(http.MethodPost, path, "", body, append([]func(*http.Request){header("Content-Type", "application/json")}, change...)...)
}

// withCookie makes a request one of a session.
func withCookie(c *http.Cookie) func(*http.Request) { return func(r *http.Request) { r.AddCookie(c) } }

// signIn starts a session and returns its cookie.
func (f *fixture) signIn(key string, change ...func(*http.Request)) *http.Cookie {
	f.t.Helper()
	r := f.post("/account/session", `{"key": "`+key+`"}`, change...)
	wantStatus(f.t, r, http.StatusOK)
	if len(r.Cookies()) != 1 {
		f.t.Fatalf("cookies %v, want one", r.Cookies())
	}
	c := r.Cookies()[0]
	return &http.Cookie{Name: c.Name, Value: c.Value}
}

// created makes a key and returns it with its secret.
func (f *fixture) created(n state.NewKey) (state.Key, string) {
	f.t.Helper()
	if n.Name == "" {
		n.Name = "Reader"
	}
	if n.PerMinute == 0 {
		n.PerMinute = 1_000_000
	}
	k, secret, err := f.state.CreateKey(context.Background(), n)
	if err != nil {
		f.t.Fatal(err)
	}
	return k, secret
}

func wantStatus(t testing.TB, r *response, status int) {
	t.Helper()
	if r.StatusCode != status {
		t.Fatalf("%s %s: status %d, want %d: %s", r.Request.Method, r.Request.URL, r.StatusCode, status, r.body)
	}
}

// wantRefusal checks a refusal's status and code, and that it sets no cookie.
func wantRefusal(t testing.TB, r *response, status int, code string) {
	t.Helper()
	wantStatus(t, r, status)
	if got := r.json(t)["code"]; got != code {
		t.Errorf("code %v, want %s", got, code)
	}
	if c := r.Header.Values("Set-Cookie"); len(c) > 0 {
		t.Errorf("a refusal sets %q", c)
	}
	if cc := r.Header.Get("Cache-Control"); cc != "no-store" {
		t.Errorf("Cache-Control %q, want no-store", cc)
	}
	if r.Request.Method != http.MethodHead && (r.json(t)["error"] == "" || r.json(t)["requestId"] != r.Header.Get("X-Request-Id")) {
		t.Errorf("body %s", r.body)
	}
}

func memberNames(v map[string]any) string { return strings.Join(slices.Sorted(maps.Keys(v)), " ") }
