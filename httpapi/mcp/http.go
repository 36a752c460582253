package mcp

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/larder-index/larder/httpapi/internal/accept"
)

// maxMessage bounds a message, in bytes. It far exceeds the bound of a list, so
// that the tool refuses a long list, in words for an agent.
const maxMessage = 64 << 10

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
// client left before there was a response.
func (s *Server) Respond(w http.ResponseWriter, r *http.Request) (status int, body []byte) {
	a := answer{header: http.Header{}}
	s.ask(&a, w, r)
	body = a.body.Bytes()
	if len(body) > 0 && a.header.Get("Content-Type") != "application/json" {
		body = rpcError(nil, invalidRequest, strings.TrimSpace(a.body.String())) // the SDK's other errors are plain text
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if allow := a.header.Get("Allow"); allow != "" {
		h.Set("Allow", allow)
	}
	if len(body) > 0 {
		h.Set("Content-Type", "application/json; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return a.status, body
}

// ask has the SDK answer a message that may be answered.
func (s *Server) ask(a *answer, w http.ResponseWriter, r *http.Request) {
	// Browsers send the page's origin with every POST, and other programs send none. So
	// pages of other sites are refused, even of those whose name resolves to this address.
	if slices.ContainsFunc(r.Header.Values("Origin"), func(origin string) bool { return origin != s.BaseURL }) {
		http.Error(a, "pages of other sites may not ask here: send no Origin, or "+s.BaseURL, http.StatusForbidden)
		return
	}
	got := r.Clone(r.Context())
	if r.Method == http.MethodPost {
		if !accept.Media(r.Header, "application/json") {
			http.Error(a, "the answer is JSON: accept it", http.StatusNotAcceptable)
			return
		}
		// The protocol wants clients to accept event streams too, which are never sent here.
		got.Header.Set("Accept", "application/json, text/event-stream")
		message, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
		if errors.Is(err, os.ErrDeadlineExceeded) {
			http.Error(a, "the body took too long to arrive; send it again", http.StatusRequestTimeout)
			return
		}
		if refusal := refusalOf(message); err == nil && refusal != nil {
			a.header.Set("Content-Type", "application/json")
			a.WriteHeader(http.StatusBadRequest)
			a.body.Write(refusal)
			return
		}
		got.Body = io.NopCloser(io.MultiReader(bytes.NewReader(message), failed{cmp.Or(err, io.EOF)}))
	}
	s.stream.ServeHTTP(a, got)
}

// failed is a reader at its end.
type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// answer records a response.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) { a.status = cmp.Or(a.status, status) }

func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}
