package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

func TestSessionCookie(t *testing.T) {
	for _, c := range []struct{ base, set, clear string }{
		{
			"https://larder.example",
			"__Host-larder_session=TOKEN; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict",
			"__Host-larder_session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict",
		},
		{
			"http://127.0.0.1:8080",
			"larder_session=TOKEN; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict",
			"larder_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict",
		},
	} {
		t.Run(c.base, func(t *testing.T) {
			f := serveDemo(t, func(x *Config) { x.BaseURL = c.base })
			r := f.post("/account/session", `{"key": "`+f.key(state.Research)+`"}`)
			wantStatus(t, r, http.StatusOK)
			token := r.Cookies()[0].Value
			if got := strings.ReplaceAll(r.Header.Get("Set-Cookie"), token, "TOKEN"); got != c.set {
				t.Errorf("sets   %s\nwant   %s", got, c.set)
			}
			if strings.Contains(string(r.body), token) {
				t.Error("the token is in the body, where scripts can read it")
			}
			r = f.do(http.MethodDelete, "/account/session", "", "", withCookie(r.Cookies()[0]))
			wantStatus(t, r, http.StatusNoContent)
			if got := r.Header.Get("Set-Cookie"); got != c.clear || len(r.body) > 0 {
				t.Errorf("clears %s\nwant   %s", got, c.clear)
			}
		})
	}
}

func TestWhoIsSignedIn(t *testing.T) {
	f := serveDemo(t)
	k, secret := f.created(state.NewKey{Name: `Prix & Cie "Québec"`, Tier: state.Professional, Expires: testNow.AddDate(0, 1, 0)})
	session := f.signIn(secret)
	r := f.get("/account/session", "", withCookie(session))
	wantStatus(t, r, http.StatusOK)
	v := r.json(t)
	if got := memberNames(v); got != "expires key_expires key_id name tier" {
		t.Errorf("members %s", got)
	}
	got := fmt.Sprint(v["key_id"], v["name"], v["tier"], v["expires"], v["key_expires"])
	if want := fmt.Sprint(k.ID, k.Name, "professional", "2026-11-21T05:00:00Z", "2026-12-20T17:00:00Z"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if r.Header.Get("Cache-Control") != "no-store" || r.Header.Get("Content-Type") != jsonType {
		t.Errorf("headers %v", r.Header)
	}
	head := f.do(http.MethodHead, "/account/session", "", "", withCookie(session))
	if head.StatusCode != http.StatusOK || len(head.body) > 0 || head.ContentLength != int64(len(r.body)) {
		t.Errorf("HEAD: %d, %d bytes of %d", head.StatusCode, len(head.body), head.ContentLength)
	}
	never := f.get("/account/session", "", withCookie(f.signIn(f.key(state.Research))))
	if v, ok := never.json(t)["key_expires"]; !ok || v != nil {
		t.Errorf("key_expires %v of a key that never does", v)
	}
}

func TestWhoIsRefused(t *testing.T) {
	f := serveDemo(t)
	secret := f.key(state.Research)
	session := f.signIn(secret)
	for name, change := range map[string]func(*http.Request){
		"no cookie":         func(*http.Request) {},
		"another's name":    withCookie(&http.Cookie{Name: "larder_session", Value: session.Value}),
		"made up":           withCookie(&http.Cookie{Name: session.Name, Value: strings.Repeat("A", len(session.Value))}),
		"nonsense":          withCookie(&http.Cookie{Name: session.Name, Value: "x"}),
		"a key":             withCookie(&http.Cookie{Name: session.Name, Value: secret}),
		"two":               func(r *http.Request) { r.AddCookie(session); r.AddCookie(session) },
		"a bearer key":      header("Authorization", "Bearer "+secret),
		"a bearer key also": func(r *http.Request) { r.AddCookie(session); r.Header.Set("Authorization", "Bearer "+secret) },
	} {
		t.Run(name, func(t *testing.T) {
			wantRefusal(t, f.get("/account/session", "", change), http.StatusUnauthorized, "unauthorized")
		})
	}
}

// A cookie that was copied before is worth nothing after sign-out.
func TestSignOutRevokes(t *testing.T) {
	f := serveDemo(t)
	secret := f.key(state.Research)
	stolen, other := f.signIn(secret), f.signIn(secret)
	for range 2 { // signing out twice is no error
		wantStatus(t, f.do(http.MethodDelete, "/account/session", "", "", withCookie(stolen)), http.StatusNoContent)
	}
	for _, path := range []string{"/account/session", "/account/usage", "/api/public/index"} {
		wantRefusal(t, f.get(path, "", withCookie(stolen)), http.StatusUnauthorized, "unauthorized")
		wantStatus(t, f.get(path, "", withCookie(other)), http.StatusOK)
	}
	wantRefusal(t, f.post("/account/key/rotate", "{}", withCookie(stolen)), http.StatusUnauthorized, "unauthorized")
	wantStatus(t, f.do(http.MethodDelete, "/account/session", "", ""), http.StatusNoContent)
	wantStatus(t, f.get("/account/session", "", withCookie(other)), http.StatusOK)
}

func TestSignOutWithAnExpiredKey(t *testing.T) {
	f := serveDemo(t)
	_, secret := f.created(state.NewKey{Tier: state.Research, Expires: testNow.Add(time.Hour)})
	session := f.signIn(secret)
	f.clock.Advance(time.Hour)
	wantRefusal(t, f.get("/account/session", "", withCookie(session)), http.StatusForbidden, "key_expired")
	wantStatus(t, f.do(http.MethodDelete, "/account/session", "", "", withCookie(session)), http.StatusNoContent)
	wantRefusal(t, f.get("/account/session", "", withCookie(session)), http.StatusUnauthorized, "unauthorized")
}

func TestSessionExpires(t *testing.T) {
	f := serveDemo(t)
	session := f.signIn(f.key(state.Research))
	f.clock.Advance(12*time.Hour - time.Nanosecond)
	wantStatus(t, f.get("/account/session", "", withCookie(session)), http.StatusOK)
	f.clock.Advance(time.Nanosecond)
	for _, path := range []string{"/account/session", "/account/usage", "/account/shrinkflation", "/api/public/index"} {
		wantRefusal(t, f.get(path, "", withCookie(session)), http.StatusUnauthorized, "unauthorized")
	}
}

// Signing in again in the same browser ends the session it had.
func TestSignInReplacesTheSession(t *testing.T) {
	f := serveDemo(t)
	first := f.signIn(f.key(state.Research))
	second := f.signIn(f.key(state.Standard), withCookie(first))
	wantRefusal(t, f.get("/account/session", "", withCookie(first)), http.StatusUnauthorized, "unauthorized")
	if got := f.get("/account/session", "", withCookie(second)).json(t)["tier"]; got != "standard" {
		t.Errorf("tier %v", got)
	}
	// One that fails ends nothing.
	wantStatus(t, f.post("/account/session", `{"key": "x"}`, withCookie(second)), http.StatusUnauthorized)
	wantStatus(t, f.get("/account/session", "", withCookie(second)), http.StatusOK)
}
