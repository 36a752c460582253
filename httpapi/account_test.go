package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

func TestRotateKey(t *testing.T) {
	f := serveDemo(t)
	k, old := f.created(state.NewKey{Tier: state.Standard, Expires: testNow.AddDate(1, 0, 0)})
	_, bystander := f.created(state.NewKey{Tier: state.Research})
	mine, other, strange := f.signIn(old), f.signIn(old), f.signIn(bystander)

	r := f.post("/account/key/rotate", "", withCookie(mine))
	wantStatus(t, r, http.StatusOK)
	if got := r.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control %q of a secret", got)
	}
	v := r.json(t)
	if got := memberNames(v); got != "expires id key name tier" {
		t.Errorf("members %s", got)
	}
	if fmt.Sprint(v["id"], v["name"], v["tier"], v["expires"]) != fmt.Sprint(k.ID, "Reader", "standard", "2027-11-20T17:00:00Z") {
		t.Errorf("body %s", r.body)
	}
	secret, _ := v["key"].(string)
	if !state.WellFormed(secret) || secret == old {
		t.Fatalf("key %q", secret)
	}

	wantStatus(t, f.get("/api/v1/index", secret), http.StatusOK)
	wantStatus(t, f.get("/api/v1/index", old), http.StatusUnauthorized)
	wantRefusal(t, f.post("/account/session", `{"key": "`+old+`"}`), http.StatusUnauthorized, "unauthorized")
	wantStatus(t, f.get("/account/session", "", withCookie(mine)), http.StatusOK)
	wantStatus(t, f.get("/account/session", "", withCookie(strange)), http.StatusOK)
	wantRefusal(t, f.get("/account/session", "", withCookie(other)), http.StatusUnauthorized, "unauthorized")
	if got := f.get("/account/session", "", withCookie(mine)); strings.Contains(string(got.body), secret) {
		t.Error("the secret is shown again")
	}

	// This session may do so again, the body being an empty object.
	again := f.post("/account/key/rotate", " {} ", withCookie(mine)).json(t)["key"]
	if again == secret || again == nil {
		t.Errorf("rotated again to %v", again)
	}
	wantStatus(t, f.get("/api/v1/index", secret), http.StatusUnauthorized)
}

func TestRotateIsRefused(t *testing.T) {
	f := serveDemo(t)
	_, secret := f.created(state.NewKey{Tier: state.Standard})
	session := withCookie(f.signIn(secret))
	_, short := f.created(state.NewKey{Tier: state.Standard, Expires: testNow.Add(time.Hour)})
	expired := withCookie(f.signIn(short))
	f.clock.Advance(time.Hour)
	for _, c := range []struct {
		name, body string
		change     []func(*http.Request)
		status     int
		code       string
	}{
		{"nobody", "{}", nil, 401, "unauthorized"},
		{"nobody with a bad body", "[", nil, 401, "unauthorized"},
		{"key", "{}", []func(*http.Request){header("Authorization", "Bearer "+secret)}, 401, "unauthorized"},
		{"key and session", "{}", []func(*http.Request){session, header("Authorization", "Bearer "+secret)}, 401, "unauthorized"},
		{"session of an expired key", "{}", []func(*http.Request){expired}, 403, "key_expired"},
		{"another site", "{}", []func(*http.Request){session, header("Origin", "https://evil.example")}, 403, "cross_site"},
		{"a form", "", []func(*http.Request){session, header("Content-Type", "application/x-www-form-urlencoded")}, 415, "unsupported_media_type"},
		{"a member", `{"key": "x"}`, []func(*http.Request){session}, 400, "invalid_body"},
		{"a text", `"x"`, []func(*http.Request){session}, 400, "invalid_body"},
		{"not JSON", "{", []func(*http.Request){session}, 400, "invalid_json"},
		{"too long", strings.Repeat(" ", 4097), []func(*http.Request){session}, 413, "body_too_large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantRefusal(t, f.post("/account/key/rotate", c.body, c.change...), c.status, c.code)
		})
	}
	wantStatus(t, f.get("/api/v1/index", secret), http.StatusOK) // it was never rotated
}

func TestRotateAtTheKeysLimits(t *testing.T) {
	f := serveDemo(t)
	_, secret := f.created(state.NewKey{Tier: state.Research, PerMinute: 1, PerMonth: 1})
	session := f.signIn(secret)
	wantStatus(t, f.get("/api/v1/products", secret), http.StatusOK)
	wantStatus(t, f.get("/api/v1/products", secret), http.StatusTooManyRequests)
	wantStatus(t, f.get("/account/session", "", withCookie(session)), http.StatusOK)
	wantStatus(t, f.post("/account/key/rotate", "{}", withCookie(session)), http.StatusOK)
}

// While the state can't be asked, nobody learns more than that, and no attempt
// counts as failed.
func TestAccountWithoutState(t *testing.T) {
	f := serveDemo(t)
	secret := f.key(state.Research)
	session := withCookie(f.signIn(secret))
	if err := f.state.Close(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		wantRefusal(t, f.post("/account/session", `{"key": "`+secret+`"}`), http.StatusInternalServerError, "internal_error")
	}
	for _, r := range []*response{
		f.get("/account/session", "", session),
		f.get("/account/usage", "", session),
		f.post("/account/key/rotate", "{}", session),
		f.do(http.MethodDelete, "/account/session", "", "", session),
	} {
		wantRefusal(t, r, http.StatusInternalServerError, "internal_error")
		if strings.Contains(string(r.body), "state") {
			t.Errorf("shown: %s", r.body)
		}
	}
}

func TestAccountMethods(t *testing.T) {
	f := serveDemo(t)
	for path, allow := range map[string]string{
		"/account/session":       "GET, HEAD, POST, DELETE",
		"/account/key/rotate":    "POST",
		"/account/usage":         "GET, HEAD",
		"/account/shrinkflation": "GET, HEAD",
	} {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
			r := f.do(method, path, "", "")
			if slices.Contains(strings.Split(allow, ", "), method) {
				if r.StatusCode == http.StatusMethodNotAllowed {
					t.Errorf("%s %s is refused", method, path)
				}
				continue
			}
			if r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != allow || r.json(t)["code"] != "method_not_allowed" {
				t.Errorf("%s %s: %d, Allow %q, %s", method, path, r.StatusCode, r.Header.Get("Allow"), r.body)
			}
		}
	}
}
