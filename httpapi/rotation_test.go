package httpapi_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestRotateWithOverlap rotates on the account's address. The old secret is good for the time
// asked for and announces its end. After that it gets the answer of an unknown secret.
func TestRotateWithOverlap(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	old := f.Key(state.Standard)
	session := apitest.WithCookie(f.SignIn(old))
	for _, body := range []string{`{"overlap": "3 days"}`, `{"overlap": "0s"}`, `{"overlap": "-1h"}`, `{"overlap": "720h1s"}`, `{"overlap": ""}`} {
		apitest.WantError(t, body, f.Post("/account/key/rotate", body, session), http.StatusBadRequest, "invalid_body")
	}
	plain := f.Get("/api/v1/index?limit=1", old)
	r := f.Post("/account/key/rotate", `{"overlap": "72h"}`, session)
	apitest.WantStatus(t, r, http.StatusOK)
	newer, _ := r.JSON(t)["key"].(string)
	if until := r.JSON(t)["old_until"]; until != "2026-11-23T17:00:00Z" {
		t.Errorf("until %v", until)
	}
	const end = "Mon, 23 Nov 2026 17:00:00 GMT"
	for _, x := range []struct{ secret, want string }{{old, end}, {newer, ""}} {
		for _, path := range []string{"/api/v1/index?limit=1", "/api/v1/usage", "/api/v1/index?limit=x"} {
			if got := f.Get(path, x.secret); got.Header.Get("Larder-Key-Expires") != x.want || got.StatusCode == http.StatusUnauthorized {
				t.Errorf("%s: %d, %q, want %q", path, got.StatusCode, got.Header.Get("Larder-Key-Expires"), x.want)
			}
		}
	}
	now := f.Get("/api/v1/index?limit=1", newer)
	for _, volatile := range []string{"X-Request-Id", "Date", "Ratelimit", "X-Ratelimit-Remaining"} {
		now.Header.Del(volatile)
		plain.Header.Del(volatile)
	}
	if d := gocmp.Diff(plain.Header, now.Header); d != "" || string(plain.Content) != string(now.Content) {
		t.Errorf("the newer secret is answered in another way than the old one was before: %s", d)
	}
	apitest.WantStatus(t, f.Get("/account/session", "", session), http.StatusOK)
	apitest.WantError(t, "again", f.Post("/account/key/rotate", `{"overlap": "72h"}`, session), http.StatusConflict, "overlap_running")

	f.Clock.Advance(72*time.Hour - time.Second)
	apitest.WantStatus(t, f.Get("/api/v1/index", old), http.StatusOK)
	f.Clock.Advance(time.Second)
	replaced := f.Key(state.Standard)
	k, err := f.State.Lookup(t.Context(), replaced)
	if err == nil {
		_, _, err = f.State.RotateKey(t.Context(), k.ID, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	gone, never := f.Get("/api/v1/index", old), f.Get("/api/v1/index", replaced)
	apitest.WantStatus(t, gone, http.StatusUnauthorized)
	a, b := gone.JSON(t), never.JSON(t)
	delete(a, "requestId")
	delete(b, "requestId")
	if d := gocmp.Diff(a, b); d != "" {
		t.Errorf("secrets that ended differ: %s", d)
	}
	apitest.WantStatus(t, f.Get("/api/v1/index", newer), http.StatusOK)
}

// TestExpiryIsAnnounced asks with keys that expire sooner and later. The header is there from
// 30 days before on, to the second.
func TestExpiryIsAnnounced(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	day := 24 * time.Hour
	for left, announced := range map[time.Duration]bool{30*day + time.Second: false, 30 * day: true, time.Second: true} {
		end, want := apitest.Now.Add(left), ""
		if announced {
			want = end.Format(http.TimeFormat)
		}
		key := f.Key(state.Research, func(n *state.NewKey) { n.Expires = end })
		for _, path := range []string{"/api/v1/products", "/api/v1/index"} { // 200 and 402
			if got := f.Get(path, key).Header.Get("Larder-Key-Expires"); got != want {
				t.Errorf("%s before: %q, want %q", left, got, want)
			}
		}
	}
}

// TestKeyNetworks calls with a key for one network from other addresses, behind a proxy.
func TestKeyNetworks(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.BehindProxy)
	k, key := f.Created(state.NewKey{Tier: state.Standard, Networks: state.NetworksOf([]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")})})
	from := func(address string) apitest.Change { return apitest.Header("X-Forwarded-For", address) }
	session := apitest.WithCookie(f.SignIn(key, from("192.0.2.7")))
	apitest.WantStatus(t, f.Get("/api/v1/index", key, from("192.0.2.255")), http.StatusOK)
	apitest.WantStatus(t, f.Get("/account/usage", "", session, from("192.0.2.7")), http.StatusOK)
	for _, c := range []struct {
		name string
		r    *apitest.Response
	}{
		{"key", f.Get("/api/v1/index", key, from("192.0.3.1"))},
		{"key over IPv6", f.Get("/api/v1/index", key, from("2001:db8::1"))},
		{"key from the proxy itself", f.Get("/api/v1/index", key)},
		{"session", f.Get("/account/usage", "", session, from("192.0.3.1"))},
		{"who", f.Get("/account/session", "", session, from("192.0.3.1"))},
		{"rotate", f.Post("/account/key/rotate", "", session, from("192.0.3.1"))},
		{"sign in", f.Post("/account/session", `{"key": "`+key+`"}`, from("192.0.3.1"))},
	} {
		apitest.WantError(t, c.name, c.r, http.StatusForbidden, "network_refused")
		if len(c.r.Cookies()) > 0 {
			t.Errorf("%s: cookies %v", c.name, c.r.Cookies())
		}
	}
	if n := f.Column("SELECT count(*) FROM sessions"); n[0] != "1" {
		t.Errorf("%s sessions, want 1", n)
	}
	if n := f.Column("SELECT sum(requests) FROM daily_usage WHERE status_class = 4 AND counted = 0"); n[0] != "4" {
		t.Errorf("%s refusals of key %d are logged", n, k.ID)
	}
	page := f.Get("/account", "", session, from("192.0.3.1"), apitest.Header("Accept", "text/html"))
	if strings.Contains(string(page.Content), "account-name") {
		t.Error("the account's page is shown elsewhere")
	}
	// Signing out works from anywhere.
	apitest.WantStatus(t, f.Do(http.MethodDelete, "/account/session", "", "", session, from("192.0.3.1")), http.StatusNoContent)
	apitest.WantStatus(t, f.Get("/account/session", "", session, from("192.0.2.7")), http.StatusUnauthorized)
}
