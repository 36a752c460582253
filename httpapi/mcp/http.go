package mcp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/larder-index/larder/httpapi/internal/accept"
)

// ServeHTTP answers one message of the streamable HTTP transport; see Respond.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, body := s.Respond(w, r)
	if status == 0 {
		panic(http.ErrAbortHandler) // the client went away
	}
	w.WriteHeader(status)
	w.Write(body) //nolint:errcheck // the client is gone then
}

// Respond makes the response to one message of the streamable HTTP transport: a
// POST that is answered with JSON. There are no sessions, so GET and DELETE are
// 405. Every error is a JSON-RPC error, even in answer to a body that is not a
// message.
//
// It sets the headers of the response and writes nothing. The status is 0 when the
// client left before there was a response. The order of checks is 405, 403, 415,
// 406, 413, 400.
func (s *Server) Respond(w http.ResponseWriter, r *http.Request) (status int, body []byte) {
	message, asked, f := s.receive(w, r)
	if f != nil {
		return f.respond(w.Header())
	}
	got := r.Clone(r.Context())
	got.Body, got.ContentLength = io.NopCloser(bytes.NewReader(message)), int64(len(message))
	got.Header.Set("Accept", "application/json, text/event-stream")
	a := &answer{header: http.Header{}}
	s.stream.ServeHTTP(a, got)
	return a.respond(w.Header(), asked)
}

func newFault(status, code int, name, format string, a ...any) *fault {
	return &fault{Code: code, Name: name, Message: fmt.Sprintf(format, a...), status: status}
}

func (f *fault) respond(h http.Header) (status int, body []byte) {
	return respond(h, cmp.Or(f.status, http.StatusBadRequest), f.body(h.Get("X-Request-Id")))
}

func respond(h http.Header, status int, body []byte) (int, []byte) {
	h.Set("Cache-Control", "no-store")
	if len(body) > 0 {
		h.Set("Content-Type", "application/json; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return status, body
}

// receive reads and checks a message.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) ([]byte, jsonrpc.Message, *fault) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, nil, newFault(http.StatusMethodNotAllowed, invalidRequest, "method_not_allowed", "this address takes POST: there are no sessions and no streams")
	}
	// Browsers send the page's origin with every POST, and other programs send none. So
	// pages of other sites are refused, even of those whose name resolves to this address.
	if slices.ContainsFunc(r.Header.Values("Origin"), func(origin string) bool { return origin != s.BaseURL }) {
		return nil, nil, newFault(http.StatusForbidden, invalidRequest, "origin_refused", "pages of other sites may not ask here: send no Origin, or %s", s.BaseURL)
	}
	if !accept.IsJSON(r.Header) {
		return nil, nil, newFault(http.StatusUnsupportedMediaType, invalidRequest, "unsupported_media_type", `send the header "Content-Type: application/json" and the body as plain UTF-8, not compressed`)
	}
	// The protocol wants clients to accept event streams too, which are never sent here.
	if !accept.Media(r.Header, "application/json") {
		return nil, nil, newFault(http.StatusNotAcceptable, invalidRequest, "not_acceptable", `the answer is JSON; send the header "Accept: application/json, text/event-stream"`)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, nil, newFault(http.StatusRequestEntityTooLarge, invalidRequest, "body_too_large", "the body has more than %d bytes; send a shorter one", maxMessage)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, nil, newFault(http.StatusRequestTimeout, invalidRequest, "request_timeout", "the body took too long to arrive; send it again")
	}
	if err != nil {
		return nil, nil, newFault(http.StatusBadRequest, parseError, "invalid_json", "the body ended too early")
	}
	m, f := checkMessage(body)
	if version := r.Header.Get("Mcp-Protocol-Version"); f == nil && version != "" {
		var id jsonrpc.ID
		if asked, ok := m.(*jsonrpc.Request); ok {
			id = asked.ID
		}
		f = checkVersion(id, version)
	}
	return body, m, f
}

// answer records the SDK's response, so that its errors in text can become JSON.
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

// respond passes the response on, in plain words. Errors in text become errors of
// JSON-RPC with the id of the request. The SDK's headers are dropped.
func (a *answer) respond(h http.Header, asked jsonrpc.Message) (status int, body []byte) {
	if a.status < http.StatusBadRequest || strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		if m, err := jsonrpc.DecodeMessage(a.body.Bytes()); err == nil {
			if r, ok := m.(*jsonrpc.Response); ok && r.Error != nil {
				if e, ok := errors.AsType[*jsonrpc.Error](r.Error); ok && plain(e) != e {
					r.Error = plain(e)
					if b, err := jsonrpc.EncodeMessage(r); err == nil {
						return respond(h, a.status, b)
					}
				}
			}
		}
		return respond(h, a.status, a.body.Bytes())
	}
	f := newFault(a.status, invalidRequest, "invalid_request", "%s", strings.TrimSpace(a.body.String()))
	if r, ok := asked.(*jsonrpc.Request); ok {
		f.ID = r.ID
		if strings.Contains(f.Message, "method not found") || strings.Contains(f.Message, "not handled") {
			f.Code, f.Name, f.Message = methodNotFound, "method_not_found", fmt.Sprintf("there is no method %.40q", r.Method)
		} else if e := plain(&jsonrpc.Error{Code: invalidRequest, Message: f.Message}); e.Code != invalidRequest {
			f.Code, f.Name, f.Message = int(e.Code), "invalid_params", e.Message
		}
	}
	return f.respond(h)
}
