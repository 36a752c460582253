package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/state"
)

// without decodes a body and drops members of meta that differ between two
// addresses of the same resource.
func without(t *testing.T, r *response, names ...string) map[string]any {
	t.Helper()
	wantStatus(t, r, http.StatusOK)
	v := r.json(t)
	for _, name := range names {
		delete(v["meta"].(map[string]any), name)
	}
	return v
}

// The page's addresses answer as those for keys do.
func TestAccountAnswersAsTheInterface(t *testing.T) {
	f := serveDemo(t)
	_, secret := f.created(state.NewKey{Tier: state.Standard, PerMonth: 100})
	session := withCookie(f.signIn(secret))
	query := "/shrinkflation?from=2026-01-01&confidence=low&limit=7"
	page, api := f.get("/account"+query, "", session), f.get("/api/v1"+query, secret)
	if diff := cmp.Diff(without(t, api, "endpoint"), without(t, page, "endpoint")); diff != "" {
		t.Errorf("shrinkflation: -key +session:\n%s", diff)
	}
	if n := len(page.json(t)["events"].([]any)); n != 7 {
		t.Errorf("%d events; the test needs 7", n)
	}
	wantRefusal(t, f.get("/account/shrinkflation?confidence=hihg", "", session), http.StatusBadRequest, "invalid_parameter")
	wantRefusal(t, f.get("/account/shrinkflation?city=Toronto", "", session), http.StatusBadRequest, "invalid_parameter")
	wantRefusal(t, f.get("/account/usage?month=2026-10", "", session), http.StatusBadRequest, "invalid_parameter")

	page = f.get("/account/usage", "", session)
	got := without(t, page, "endpoint")
	want := without(t, f.get("/api/v1/usage", secret), "endpoint")
	delete(got, "endpoints")
	delete(want, "endpoints") // the first request stands in the second's
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("usage: -key +session:\n%s", diff)
	}
	if used := got["month"].(map[string]any)["used"]; used != json.Number("2") {
		t.Errorf("used %v, want 2", used)
	}
	head := f.do(http.MethodHead, "/account/shrinkflation", "", "", session)
	if head.StatusCode != http.StatusOK || len(head.body) > 0 || head.Header.Get("ETag") == "" {
		t.Errorf("HEAD: %d %v", head.StatusCode, head.Header)
	}
}

func TestSessionWhereKeysAreTaken(t *testing.T) {
	f := serveDemo(t)
	standard, research := f.key(state.Standard), f.key(state.Research)
	session := withCookie(f.signIn(standard))
	low := withCookie(f.signIn(research))
	bearer := header("Authorization", "Bearer "+standard)
	for _, c := range []struct {
		name, path string
		change     []func(*http.Request)
		status     int
		code       string
	}{
		{"session", "/account/usage", []func(*http.Request){session}, 200, ""},
		{"session", "/account/shrinkflation", []func(*http.Request){session}, 200, ""},
		{"session", "/api/public/index", []func(*http.Request){session}, 200, ""},
		{"session of a lower tier", "/account/usage", []func(*http.Request){low}, 200, ""},
		{"session of a lower tier", "/account/shrinkflation", []func(*http.Request){low}, 402, "tier_required"},
		{"session of a lower tier", "/api/public/index", []func(*http.Request){low}, 200, ""},
		{"nobody", "/account/usage", nil, 401, "unauthorized"},
		{"nobody", "/account/shrinkflation", nil, 401, "unauthorized"},
		{"nobody", "/api/public/index", nil, 401, "unauthorized"},
		{"key", "/account/usage", []func(*http.Request){bearer}, 401, "unauthorized"},
		{"key", "/account/shrinkflation", []func(*http.Request){bearer}, 401, "unauthorized"},
		{"key and session", "/account/usage", []func(*http.Request){bearer, session}, 401, "unauthorized"},
		{"session", "/api/v1/index", []func(*http.Request){session}, 401, "unauthorized"},
		{"session", "/api/v1/prices", []func(*http.Request){session}, 401, "unauthorized"},
		{"session", "/api/v1/products", []func(*http.Request){session}, 401, "unauthorized"},
		{"session", "/api/v1/shrinkflation", []func(*http.Request){session}, 401, "unauthorized"},
		{"session", "/api/v1/usage", []func(*http.Request){session}, 401, "unauthorized"},
		{"unknown key and session", "/api/public/index", []func(*http.Request){session, header("Authorization", "Bearer "+unknownKey)}, 401, "unauthorized"},
		{"other scheme and session", "/api/public/index", []func(*http.Request){session, header("Authorization", "Basic eDp5")}, 401, "unauthorized"},
	} {
		t.Run(c.name+" at "+c.path, func(t *testing.T) {
			r := f.get(c.path, "", c.change...)
			if c.code == "" {
				wantStatus(t, r, c.status)
				return
			}
			wantRefusal(t, r, c.status, c.code)
		})
	}
}

