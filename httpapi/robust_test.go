package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// TestRaw sends requests that are late, not quite HTTP, or never whole. Each gets a refusal, after
// which the connection is closed.
func TestRaw(t *testing.T) {
	const (
		get    = "GET /api/v1/index HTTP/1.1\r\nHost: x\r\n"
		signIn = "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
		list   = "POST /api/shopper/compare HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	)
	l := serveLive(t, apitest.Serve(t, apitest.Ample), quick)
	for _, c := range []struct {
		name, raw string
		status    int
		code      string
	}{
		{"both lengths, which may end elsewhere for a proxy", signIn + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "invalid_body"},
		{"two authorizations", get + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n", 401, "unauthorized"},
		{"binary query", "GET /api/v1/index?\xff\xfe=\x80 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 401, "unauthorized"},
		{"body of a GET that is not all there", get + "Content-Length: 1000\r\n\r\n{", 401, "unauthorized"},
		{"garbage for chunks", get + "Transfer-Encoding: chunked\r\n\r\nnonsense\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 401, "unauthorized"},
		{"method in small letters", "get /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 405, "method_not_allowed"},
		{"a backslash for a slash", "GET \\api\\v1\\index HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""},
		{"a backslash in the method", "G\\T / HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""},
		{"no host", "GET / HTTP/1.1\r\n\r\n", 400, ""},
		{"another version", "GET / HTTP/3.7\r\nHost: x\r\n\r\n", 505, ""},
		{"another coding", get + "Transfer-Encoding: odd\r\n\r\n", 501, ""},
		{"a head of 30,000 bytes", get + "X: " + strings.Repeat("x", 30_000) + "\r\n\r\n", 431, ""},
		{"half a body", signIn + "Content-Length: 100\r\n\r\n{\"key\":", 408, "request_timeout"},
		{"nothing of a body", list + "Content-Length: 100\r\n\r\n", 408, "request_timeout"},
		{"a gigabyte announced, if it may be sent", list + "Expect: 100-continue\r\nContent-Length: 1073741824\r\n\r\n", 413, "body_too_large"},
		{"8193 bytes of a chunk without an end", list + "Transfer-Encoding: chunked\r\n\r\n4000\r\n" + strings.Repeat("x", 8193), 413, "body_too_large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := answers(t, l.send(t, c.raw), "GET")[0]
			if c.code == "" { // net/http refuses by itself
				apitest.WantStatus(t, got, c.status)
				return
			}
			apitest.WantError(t, c.name, got, c.status, c.code)
		})
	}
}

// TestEveryRouteAndMethod asks every route with every method: it takes its own and
// refuses every other one. The recorder checks Allow.
func TestEveryRouteAndMethod(t *testing.T) {
	t.Parallel()
	f := apitest.ServeReleased(t) // with a log every route has an answer
	for _, x := range f.API.Routes() {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
			got := f.Do(method, x.Path, "", "")
			what := method + " " + x.Path
			switch takes := slices.Contains(x.Methods, method); {
			case !takes && method == "HEAD":
				apitest.WantStatus(t, got, http.StatusMethodNotAllowed)
			case !takes:
				apitest.WantError(t, what, got, http.StatusMethodNotAllowed, "method_not_allowed")
				if allow := got.Header.Get("Allow"); allow != strings.Join(x.Methods, ", ") {
					t.Errorf("%s: Allow %q", what, allow)
				}
			case x.Under && got.StatusCode == http.StatusNotFound:
			case got.StatusCode == 404 || got.StatusCode == 405 || got.StatusCode >= 500:
				t.Errorf("%s: %d %s", what, got.StatusCode, got.Content)
			}
		}
	}
}

// TestOddPaths asks for addresses near those of routes.
func TestOddPaths(t *testing.T) {
	l := serveLive(t, apitest.Serve(t), quick)
	for _, target := range []string{
		"//", "//api/v1/index", "/api//v1/index", "/api/v1/index/", "/api/v1/index//", "/api/v1/", "/api", "/API/v1/index", "/api/v1/Index",
		"/./api/v1/index", "/api/v1/../v1/index", "/api/v1/%2e%2e/v1/index", "/api/%2e/v1/index", "/api/v1/index%00", "/%00", "/api/v1/index%20",
		"/api/v1%2findex", "/api/v1%2Findex", "/api%2fv1%2findex", "/%2fapi/v1/index", "/docs%2fapi", "/api/shopper%2fcatalog",
		"/api/v1/index;a=b", "/api/v1/index%3Flimit=1", "/api/v1/index%0d%0aX-Evil:1", "/api/v1/\xff", "/api/v1/%ff", `/api/v1\index`,
		"/" + strings.Repeat("a", 12<<10), "/" + strings.Repeat("%2e%2e/", 1500), strings.Repeat("/", 12<<10), "http://larder.example", "http://larder.example/nosuch", "*",
	} {
		raw := "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
		got := answers(t, l.send(t, raw), "GET")[0]
		what := target
		if len(what) > 40 {
			what = what[:40]
		}
		apitest.WantError(t, what, got, http.StatusNotFound, "not_found")
		if got.Header.Get("X-Evil") != "" {
			t.Errorf("%s: a header was slipped in", what)
		}
	}
}
