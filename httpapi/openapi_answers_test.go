package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestOpenAPIAnswers gets, from every licensed address, every answer that is
// documented of it but for faults. The recorder holds each against the document.
func TestOpenAPIAnswers(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	research, standard := f.Key(state.Research), f.Key(state.Standard)
	disabled := f.Key(state.Standard)
	f.Disable(disabled)
	for path, operations := range apitest.OpenAPI().Paths() {
		responses, _ := apitest.OpenAPI().At(operations, "get", "responses").(map[string]any)
		if responses["429"] == nil || strings.HasPrefix(path, "/api/shopper/") {
			continue
		}
		t.Run(path, func(t *testing.T) {
			f := f.For(t)
			// as makes the request with a key: in a session where it must be.
			as := func(secret, query string, change ...apitest.Change) *apitest.Response {
				if strings.HasPrefix(path, "/account/") {
					change, secret = append(change, apitest.WithCookie(f.SignIn(secret))), ""
				}
				return f.Get(path+query, secret, change...)
			}
			expect := func(r *apitest.Response, status int) {
				t.Helper()
				if r.StatusCode != status {
					t.Errorf("%s: %d %.300s; want %d", r.Request.URL, r.StatusCode, r.Content, status)
				}
			}
			r := as(standard, "")
			expect(r, http.StatusOK)
			if responses["304"] != nil {
				expect(as(standard, "", apitest.Header("If-None-Match", r.Header.Get("ETag"))), http.StatusNotModified)
			}
			expect(as(standard, "?nonesuch=1"), http.StatusBadRequest)
			expect(f.Get(path, ""), http.StatusUnauthorized)
			if responses["402"] != nil {
				expect(as(research, ""), http.StatusPaymentRequired)
			}
			if strings.HasPrefix(path, "/account/") {
				expect(ended(t, path), http.StatusForbidden)
			} else {
				expect(as(disabled, ""), http.StatusForbidden)
			}
			once := f.Key(state.Standard, func(n *state.NewKey) { n.PerMinute = 1 })
			expect(as(once, ""), http.StatusOK)
			expect(as(once, ""), http.StatusTooManyRequests)
			expect(f.Do(http.MethodHead, path, "", ""), http.StatusUnauthorized)
			expect(f.Do(http.MethodPut, path, standard, "{}"), http.StatusMethodNotAllowed)
		})
	}
}

// ended asks in a session whose key has expired in its course.
func ended(t *testing.T, path string) *apitest.Response {
	g := apitest.Serve(t)
	cookie := apitest.WithCookie(g.SignIn(g.Key(state.Standard, func(n *state.NewKey) { n.Expires = apitest.Now.Add(1) })))
	g.Clock.Advance(2)
	return g.Get(path, "", cookie)
}

// TestOpenAPIAccountQueries gets the refusals of queries where secrets are sent.
func TestOpenAPIAccountQueries(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		if r := f.Do(method, "/account/session?key=x", "", ""); r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d %s", method, r.StatusCode, r.Content)
		}
	}
}

// An answer that can't be logged after it was made and packed leaves nothing of
// itself in the refusal.
func TestUnloggedAnswer(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t)
	key := f.Key(state.Standard)
	f.API.BeforeIndex(func() { f.State.Close() })
	r := f.Get("/api/v1/index", key, apitest.Header("Accept-Encoding", "gzip"))
	apitest.WantError(t, "unlogged", r, http.StatusInternalServerError, "internal_error")
	if r.Header.Get("Content-Encoding") != "" {
		t.Errorf("%v", r.Header)
	}
}