// lines returns what the state's log has of a key: endpoint, class, requests,
// counted.
func (f *fixture) lines(key int64) string {
	f.t.Helper()
	months, err := f.state.Usage(f.t.Context(), state.MonthOf(f.clock.Now()), key)
	if err != nil {
		f.t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range months {
		for _, l := range m.Lines {
			fmt.Fprintf(&b, "%s %dxx %d %d\n", l.Endpoint, l.StatusClass, l.Requests, l.Counted)
		}
	}
	return b.String()
}

func TestSessionCallsAreCountedAndLogged(t *testing.T) {
	f := serveDemo(t)
	k, secret := f.created(state.NewKey{Tier: state.Standard, PerMonth: 4})
	payer, other := f.created(state.NewKey{Tier: state.Standard})
	session := withCookie(f.signIn(secret))

	r := f.get("/api/public/index?limit=1", "", session)
	wantStatus(t, r, http.StatusOK)
	again := f.get("/api/public/index?limit=1", "", session, header("If-None-Match", r.Header.Get("ETag")))
	wantStatus(t, again, http.StatusNotModified)
	wantStatus(t, f.get("/api/public/index?limit=0", "", session), http.StatusBadRequest)
	wantStatus(t, f.get("/account/shrinkflation", "", session), http.StatusOK)
	wantStatus(t, f.get("/account/usage", "", session), http.StatusOK)
	// Both sent: the key pays.
	wantStatus(t, f.get("/api/public/index?limit=1", other, session), http.StatusOK)
	// The month ends for the session as for the key.
	wantStatus(t, f.get("/api/v1/products", secret), http.StatusOK)
	wantStatus(t, f.get("/api/public/index", "", session), http.StatusOK)
	wantRefusal(t, f.get("/api/public/index", "", session), http.StatusTooManyRequests, "quota_exceeded")
	wantRefusal(t, f.get("/account/shrinkflation", "", session), http.StatusTooManyRequests, "quota_exceeded")
	// What is not licensed is not in the log.
	wantStatus(t, f.get("/account/session", "", session), http.StatusOK)

	want := "/account/shrinkflation 2xx 1 1\n/account/shrinkflation 4xx 1 0\n/account/usage 2xx 1 0\n" +
		"/api/public/index 2xx 2 2\n/api/public/index 3xx 1 0\n/api/public/index 4xx 2 0\n/api/v1/products 2xx 1 1\n"
	if diff := cmp.Diff(want, f.lines(k.ID)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got, want := f.lines(payer.ID), "/api/public/index 2xx 1 1\n"; got != want {
		t.Errorf("the key that was sent along: %q, want %q", got, want)
	}
	auths := f.column("SELECT auth FROM requests WHERE endpoint LIKE '/account/%' OR endpoint = '/api/public/index' ORDER BY id")
	if got, want := strings.Join(auths, " "), strings.Repeat("session ", 5)+"key"+strings.Repeat(" session", 3); got != want {
		t.Errorf("authenticated by %s\nwant              %s", got, want)
	}
}

func TestSessionIsLimitedByTheMinute(t *testing.T) {
	f := serveDemo(t, behindProxy)
	_, secret := f.created(state.NewKey{Tier: state.Standard, PerMinute: 3})
	session := withCookie(f.signIn(secret))
	wantStatus(t, f.get("/api/v1/products", secret, asClient(1)), http.StatusOK)
	wantStatus(t, f.get("/api/public/index?limit=1", "", session, asClient(2)), http.StatusOK)
	wantStatus(t, f.get("/account/usage", "", session, asClient(3)), http.StatusOK)
	for _, path := range []string{"/api/public/index", "/account/usage", "/account/shrinkflation"} {
		r := f.get(path, "", session, asClient(4))
		wantRefusal(t, r, http.StatusTooManyRequests, "rate_limited")
		if r.Header.Get("Retry-After") != "20" {
			t.Errorf("Retry-After %q, want 20", r.Header.Get("Retry-After"))
		}
	}
}

func TestSessionOfARefusedKey(t *testing.T) {
	f := serveDemo(t)
	off, offSecret := f.created(state.NewKey{Tier: state.Standard})
	end, endSecret := f.created(state.NewKey{Tier: state.Standard, Expires: testNow.Add(time.Hour)})
	disabled, expired := withCookie(f.signIn(offSecret)), withCookie(f.signIn(endSecret))
	if _, err := f.state.DisableKey(t.Context(), off.ID); err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(time.Hour)
	for _, path := range []string{"/api/public/index", "/account/usage", "/account/shrinkflation"} {
		wantRefusal(t, f.get(path, "", disabled), http.StatusUnauthorized, "unauthorized")
		wantRefusal(t, f.get(path, "", expired), http.StatusForbidden, "key_expired")
	}
	if got, want := f.lines(end.ID), "/account/shrinkflation 4xx 1 0\n/account/usage 4xx 1 0\n/api/public/index 4xx 1 0\n"; got != want {
		t.Errorf("log of the expired key:\n%swant:\n%s", got, want)
	}
	if got := f.lines(off.ID); got != "" {
		t.Errorf("log of the disabled key, whose session is gone: %s", got)
	}
}
