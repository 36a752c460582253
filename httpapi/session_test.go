package httpapi_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
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

func TestWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	k, secret := f.Created(state.NewKey{Name: `Prix & Cie "Québec"`, Tier: state.Professional, Expires: apitest.Now.AddDate(0, 1, 0)})
	session := f.SignIn(secret)
	r := f.Get("/account/session", "", apitest.WithCookie(session))
	apitest.WantStatus(t, r, http.StatusOK)
	v := r.JSON(t)
	got := fmt.Sprint(v["key_id"], v["name"], v["tier"], v["expires"], v["key_expires"])
	if want := fmt.Sprint(k.ID, k.Name, "professional", "2026-11-21T05:00:00Z", "2026-12-20T17:00:00Z"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	head := f.Do(http.MethodHead, "/account/session", "", "", apitest.WithCookie(session))
	if head.StatusCode != http.StatusOK || len(head.Content) > 0 || head.ContentLength != int64(len(r.Content)) {
		t.Errorf("HEAD: %d, %d bytes of %d", head.StatusCode, len(head.Content), head.ContentLength)
	}
	never := f.Get("/account/session", "", apitest.WithCookie(f.SignIn(f.Key(state.Research))))
	if v, ok := never.JSON(t)["key_expires"]; !ok || v != nil {
		t.Errorf("key_expires %v of a key that never does", v)
	}
}

func TestWhoIsRefused(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	secret := f.Key(state.Research)
	session := f.SignIn(secret)
	for name, change := range map[string]apitest.Change{
		"no cookie":         func(*http.Request) {},
		"another's name":    apitest.WithCookie(&http.Cookie{Name: "larder_session", Value: session.Value}),
		"made up":           apitest.WithCookie(&http.Cookie{Name: session.Name, Value: strings.Repeat("A", len(session.Value))}),
		"nonsense":          apitest.WithCookie(&http.Cookie{Name: session.Name, Value: "x"}),
		"a key":             apitest.WithCookie(&http.Cookie{Name: session.Name, Value: secret}),
		"two":               func(r *http.Request) { r.AddCookie(session); r.AddCookie(session) },
		"a bearer key":      apitest.Header("Authorization", "Bearer "+secret),
		"a bearer key also": func(r *http.Request) { r.AddCookie(session); r.Header.Set("Authorization", "Bearer "+secret) },
	} {
		t.Run(name, func(t *testing.T) {
			apitest.WantError(t, "", f.Get("/account/session", "", change), http.StatusUnauthorized, "unauthorized")
		})
	}
}

// A cookie that was copied before is worth nothing after sign-out.
func TestSignOutRevokes(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	secret := f.Key(state.Research)
	stolen, other := f.SignIn(secret), f.SignIn(secret)
	for range 2 { // signing out twice is no error
		apitest.WantStatus(t, f.Do(http.MethodDelete, "/account/session", "", "", apitest.WithCookie(stolen)), http.StatusNoContent)
	}
	for _, path := range []string{"/account/session", "/account/usage", "/api/public/index"} {
		apitest.WantError(t, "", f.Get(path, "", apitest.WithCookie(stolen)), http.StatusUnauthorized, "unauthorized")
		apitest.WantStatus(t, f.Get(path, "", apitest.WithCookie(other)), http.StatusOK)
	}
	apitest.WantError(t, "", f.Post("/account/key/rotate", "{}", apitest.WithCookie(stolen)), http.StatusUnauthorized, "unauthorized")
	apitest.WantStatus(t, f.Do(http.MethodDelete, "/account/session", "", ""), http.StatusNoContent)
	apitest.WantStatus(t, f.Get("/account/session", "", apitest.WithCookie(other)), http.StatusOK)
}

func TestSignOutWithAnExpiredKey(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	_, secret := f.Created(state.NewKey{Tier: state.Research, Expires: apitest.Now.Add(time.Hour)})
	session := f.SignIn(secret)
	f.Clock.Advance(time.Hour)
	apitest.WantError(t, "", f.Get("/account/session", "", apitest.WithCookie(session)), http.StatusForbidden, "key_expired")
	apitest.WantStatus(t, f.Do(http.MethodDelete, "/account/session", "", "", apitest.WithCookie(session)), http.StatusNoContent)
	apitest.WantError(t, "", f.Get("/account/session", "", apitest.WithCookie(session)), http.StatusUnauthorized, "unauthorized")
}

