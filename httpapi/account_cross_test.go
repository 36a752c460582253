package httpapi

import (
	"net/http"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// senders are the pages, and programs, that a request may come from. own is the
// address that it is sent to.
func senders(own string) []sender {
	return []sender{
		{"no browser", nil, true},
		{"same origin", []func(*http.Request){header("Sec-Fetch-Site", "same-origin"), header("Origin", own)}, true},
		{"same origin in an old browser", []func(*http.Request){header("Origin", own)}, true},
		{"the public address, behind a proxy", []func(*http.Request){header("Origin", "https://larder.example")}, true},
		{"another site", []func(*http.Request){header("Sec-Fetch-Site", "cross-site"), header("Origin", "https://evil.example")}, false},
		{"another site in an old browser", []func(*http.Request){header("Origin", "https://evil.example")}, false},
		{"another site that hides", []func(*http.Request){header("Sec-Fetch-Site", "cross-site")}, false},
		{"a form of another site", []func(*http.Request){header("Origin", "https://evil.example"), header("Content-Type", "text/plain")}, false},
		{"a sandbox", []func(*http.Request){header("Origin", "null")}, false},
		{"a sibling host", []func(*http.Request){header("Sec-Fetch-Site", "same-site"), header("Origin", "https://blog.larder.example")}, false},
		{"a sibling host that hides", []func(*http.Request){header("Sec-Fetch-Site", "same-site")}, false},
		{"another port", []func(*http.Request){header("Origin", "https://larder.example:8443")}, false},
		{"plain http", []func(*http.Request){header("Origin", "http://larder.example")}, false},
	}
}

type sender struct {
	name   string
	change []func(*http.Request) // what tells of it
	ours   bool
}

func TestCrossSite(t *testing.T) {
	f := serveDemo(t)
	secret := f.key(state.Research)
	good := `{"key": "` + secret + `"}`
	for _, c := range senders(f.http.URL) {
		t.Run(c.name, func(t *testing.T) {
			session := f.signIn(secret)
			with := append([]func(*http.Request){withCookie(session)}, c.change...)
			in := f.post("/account/session", good, c.change...)
			rotate := f.post("/account/key/rotate", "[]", with...) // refused for its body, if it comes so far
			out := f.do(http.MethodDelete, "/account/session", "", "", with...)
			after := f.get("/account/session", "", withCookie(session))
			if c.ours {
				wantStatus(t, in, http.StatusOK)
				wantRefusal(t, rotate, http.StatusBadRequest, "invalid_body")
				wantStatus(t, out, http.StatusNoContent)
				wantStatus(t, after, http.StatusUnauthorized)
				return
			}
			for _, r := range []*response{in, rotate, out} {
				wantRefusal(t, r, http.StatusForbidden, "cross_site")
			}
			wantStatus(t, after, http.StatusOK)
		})
	}
}
