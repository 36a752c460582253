package httpapi

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A client that is slow is let go of: without an answer or with 400 while its
// headers are incomplete, since there is no request yet, as net/http has it; with
// 408 where a body is due.
func TestSlow(t *testing.T) {
	l := serveLive(t, serveDemo(t), quick)
	for _, c := range []struct {
		name, raw string
		status    int // 0: closed without an answer
		code      string
	}{
		{"nothing at all", "", 0, ""},
		{"a method", "GET", 400, "malformed_request"},
		{"half the headers", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ", 0, ""},
		{"half a body", "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"key\":", 408, "request_timeout"},
		{"half a chunk", "POST /account/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n{\"key\":", 408, "request_timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			leavesNothing(t, func() {
				got := l.send(t, c.raw)
				if c.status == 0 {
					if len(got) > 0 {
						t.Errorf("%q", got)
					}
					return
				}
				wantError(t, c.name, answers(t, got, http.MethodPost)[0], c.status, c.code)
			})
		})
	}
}

// The body of a GET is nobody's business: the answer does not wait for it.
func TestSlowBodyOfGet(t *testing.T) {
	slow := quick
	slow.Read = time.Hour
	l := serveLive(t, serveDemo(t), slow)
	leavesNothing(t, func() {
		c := l.dial(t)
		defer c.Close()
		if _, err := io.WriteString(c, "GET /api/v1/index HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		got, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.StatusCode != 401 || !got.Close {
			t.Errorf("%d %v", got.StatusCode, got.Header)
		}
	})
}

// Clients that go away in the midst of a response leave nothing behind.
func TestClientGoesAway(t *testing.T) {
	l := serveLive(t, serveDemo(t), quick)
	key := l.key(4)
	leavesNothing(t, func() {
		for range 20 {
			c := l.dial(t)
			if _, err := io.WriteString(c, "GET /api/v1/index HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+key+"\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(c, make([]byte, 10)); err != nil {
				t.Fatal(err)
			}
			c.Close()
		}
	})
	if strings.Contains(l.log.String(), "panic") {
		t.Error(l.log.String())
	}
}
