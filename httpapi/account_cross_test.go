package httpapi

import (
	"net/http"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

func TestCrossSite(t *testing.T) {
	f := serveDemo(t)
	secret := f.key(state.Research)
	good := `{"key": "` + secret + `"}`
	own := header("Origin", f.http.URL) // the address that this request is sent to
	for _, c := range []struct {
		name   string
		change []func(*http.Request)
		ok     bool
	}{
		{"no browser", nil, true},
		{"same origin", []func(*http.Request){header("Sec-Fetch-Site", "same-origin"), own}, true},
		{"same origin in an old browser", []func(*http.Request){own}, true},
		{"the public address, behind a proxy", []func(*http.Request){header("Origin", "https://larder.example")}, true},
		{"another site", []func(*http.Request){header("Sec-Fetch-Site", "cross-site"), header("Origin", "https://evil.example")}, false},
		{"another site in an old browser", []func(*http.Request){header("Origin", "https://evil.example")}, false},
		{"another site that hides", []func(*http.Request){header("Sec-Fetch-Site", "cross-site")}, false},
		{"a sandbox", []func(*http.Request){header("Origin", "null")}, false},
		{"a sibling host", []func(*http.Request){header("Sec-Fetch-Site", "same-site"), header("Origin", "https://blog.larder.example")}, false},
		{"a sibling host that hides", []func(*http.Request){header("Sec-Fetch-Site", "same-site")}, false},
		{"another port", []func(*http.Request){header("Origin", "https://larder.example:8443")}, false},
		{"plain http", []func(*http.Request){header("Origin", "http://larder.example")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			session := f.signIn(secret)
			with := append([]func(*http.Request){withCookie(session)}, c.change...)
			in := f.post("/account/session", good, c.change...)
			rotate := f.post("/account/key/rotate", "[]", with...) // refused for its body, if it comes so far
			out := f.do(http.MethodDelete, "/account/session", "", "", with...)
			after := f.get("/account/session", "", withCookie(session))
			if c.ok {
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
