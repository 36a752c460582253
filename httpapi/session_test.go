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
	v := f.Get("/account/session", "", apitest.WithCookie(f.SignIn(secret))).JSON(t)
	got := fmt.Sprint(v["key_id"], v["name"], v["tier"], v["expires"], v["key_expires"])
	if want := fmt.Sprint(k.ID, k.Name, "professional", "2026-11-21T05:00:00Z", "2026-12-20T17:00:00Z"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if never := f.Get("/account/session", "", apitest.WithCookie(f.SignIn(f.Key(state.Research)))).JSON(t); never["key_expires"] != nil {
		t.Errorf("key_expires %v of a key that never does", never["key_expires"])
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

// TestSecretsAreKeptNowhere does everything that one can do with an account. Then neither
// log nor state holds a key, a link or a session's token, encoded or as bytes.
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
					t.Errorf("the %s is in %s", name, place)
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
