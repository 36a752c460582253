package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// senders are the pages and programs that may send a request to the address own.
func senders(own string) []sender {
	return []sender{
		{"no browser", nil, true},
		{"same origin", []apitest.Change{apitest.Header("Sec-Fetch-Site", "same-origin"), apitest.Header("Origin", "https://larder.example")}, true},
		{"plain http at the address itself", []apitest.Change{apitest.Header("Origin", own)}, false},
		{"the public address, behind a proxy", []apitest.Change{apitest.Header("Origin", "https://larder.example")}, true},
		{"another site", []apitest.Change{apitest.Header("Sec-Fetch-Site", "cross-site"), apitest.Header("Origin", "https://evil.example")}, false},
		{"another site in an old browser", []apitest.Change{apitest.Header("Origin", "https://evil.example")}, false},
		{"another site that hides", []apitest.Change{apitest.Header("Sec-Fetch-Site", "cross-site")}, false},
		{"a form of another site", []apitest.Change{apitest.Header("Origin", "https://evil.example"), apitest.Header("Content-Type", "text/plain")}, false},
		{"a sandbox", []apitest.Change{apitest.Header("Origin", "null")}, false},
		{"a sibling host", []apitest.Change{apitest.Header("Sec-Fetch-Site", "same-site"), apitest.Header("Origin", "https://blog.larder.example")}, false},
		{"a sibling host that hides", []apitest.Change{apitest.Header("Sec-Fetch-Site", "same-site")}, false},
		{"another port", []apitest.Change{apitest.Header("Origin", "https://larder.example:8443")}, false},
		{"plain http", []apitest.Change{apitest.Header("Origin", "http://larder.example")}, false},
	}
}

type sender struct {
	name   string
	change []apitest.Change
	ours   bool
}

func TestCrossSite(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	secret := f.Key(state.Research)
	good := `{"key": "` + secret + `"}`
	for _, c := range senders(f.HTTP.URL) {
		t.Run(c.name, func(t *testing.T) {
			session := f.SignIn(secret)
			with := append([]apitest.Change{apitest.WithCookie(session)}, c.change...)
			in := f.Post("/account/session", good, c.change...)
			rotate := f.Post("/account/key/rotate", "[]", with...) // refused for its body, if it comes so far
			out := f.Do(http.MethodDelete, "/account/session", "", "", with...)
			after := f.Get("/account/session", "", apitest.WithCookie(session))
			lines := f.Do(http.MethodPost, "/shopper/lines", "", goodList, append([]apitest.Change{apitest.Header("Content-Type", "application/json")}, c.change...)...)
			if c.ours && c.change == nil { // only pages get the lines
				apitest.WantError(t, c.name, lines, http.StatusForbidden, "cross_site")
				lines = f.Post("/shopper/lines", goodList)
			}
			if c.ours {
				apitest.WantStatus(t, lines, http.StatusOK)
				apitest.WantStatus(t, in, http.StatusOK)
				apitest.WantError(t, c.name, rotate, http.StatusBadRequest, "invalid_body")
				apitest.WantStatus(t, out, http.StatusNoContent)
				apitest.WantStatus(t, after, http.StatusUnauthorized)
				return
			}
			for _, r := range []*apitest.Response{in, rotate, out, lines} {
				apitest.WantError(t, c.name, r, http.StatusForbidden, "cross_site")
			}
			if lines.Header.Get("RateLimit") != "" {
				t.Errorf("the visitor's minute of comparisons pays: %v", lines.Header)
			}
			apitest.WantStatus(t, after, http.StatusOK)
		})
	}
}

func TestRotateKey(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	k, old := f.Created(state.NewKey{Tier: state.Standard, Expires: apitest.Now.AddDate(1, 0, 0)})
	_, bystander := f.Created(state.NewKey{Tier: state.Research})
	mine, other, strange := f.SignIn(old), f.SignIn(old), f.SignIn(bystander)

	r := f.Post("/account/key/rotate", "", apitest.WithCookie(mine))
	apitest.WantStatus(t, r, http.StatusOK)
	v := r.JSON(t)
	if fmt.Sprint(v["id"], v["name"], v["tier"], v["expires"]) != fmt.Sprint(k.ID, "Reader", "standard", "2027-11-20T17:00:00Z") {
		t.Errorf("body %s", r.Content)
	}
	secret, _ := v["key"].(string)
	if !state.WellFormed(secret) || secret == old {
		t.Fatalf("key %q", secret)
	}

	apitest.WantStatus(t, f.Get("/api/v1/index", secret), http.StatusOK)
	apitest.WantStatus(t, f.Get("/api/v1/index", old), http.StatusUnauthorized)
	apitest.WantError(t, "", f.Post("/account/session", `{"key": "`+old+`"}`), http.StatusUnauthorized, "unauthorized")
	apitest.WantStatus(t, f.Get("/account/session", "", apitest.WithCookie(mine)), http.StatusOK)
	apitest.WantStatus(t, f.Get("/account/session", "", apitest.WithCookie(strange)), http.StatusOK)
	apitest.WantError(t, "", f.Get("/account/session", "", apitest.WithCookie(other)), http.StatusUnauthorized, "unauthorized")
	if got := f.Get("/account/session", "", apitest.WithCookie(mine)); strings.Contains(string(got.Content), secret) {
		t.Error("the secret is shown again")
	}

	// This session may do so again, the body being an empty object.
	again := f.Post("/account/key/rotate", " {} ", apitest.WithCookie(mine)).JSON(t)["key"]
	if again == secret || again == nil {
		t.Errorf("rotated again to %v", again)
	}
	apitest.WantStatus(t, f.Get("/api/v1/index", secret), http.StatusUnauthorized)
}

func TestRotateIsRefused(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	_, secret := f.Created(state.NewKey{Tier: state.Standard})
	session := apitest.WithCookie(f.SignIn(secret))
	_, short := f.Created(state.NewKey{Tier: state.Standard, Expires: apitest.Now.Add(time.Hour)})
	expired := apitest.WithCookie(f.SignIn(short))
	f.Clock.Advance(time.Hour)
	for _, c := range []struct {
		name, body string
		change     []apitest.Change
		status     int
		code       string
	}{
		{"nobody", "{}", nil, 401, "unauthorized"},
		{"key", "{}", []apitest.Change{apitest.Header("Authorization", "Bearer "+secret)}, 401, "unauthorized"},
		{"key and session", "{}", []apitest.Change{session, apitest.Header("Authorization", "Bearer "+secret)}, 401, "unauthorized"},
		{"session of an expired key", "{}", []apitest.Change{expired}, 403, "key_expired"},
		{"a member", `{"key": "x"}`, []apitest.Change{session}, 400, "invalid_body"},
		{"a text", `"x"`, []apitest.Change{session}, 400, "invalid_body"},
		{"not JSON", "{", []apitest.Change{session}, 400, "invalid_json"},
		{"another type", "{}", []apitest.Change{session, apitest.Header("Content-Type", "text/plain")}, 415, "unsupported_media_type"},
		{"too long", strings.Repeat(" ", 4097), []apitest.Change{session}, 413, "body_too_large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			apitest.WantError(t, c.name, f.Post("/account/key/rotate", c.body, c.change...), c.status, c.code)
		})
	}
	apitest.WantStatus(t, f.Get("/api/v1/index", secret), http.StatusOK) // it was never rotated
}
