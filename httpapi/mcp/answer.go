package mcp

import (
	"bytes"
	"net/http"
	"strings"
)

// answer holds a response back until it is whole, so that what is no JSON can be
// made some.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// respond passes the answer on. Errors that the SDK writes as text become errors
// of JSON-RPC; of its headers none is of use.
func (a *answer) respond(h http.Header) (status int, body []byte) {
	text := !strings.HasPrefix(a.header.Get("Content-Type"), "application/json")
	if a.status >= http.StatusBadRequest && text {
		return newFault(a.status, invalidRequest, "invalid_request", "%s", strings.TrimSpace(a.body.String())).respond(h)
	}
	return respond(h, a.status, a.body.Bytes())
}
