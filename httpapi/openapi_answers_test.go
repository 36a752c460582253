package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestOpenAPIAnswers gets every documented answer of every licensed address, except
// faults of the server, with keys of every tier. The recorder checks each answer.
func TestOpenAPIAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check(errors.Join(os.Mkdir(dir+"/r1", 0o700), os.WriteFile(dir+"/r1/leaf", []byte("leaf"), 0o600)))
	f, bare := apitest.ServeReleased(t, apitest.Ample, func(c *httpapi.Config) { c.Publish = dir }), apitest.Serve(t, apitest.Ample)
	standard := f.Key(state.Standard)
	disabled := f.Key(state.Standard)
	f.Disable(disabled)
	for path, item := range apitest.OpenAPI().Paths.Map() {
		if item.Get == nil || item.Get.Responses.Value("429") == nil || strings.HasPrefix(path, "/api/shopper/") {
			continue
		}
		responses := item.Get.Responses.Map()
		t.Run(path, func(t *testing.T) {
			f := f.For(t)
			path = strings.NewReplacer("{id}", "r1", "{path}", "r1/leaf").Replace(path)
			figure, none := strings.HasPrefix(path, "/figure.") || strings.HasPrefix(path, "/why."), "?to=2026-01-01"
			if strings.HasPrefix(path, "/why.") {
				none = "?week=2026-07-19" // the first one
			}
			if figure { // one that needs a key
				path += "?s=toronto.overall"
			} else if item.Get.Parameters.GetByInAndName("query", "limit") != nil {
				path += "?limit=2"
			}
			with := func(query string) string {
				if strings.Contains(path, "?") {
					query = strings.Replace(query, "?", "&", 1)
				}
				return path + query
			}
			// as makes the request with a key: in a session where it must be.
			as := func(secret, query string, change ...apitest.Change) *apitest.Response {
				if strings.HasPrefix(path, "/account/") {
					change, secret = append(change, apitest.WithCookie(f.SignIn(secret))), ""
				}
				return f.Get(with(query), secret, change...)
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
			switch key := bare.Key(state.Standard); {
			case responses["404"] == nil:
			case figure:
				expect(bare.For(t).Get(with(none), key), http.StatusNotFound)
			case strings.HasPrefix(path, "/account/"):
				expect(bare.For(t).Get(path, "", apitest.WithCookie(bare.SignIn(key))), http.StatusNotFound)
			default:
				expect(bare.For(t).Get(path, key), http.StatusNotFound)
			}
			expect(f.Get(path, ""), http.StatusUnauthorized)
			expect(f.Get(path, apitest.UnknownKey), http.StatusUnauthorized)
			for _, tier := range state.Tiers() {
				r := as(f.Key(tier), "")
				if tier != state.Research || responses["402"] == nil {
					expect(r, http.StatusOK)
					continue
				}
				expect(r, http.StatusPaymentRequired)
				if v := r.JSON(t); fmt.Sprint(v["code"], v["current_tier"], v["required_tier"], v["upgrade_url"]) != fmt.Sprint("tier_required", "research", "standard", "https://larder.example/account") {
					t.Errorf("%s", r.Content)
				}
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

// ended asks in a session whose key has expired since.
func ended(t *testing.T, path string) *apitest.Response {
	g := apitest.Serve(t)
	cookie := apitest.WithCookie(g.SignIn(g.Key(state.Standard, func(n *state.NewKey) { n.Expires = apitest.Now.Add(1) })))
	g.Clock.Advance(2)
	return g.Get(path, "", cookie)
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
