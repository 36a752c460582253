package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessage bounds a message, in bytes. It far exceeds the bound of a list, so
// that the tool refuses a long list, in words for an agent.
const maxMessage = 64 << 10

// fault is an error of the protocol, as opposed to a refused call.
type fault struct {
	ID      jsonrpc.ID // of the request, when it could be read
	Code    int        // of JSON-RPC
	Name    string     // a code as at the other addresses
	Message string
}

// Codes of JSON-RPC 2.0.
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
)

// body returns the fault as a message. requestID may be empty.
func (f *fault) body(requestID string) []byte {
	var v struct {
		Version string `json:"jsonrpc"`
		ID      any    `json:"id"` // null if it could not be read
		Error   struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
			Data    struct {
				Code      string `json:"code"`
				RequestID string `json:"requestId,omitempty"`
			} `json:"data"`
		} `json:"error"`
	}
	v.Version, v.ID = "2.0", f.ID.Raw()
	v.Error.Code, v.Error.Message, v.Error.Data.Code, v.Error.Data.RequestID = f.Code, f.Message, f.Name, requestID
	b, err := json.Marshal(&v)
	if err != nil {
		panic("mcp: " + err.Error()) // ids are texts and numbers
	}
	return b
}

// checkMessage reads one message. It refuses batches, which the protocol dropped
// in its version 2025-06-18.
func checkMessage(b []byte) (jsonrpc.Message, *fault) {
	switch {
	case len(b) > maxMessage:
		return nil, &fault{Code: invalidRequest, Name: "body_too_large", Message: fmt.Sprintf("the message has more than %d bytes; send a shorter one", maxMessage)}
	case !utf8.Valid(b) || !json.Valid(b):
		return nil, &fault{Code: parseError, Name: "invalid_json", Message: "the message is not one JSON value in UTF-8, on one line"}
	case bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")):
		return nil, &fault{Code: invalidRequest, Name: "invalid_request", Message: "batches are not taken; send each message by itself"}
	}
	m, err := jsonrpc.DecodeMessage(b)
	if err != nil {
		return nil, &fault{Code: invalidRequest, Name: "invalid_request", Message: `this is no JSON-RPC 2.0 message; send such as {"jsonrpc":"2.0","id":1,"method":"tools/list"}`}
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.Method == "subscriptions/listen" {
		return nil, &fault{ID: r.ID, Code: methodNotFound, Name: "method_not_found", Message: "there is nothing to subscribe to: the tools never change"}
	}
	return m, nil
}
