package httpapi

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// TestOpenAPIAnswers gets, from every licensed address, every answer that is
// documented of it but for faults. The recorder holds each against the document.
func TestOpenAPIAnswers(t *testing.T) {
	f := serveDemo(t)
	research, standard := f.key(state.Research), f.key(state.Standard)
	disabled := f.key(state.Standard)
	key, err := f.state.Lookup(t.Context(), disabled)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.state.DisableKey(t.Context(), key.ID); err != nil {
		t.Fatal(err)
	}
	for path, operations := range theDocument().paths() {
		responses, _ := theDocument().at(operations, "get", "responses").(map[string]any)
		if responses["429"] == nil || strings.HasPrefix(path, shopperPrefix) {
			continue
		}
		t.Run(path, func(t *testing.T) {
			f := *f
			f.t = t
			// as makes the request with a key: in a session where it must be.
			as := func(secret, query string, change ...func(*http.Request)) *response {
				if strings.HasPrefix(path, "/account/") {
					change, secret = append(change, f.cookieOf(secret)), ""
				}
				return f.get(path+query, secret, change...)
			}
			expect := func(r *response, status int) {
				t.Helper()
				if r.StatusCode != status {
					t.Errorf("%s: %d %.300s; want %d", r.Request.URL, r.StatusCode, r.body, status)
				}
			}
			r := as(standard, "")
			expect(r, http.StatusOK)
			if responses["304"] != nil {
				expect(as(standard, "", header("If-None-Match", r.Header.Get("ETag"))), http.StatusNotModified)
			}
			expect(as(standard, "?nonesuch=1"), http.StatusBadRequest)
			expect(f.get(path, ""), http.StatusUnauthorized)
			if responses["402"] != nil {
				expect(as(research, ""), http.StatusPaymentRequired)
			}
			if strings.HasPrefix(path, "/account/") {
				expect(f.ended(path), http.StatusForbidden)
			} else {
				expect(as(disabled, ""), http.StatusForbidden)
			}
			once := f.key(state.Standard, func(n *state.NewKey) { n.PerMinute = 1 })
			expect(as(once, ""), http.StatusOK)
			expect(as(once, ""), http.StatusTooManyRequests)
			expect(f.do(http.MethodHead, path, "", ""), http.StatusUnauthorized)
			expect(f.do(http.MethodPut, path, standard, "{}"), http.StatusMethodNotAllowed)
		})
	}
}

// cookieOf signs in with a key, once, and returns what makes a request with the
// session.
func (f *fixture) cookieOf(secret string) func(*http.Request) {
	f.t.Helper()
	r := f.do(http.MethodPost, "/account/session", "", `{"key":"`+secret+`"}`, header("Content-Type", "application/json"))
	cookie, _, _ := strings.Cut(r.Header.Get("Set-Cookie"), ";")
	if r.StatusCode != http.StatusOK || cookie == "" {
		f.t.Fatalf("signing in: %d %s", r.StatusCode, r.body)
	}
	return header("Cookie", cookie)
}

// ended asks in a session whose key has expired in its course.
func (f *fixture) ended(path string) *response {
	g := serveDemo(f.t)
	cookie := g.cookieOf(g.key(state.Standard, func(n *state.NewKey) { n.Expires = testNow.Add(1) }))
	g.clock.Advance(2)
	return g.get(path, "", cookie)
}

// TestOpenAPIAnswersWithoutSnapshot does so where there is nothing to serve.
func TestOpenAPIAnswersWithoutSnapshot(t *testing.T) {
	f := serveSnapshot(t, filepath.Join(t.TempDir(), "none.db"))
	key := f.key(state.Standard)
	for path, want := range map[string]int{
		"/api/public/index": 500, "/api/v1/index": 500, "/api/v1/prices": 500, "/api/v1/products": 500, "/api/v1/shrinkflation": 500,
		"/api/v1/usage": 200, "/healthz": 200, "/readyz": 503, "/openapi.json": 200,
	} {
		if r := f.get(path, key); r.StatusCode != want || want >= 500 && r.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %v %s; want %d", path, r.StatusCode, r.Header, r.body, want)
		}
	}
}

// TestOpenAPIAccountQueries gets the refusals of queries where secrets are sent.
func TestOpenAPIAccountQueries(t *testing.T) {
	f := serveDemo(t)
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		if r := f.do(method, "/account/session?key=x", "", ""); r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %s", method, r.StatusCode, r.body)
		}
	}
}

// TestOpenAPIUnloggedAnswer makes sure that an answer that can't be logged after
// it was made and packed leaves nothing of itself in the refusal.
func TestOpenAPIUnloggedAnswer(t *testing.T) {
	f := serveDemo(t)
	key := f.key(state.Standard)
	for _, x := range f.server.routes {
		if x.path == "/api/v1/index" {
			inner := x.answer
			x.answer = func(c *call, b []byte) ([]byte, error) {
				f.state.Close()
				return inner(c, b)
			}
		}
	}
	r := f.get("/api/v1/index", key, header("Accept-Encoding", "gzip"))
	if r.StatusCode != http.StatusInternalServerError || r.Header.Get("Content-Encoding") != "" || r.json(t)["code"] != "internal_error" {
		t.Errorf("%d %v %.300s", r.StatusCode, r.Header, r.body)
	}
}
