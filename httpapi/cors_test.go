package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

// TestCORS asks every address as a page of another site does. Such a page may read
// comparisons, the catalog, documents, figures that need no key, and refusals of the comparison, all of
// which are the same for everyone, and nothing else.
func TestCORS(t *testing.T) {
	t.Parallel()
	f := apitest.Serve(t, apitest.Ample)
	key := f.Key(state.Standard)
	origin := apitest.Header("Origin", "https://elsewhere.example")
	open := map[string]string{
		"/api/shopper/compare": "GET, HEAD, POST, OPTIONS", "/api/shopper/catalog": "GET, HEAD, OPTIONS", "/api/shopper/nothing": "",
		"/figure.json": "", "/figure.csv": "", "/figure.txt": "", "/figure.svg": "", "/figure.png": "",
		"/openapi.json": "", "/llms.txt": "",
	}
	for path, want := range map[string]string{"/figure.json": "*", "/figure.json?to=x": "*", "/figure.json?s=toronto.dairy": ""} {
		if got := f.Get(path, key, origin).Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s: pages of %q may read it, want %q", path, got, want)
		}
	}
	paths := []string{"/api/shopper/nothing", "/api/shopper", "/api/shopperx/compare", "/shopper"}
	for path := range apitest.OpenAPI().Paths.Map() {
		paths = append(paths, path)
	}
	for _, path := range paths {
		methods, isOpen := open[path]
		for _, method := range []string{"GET", "HEAD", "POST", "DELETE", "OPTIONS"} {
			r := f.Do(method, path, key, "", origin, apitest.Header("Access-Control-Request-Method", "POST"))
			h := r.Header
			if !isOpen {
				if names := openHeaders(h); len(names) > 0 {
					t.Errorf("%s %s: %v", method, path, names)
				}
				continue
			}
			document := !strings.HasPrefix(path, "/api/shopper/")
			if document && method != "GET" && method != "HEAD" {
				continue // 405
			}
			if h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s %s: %v", method, path, h)
			}
			for _, want := range []string{"Retry-After", "RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
				if exposed := h.Get("Access-Control-Expose-Headers"); !document && !strings.Contains(", "+exposed+",", ", "+want+",") {
					t.Errorf("%s %s: %s is not exposed: %q", method, path, want, exposed)
				}
			}
			if method == "OPTIONS" && methods != "" && (r.StatusCode != http.StatusNoContent || h.Get("Access-Control-Allow-Methods") != methods ||
				h.Get("Allow") != methods || h.Get("Access-Control-Allow-Headers") != "Content-Type, If-None-Match") {
				t.Errorf("OPTIONS %s: %d %v", path, r.StatusCode, h)
			}
		}
	}
}
