package httpapi

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// listener makes connections on which even what net/http refuses before there
// is a request, such as a header without a colon, is answered in JSON.
type listener struct {
	net.Listener
	s *Server
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, s: l.s}, nil
}

// conn is such a connection. net/http has no hook for these answers, but writes
// each in one piece of a form that no response of a handler has: those bear
// X-Request-Id. TestMalformed holds this against the net/http in use.
type conn struct {
	net.Conn
	s       *Server
	refused atomic.Bool // with an answer from here
}

// Write sends what net/http writes, with its own refusals said in JSON.
func (c *conn) Write(b []byte) (int, error) {
	status, ok := rawRefusal(b)
	if !ok {
		return c.Conn.Write(b)
	}
	c.refused.Store(true)
	c.s.metrics.refusedMalformed(status)
	if _, err := c.Conn.Write(rewriteRefusal(status)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// The head of net/http's refusals after the status line, and the start of that
// of a 417, which it sends without a body.
const (
	rawHead        = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	expectationRow = " 417 Expectation Failed\r\n"
	longestRefusal = 1 << 10
)

// rawRefusal reports whether a piece is a refusal by net/http itself, and with
// which status.
func rawRefusal(b []byte) (status int, ok bool) {
	const version = len("HTTP/1.1")
	if len(b) > longestRefusal || !bytes.HasPrefix(b, []byte("HTTP/1.")) || len(b) < version+len(expectationRow) {
		return 0, false
	}
	line, body, raw := bytes.Cut(b, []byte(rawHead))
	expectation := bytes.HasPrefix(b[version:], []byte(expectationRow)) && !bytes.Contains(b, []byte("X-Request-Id: "))
	if !expectation && (!raw || bytes.IndexByte(line, '\n') >= 0 || bytes.IndexByte(body, '\n') >= 0) {
		return 0, false
	}
	status, err := strconv.Atoi(string(b[version+1 : version+4]))
	return status, err == nil && status >= http.StatusBadRequest
}

// rewriteRefusal is a whole response that refuses what was no request.
func rewriteRefusal(status int) []byte {
	refused := apiError{Status: status, Code: "malformed_request", Message: "this is no HTTP/1.1 request that can be read: check its request line and headers"}
	switch status {
	case http.StatusRequestHeaderFieldsTooLarge:
		refused.Code = "headers_too_large"
		refused.Message = fmt.Sprintf("the request line and headers are longer than %d bytes", maxHeaderBytes+4096)
	case http.StatusNotImplemented:
		refused.Code = "unsupported_transfer_encoding"
		refused.Message = "the only Transfer-Encoding understood is chunked"
	case http.StatusHTTPVersionNotSupported:
		refused.Code = "unsupported_version"
		refused.Message = "send the request as HTTP/1.1"
	case http.StatusExpectationFailed:
		refused.Code = "unsupported_expectation"
		refused.Message = "the only Expect understood is 100-continue"
	}
	id := newRequestID()
	body := refused.body(id)
	h := http.Header{}
	refused.setHeaders(h)
	h.Set("X-Request-Id", id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Connection", "close")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	var out strings.Builder
	fmt.Fprintf(&out, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	h.Write(&out) //nolint:errcheck // to memory
	out.WriteString("\r\n")
	out.Write(body)
	return []byte(out.String())
}

// newRequestID returns an id that no other response has.
func newRequestID() string {
	var raw [12]byte
	rand.Read(raw[:]) // never fails
	return hex.EncodeToString(raw[:])
}

// How much of what a refused client still sends is taken in before the
// connection is closed.
const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 256 << 10
)

// CloseWrite says that nothing more will be sent. net/http asks for it before it
// lingers.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection. Closed while input is unread, it would be reset,
// and the client might never see why it was refused.
func (c *conn) Close() error {
	if c.refused.CompareAndSwap(true, false) && c.CloseWrite() == nil &&
		c.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		io.CopyN(io.Discard, c.Conn, lingerBytes) //nolint:errcheck // whatever comes
	}
	return c.Conn.Close()
}
