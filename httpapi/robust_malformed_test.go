package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Whatever is sent, the answer is JSON with an id, also where net/http refuses
// it before there is a request; then the connection is closed, and nothing of it
// is left.
func TestMalformed(t *testing.T) {
	const get = "GET /api/v1/index HTTP/1.1\r\nHost: x\r\n"
	l := serveLive(t, serveDemo(t), quick)
	type want struct {
		status int
		code   string
	}
	bad, unauthorized := want{400, "malformed_request"}, want{401, "unauthorized"}
	for _, c := range []struct {
		name, raw string
		want
	}{
		{"no HTTP at all", "hello\r\n\r\n", bad},
		{"no HTTP at all, and much of it", "hello\r\n\r\n" + strings.Repeat("x", 200<<10), bad},
		{"TLS to a port without", "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03\r\n\r\n", bad},
		{"HTTP/0.9", "GET /api/v1/index\r\n\r\n", bad},
		{"no such version", "GET / HTTP/1.7x\r\nHost: x\r\n\r\n", bad},
		{"HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", want{404, "not_found"}},
		{"HTTP/3", "GET / HTTP/3.0\r\nHost: x\r\n\r\n", want{505, "unsupported_version"}},
		{"no method", " / HTTP/1.1\r\nHost: x\r\n\r\n", bad},
		{"method with a control character", "G\x01T / HTTP/1.1\r\nHost: x\r\n\r\n", bad},
		{"no host", "GET /api/v1/index HTTP/1.1\r\n\r\n", bad},
		{"two hosts", get + "Host: y\r\n\r\n", bad},
		{"host with a slash", "GET / HTTP/1.1\r\nHost: x/y\r\n\r\n", bad},
		{"path with a bad escape", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", bad},
		{"path with a control character", "GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n", bad},
		{"query with a NUL", "GET /api/v1/index?a=\x00 HTTP/1.1\r\nHost: x\r\n\r\n", bad},
		{"no slash", "GET api/v1/index HTTP/1.1\r\nHost: x\r\n\r\n", bad},
		{"header without a colon", get + "Nonsense\r\n\r\n", bad},
		{"header with a space in its name", get + "X Y: z\r\n\r\n", bad},
		{"header with a space before the colon", get + "X : z\r\n\r\n", bad},
		{"header without a name", get + ": z\r\n\r\n", bad},
		{"header with a NUL", get + "X: a\x00b\r\n\r\n", bad},
		{"first header folded", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", bad},
		{"length that is no number", get + "Content-Length: ten\r\n\r\n", bad},
		{"negative length", get + "Content-Length: -1\r\n\r\n", bad},
		{"two lengths", get + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", bad},
		{"encoding that is not there", get + "Transfer-Encoding: gzip\r\n\r\n", want{501, "unsupported_transfer_encoding"}},
		{"two encodings", get + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n", want{501, "unsupported_transfer_encoding"}},
		{"expectation", get + "Expect: the-unexpected\r\n\r\n", want{417, "unsupported_expectation"}},
		{"expectation, HTTP/1.0", "GET / HTTP/1.0\r\nExpect: the-unexpected\r\n\r\n", want{417, "unsupported_expectation"}},
		{"oversized header", get + "X: " + strings.Repeat("a", 2*maxHeaderBytes) + "\r\n\r\n", want{431, "headers_too_large"}},
		{"many headers", get + strings.Repeat("X: y\r\n", maxHeaderBytes) + "\r\n", want{431, "headers_too_large"}},
		{"oversized target", "GET /" + strings.Repeat("a", 2*maxHeaderBytes) + " HTTP/1.1\r\nHost: x\r\n\r\n", want{431, "headers_too_large"}},
		{"oversized and never ending", "GET /" + strings.Repeat("a", 200<<10), want{431, "headers_too_large"}},

		{"two authorizations", get + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n", unauthorized},
		{"binary authorization", get + "Authorization: Bearer \xff\xfe\r\nConnection: close\r\n\r\n", unauthorized},
		{"huge authorization", get + "Authorization: Bearer " + strings.Repeat("a", 12<<10) + "\r\nConnection: close\r\n\r\n", unauthorized},
		{"binary query", "GET /api/v1/index?\xff\xfe=\x80 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", unauthorized},
		{"absolute form", "GET http://evil.example/api/v1/index HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", unauthorized},
		{"HTTP/1.0", "GET /api/v1/index HTTP/1.0\r\n\r\n", unauthorized},
		{"body of a GET that is not all there", get + "Content-Length: 1000\r\n\r\n{", unauthorized},
		{"body of a GET announced only", get + "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n", unauthorized},
		{"garbage for chunks", get + "Transfer-Encoding: chunked\r\n\r\nnonsense\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", unauthorized},
		{"a chunk of impossible size", get + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", unauthorized},
		{"method in small letters", "get /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", want{405, "method_not_allowed"}},
		{"CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\nConnection: close\r\n\r\n", want{404, "not_found"}},
		{"asking the server itself", "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", want{404, "not_found"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			leavesNothing(t, func() {
				got := answers(t, l.send(t, c.raw), "GET")[0]
				wantError(t, c.name, got, c.status, c.code)
				if got.Header.Get("Cache-Control") != "no-store" || !got.Close {
					t.Errorf("%v", got.Header)
				}
			})
		})
	}
	if n := strings.Count(l.log.String(), "panic"); n > 0 {
		t.Errorf("%d panics were logged", n)
	}
}

// Requests sent at once are answered one after the other, each with its id.
func TestPipelined(t *testing.T) {
	l := serveLive(t, serveDemo(t), quick)
	leavesNothing(t, func() {
		raw := l.send(t, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nHEAD /api/v1/index HTTP/1.1\r\nHost: x\r\n\r\nGET /nosuch HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n")
		all := answers(t, raw, "GET", "HEAD", "GET", "GET")
		ids := map[string]bool{}
		for i, status := range []int{200, 401, 404, 400} {
			if all[i].StatusCode != status {
				t.Errorf("answer %d: %d, want %d", i, all[i].StatusCode, status)
			}
			ids[all[i].Header.Get("X-Request-Id")] = true
		}
		if len(ids) != 4 {
			t.Errorf("%d ids", len(ids))
		}
	})
}

// Only what net/http wrote as a refusal is rewritten, whatever bodies hold.
func TestRawRefusal(t *testing.T) {
	const raw = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request"
	for _, c := range []struct {
		name, piece string
		status      int
	}{
		{"a refusal", raw, 400},
		{"with a reason", strings.ReplaceAll(raw, "400 Bad Request", "505 HTTP Version Not Supported: unsupported protocol version"), 505},
		{"417", "HTTP/1.1 417 Expectation Failed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", 417},
		{"417 of a handler", "HTTP/1.1 417 Expectation Failed\r\nX-Request-Id: 1\r\n\r\n", 0},
		{"a handler's response", "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nX-Request-Id: 1\r\n\r\n{}", 0},
		{"a response that quotes one", "HTTP/1.1 200 OK\r\nX-Request-Id: 1\r\n\r\n" + raw, 0},
		{"a body that quotes one", "see: " + raw, 0},
		{"a long body that begins like one", raw + strings.Repeat("x", 2000), 0},
		{"100", "HTTP/1.1 100 Continue\r\n\r\n", 0},
		{"nothing", "", 0},
	} {
		if status, ok := rawRefusal([]byte(c.piece)); status*btoi(ok) != c.status {
			t.Errorf("%s: %d %v, want %d", c.name, status, ok, c.status)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A binary query with a key is the reader's mistake, and shown safely.
func TestBinaryQuery(t *testing.T) {
	l := serveLive(t, serveDemo(t), quick)
	key := l.key(4)
	for _, query := range []string{"\xff\xfe=\x80", "limit=\xff", "city=%00%ff", "limit=1;offset=2", "%", "city=" + strings.Repeat("%f0%9f", 500), "&&&=&", strings.Repeat("limit=1&", 1000)} {
		raw := fmt.Sprintf("GET /api/v1/index?%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", query, key)
		wantError(t, fmt.Sprintf("%.40q", query), answers(t, l.send(t, raw), http.MethodGet)[0], 400, "invalid_parameter")
	}
}
