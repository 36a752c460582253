package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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
	status  int // of HTTP; 0: 400
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
	if f := checkID(b); f != nil {
		return nil, f
	}
	m, err := jsonrpc.DecodeMessage(b)
	if err != nil {
		return nil, &fault{Code: invalidRequest, Name: "invalid_request", Message: `this is no JSON-RPC 2.0 message; send such as {"jsonrpc":"2.0","id":1,"method":"tools/list"}`}
	}
	switch x := m.(type) {
	case *jsonrpc.Request:
		return m, checkRequest(x)
	case *jsonrpc.Response:
		if x.Result == nil && x.Error == nil {
			return m, &fault{ID: x.ID, Code: invalidRequest, Name: "invalid_request", Message: "the message has no method"}
		}
	}
	return m, nil
}

// maxID is the largest whole number that every reader of JSON keeps exactly.
const maxID = 1<<53 - 1

// checkID refuses ids that the SDK would change: it reads every number as a 64-bit
// integer, and a request with the id null as one that wants no answer.
func checkID(b []byte) *fault {
	var v struct{ ID, Method json.RawMessage }
	if json.Unmarshal(b, &v) != nil || len(v.ID) == 0 || v.ID[0] == '"' || string(v.ID) == "null" && v.Method == nil {
		return nil
	}
	if n, err := strconv.ParseInt(string(v.ID), 10, 64); err == nil && n >= -maxID && n <= maxID {
		return nil
	}
	return &fault{Code: invalidRequest, Name: "invalid_request", Message: fmt.Sprintf("an id is a text, or a whole number of up to %d written without fraction and exponent", int64(maxID))}
}

// versionKey is the key in the _meta of params of the version that a request is in.
const versionKey = "io.modelcontextprotocol/protocolVersion"

// versions are the versions of the protocol that the SDK speaks.
var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// checkRequest refuses what the SDK answers wrongly: methods without an answer here,
// and unknown versions of the protocol.
func checkRequest(r *jsonrpc.Request) *fault {
	if r.Method == "subscriptions/listen" {
		return &fault{ID: r.ID, Code: methodNotFound, Name: "method_not_found", Message: "there is nothing to subscribe to: the tools never change"}
	}
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	var version string
	if json.Unmarshal(r.Params, &params) != nil || json.Unmarshal(params.Meta[versionKey], &version) != nil {
		return nil
	}
	return checkVersion(r.ID, version)
}

// checkVersion refuses a version of the protocol that the SDK does not speak.
func checkVersion(id jsonrpc.ID, version string) *fault {
	if slices.Contains(versions, version) {
		return nil
	}
	return &fault{
		ID: id, Code: sdk.CodeUnsupportedProtocolVersion, Name: "unsupported_protocol_version",
		Message: fmt.Sprintf("%.40q is no version of the protocol that is spoken here; send one of %s", version, strings.Join(versions, ", ")),
	}
}

// plain puts an error of the SDK into plain words. Its own texts name Go types where
// params have another form, and some have no code.
func plain(e *jsonrpc.Error) *jsonrpc.Error {
	if e.Code != 0 && !strings.Contains(e.Message, "unmarshal") {
		return e
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the params have another form than the protocol gives to this method"}
}