func TestSessionExpires(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	session := f.SignIn(f.Key(state.Research))
	f.Clock.Advance(12*time.Hour - time.Nanosecond)
	apitest.WantStatus(t, f.Get("/account/session", "", apitest.WithCookie(session)), http.StatusOK)
	f.Clock.Advance(time.Nanosecond)
	for _, path := range []string{"/account/session", "/account/usage", "/account/shrinkflation", "/api/public/index"} {
		apitest.WantError(t, "", f.Get(path, "", apitest.WithCookie(session)), http.StatusUnauthorized, "unauthorized")
	}
}

// Signing in again in the same browser ends the session it had.
func TestSignInReplacesTheSession(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	first := f.SignIn(f.Key(state.Research))
	second := f.SignIn(f.Key(state.Standard), apitest.WithCookie(first))
	apitest.WantError(t, "", f.Get("/account/session", "", apitest.WithCookie(first)), http.StatusUnauthorized, "unauthorized")
	if got := f.Get("/account/session", "", apitest.WithCookie(second)).JSON(t)["tier"]; got != "standard" {
		t.Errorf("tier %v", got)
	}
	// One that fails ends nothing.
	apitest.WantStatus(t, f.Post("/account/session", `{"key": "x"}`, apitest.WithCookie(second)), http.StatusUnauthorized)
	apitest.WantStatus(t, f.Get("/account/session", "", apitest.WithCookie(second)), http.StatusOK)
}

// After everything that one can do with an account, neither the log nor the state holds a key, a
// link or a session's token, not even in other letters or as bytes.
func TestSecretsAreKeptNowhere(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	k, first := f.Created(state.NewKey{Tier: state.Standard})
	link, _, err := f.State.NewLink(t.Context(), k.ID)
	if err != nil {
		t.Fatal(err)
	}
	linked := f.Post("/account/session", `{"signin": "`+link+`"}`).Cookies()[0]
	session := f.SignIn(first)
	second, _ := f.Post("/account/key/rotate", "{}", apitest.WithCookie(session)).JSON(t)["key"].(string)
	if second == "" {
		t.Fatal("no new key")
	}
	kept := f.SignIn(second)
	for _, secret := range []string{first, second, link, session.Value, kept.Value} {
		both := []apitest.Change{apitest.WithCookie(session), apitest.Header("Authorization", "Bearer "+secret)}
		f.Post("/account/session", `{"key": "`+secret+`"}`)
		f.Post("/account/session", `{"key": "`+secret)
		f.Post("/account/session", `{"`+secret+`": 1}`)
		f.Post("/account/session?key="+secret, "")
		f.Post("/account/"+secret, "")
		f.Get("/account/usage", "", both...)
		f.Get("/account/session", "", apitest.WithCookie(&http.Cookie{Name: kept.Name, Value: secret}))
		f.Get("/api/public/index?banner="+first+"&city="+second, "", apitest.WithCookie(kept))
	}
	apitest.WantStatus(t, f.Get("/api/public/index", "", apitest.WithCookie(kept)), http.StatusOK)
	apitest.WantStatus(t, f.Do(http.MethodDelete, "/account/session", "", "", apitest.WithCookie(session)), http.StatusNoContent)

	places := f.Written()
	for name, secret := range map[string]string{
		"first key": first, "second key": second, "link": link, "linked session": linked.Value, "session": session.Value, "kept session": kept.Value,
	} {
		needles := [][]byte{[]byte(strings.TrimPrefix(secret, "larder_live_"))}
		if raw, err := base64.RawURLEncoding.DecodeString(secret); err == nil {
			needles = append(needles, raw)
		}
		for place, content := range places {
			for _, needle := range needles {
				if bytes.Contains(content, needle) {
					t.Errorf("the %s stands in %s", name, place)
				}
			}
		}
	}
	for _, want := range []string{`"msg":"signed in"`, `"msg":"key rotated"`, `"msg":"signed out"`, `"key_id":1`} {
		if !bytes.Contains(places["the log"], []byte(want)) {
			t.Errorf("the log lacks %s", want)
		}
	}
}
