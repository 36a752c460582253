package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// headerBytes is how long a request's headers may be.
const headerBytes = 16 << 10

// TestMalformed sends requests that are not quite HTTP. Each gets JSON with an id, or the
// status of net/http if that refuses it. Then the connection is closed.
func TestMalformed(t *testing.T) {
	const get = "GET /api/v1/index HTTP/1.1\r\nHost: x\r\n"
	l := serveLive(t, apitest.Serve(t), quick)
	type want struct {
		status int
		code   string
	}
	bad, unauthorized := want{400, ""}, want{401, "unauthorized"}
	for _, c := range []struct {
		name, raw string
		want
	}{
		{"no HTTP at all", "hello\r\n\r\n", bad},
		{"HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", want{404, "not_found"}},
		{"expectation", get + "Expect: the-unexpected\r\n\r\n", want{417, ""}},
		{"oversized header", get + "X: " + strings.Repeat("a", 2*headerBytes) + "\r\n\r\n", want{431, ""}},
		{"oversized target", "GET /" + strings.Repeat("a", 2*headerBytes) + " HTTP/1.1\r\nHost: x\r\n\r\n", want{431, ""}},
		{"oversized and never ending", "GET /" + strings.Repeat("a", 200<<10), want{431, ""}},

		{"both lengths, which may end elsewhere for a proxy", "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"2\r\n{}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", bad},
		{"two authorizations", get + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n", unauthorized},
		{"binary authorization", get + "Authorization: Bearer \xff\xfe\r\nConnection: close\r\n\r\n", unauthorized},
		{"binary query", "GET /api/v1/index?\xff\xfe=\x80 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", unauthorized},
		{"HTTP/1.0", "GET /api/v1/index HTTP/1.0\r\n\r\n", unauthorized},
		{"body of a GET that is not all there", get + "Content-Length: 1000\r\n\r\n{", unauthorized},
		{"garbage for chunks", get + "Transfer-Encoding: chunked\r\n\r\nnonsense\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", unauthorized},
		{"method in small letters", "get /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", want{405, "method_not_allowed"}},
		{"CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\nConnection: close\r\n\r\n", want{404, "not_found"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := answers(t, l.send(t, c.raw), "GET")[0]
			if c.code == "" { // net/http refused it
				if got.StatusCode != c.status || !got.Close {
					t.Errorf("%d %v, want %d", got.StatusCode, got.Header, c.status)
				}
				return
			}
			apitest.WantError(t, c.name, got, c.status, c.code)
			if got.Header.Get("Cache-Control") != "no-store" || !got.Close {
				t.Errorf("%v", got.Header)
			}
		})
	}
	if n := strings.Count(l.Log.String(), "panic"); n > 0 {
		t.Errorf("%d panics were logged", n)
	}
}

// TestSlow sends requests that are late or never whole. While headers are incomplete the
// server closes the connection, at most with 400 of net/http. A late body is 408, and one
// that is announced as too long is refused before it comes.
func TestSlow(t *testing.T) {
	l := serveLive(t, apitest.Serve(t, apitest.Ample), quick)
	signIn := "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	list := strings.Replace(signIn, "/account/session", "/api/shopper/compare", 1)
	for _, c := range []struct {
		name, raw string
		status    int // 0: closed without an answer
		code      string
	}{
		{"nothing at all", "", 0, ""},
		{"a method", "GET", 400, ""},
		{"half the headers", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ", 0, ""},
		{"half a body", signIn + "Content-Length: 100\r\n\r\n{\"key\":", 408, "request_timeout"},
		{"half a chunk", list + "Transfer-Encoding: chunked\r\n\r\n64\r\n{\"city\":", 408, "request_timeout"},
		{"nothing of a body", list + "Content-Length: 100\r\n\r\n", 408, "request_timeout"},
		{"8193 bytes announced", list + "Content-Length: 8193\r\n\r\n{", 413, "body_too_large"},
		{"a gigabyte announced, if it may be sent", list + "Expect: 100-continue\r\nContent-Length: 1073741824\r\n\r\n", 413, "body_too_large"},
		{"8193 bytes of a chunk without an end", list + "Transfer-Encoding: chunked\r\n\r\n4000\r\n" + strings.Repeat("x", 8193), 413, "body_too_large"},
		{"no chunks", list + "Transfer-Encoding: chunked\r\n\r\nnonsense\r\n", 400, "invalid_json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := l.send(t, c.raw)
			if c.status == 0 {
				if len(got) > 0 {
					t.Errorf("%q", got)
				}
				return
			}
			answer := answers(t, got, http.MethodPost)[0]
			if c.code == "" && answer.StatusCode == c.status {
				return // of net/http
			}
			apitest.WantError(t, c.name, answer, c.status, c.code)
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
