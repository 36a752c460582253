package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessage bounds a message, in bytes. It far exceeds the bound of a list, so
// that the tool refuses a long list, in words for an agent.
const maxMessage = 64 << 10

// Respond makes the response to one message of the streamable HTTP transport: a
// POST that is answered with JSON. There are no sessions, so GET and DELETE are
// 405. Every error is a JSON-RPC error, even in answer to a body that is not a
// message.
//
// It sets the headers of the response and writes nothing. The status is 0 when the
// client left before there was a response.
func (s *Server) Respond(w http.ResponseWriter, r *http.Request) (status int, body []byte) {
	a, h := answer{ResponseWriter: w}, w.Header()
	message, _ := io.ReadAll(io.LimitReader(r.Body, maxMessage+1)) // the SDK says what is wrong with a part of one
	body = refusalOf(message)
	switch {
	// Browsers send the page's origin with every POST, and other programs send none. So
	// pages of other sites are refused, even of those whose name resolves to this address.
	case slices.ContainsFunc(r.Header.Values("Origin"), func(origin string) bool { return origin != s.BaseURL }):
		a.status, body = http.StatusForbidden, rpcError(nil, "pages of other sites may not ask here: send no Origin, or "+s.BaseURL)
	case body != nil:
		a.status = http.StatusBadRequest
	default:
		got := r.Clone(r.Context())
		// The protocol wants clients to accept event streams too, which are never sent here.
		got.Header.Set("Accept", "application/json, text/event-stream")
		got.Body = io.NopCloser(bytes.NewReader(message))
		s.stream.ServeHTTP(&a, got)
		if body = a.body.Bytes(); len(body) > 0 && h.Get("Content-Type") != "application/json" {
			body = rpcError(nil, strings.TrimSpace(string(body))) // the SDK's errors are plain text
		}
	}
	h.Set("Cache-Control", "no-store")
	if len(body) > 0 {
		h.Set("Content-Type", "application/json; charset=utf-8")
	}
	return a.status, body
}

type answer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (a *answer) WriteHeader(status int) { a.status = cmp.Or(a.status, status) }

func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// maxID is the largest whole number that every reader of JSON keeps exactly.
const maxID = 1<<53 - 1

// refusalOf refuses a message that can't be answered under its own id: the SDK reads every
// number as a 64-bit integer, and takes a call with the id null for a notification. It refuses
// batches and requests to wait for events. It returns nil for other messages.
func refusalOf(message []byte) []byte {
	if bytes.HasPrefix(bytes.TrimSpace(message), []byte("[")) {
		return rpcError(nil, "batches are not taken; send each message by itself")
	}
	var m struct {
		ID     json.RawMessage
		Method *string
	}
	if json.Unmarshal(message, &m) != nil || len(m.ID) == 0 || m.Method == nil {
		return nil // the SDK says what is wrong
	}
	if n, err := strconv.ParseInt(string(m.ID), 10, 64); m.ID[0] != '"' && (err != nil || n < -maxID || n > maxID) {
		return rpcError(nil, fmt.Sprintf("an id is a text, or a whole number of up to %d written without fraction and exponent", int64(maxID)))
	}
	if *m.Method == "subscriptions/listen" {
		return rpcError(m.ID, "there is nothing to subscribe to: the tools never change")
	}
	return nil
}

// rpcError returns an error in answer to the message with an id; nil if it could not be read.
func rpcError(id json.RawMessage, text string) []byte {
	fault := map[string]any{"code": jsonrpc.CodeInvalidRequest, "message": text}
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": fault}) // everything in it has a JSON form
	return b
}
