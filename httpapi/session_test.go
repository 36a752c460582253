package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

func TestSessionCookie(t *testing.T) {
	t.Parallel()
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
			f := apitest.Serve(t, func(x *httpapi.Config) { x.BaseURL = c.base })
			r := f.Post("/account/session", `{"key": "`+f.Key(state.Research)+`"}`)
			apitest.WantStatus(t, r, http.StatusOK)
			token := r.Cookies()[0].Value
			if got := strings.ReplaceAll(r.Header.Get("Set-Cookie"), token, "TOKEN"); got != c.set {
				t.Errorf("sets   %s\nwant   %s", got, c.set)
			}
			if strings.Contains(string(r.Content), token) {
				t.Error("the token is in the body, where scripts can read it")
			}
			r = f.Do(http.MethodDelete, "/account/session", "", "", apitest.WithCookie(r.Cookies()[0]))
			apitest.WantStatus(t, r, http.StatusNoContent)
			if got := r.Header.Get("Set-Cookie"); got != c.clear || len(r.Content) > 0 {
				t.Errorf("clears %s\nwant   %s", got, c.clear)
			}
		})
	}
}

// TestSessionEnds ends sessions in every way. What ended is refused wherever a session is
// taken, while another session of the key goes on.
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	_, secret := f.Created(state.NewKey{Tier: state.Standard, Expires: apitest.Now.AddDate(1, 0, 0)})
	out := func(c *http.Cookie) {
		apitest.WantStatus(t, f.Do(http.MethodDelete, "/account/session", "", "", apitest.WithCookie(c)), http.StatusNoContent)
	}
	for name, end := range map[string]func(mine *http.Cookie){
		"signed out":       out,
		"signed out twice": func(c *http.Cookie) { out(c); out(c) },
		"signed in anew":   func(c *http.Cookie) { f.SignIn(secret, apitest.WithCookie(c)) },
	} {
		mine, other := f.SignIn(secret), f.SignIn(secret)
		// A sign-in that fails ends nothing.
		apitest.WantStatus(t, f.Post("/account/session", `{"key": "x"}`, apitest.WithCookie(mine)), http.StatusUnauthorized)
		for _, path := range []string{"/account/session", "/account/usage", "/account/shrinkflation", "/api/public/index"} {
			apitest.WantStatus(t, f.Get(path, "", apitest.WithCookie(mine)), http.StatusOK)
		}
		end(mine)
		for _, path := range []string{"/account/session", "/account/usage", "/account/shrinkflation", "/api/public/index"} {
			apitest.WantError(t, name, f.Get(path, "", apitest.WithCookie(mine)), http.StatusUnauthorized, "unauthorized")
			apitest.WantStatus(t, f.Get(path, "", apitest.WithCookie(other)), http.StatusOK)
		}
		apitest.WantError(t, name, f.Post("/account/key/rotate", "{}", apitest.WithCookie(mine)), http.StatusUnauthorized, "unauthorized")
	}
	apitest.WantStatus(t, f.Do(http.MethodDelete, "/account/session", "", ""), http.StatusNoContent)
	late := f.SignIn(secret)
	f.Clock.Advance(12*time.Hour - time.Nanosecond)
	apitest.WantStatus(t, f.Get("/account/session", "", apitest.WithCookie(late)), http.StatusOK)
	f.Clock.Advance(time.Nanosecond)
	apitest.WantError(t, "after 12 hours", f.Get("/account/session", "", apitest.WithCookie(late)), http.StatusUnauthorized, "unauthorized")

	// One can sign out although the key has expired.
	_, short := f.Created(state.NewKey{Tier: state.Research, Expires: f.Clock.Now().Add(time.Hour)})
	session := f.SignIn(short)
	f.Clock.Advance(time.Hour)
	apitest.WantError(t, "expired", f.Get("/account/session", "", apitest.WithCookie(session)), http.StatusForbidden, "key_expired")
	out(session)
	apitest.WantError(t, "then signed out", f.Get("/account/session", "", apitest.WithCookie(session)), http.StatusUnauthorized, "unauthorized")
}
